/** Tests a hook: sends a sample of each event at once and reports the result. */
import type { EventType } from '@countersign/contract/events.ts'
import type { HookTarget } from '../domain/webhooks/rows.ts'
import { ApiError } from '../kernel/api-error.ts'
import { newId } from '../kernel/ids.ts'
import { type Outbound, publicReason } from '../kernel/outbound.ts'
import type { Store } from '../storage/store.ts'
import { postWebhook, refusalOf, webhookBody } from './webhook-message.ts'
import { samplePayload } from './webhook-sample.ts'

/** Sends the samples in parallel; returns the first failure in the order of the events, as the API shows it. */
export const sendTestEvents =
  ({ clock, log }: Store, outbound: Outbound) =>
  async (hookId: string, target: HookTarget, events: readonly EventType[]): Promise<ApiError | undefined> => {
    const now = clock.now()
    const tried = await Promise.all(
      [...new Set(events)].map(async (event): Promise<ApiError | undefined> => {
        const id = newId()
        const body = webhookBody(hookId, { id, sequence: 0, event, createdAt: now, payload: samplePayload(event) })
        try {
          const { status, body: responseBody } = await postWebhook(outbound, target, { id, body, now })
          if (refusalOf(status) === undefined) return undefined
          return new ApiError('hook.endpoint_responded_with_error', { responseStatus: status, responseBody })
        } catch (error) {
          log.warn({ err: error, hookId, event }, 'a sample could not be sent to a hook')
          return new ApiError('hook.send_test_payload_failed', { reason: publicReason(error) }, { cause: error })
        }
      }),
    )
    return tried.find((failure) => failure !== undefined)
  }
