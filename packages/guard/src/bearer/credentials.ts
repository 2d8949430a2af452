import type { ProofRequest } from '../dpop/proof.ts'
import { GuardError, type TokenScheme } from '../errors/guard-error.ts'
import type { Connection } from '../mtls/check-certificate.ts'
import { parseAuthorization } from './parse-authorization.ts'

/** An access token as a request presents it. */
export interface Credentials {
  readonly scheme: TokenScheme
  readonly token: string
  /** What a proof is about; undefined for a token without its request. */
  readonly request?: ProofRequest
  /** Where the certificate of the client is found; undefined for a token without its request. */
  readonly connection?: Connection
}

// RFC 9449 §7.1: the token in the syntax of token68, like a bearer token.
const dpop = /^DPoP +([A-Za-z0-9\-._~+/]+=*)$/i
const dpopScheme = /^DPoP(?![\w!#$%&'*+.^`|~-])/i

/** The credentials of an `Authorization` header's value. @param takesProofs whether the API takes tokens with proofs */
export function parseCredentials(
  value: string | null | undefined,
  takesProofs: boolean,
  request: ProofRequest | undefined,
): Credentials {
  const asked = request && { request }
  if (!takesProofs || !value || !dpopScheme.test(value))
    return { scheme: 'Bearer', token: parseAuthorization(value), ...asked }
  const token = dpop.exec(value)?.[1]
  if (token === undefined) throw new GuardError('request_invalid', { scheme: 'DPoP' })
  return { scheme: 'DPoP', token, ...asked }
}

/** A web request, or as much of it as a bearer token needs. */
export type RequestWithHeaders = Pick<Request, 'headers'> & Partial<Pick<Request, 'method' | 'url'>>

/** The credentials of a web request. Several headers arrive joined by commas, which no proof contains. */
export function credentialsOf({ headers, method, url }: RequestWithHeaders, takesProofs: boolean): Credentials {
  const proofs = headers.get('dpop')?.split(',') ?? []
  const request = method === undefined || url === undefined ? undefined : { method, url, proofs }
  const valuesOf = (name: string) => [headers.get(name) ?? []].flat()
  const connection = { headers: valuesOf, peer: () => undefined }
  return { ...parseCredentials(headers.get('authorization'), takesProofs, request), connection }
}
