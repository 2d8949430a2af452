/** Single logout at SAML connectors (saml-profiles-2.0-os, section 4.4): the two parties, and the request that signs a user out there. */
import { newBytes } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Store } from '../../../storage/store.ts'
import { perform, type Work } from '../../../storage/unit-of-work.ts'
import { FederationFailure } from '../failure.ts'
import { destinationOf } from '../saml/authorization.ts'
import { samlIdentityProvider } from '../saml/identity-providers.ts'
import { keepVisit } from '../saml/kept-visits.ts'
import { logoutRequest } from '../saml/message.ts'
import { type SamlIdentityProvider, type ServiceProvider, serviceProvider } from '../saml/provider.ts'
import { currentCertificates } from '../saml/signatures.ts'
import { signingKeys } from '../saml/signing-keys.ts'
import { ssoProviderOf } from './config.ts'
import type { SsoConnector } from './connectors.ts'
import { idTokenPurpose, type SamlLogoutHint } from './id-tokens.ts'

/** Characters of an address; browsers and servers take as many. */
const LONGEST_ADDRESS = 8000

/** This server as the connector presents it, with its keys. */
export const logoutServiceProvider = async (
  store: Store,
  tenant: Tenant,
  { id }: SsoConnector,
): Promise<ServiceProvider> => serviceProvider(tenant, id, await signingKeys(store, tenant, id))

/**
 * The identity provider of a complete SAML connector, with those of its certificates that are valid now. Throws FederationFailure.
 * @param isKeyUnknown as for samlIdentityProvider
 */
export const logoutIdentityProvider = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  connector: SsoConnector,
  isKeyUnknown = false,
): Promise<SamlIdentityProvider> => {
  const provider = ssoProviderOf(connector)
  if (provider.at.protocol !== 'saml') throw new FederationFailure('provider', 'the connector does not speak SAML')
  const idp = await samlIdentityProvider({ store, tenant }, provider.at.source, isKeyUnknown)
  return { ...idp, certificates: currentCertificates(idp.certificates, store.clock.now()) }
}

/** By which account a session was made, and where the user comes back to. */
interface SignOut {
  readonly identityId: string
  readonly sealedIdToken: Buffer | null
  readonly returnTo: string
}

/**
 * The address that leads to signing out at the identity provider, with a signed request. Undefined where its metadata has no single
 * logout, the connector has no active key, or the session was made before the connector said so. Throws FederationFailure.
 */
export const samlSignOutAddress = async (
  work: Work,
  connector: SsoConnector,
  { identityId, sealedIdToken, returnTo }: SignOut,
): Promise<string | undefined> => {
  const { store, tenant } = work
  const { id } = connector
  const us = await logoutServiceProvider(store, tenant, connector)
  const key = us.keys.active
  if (!key || !sealedIdToken) return undefined
  const idp = await logoutIdentityProvider(work, connector)
  const destination = idp.signOut.redirect ?? idp.signOut.post
  const hint = JSON.parse(
    store.vault.unseal(sealedIdToken, idTokenPurpose(tenant.id, id, identityId)),
  ) as SamlLogoutHint
  if (destination === undefined || hint.issuer !== idp.entityId) return undefined
  if (!store.outbound.isSecureEnough(destination))
    throw new FederationFailure('provider', 'the address for signing out is not an https address')
  const [logoutId, relayState] = [`_${newBytes(20).toString('hex')}`, newBytes(32).toString('base64url')]
  const head = { id: logoutId, now: store.clock.now(), destination }
  const xml = logoutRequest(us, head, hint.nameId, hint.sessionIndex)
  const sent = destinationOf(idp.signOut, { id: logoutId, xml, relayState }, key)
  if (sent.address.length > LONGEST_ADDRESS) return undefined
  const posted = sent.fields ? { posted: sent } : {}
  await perform(work, keepVisit, id, relayState, { returnTo, logoutId, ...posted })
  return sent.fields ? `${tenant.baseUrl}/enterprise-sso/${id}/request?visit=${relayState}` : sent.address
}
