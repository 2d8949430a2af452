/** `/health`: the state of the tenant, and for the default one that of the installation. */
import { healthRoutes, MOST_TENANTS } from '@countersign/contract/health.ts'
import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import type { Static } from 'typebox'
import { consoleAddress } from '../domain/applications/console.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { databaseFindings, keyFindings, migrationFindings } from '../domain/setup/findings.ts'
import {
  installationHealth,
  limitsReached,
  waitingDeliveries,
  waitingEvents,
  waitingMessages,
} from '../domain/setup/health.ts'
import { EVENT_DAYS } from '../domain/setup/housekeeping.ts'
import { keyState, signingKeys, unsignedAlgorithms } from '../domain/tenants/signing-keys.ts'
import { tenantDirectory } from '../domain/tenants/tenants.ts'
import { lastSequence } from '../domain/webhooks/event-feed.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Caller } from '../kernel/caller.ts'
import { createSlidingLimit } from '../kernel/sliding-limit.ts'
import { DEFAULT_TENANT, type Tenant } from '../kernel/tenant.ts'
import { VERSION } from '../kernel/version.ts'
import type { Store } from '../storage/store.ts'

const toQueue = ({ waiting, oldestAt }: { readonly waiting: number; readonly oldestAt: Date | null }) => ({
  waiting,
  oldestAt: oldestAt?.getTime() ?? null,
})

/** What the installation shows, and to whom: the other tenants only to callers who may do everything. */
const installationOf = async (store: Store, caller: Caller) => {
  const [{ facts, expiredDeletedAt, ...installation }, { all }] = await Promise.all([
    installationHealth(store),
    tenantDirectory(store),
  ])
  const tenants = all.slice(0, MOST_TENANTS).map((each) => {
    const { id, name, issuer } = each
    return { id, name, issuer, console: consoleAddress(store, each) ?? null }
  })
  const { version, connections, longestTransactionSeconds } = facts
  return {
    findings: [...databaseFindings(facts), ...migrationFindings(installation.pendingMigrations)],
    shown: {
      ...installation,
      databaseVersion: version,
      connections,
      longestTransactionSeconds,
      tenants: holds(caller, ALL_PERMISSION) ? tenants : null,
      expiredDeletedAt: expiredDeletedAt?.getTime() ?? null,
    },
  }
}

/** Asks what is outside the server: the composition root says how. */
export type CheckOutside = (
  tenant: Tenant,
) => Promise<Static<(typeof healthRoutes.checkOutside)['response']>['findings']>

/** Checks from outside of one tenant, in this process. */
const OUTSIDE_CHECKS = { most: 3, windowSeconds: 60, capacity: 1000 }

export const healthHandlers = (checkOutside: CheckOutside) => {
  const checks = createSlidingLimit(OUTSIDE_CHECKS)
  return bind(healthRoutes, {
    async checkOutside(_input, { store, tenant }) {
      const admitted = checks.admit(tenant.id, store.clock.now())
      if (!admitted.isAdmitted) throw new ApiError('request.rate_limited', { retryAfter: admitted.retryAfter })
      return { findings: await checkOutside(tenant) }
    },
    async getHealth(_input, { store, tenant, caller }) {
      const [keys, unsigned, messages, deliveries, events, last, limits, findings, installation] = await Promise.all([
        signingKeys(store, tenant),
        unsignedAlgorithms(store, tenant),
        waitingMessages(store, tenant),
        waitingDeliveries(store, tenant),
        waitingEvents(store, tenant),
        lastSequence(store.database.kysely, tenant.id),
        limitsReached(store, tenant),
        keyFindings(store, tenant),
        tenant.id === DEFAULT_TENANT ? installationOf(store, caller) : null,
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
        limits,
        findings: [...findings, ...(installation?.findings ?? [])],
        installation: installation?.shown ?? null,
      }
    },
  })
}
