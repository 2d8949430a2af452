import { GuardError, type TokenScheme } from '../errors/guard-error.ts'
import { misconfigured } from '../errors/misconfigured.ts'

/** How strongly and how recently a user has to have signed in for a request (RFC 9470). At least one of the two. */
export interface RequiredAuthentication {
  /**
   * The classes (`acr`) of which the token must have one, compared exactly, in order of preference. A stronger class has to be
   * named too: the guard knows no order of them.
   */
  readonly acrValues?: readonly string[]
  /** At most how many seconds ago the user signed in; 0 asks for a sign-in within the same second. */
  readonly maxAgeSeconds?: number
}

/** By which clock an age is measured. */
export interface AuthenticationClock {
  /** The system's by default. */
  readonly now?: () => Date
  /** Tolerated clock skew: 0 by default. */
  readonly clockToleranceSeconds?: number
}

/** What is looked at of a verified token. */
interface Authenticated {
  readonly acr: string | undefined
  readonly authenticatedAt: Date | undefined
  readonly scheme?: TokenScheme
}

// what RFC 6749 appendix A allows in a value of a list that is separated by spaces
const acrValue = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Refuses requirements that demand nothing, or that no token could meet. */
export function checkRequiredAuthentication(required: RequiredAuthentication): RequiredAuthentication {
  const { acrValues, maxAgeSeconds } = required
  if (acrValues === undefined && maxAgeSeconds === undefined)
    throw misconfigured('A required authentication needs acrValues or maxAgeSeconds')
  if (acrValues?.length === 0) throw misconfigured('acrValues is empty: omit it to take every class')
  const wrong = acrValues?.find((value) => !acrValue.test(value))
  if (wrong !== undefined) throw misconfigured(`${JSON.stringify(wrong)} is not an acr value`)
  if (maxAgeSeconds !== undefined && !(Number.isSafeInteger(maxAgeSeconds) && maxAgeSeconds >= 0))
    throw misconfigured('maxAgeSeconds must be a whole number of seconds, 0 or more')
  return { ...(acrValues && { acrValues: [...acrValues] }), ...(maxAgeSeconds !== undefined && { maxAgeSeconds }) }
}

/**
 * Throws `authentication_insufficient` unless the user of the token signed in as is required (RFC 9470 §3); the challenge then says
 * what to ask the user for. A token that does not say how or when, such as one of a machine or of an exchange, is refused.
 *
 * Not checked: whether the user has signed in since the token was issued. That is in the next token.
 */
export function requireAuthentication(
  token: Authenticated,
  required: RequiredAuthentication,
  { now = () => new Date(), clockToleranceSeconds = 0 }: AuthenticationClock = {},
): void {
  const requiredAuthentication = checkRequiredAuthentication(required)
  const { acrValues, maxAgeSeconds } = requiredAuthentication
  const { acr, authenticatedAt, scheme } = token
  const isOfClass = acrValues === undefined || (acr !== undefined && acrValues.includes(acr))
  // whole seconds, as `auth_time` has them
  const age = authenticatedAt && Math.floor((now().getTime() - authenticatedAt.getTime()) / 1000)
  const isRecent = maxAgeSeconds === undefined || (age !== undefined && age <= maxAgeSeconds + clockToleranceSeconds)
  if (isOfClass && isRecent) return
  throw new GuardError('authentication_insufficient', {
    requiredAuthentication,
    cause: { acr, authenticatedAt },
    ...(scheme && { scheme }),
  })
}
