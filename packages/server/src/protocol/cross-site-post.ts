/**
 * Forms that another site posts to us. Browsers hold our cookies back then (SameSite=Lax), so that a user who is signed in
 * looks like someone who is not. The same request as a GET brings them: a browser that sends none is sent there, once.
 */
import { readCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'

/** Characters. Proxies take a line of 8 KiB; a query of this length leaves half of it for everything else. */
const LONGEST_QUERY = 4096

/** Whether this is a POST without any cookie of ours. Nothing may be concluded from there being no session, nor a cookie set. */
export const isWithoutCookies = (exchange: Exchange): boolean =>
  exchange.method === 'POST' &&
  readCookie(exchange, 'session') === undefined &&
  readCookie(exchange, 'browser') === undefined

const queryOf = (parameters: Parameters): string =>
  new URLSearchParams(
    [...parameters].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ).toString()

/** Whether the parameters fit into an address; others have to be kept, with a name for them in the address. */
export const fitsAddress = (parameters: Parameters): boolean => queryOf(parameters).length <= LONGEST_QUERY

/** 303 and nothing else (RFC 9700 section 4.12): a GET. No address with a hint in it goes anywhere as a referrer. */
export const repeatAsGet = (address: string, parameters: Parameters): Answer => {
  const query = queryOf(parameters)
  return redirectTo(query === '' ? address : `${address}?${query}`)
}
