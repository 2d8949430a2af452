/** Telling an application that a user has answered (OpenID CIBA section 10.2): queued by the transaction of the answer. */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { queueDispatch } from '../delivery/dispatches.ts'
import { type BackchannelRow, pingOf } from '../issued/backchannel-requests.ts'

/** The kind of dispatch. */
export const BACKCHANNEL_PING = 'backchannel-ping'

export interface BackchannelPing {
  readonly clientId: string
  /** The `auth_req_id`. */
  readonly requestId: string
  /** What the application sent for this request, by which it knows the sender. */
  readonly token: string
}

/** Queues the notice about a request that was just answered, if its application asked for one; useless once the request ends. */
export const tellOfAnswer = (unit: Unit, row: BackchannelRow): void => {
  const ping = pingOf(unit, row)
  if (!ping) return
  const seconds = Math.ceil((row.expires_at.getTime() - unit.now.getTime()) / 1000)
  queueDispatch(unit, BACKCHANNEL_PING, { clientId: row.application_id, ...ping } satisfies BackchannelPing, seconds)
}

/** Where an application wants to be told; undefined: nowhere, or it is deleted. */
export const pingTarget = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  clientId: string,
): Promise<string | undefined> => {
  const row = await database.kysely
    .selectFrom('applications')
    .select(sql<string | null>`oidc_client_metadata->>'backchannelClientNotificationEndpoint'`.as('endpoint'))
    .where(inTenant(tenantId))
    .where('id', '=', clientId)
    .executeTakeFirst()
  return row?.endpoint ?? undefined
}
