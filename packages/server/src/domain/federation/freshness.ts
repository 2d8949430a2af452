/** Sign-ins at providers that are asked for anew: what that adds to a request, and whether the answer is of such a sign-in. */
import { decodeJwt } from 'jose'
import type { Provider } from './provider.ts'

const GOOGLE = 'https://accounts.google.com'
/** How much the clock of a provider may differ. */
const TOLERANCE_MS = 60_000

/**
 * The provider, asked to have the user sign in again (OpenID Connect Core 1.0, section 3.1.2.1). Google takes no `login`, and has the user
 * choose the account. Plain OAuth 2.0 has nothing for it: there the provider decides.
 */
export const askingAgain = (provider: Provider): Provider => {
  if (provider.at.protocol !== 'oidc') return provider
  const again: Readonly<Record<string, string>> =
    provider.at.issuer === GOOGLE ? { prompt: 'select_account' } : { prompt: 'login', max_age: '0' }
  return { ...provider, parameters: { ...provider.parameters, ...again } }
}

/**
 * Whether the user has signed in at the provider since then, as far as the provider says (`auth_time`).
 * @param idToken whose signature was verified
 */
export const isSignedInSince = (idToken: string | undefined, since: Date): boolean => {
  const { auth_time: signedInAt } = idToken === undefined ? {} : decodeJwt(idToken)
  return typeof signedInAt !== 'number' || signedInAt * 1000 >= since.getTime() - TOLERANCE_MS
}
