/**
 * Requests that are kept for a minute and used once: authorization requests that were pushed (RFC 9126), and those to sign out or
 * to authorize that came in a form and are too long for an address.
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { operation } from '../../storage/unit-of-work.ts'

/** DECISIONS G3. */
export const PUSHED_REQUEST_SECONDS = 60

/** What may be done with it; one of a kind is none of the other (SECURITY R-4). */
type Kind = 'pushedRequest' | 'logoutRequest'

type PushedParameters = Readonly<Record<string, readonly string[]>>

/** Keeps the parameters of a request for its client; returns the value that stands for them. */
export const pushRequest = operation(
  [],
  async ({ tx, tenant, now }, kind: Kind, applicationId: string, parameters: PushedParameters): Promise<string> => {
    const value = newOpaque(kind)
    const hash = opaqueHash(kind, value)
    if (!hash) throw new Error('A new pushed request has no hash')
    await tx
      .insertInto('pushed_requests')
      .values({
        tenant_id: tenant.id,
        hash,
        application_id: applicationId,
        parameters: JSON.stringify(parameters),
        expires_at: secondsAfter(now, PUSHED_REQUEST_SECONDS),
      })
      .execute()
    return value
  },
)

/** Uses a pushed request up: one conditional statement. Undefined: there is none for this client, or it was used. */
export const consumePushedRequest = operation(
  [],
  async (
    { tx, tenant, now },
    kind: Kind,
    applicationId: string,
    value: string,
  ): Promise<PushedParameters | undefined> => {
    const hash = opaqueHash(kind, value)
    if (!hash) return undefined
    const { rows } = await sql<{ parameters: PushedParameters }>`
      UPDATE pushed_requests SET consumed_at = ${now}
      WHERE tenant_id = ${tenant.id} AND hash = ${hash} AND application_id = ${applicationId}
        AND consumed_at IS NULL AND expires_at > ${now}
      RETURNING parameters`.execute(tx)
    return rows[0]?.parameters
  },
)
