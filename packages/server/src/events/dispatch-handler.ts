/** What the worker needs to know about a kind of dispatch, to send it, retry it, and record it. */
import type { Tenant } from '../kernel/tenant.ts'

export interface Delivery {
  readonly tenant: Tenant
  /** The same for every attempt. */
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
  /** How long to wait after each failure; the last is repeated until the dispatch expires. */
  readonly retrySeconds: readonly number[]
  /** What the audit entry records about a payload; no secret, no code. */
  facts(payload: unknown): Readonly<Record<string, unknown>>
  /** Sends it. Throws Undeliverable when another attempt would be pointless, any other error to be retried. */
  deliver(delivery: Delivery): Promise<void>
}

/** A dispatch that can never be sent: its target is gone. */
export class Undeliverable extends Error {}
