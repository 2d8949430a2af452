/** The access token that a request to an API carries (RFC 6750). */
import { ApiError } from '../kernel/api-error.ts'
import type { Exchange } from './exchange.ts'

/**
 * The token of the one Authorization header (RFC 6750 section 2.1); never of the query or the body. Throws 401
 * `auth.authorization_header_missing`, `auth.authorization_token_type_not_supported`.
 */
export const bearerToken = ({ headerValues }: Exchange): string => {
  const [header, ...more] = headerValues('authorization')
  if (header === undefined) throw new ApiError('auth.authorization_header_missing')
  const [, scheme, token] = /^(\S+) +(\S+)$/.exec(header) ?? []
  if (more.length > 0 || scheme?.toLowerCase() !== 'bearer' || !token) {
    throw new ApiError('auth.authorization_token_type_not_supported', { supportedTypes: ['Bearer'] })
  }
  return token
}
