/**
 * The background work: sending what is queued, what hooks subscribed to and what receivers are told, and deleting what has expired. A
 * server does it too unless WORKERS=off; `countersign worker` does nothing else.
 */

import { deleteDueAccounts } from './domain/account/deletion.ts'
import { MAIL, SMS, WITHHELD } from './domain/delivery/messages.ts'
import { removeUnusedDocumentClients } from './domain/registered-clients/document-clients.ts'
import { removeUnusedClients } from './domain/registered-clients/unused.ts'
import { LOGOUT_TOKEN } from './domain/sessions/back-channel-logout.ts'
import { forgetExpired } from './domain/setup/housekeeping.ts'
import { BACKCHANNEL_PING } from './domain/sign-in/backchannel-ping.ts'
import { forgetUnusedImages } from './domain/uploads/unused.ts'
import type { Allowed } from './events/addresses.ts'
import { backchannelPings } from './events/backchannel-pings.ts'
import { logoutTokens } from './events/logout-tokens.ts'
import { messages, withheldMessages } from './events/messages.ts'
import { createOutbound } from './events/outbound.ts'
import type { Worker } from './events/poller.ts'
import { startSignalPush } from './events/signal-push.ts'
import { startWebhooks } from './events/webhooks.ts'
import { startWorker } from './events/worker.ts'
import type { Log } from './kernel/log.ts'
import { isLoopbackUrl } from './kernel/network.ts'
import type { Outbound } from './kernel/outbound.ts'
import type { OpenStore } from './storage/open-store.ts'

const HOUSEKEEPING_MS = 600_000

/** The only client for addresses that others registered; logs what it may reach besides public addresses. */
export const outboundOf = (log: Log, allow: Allowed, baseUrl: string): Outbound => {
  const listed = [...allow.hosts, ...allow.ranges]
  if (listed.length > 0) {
    log.warn({ listed }, 'OUTBOUND_ALLOW lets the server send requests to addresses that are not public')
  }
  return createOutbound({ allow, allowLoopback: isLoopbackUrl(baseUrl) })
}

/**
 * Starts all of it, with a handler for each kind of dispatch. Any number of processes may do so on one database.
 * Closing it takes nothing more and waits for what is in progress, at most as long as one delivery may take.
 */
export const startBackground = ({ store, onDispatch, onEvent, onSignal }: OpenStore, outbound: Outbound): Worker => {
  const { log } = store
  const housekeeping = setInterval(() => {
    forgetExpired(store).catch((error: unknown) => log.warn({ err: error }, 'expired rows could not be deleted'))
    deleteDueAccounts(store).catch((error: unknown) => log.warn({ err: error }, 'due accounts could not be deleted'))
    removeUnusedClients(store).catch((error: unknown) =>
      log.warn({ err: error }, 'unused registered applications could not be deleted'),
    )
    removeUnusedDocumentClients(store).catch((error: unknown) =>
      log.warn({ err: error }, 'unused clients with documents could not be forgotten'),
    )
    forgetUnusedImages(store).catch((error: unknown) => log.warn({ err: error }, 'unused images could not be deleted'))
  }, HOUSEKEEPING_MS)
  const handlers = {
    [LOGOUT_TOKEN]: logoutTokens(store, outbound),
    [BACKCHANNEL_PING]: backchannelPings(store, outbound),
    [MAIL]: messages(store, outbound, 'Email'),
    [SMS]: messages(store, outbound, 'Sms'),
    [WITHHELD]: withheldMessages,
  }
  const workers = [
    startWorker(store, handlers, onDispatch),
    startWebhooks(store, outbound, onEvent),
    startSignalPush(store, outbound, onSignal),
  ]
  return {
    async close() {
      clearInterval(housekeeping)
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
