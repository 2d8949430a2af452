/** ID tokens that are kept until the user signs out, where the connector says so; sealed from the moment they arrive. */
import type { Unit } from '../../../storage/unit-of-work.ts'
import type { SsoConnector } from './connectors.ts'
import type { SsoVisited } from './visits.ts'

/** Characters: a longer one does not fit into the address that leads to the provider. */
const LONGEST = 4096

/** For one account of one connector. */
export const idTokenPurpose = (tenantId: string, connectorId: string, identityId: string): string =>
  `sso-id-token/${tenantId}/${connectorId}/${identityId}`

/** What is to be kept of a visit, in base64. */
export const idTokenToKeep = (
  { vault, tenant }: Unit,
  { id, config }: SsoConnector,
  { account, idToken = '' }: SsoVisited,
): { readonly sealedIdToken?: string } => {
  if (!config.signOutAtProvider || idToken === '' || idToken.length > LONGEST) return {}
  const sealed = vault.seal(idToken, idTokenPurpose(tenant.id, id, account.id))
  return { sealedIdToken: sealed.toString('base64') }
}
