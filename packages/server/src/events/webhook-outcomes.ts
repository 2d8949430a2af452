/**
 * Stores the outcomes of deliveries. Successes that arrive while others are being stored are collected and stored
 * together: under load one statement settles many, and a single one does not wait.
 */
import {
  type Health,
  type Outcome,
  settleDelivered,
  settleDelivery,
  type TakenDelivery,
} from '../domain/webhooks/queue.ts'
import type { Store } from '../storage/store.ts'

const MOST_AT_ONCE = 256

interface Waiting {
  readonly taken: TakenDelivery
  readonly outcome: Outcome
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface Outcomes {
  /** Resolves when it is stored, with the state of the hook unless it is healthy or deleted. */
  settle(taken: TakenDelivery, outcome: Outcome): Promise<Health | undefined>
}

export const createOutcomes = (store: Store): Outcomes => {
  const waiting: Waiting[] = []
  let isStoring = false

  const storeTogether = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await settleDelivered(store, batch)
      for (const { resolve } of batch) resolve()
    } catch {
      // one that cannot be stored must not block the others; in parallel, because otherwise each outcome would wait
      // separately for an unreachable database
      const each = batch.map(({ taken, outcome, resolve, reject }) =>
        settleDelivery(store, taken, outcome).then(() => resolve(), reject),
      )
      await Promise.all(each)
    }
  }

  const storeAll = async (): Promise<void> => {
    isStoring = true
    while (waiting.length > 0) await storeTogether(waiting.splice(0, MOST_AT_ONCE))
    isStoring = false
  }

  return {
    async settle(taken, outcome) {
      if (!outcome.isSuccess) return settleDelivery(store, taken, outcome)
      const stored = new Promise<void>((resolve, reject) => void waiting.push({ taken, outcome, resolve, reject }))
      if (!isStoring) void storeAll()
      await stored
      return undefined
    },
  }
}
