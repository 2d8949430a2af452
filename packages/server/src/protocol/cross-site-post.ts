/**
 * Forms that another site posts to the server. Browsers then withhold the cookies (SameSite=Lax), so that a signed-in
 * user appears signed out. The same request as a GET includes them: a browser that sends none is redirected there,
 * once.
 */
import { readCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'

/** Characters. Proxies take a line of 8 KiB; a query of this length leaves half of it for everything else. */
const LONGEST_QUERY = 4096

/**
 * Whether this is a POST without any of the server's cookies. Then the missing session means nothing, and no cookie may
 * be set.
 */
export const isWithoutCookies = (exchange: Exchange): boolean =>
  exchange.method === 'POST' &&
  readCookie(exchange, 'session') === undefined &&
  readCookie(exchange, 'browser') === undefined

const queryOf = (parameters: Parameters): string =>
  new URLSearchParams(
    [...parameters].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ).toString()

/** Whether the parameters fit into a URL; otherwise they have to be stored and referred to in the URL. */
export const fitsAddress = (parameters: Parameters): boolean => queryOf(parameters).length <= LONGEST_QUERY

/** Always 303 (RFC 9700 section 4.12): a GET. No address that contains a hint is sent anywhere as a referrer. */
export const repeatAsGet = (address: string, parameters: Parameters): Answer => {
  const query = queryOf(parameters)
  return redirectTo(query === '' ? address : `${address}?${query}`)
}
