/** What a kind of dispatch has to say about itself, so that the worker can send it, try again, and account for it. */
import type { Tenant } from '../kernel/tenant.ts'

export interface Delivery {
  readonly tenant: Tenant
  /** The same for every try. */
  readonly id: string
  /** What was queued. */
  readonly payload: unknown
  readonly now: Date
  /** Aborted when it takes too long. */
  readonly signal: AbortSignal
}

export interface DispatchHandler {
  /** The end of the key of its audit entries: `System.<action>`. */
  readonly action: string
  /** How long to wait after each failure; the last goes on until the dispatch expires. */
  readonly retrySeconds: readonly number[]
  /** What the audit entry says of a payload; no secret, no code. */
  facts(payload: unknown): Readonly<Record<string, unknown>>
  /** Sends it. Throws Undeliverable when another try would be no use, anything else to be tried again. */
  deliver(delivery: Delivery): Promise<void>
}

/** What can never be sent any more: its target is gone. */
export class Undeliverable extends Error {}
