import type { IncomingHttpHeaders } from 'node:http'
import { GuardError } from '../errors/guard-error.ts'
import { parseAuthorization } from './parse-authorization.ts'

/**
 * {@link bearerToken} for a Node request. Of several `Authorization` headers Node keeps the first and drops the
 * others silently, while a proxy in front may have checked the last: `rawHeaders` still has them all.
 */
export function incomingBearerToken(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): string {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  if (names.filter((name) => name.toLowerCase() === 'authorization').length > 1) throw new GuardError('request_invalid')
  return parseAuthorization(headers.authorization)
}
