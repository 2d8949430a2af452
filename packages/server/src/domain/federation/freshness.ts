/** Sign-ins at providers that are asked for anew: what that adds to a request, and whether the answer is of such a sign-in. */
import { decodeJwt } from 'jose'
import type { EnterpriseAccount, Provider } from './provider.ts'
import type { SamlProvider } from './saml/provider.ts'

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

type Place = Provider['at'] | SamlProvider['at']

/** Who is back, as `endVisit` and its like have verified it. */
interface Back {
  readonly idToken?: string | undefined
  readonly account: Pick<EnterpriseAccount, 'authenticatedAt'>
}

const signedInAt = ({ idToken, account }: Back): number | undefined => {
  const { auth_time: said } = idToken === undefined ? {} : decodeJwt(idToken)
  return typeof said === 'number' ? said * 1000 : account.authenticatedAt
}

/**
 * Whether a provider need not say when the user signed in: OAuth 2.0 has no way to, and some OpenID providers leave `auth_time` out although
 * it is required where `max_age` was requested (OpenID Connect Core 1.0, section 2); Google is not asked for it. SAML always says it
 * (AuthnInstant).
 */
export const isSilentOnTime = ({ at, omitsAuthTime }: Pick<Provider, 'omitsAuthTime'> & { at: Place }): boolean =>
  omitsAuthTime === true || at.protocol === 'oauth2' || (at.protocol === 'oidc' && at.issuer === GOOGLE)

/** Whether the user has signed in at the provider since then. @param isSilent whether the provider need not say, as isSilentOnTime */
export const isSignedInSince = (back: Back, since: Date, isSilent: boolean): boolean => {
  const at = signedInAt(back)
  return at === undefined ? isSilent : at >= since.getTime() - TOLERANCE_MS
}
