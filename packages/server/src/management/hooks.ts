/** `/hooks`: webhooks, their deliveries, and trying them out. */
import type { EventType } from '@countersign/contract/events.ts'
import { hookRoutes } from '@countersign/contract/hooks.ts'
import {
  type Attempt,
  backlogOf,
  type Delivery,
  executionStats,
  listAttempts,
  listDeliveries,
  replay,
  retryDelivery,
} from '../domain/webhooks/deliveries.ts'
import {
  concludeHookTest,
  createHook,
  deleteHook,
  getHook,
  listHooks,
  rotateSigningKey,
  updateHook,
} from '../domain/webhooks/hooks.ts'
import {
  assertTarget,
  type HookRow,
  type HookTarget,
  headersOf,
  signingKeyOf,
  targetOf,
} from '../domain/webhooks/rows.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Vault } from '../kernel/secrets.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { mapPage } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'

/** Sends a sample of each event at once; gives what went wrong, if something did. */
export type SendTestEvents = (
  hookId: string,
  target: HookTarget,
  events: readonly EventType[],
) => Promise<ApiError | undefined>

/** Whether requests to this URL would be sent at all, plain http being for hosts that the operator trusts. */
export type IsSecureEnough = (url: string) => boolean

/** Throws unless what is sent there will be sent encrypted, or stays near (DECISIONS K7). */
const assertSecure = (isSecureEnough: IsSecureEnough, config: { readonly url: string } | undefined): void => {
  if (config && !isSecureEnough(config.url)) throw new ApiError('hook.insecure_url')
}

const KEY_PREFIX = 'TriggerHook.'

const time = (moment: Date | null) => moment?.getTime() ?? null
const moment = (milliseconds: number | undefined) => (milliseconds === undefined ? undefined : new Date(milliseconds))

const toHook = (vault: Vault, row: HookRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  event: row.event,
  events: row.events,
  config: {
    url: row.url,
    headers: { ...headersOf(vault, row) },
    ...(row.retries === null ? {} : { retries: row.retries }),
  },
  signingKey: signingKeyOf(vault, row),
  previousSigningKeyExpiresAt: time(row.previous_key_expires_at),
  enabled: row.is_enabled,
  ordered: row.is_ordered,
  createdAt: row.created_at.getTime(),
  disabledAt: time(row.disabled_at),
  disabledReason: row.disabled_reason,
  failingSince: time(row.failing_since),
  pausedUntil: time(row.paused_until),
})

const toDelivery = ({ row, lastAttempt, isHeld }: Delivery) => ({
  id: row.id,
  hookId: row.hook_id,
  sequence: row.sequence,
  event: row.event,
  state: isHeld ? ('Held' as const) : (row.state as 'Waiting'),
  attempts: row.attempts,
  nextAttemptAt: row.state === 'Waiting' ? row.due_at.getTime() : null,
  createdAt: row.created_at.getTime(),
  finishedAt: time(row.finished_at),
  lastAttempt: lastAttempt
    ? {
        createdAt: lastAttempt.created_at.getTime(),
        durationMs: lastAttempt.duration_ms,
        status: lastAttempt.status,
        headers: lastAttempt.response_headers,
        body: lastAttempt.response_body,
        error: lastAttempt.error,
      }
    : null,
})

