/**
 * Signing out at the identity provider of a company too (OpenID Connect RP-Initiated Logout 1.0, DECISIONS P18): the ID token, which the
 * provider wants to see again, and the address to send the user to.
 */
import type { Vault } from '../../../kernel/secrets.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Store } from '../../../storage/store.ts'
import { serverOf } from '../metadata.ts'
import { reachOf, soundForBrowsers } from '../reach.ts'
import { oidcProviderOf } from './config.ts'
import type { SsoConnector } from './connectors.ts'
import { idTokenPurpose } from './id-tokens.ts'

/** Characters of the whole address; browsers and servers take as many. */
const LONGEST_ADDRESS = 8000

/** What the provider is told. */
interface SignOut {
  /** The user, at the provider. */
  readonly identityId: string
  readonly sealedIdToken: Buffer | null
  /** Where the user comes back to; registered at the provider. */
  readonly returnTo: string
  readonly state: string
}

const idTokenIn = (
  vault: Vault,
  tenant: Tenant,
  { id }: SsoConnector,
  { identityId, sealedIdToken }: SignOut,
): Record<string, string> =>
  sealedIdToken ? { id_token_hint: vault.unseal(sealedIdToken, idTokenPurpose(tenant.id, id, identityId)) } : {}

/**
 * The address at which the user signs out of the provider (section 2); undefined where it has none, or where the address would be too
 * long, as with a state of several thousand characters. Throws FederationFailure, also for a provider that cannot be reached.
 */
export const signOutAddress = async (
  store: Store,
  tenant: Tenant,
  connector: SsoConnector,
  asked: SignOut,
): Promise<string | undefined> => {
  const provider = oidcProviderOf(connector)
  const { end_session_endpoint: endpoint } = await serverOf(reachOf(store), provider)
  if (endpoint === undefined) return undefined
  const url = soundForBrowsers(store, endpoint, 'end session endpoint')
  const parameters = {
    client_id: provider.clientId,
    post_logout_redirect_uri: asked.returnTo,
    state: asked.state,
    ...idTokenIn(store.vault, tenant, connector, asked),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  // a provider takes a request without the hint as well, though it may ask the user
  if (url.href.length > LONGEST_ADDRESS) url.searchParams.delete('id_token_hint')
  return url.href.length > LONGEST_ADDRESS ? undefined : url.href
}
