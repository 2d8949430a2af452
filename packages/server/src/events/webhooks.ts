/**
 * Sends events to hooks. The notice sent with the commit of an event wakes it: it numbers what is committed, which
 * creates a delivery for each subscribed hook, takes those that are due, and sends them in parallel.
 *
 * At least once: a delivery is settled after its response, and if the node dies before that, it is held only until its
 * lease ends.
 */

import { tenantDirectory } from '../domain/tenants/tenants.ts'
import { disableHook } from '../domain/webhooks/hooks.ts'
import { type Outcome, oldestPending, type TakenDelivery, takeDeliveries } from '../domain/webhooks/queue.ts'
import { targetOf, tenantsWithHooks } from '../domain/webhooks/rows.ts'
import { isGivenUp, nextAttempt } from '../domain/webhooks/schedule.ts'
import { systemCaller } from '../kernel/caller.ts'
import { secondsBetween } from '../kernel/clock.ts'
import { newBytes } from '../kernel/ids.ts'
import { type Outbound, publicReason } from '../kernel/outbound.ts'
import { numberEvents } from '../storage/outbox.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { createPoller, LOOK_EVERY_MS, startPoller, type Worker } from './poller.ts'
import { createLanes, NARROW } from './webhook-lanes.ts'
import { postWebhook, refusalOf, webhookBody } from './webhook-message.ts'
import { createOutcomes } from './webhook-outcomes.ts'

/** They spend nearly all their time waiting, and each hook may have only a few of them. */
const LIMITS = { most: 512, width: NARROW, leaseSeconds: 40 }
/**
 * How long a lane that is more than half full waits for the other half to become free, so that one statement fills
 * both.
 */
const REFILL_MS = 5
const GONE = 410

type AttemptResult = Pick<Outcome, 'isSuccess' | 'status' | 'headers' | 'body' | 'error'> & {
  readonly retryAfter?: string
}

/**
 * Starts the sender of this node. Any number of nodes may run one on the same database.
 * @param onEvent calls back when a tenant, or any, has new events; returns a function that stops it
 */
export const startWebhooks = (
  store: Store,
  outbound: Outbound,
  onEvent: (heard: (tenantId?: string) => void) => () => void,
): Worker => {
  const { log, clock, metrics, database, vault } = store
  const lanes = createLanes(LIMITS.most)
  const outcomes = createOutcomes(store)
  /** Tenants whose events are to be numbered. */
  const heardOf = new Set<string>()
  let isAllToBeNumbered = true
  let isToBeTaken = true
  let isRefilling = false

  const attempt = async (taken: TakenDelivery): Promise<AttemptResult> => {
    const { eventId: id, sequence, event, createdAt, payload, hookId } = taken
    try {
      const now = clock.now()
      const body = webhookBody(hookId, { id, sequence, event, createdAt, payload })
      const answer = await postWebhook(outbound, targetOf(vault, taken, now), { id, body, now })
      const { status, headers, body: text } = answer
      const refusal = refusalOf(status)
      const retryAfter = headers['retry-after']
      return {
        ...{ isSuccess: refusal === undefined, status, headers, body: text, error: refusal ?? null },
        ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
      }
    } catch (error) {
      log.warn(
        { err: error, hookId, tenantId: taken.tenant_id, event, sequence },
        'an event could not be sent to a hook',
      )
      return { isSuccess: false, status: null, headers: null, body: null, error: publicReason(error) }
    }
  }

  const disable = async (tenantId: string, hookId: string, reason: 'Gone' | 'Failing') => {
    const tenant = (await tenantDirectory(store)).byId.get(tenantId)
    if (!tenant) return
    await perform({ store, tenant, caller: systemCaller('disableHook') }, disableHook, hookId, reason)
    log.warn({ hookId, tenantId, reason }, 'a hook was disabled')
  }

  const wakeAt = (moment: Date) => {
    const wait = moment.getTime() - clock.now().getTime()
    if (wait < LOOK_EVERY_MS * 2) setTimeout(take, Math.max(wait, 0) + 1).unref()
  }

  const deliver = async (taken: TakenDelivery): Promise<boolean> => {
    const startedAt = performance.now()
    const { retryAfter, ...tried } = await attempt(taken)
    const durationMs = Math.round(performance.now() - startedAt)
    const now = clock.now()
    const { attempts, isOrdered, hookId, tenant_id: tenantId } = taken
    const isGone = tried.status === GONE
    const next = tried.isSuccess
      ? { retryAt: null, pausedUntil: null }
      : // events that a disabled hook has not received wait until it is enabled again
        nextAttempt({ attempts, isOrdered: isOrdered || isGone, retryAfter, chance: (newBytes(1)[0] ?? 0) / 255 }, now)
    metrics.webhookAttempts.inc({ result: tried.isSuccess ? 'delivered' : next.retryAt ? 'postponed' : 'failed' })
    const health = await outcomes.settle(taken, { ...tried, ...next, durationMs })
    if (isGone) await disable(tenantId, hookId, 'Gone')
    else if (health && isGivenUp(health.failingSince, now)) await disable(tenantId, hookId, 'Failing')
    if (next.retryAt) wakeAt(next.retryAt)
    return tried.isSuccess
  }

  const refill = (isHalfFree: boolean) => {
    if (isHalfFree) return take()
    if (isRefilling) return
    isRefilling = true
    setTimeout(() => {
      isRefilling = false
      take()
    }, REFILL_MS).unref()
  }

  const begin = (taken: TakenDelivery) => {
    lanes.enter(taken)
    let isSuccess = false
    const delivery = deliver(taken).then(
      (result) => {
        isSuccess = result
      },
      // it is not lost: its lease will end
      (error: unknown) => log.warn({ err: error, hookId: taken.hookId }, 'the outcome of a delivery was not stored'),
    )
    poller.track(delivery, () => refill(lanes.leave(taken, isSuccess)))
  }

  /** Numbers what tenants with hooks have committed; for the others it can wait. */
  const number = async () => {
    if (isAllToBeNumbered) {
      isAllToBeNumbered = false
      for (const tenantId of await tenantsWithHooks(store)) heardOf.add(tenantId)
    }
    for (const tenantId of heardOf) {
      heardOf.delete(tenantId)
      // queried each time: a hook may have been added while another tenant's events were numbered
      if (!(await tenantsWithHooks(store)).has(tenantId)) continue
      isToBeTaken = true
      await numberEvents(database.kysely, tenantId)
    }
  }

  const work = async (): Promise<void> => {
    while ((isToBeTaken || isAllToBeNumbered || heardOf.size > 0) && !poller.isClosed) {
      await number()
      if (!isToBeTaken) continue
      isToBeTaken = false
      const most = LIMITS.most - poller.underway
      if (most === 0) return
      for (const each of await takeDeliveries(store, lanes.open(), { ...LIMITS, most })) begin(each)
    }
  }
  const poller = createPoller({
    round: work,
    failed(error) {
      isAllToBeNumbered = true
      log.warn({ err: error }, 'the deliveries of hooks could not be taken')
    },
  })

  const take = (): void => {
    isToBeTaken = true
    poller.look()
  }

  const heard = (tenantId?: string): void => {
    if (tenantId === undefined) isAllToBeNumbered = true
    else heardOf.add(tenantId)
    poller.look()
  }

  metrics.gauge(
    'countersign_webhook_oldest_pending_seconds',
    'Age of the oldest event that an enabled hook has not received; 0 when there is none',
    async () => secondsBetween(await oldestPending(store), clock.now()),
  )
  return startPoller(poller, heard, () => onEvent(heard))
}
