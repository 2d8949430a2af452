/**
 * Where the refusal of a request object goes: an application that sends `state` and `response_mode` in its object need not repeat
 * them outside it (OpenID Connect Core section 6.1).
 */
import { RESPONSE_MODES } from '../../domain/sign-in/interactions.ts'
import type { Parameters } from '../../http/parameters.ts'
import { decodeBase64url } from '../../tokens/jws.ts'

/** The claims of a JWT, unverified; none if it is not a JWT or is encrypted. */
const claimsOf = (jwt: string): { readonly state?: unknown; readonly response_mode?: unknown } => {
  const [, payload = '', ...rest] = jwt.split('.')
  const bytes = rest.length === 1 ? decodeBase64url(payload) : undefined
  try {
    const claims: unknown = JSON.parse(bytes?.toString() ?? '')
    return typeof claims === 'object' && claims !== null ? claims : {}
  } catch {
    return {}
  }
}

/**
 * The parameters; with a request object, also its `state` and `response_mode` if they are not sent outside it. No
 * signature is verified: anyone could send the same two as parameters, and nothing else is read. The redirect URI is that
 * of the parameters.
 */
export const withAnswerOfObject = (parameters: Parameters): Parameters => {
  const [jwt] = parameters.get('request') ?? []
  if (!jwt) return parameters
  const { state, response_mode: mode } = claimsOf(jwt)
  const answer = new Map<string, readonly string[]>()
  if (typeof state === 'string' && state.isWellFormed() && !state.includes('\0')) answer.set('state', [state])
  if (typeof mode === 'string' && ['jwt', ...RESPONSE_MODES].includes(mode)) answer.set('response_mode', [mode])
  return new Map([...answer, ...parameters])
}
