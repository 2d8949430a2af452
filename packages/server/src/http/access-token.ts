/** The access token that a request to an API carries (RFC 6750, RFC 9449 section 7.1). */
import { ApiError } from '../kernel/api-error.ts'
import type { TokenScheme } from '../kernel/challenge.ts'
import type { Exchange } from './exchange.ts'

export interface PresentedToken {
  readonly scheme: TokenScheme
  readonly token: string
}

const SCHEMES = ['Bearer', 'DPoP'] as const

/** Credentials of one of the two schemes; undefined for others. */
export const parseCredentials = (header: string): PresentedToken | undefined => {
  const [, name, token] = /^(\S+) +(\S+)$/.exec(header) ?? []
  const scheme = SCHEMES.find((each) => each.toLowerCase() === name?.toLowerCase())
  return scheme && token ? { scheme, token } : undefined
}

/** The scheme in which a request presents its token, for the challenge that it is answered with; Bearer for one without a token. */
export const schemeOf = (header: string | undefined): TokenScheme =>
  header !== undefined && /^dpop(?: |$)/i.test(header) ? 'DPoP' : 'Bearer'

/**
 * The token of the one Authorization header (RFC 6750 section 2.1); never of the query or the body. Throws 401
 * `auth.authorization_header_missing`, `auth.authorization_token_type_not_supported`.
 */
export const presentedToken = ({ headerValues }: Exchange): PresentedToken => {
  const [header, ...more] = headerValues('authorization')
  if (header === undefined) throw new ApiError('auth.authorization_header_missing')
  const presented = more.length > 0 ? undefined : parseCredentials(header)
  if (!presented) throw new ApiError('auth.authorization_token_type_not_supported', { supportedTypes: [...SCHEMES] })
  return presented
}
