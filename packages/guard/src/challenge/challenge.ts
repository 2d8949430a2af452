import { proofAlgorithms } from '../dpop/proof.ts'
import { answerOf } from '../errors/codes.ts'
import type { GuardError, TokenScheme } from '../errors/guard-error.ts'
import { quotedString } from './quoted-string.ts'

/** Attributes that an API may add to its challenges. */
export interface BearerChallengeOptions {
  /** The protection space (RFC 9110 §11.5). */
  readonly realm?: string
  /** The address of the API's protected resource metadata (RFC 9728 §5.1). */
  readonly resourceMetadata?: string
  /** The scopes that the request needs, for a client that has no token which is valid here. */
  readonly scopes?: readonly string[]
  /** Whether the API takes, or requires, tokens with proofs (RFC 9449): a request without credentials is told so. */
  readonly dpop?: { readonly required?: boolean }
}

/**
 * The value of `WWW-Authenticate` for an error (RFC 6750 §3), or `undefined` when the response is not a challenge:
 * unavailable keys and a misconfigured API are not a fault of the credentials.
 *
 * Without credentials, and for a valid token of a client that may not call the API, the challenge has no error code
 * (RFC 6750 §3.1). The scheme is that in which the token was presented (RFC 9449 §7.1). Texts are fixed sentences; nothing in the header comes from the token.
 */
export function challenge(error: GuardError, options: BearerChallengeOptions = {}): string | undefined {
  const answer = answerOf(error.code)
  if (answer.status >= 500) return undefined
  const attributes: Attributes = [
    ['realm', options.realm],
    ['error', answer.error],
    ['error_description', answer.error && answer.sentence],
    ['acr_values', error.requiredAuthentication?.acrValues?.join(' ')],
    ['max_age', error.requiredAuthentication?.maxAgeSeconds?.toString()],
    ['scope', scopesFor(error, answer, options)?.join(' ')],
    ['resource_metadata', options.resourceMetadata],
  ]
  const schemes = schemesOf(error, answer.isOfProof === true, options)
  return schemes.map((scheme) => challengeOf(scheme, attributes)).join(', ')
}

/** A 401 says what to ask for, a 403 what is missing; no other answer is about scopes. */
const scopesFor = (
  { requiredScopes }: GuardError,
  { status, error }: ReturnType<typeof answerOf>,
  { scopes }: BearerChallengeOptions,
): readonly string[] | undefined => {
  if (error === 'insufficient_scope') return requiredScopes
  return status === 401 ? scopes : undefined
}

type Attributes = readonly (readonly [name: string, value: string | undefined])[]

const schemesOf = (
  { code, scheme }: GuardError,
  isOfProof: boolean,
  { dpop }: BearerChallengeOptions,
): readonly TokenScheme[] => {
  if (isOfProof || dpop?.required || scheme === 'DPoP') return ['DPoP']
  return code === 'credentials_missing' && dpop ? ['Bearer', 'DPoP'] : ['Bearer']
}

const challengeOf = (scheme: TokenScheme, attributes: Attributes): string => {
  const all: Attributes = scheme === 'DPoP' ? [['algs', proofAlgorithms.join(' ')], ...attributes] : attributes
  const present = all.flatMap(([name, value]) => (value ? [`${name}=${quotedString(value)}`] : []))
  return present.length > 0 ? `${scheme} ${present.join(', ')}` : scheme
}
