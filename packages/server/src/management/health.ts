/** `/health`: the state of the tenant, and for the default one that of the installation. */
import { healthRoutes } from '@countersign/contract/health.ts'
import { installationHealth, waitingDeliveries, waitingEvents, waitingMessages } from '../domain/setup/health.ts'
import { EVENT_DAYS } from '../domain/setup/housekeeping.ts'
import { keyState, signingKeys, unsignedAlgorithms } from '../domain/tenants/signing-keys.ts'
import { lastSequence } from '../domain/webhooks/event-feed.ts'
import { bind } from '../http/api.ts'
import { DEFAULT_TENANT } from '../kernel/tenant.ts'
import { VERSION } from '../kernel/version.ts'

const toQueue = ({ waiting, oldestAt }: { readonly waiting: number; readonly oldestAt: Date | null }) => ({
  waiting,
  oldestAt: oldestAt?.getTime() ?? null,
})

export const healthHandlers = bind(healthRoutes, {
  async getHealth(_input, { store, tenant }) {
    const [keys, unsigned, messages, deliveries, events, last, installation] = await Promise.all([
      signingKeys(store, tenant),
      unsignedAlgorithms(store, tenant),
      waitingMessages(store, tenant),
      waitingDeliveries(store, tenant),
      waitingEvents(store, tenant),
      lastSequence(store.database.kysely, tenant.id),
      tenant.id === DEFAULT_TENANT ? installationHealth(store) : null,
    ])
    const now = store.clock.now()
    return {
      version: VERSION,
      signingKeys: keys.map((key) => ({
        id: key.id,
        chain: key.chain,
        algorithm: key.algorithm,
        status: keyState(keys, key, now),
        effectiveAt: key.effectiveAt.getTime(),
      })),
      unsignedAlgorithms: unsigned,
      messages: toQueue(messages),
      deliveries: toQueue(deliveries),
      events: { ...toQueue(events), lastSequence: last },
      retention: { auditDays: store.auditDays, eventDays: EVENT_DAYS },
      installation: installation && {
        ...installation,
        expiredDeletedAt: installation.expiredDeletedAt?.getTime() ?? null,
      },
    }
  },
})
