/** Tells applications that a user has answered their backchannel authentication request (OpenID CIBA section 10.2). */
import { type BackchannelPing, pingTarget } from '../domain/sign-in/backchannel-ping.ts'
import type { Outbound } from '../kernel/outbound.ts'
import type { Store } from '../storage/store.ts'
import { type DispatchHandler, Undeliverable } from './dispatch-handler.ts'

/** Soon, since someone is waiting: the request ends within ten minutes. */
const RETRY_SECONDS = [2, 5, 15, 60]

/** The handler of kind `backchannel-ping`. */
export const backchannelPings = (store: Store, outbound: Outbound): DispatchHandler => ({
  action: 'sendBackchannelPing',
  retrySeconds: RETRY_SECONDS,
  facts(payload) {
    return { applicationId: (payload as BackchannelPing).clientId }
  },
  async deliver({ tenant, payload, signal }) {
    const { clientId, requestId, token } = payload as BackchannelPing
    const url = await pingTarget(store, tenant, clientId)
    if (url === undefined)
      throw new Undeliverable('the application is deleted or no longer has a backchannelClientNotificationEndpoint')
    const { status } = await outbound.send({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'cache-control': 'no-store' },
      body: JSON.stringify({ auth_req_id: requestId }),
      signal,
    })
    if (status !== 200 && status !== 204) throw new Error(`the application answered ${status}`)
  },
})
