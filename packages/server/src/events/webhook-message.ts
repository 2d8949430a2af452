/** What a webhook posts: the body, and the headers that prove where it comes from (DECISIONS K2, K3). */
import { createHmac } from 'node:crypto'
import type { HookTarget } from '../domain/webhooks/rows.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Outbound } from '../kernel/outbound.ts'

export interface WebhookEvent {
  readonly id: string
  readonly sequence: number
  readonly event: string
  readonly createdAt: Date
  readonly payload: Readonly<Record<string, unknown>>
}

export interface WebhookAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The first 4 KiB, as text that PostgreSQL can store. */
  readonly body: string
}

const KEPT_BYTES = 4096

/** The body, the same for every attempt. */
export const webhookBody = (hookId: string, { id, sequence, event, createdAt, payload }: WebhookEvent): string => {
  const envelope = { id, sequence, event, createdAt: createdAt.toISOString(), hookId }
  return JSON.stringify({ ...envelope, ...payload, ...envelope })
}

const keyBytes = (key: string): Buffer => Buffer.from(key.replace(/^whsec_/, ''), 'base64')

/** The headers of Standard Webhooks 1.0, one signature for each key, and the signature that Logto's receivers check. */
const signatures = (keys: readonly string[], id: string, now: Date, body: string): Record<string, string> => {
  const timestamp = String(toNumericDate(now))
  const signed = keys.map(
    (key) => `v1,${createHmac('sha256', keyBytes(key)).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signed.join(' '),
    'logto-signature-sha-256': createHmac('sha256', keys[0] ?? '')
      .update(body)
      .digest('hex'),
  }
}

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/**
 * Sends an event once. Throws OutboundError when there is no response; the caller judges the status, including
 * redirects.
 */
export const postWebhook = async (
  outbound: Outbound,
  { url, headers, keys }: HookTarget,
  message: { readonly id: string; readonly body: string; readonly now: Date },
): Promise<WebhookAnswer> => {
  const { id, body, now } = message
  const answer = await outbound.send({
    url,
    method: 'POST',
    headers: {
      'cache-control': 'no-store',
      ...lowerCased(headers),
      'content-type': 'application/json',
      ...signatures(keys, id, now, body),
    },
    body,
  })
  const text = answer.body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\ufffd')
  return { status: answer.status, headers: answer.headers, body: text }
}

/** Why a response is not a success; undefined if it is one: 2xx (DECISIONS K4). */
export const refusalOf = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 300 && status < 400
    ? `the receiver answered ${status}, and redirects are not followed`
    : `the receiver answered ${status}`
}
