/** Cookies (RFC 6265): read strictly, written with every protection that the base URL allows (SECURITY R-26). */
import type { Tenant } from '../kernel/tenant.ts'
import type { Answer, Exchange } from './exchange.ts'

const isSecure = ({ baseUrl }: Tenant): boolean => baseUrl.startsWith('https:')

/** The name in the browser: bound to this host alone if the base URL is https. */
const nameFor = (tenant: Tenant, name: string): string => `${isSecure(tenant) ? '__Host-' : ''}countersign-${name}`

/** The value of a cookie by its name in the browser, if there is exactly one: one that a script of another party has set. */
export const foreignCookie = ({ headers }: Exchange, wanted: string): string | undefined => {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return pair.slice(0, equals).trim() === wanted ? [pair.slice(equals + 1).trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/** The value of the server's cookie with this name, if the browser sent exactly one. */
export const readCookie = (exchange: Exchange, name: string): string | undefined =>
  foreignCookie(exchange, nameFor(exchange.tenant, name))

/** The answer with more cookies. @param cookies values of Set-Cookie */
export const withCookies = (answer: Answer, cookies: readonly string[]): Answer => {
  if (cookies.length === 0) return answer
  const before = answer.headers?.['set-cookie'] ?? []
  return { ...answer, headers: { ...answer.headers, 'set-cookie': [...[before].flat(), ...cookies] } }
}

/** A Set-Cookie value. @param seconds how long it is kept; undefined: until the browser closes; 0: it is removed */
export const writeCookie = (tenant: Tenant, name: string, value: string, seconds?: number): string => {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${nameFor(tenant, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure(tenant) ? '; Secure' : ''}${age}`
}