/** The body of an answer as Logto logs it: what it says when it is JSON, else its text. Only the first 4 KiB are known. */
const bodyOf = (text: string | null): unknown => {
  try {
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch {
    return text
  }
}

/** An attempt as Logto logs it. */
const toLog = (attempt: Attempt) => {
  const { hook_id: hookId, delivery_id: id, sequence, event, payload, event_created_at } = attempt
  const key = `${KEY_PREFIX}${event}`
  const sent = payload && { ...payload, id, sequence, event, createdAt: event_created_at?.toISOString(), hookId }
  return {
    tenantId: attempt.tenant_id,
    id: attempt.id,
    key,
    payload: {
      key,
      result: attempt.is_success ? ('Success' as const) : ('Error' as const),
      hookId,
      deliveryId: id,
      attempt: attempt.attempt,
      durationMs: attempt.duration_ms,
      ...(sent ? { hookRequest: { body: sent } } : {}),
      ...(attempt.status === null
        ? {}
        : {
            response: {
              statusCode: attempt.status,
              headers: attempt.response_headers,
              body: bodyOf(attempt.response_body),
            },
          }),
      ...(attempt.error === null ? {} : { error: attempt.error }),
    },
    createdAt: attempt.created_at.getTime(),
  }
}

const asksForStats = (value: string | undefined): boolean => value === 'true' || value === '1'

/** How the hooks do, by their ids. */
const statsOf = async (store: Store, tenant: Tenant, ids: readonly string[]) => {
  const [stats, backlogs] = await Promise.all([executionStats(store, tenant, ids), backlogOf(store, tenant, ids)])
  return (id: string) => {
    const { waiting = 0, oldestAt = null } = backlogs.get(id) ?? {}
    const { successCount = 0, requestCount = 0 } = stats.get(id) ?? {}
    return { executionStats: { successCount, requestCount, waitingCount: waiting, oldestWaitingAt: time(oldestAt) } }
  }
}

/**
 * @param sendTestEvents how a target is tried
 * @param isSecureEnough asked of a target before it is registered
 */
export const hookHandlers = (sendTestEvents: SendTestEvents, isSecureEnough: IsSecureEnough) =>
  bind(hookRoutes, {
    async listHooks({ query }, { store, tenant, page }) {
      const found = await listHooks(store, tenant, page)
      if (!asksForStats(query.includeExecutionStats)) return mapPage(found, (row) => toHook(store.vault, row))
      const of = await statsOf(
        store,
        tenant,
        found.items.map(({ id }) => id),
      )
      return mapPage(found, (row) => ({ ...toHook(store.vault, row), ...of(row.id) }))
    },
    async createHook({ body }, { store, perform }) {
      assertSecure(isSecureEnough, body.config)
      return toHook(store.vault, await perform(createHook, body))
    },
    async getHook({ params: { id }, query }, { store, tenant }) {
      const hook = toHook(store.vault, await getHook(store, tenant, id))
      if (!asksForStats(query.includeExecutionStats)) return hook
      return { ...hook, ...(await statsOf(store, tenant, [id]))(id) }
    },
    async updateHook({ params, body }, { store, perform }) {
      assertSecure(isSecureEnough, body.config)
      return toHook(store.vault, await perform(updateHook, params.id, body))
    },
    async deleteHook({ params }, { perform }) {
      await perform(deleteHook, params.id)
    },
    async rotateHookSigningKey({ params }, { store, perform }) {
      return toHook(store.vault, await perform(rotateSigningKey, params.id))
    },
    async testHook({ params: { id }, body: { events, config } }, { store, tenant, perform }) {
      assertTarget(config)
      const { keys } = targetOf(store.vault, await getHook(store, tenant, id), store.clock.now())
      const failure = await sendTestEvents(id, { url: config.url, headers: config.headers ?? {}, keys }, events)
      await perform(concludeHookTest, id, failure)
    },
    async listHookLogs({ params, query: { logKey, start_time, end_time } }, { store, tenant, page }) {
      const event = logKey?.startsWith(KEY_PREFIX) ? logKey.slice(KEY_PREFIX.length) : logKey
      const filter = { event, from: moment(start_time), until: moment(end_time) }
      return mapPage(await listAttempts(store, tenant, params.id, { ...page, ...filter }), toLog)
    },
    async listHookDeliveries({ params, query: { start_time, end_time, ...query } }, { store, tenant, page }) {
      const window = { from: moment(start_time), until: moment(end_time) }
      return mapPage(await listDeliveries(store, tenant, params.id, { ...page, ...query, ...window }), toDelivery)
    },
    async retryHookDelivery({ params }, { perform }) {
      return toDelivery(await perform(retryDelivery, params.id, params.deliveryId))
    },
    async replayHook({ params, body: { since, until, events } }, { perform }) {
      const window = { since: new Date(since), until: moment(until), events }
      return { count: await perform(replay, params.id, window) }
    },
  })
