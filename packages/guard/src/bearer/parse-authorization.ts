import { GuardError } from '../errors/guard-error.ts'

// RFC 6750 §2.1: credentials = "Bearer" 1*SP b64token. The scheme is case-insensitive (RFC 9110 §11.1).
const credentials = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i
// The character after the scheme is not a token character (RFC 9110 §5.6.2): `Bearer,` is a malformed Bearer, `BearerX`
// is not.
const bearerScheme = /^Bearer(?![\w!#$%&'*+.^`|~-])/i

/**
 * The token of an `Authorization` header's value. Another scheme counts as no credentials at all (RFC 6750 §3.1:
 * "attempted using an unsupported authentication method"). Several headers, which arrive joined by commas, are
 * malformed. What the token contains is not looked at.
 */
export function parseAuthorization(value: string | null | undefined): string {
  if (!value || !bearerScheme.test(value)) throw new GuardError('credentials_missing')
  const token = credentials.exec(value)?.[1]
  if (token === undefined) throw new GuardError('request_invalid')
  return token
}
