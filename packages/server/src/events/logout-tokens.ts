/**
 * Sends logout tokens to the applications of a session that has ended (OpenID Connect Back-Channel Logout 1.0 section 2.5), and
 * SAML applications what they understand.
 */
import { findClient } from '../domain/applications/clients.ts'
import { findSamlSettings } from '../domain/applications/saml-applications.ts'
import { subjectFor } from '../domain/applications/subjects.ts'
import { type LogoutNotice, logoutTarget } from '../domain/sessions/back-channel-logout.ts'
import { idTokenKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import type { Outbound } from '../kernel/outbound.ts'
import type { Store } from '../storage/store.ts'
import { mintLogoutToken } from '../tokens/logout-token.ts'
import { type DispatchHandler, Undeliverable } from './dispatch-handler.ts'
import { sendSamlLogout } from './saml-logout.ts'

/** Soon at first, since a user may be waiting to be signed out; then once an hour for the rest of the day. */
const RETRY_SECONDS = [5, 30, 120, 600, 3600]

/** The handler of kind `logout-token`. */
export const logoutTokens = (store: Store, outbound: Outbound): DispatchHandler => ({
  action: 'sendLogoutToken',
  retrySeconds: RETRY_SECONDS,
  facts(payload) {
    const { clientId, userId, sessionId } = payload as LogoutNotice
    return { applicationId: clientId, userId, sessionId }
  },
  async deliver({ tenant, payload, now, signal }) {
    const notice = payload as LogoutNotice
    const saml = await findSamlSettings(store, tenant, notice.clientId)
    if (saml) return sendSamlLogout(store, outbound, tenant, saml, notice, signal)
    const target = await logoutTarget(store, tenant, notice.clientId)
    if (!target) throw new Undeliverable('the application is deleted or no longer has a backchannelLogoutUri')
    const key = idTokenKey(await signingKeys(store, tenant), target.algorithm, now)
    if (!key) throw new Error('the tenant has no key that signs ID tokens for the application')
    const client = await findClient(store, tenant, notice.clientId)
    const subject = subjectFor(store, tenant, client ?? {}, notice.userId)
    const { status } = await outbound.send({
      url: target.uri,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'cache-control': 'no-store' },
      body: new URLSearchParams({ logout_token: mintLogoutToken(key, tenant, notice, subject, now) }).toString(),
      signal,
    })
    if (status !== 200 && status !== 204) throw new Error(`the application answered ${status}`)
  },
})
