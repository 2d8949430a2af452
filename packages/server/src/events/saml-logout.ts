/** Sends logout requests to SAML applications of a session that has ended, by the SOAP binding, without a browser. */
import { findClient } from '../domain/applications/clients.ts'
import { type SamlSettings, samlAddressesOf } from '../domain/applications/saml-applications.ts'
import { samlKeys } from '../domain/applications/saml-keys.ts'
import type { LogoutNotice } from '../domain/sessions/back-channel-logout.ts'
import { verifiedEmailOf } from '../domain/users/rows.ts'
import type { Outbound } from '../kernel/outbound.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { logoutNotice } from '../tokens/saml/logout.ts'
import { nameIdOf } from '../tokens/saml/subject.ts'
import { Undeliverable } from './dispatch-handler.ts'

/** Throws Undeliverable, or another error if it is to be sent again. Whatever the application answers with 200 is final. */
export const sendSamlLogout = async (
  store: Store,
  outbound: Outbound,
  tenant: Tenant,
  settings: SamlSettings,
  { clientId, userId, sessionId }: LogoutNotice,
  signal: AbortSignal,
): Promise<void> => {
  const url = settings.singleLogout?.backChannelUrl
  const client = await findClient(store, tenant, clientId)
  if (url === undefined || !client)
    throw new Undeliverable('the application is deleted or no longer has a backChannelUrl')
  const key = (await samlKeys(store, tenant, clientId)).find(({ isActive }) => isActive)
  if (!key) throw new Error('the application has no active key that has not expired')
  const verifiedEmail = await verifiedEmailOf(store, tenant, userId)
  const nameId = nameIdOf(store.vault, tenant, settings, { applicationId: clientId, userId, sessionId, verifiedEmail })
  if (!nameId) throw new Undeliverable('the user no longer has the address that the application knows them by')
  const { metadata } = samlAddressesOf(tenant, clientId)
  const envelope = { issuer: metadata, destination: url, now: store.clock.now() }
  const { status } = await outbound.send({
    url,
    method: 'POST',
    headers: {
      'content-type': 'text/xml; charset=utf-8',
      soapaction: 'http://www.oasis-open.org/committees/security',
      'cache-control': 'no-store',
    },
    body: logoutNotice(envelope, { nameId, audience: settings.entityId ?? '', sessionIndex: sessionId }, key),
    signal,
  })
  if (status !== 200) throw new Error(`the application answered ${status}`)
}
