/**
 * What an identity provider wants to see again when the user signs out there, where the connector says so; sealed from the moment it
 * arrives: the ID token, or the name and session of SAML.
 */
import type { Unit } from '../../../storage/unit-of-work.ts'
import type { EnterpriseAccount, SamlNameId } from '../provider.ts'
import type { SsoConnector } from './connectors.ts'
import type { SsoVisited } from './visits.ts'

/** Characters: a longer one does not fit into the address that leads to the provider. */
const LONGEST = 4096

/** For one account of one connector. */
export const idTokenPurpose = (tenantId: string, connectorId: string, identityId: string): string =>
  `sso-id-token/${tenantId}/${connectorId}/${identityId}`

/** What a logout request of SAML says of the user. */
export interface SamlLogoutHint {
  readonly issuer: string
  readonly nameId: SamlNameId
  readonly sessionIndex?: string
}

const samlHint = ({ issuer, nameId, sessionId }: EnterpriseAccount): string => {
  if (!nameId) return ''
  const hint: SamlLogoutHint = { issuer, nameId, ...(sessionId === undefined ? {} : { sessionIndex: sessionId }) }
  return JSON.stringify(hint)
}

/** What is to be kept of a visit, in base64. */
export const idTokenToKeep = (
  { vault, tenant }: Pick<Unit, 'vault' | 'tenant'>,
  { id, config }: SsoConnector,
  { account, idToken = samlHint(account) }: SsoVisited,
): { readonly sealedIdToken?: string } => {
  if (!config.signOutAtProvider || idToken === '' || idToken.length > LONGEST) return {}
  const sealed = vault.seal(idToken, idTokenPurpose(tenant.id, id, account.id))
  return { sealedIdToken: sealed.toString('base64') }
}
