/** The browser's own cookie, which binds interactions and forms to it (SECURITY R-21): a secret, not an identity. */
import { newOpaque, opaqueHash } from '../kernel/opaque.ts'
import { readCookie, writeCookie } from './cookies.ts'
import type { Exchange } from './exchange.ts'

/** The secret of this browser; if it has none, one is created and set with the cookies. */
export const browserOf = (exchange: Exchange): { browser: string; cookies: string[] } => {
  const sent = readCookie(exchange, 'browser')
  if (sent !== undefined && opaqueHash('browser', sent)) return { browser: sent, cookies: [] }
  const browser = newOpaque('browser')
  return { browser, cookies: [writeCookie(exchange.tenant, 'browser', browser)] }
}
