/** Impersonations that have not ended (DECISIONS U9): who acts as whom, why, and with which token. */
import type { Insertable, Selectable } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { revokeAccessToken } from './revoked-access-tokens.ts'

export type ImpersonationRow = Selectable<Tables['impersonations']>

/** Records one whose token has just been made. */
export const recordImpersonation = (
  { tx, tenant }: Unit,
  row: Omit<Insertable<Tables['impersonations']>, 'tenant_id'>,
): Promise<ImpersonationRow> =>
  tx
    .insertInto('impersonations')
    .values({ tenant_id: tenant.id, ...row })
    .returningAll()
    .executeTakeFirstOrThrow()

interface ImpersonationFilter {
  readonly actorId?: string
  readonly userId?: string
}

export const listImpersonations = (
  { database: { kysely }, clock }: Store,
  { id: tenantId }: Tenant,
  { actorId, userId, ...request }: PageRequest & ImpersonationFilter,
): Promise<Page<ImpersonationRow>> => {
  let query = kysely
    .selectFrom('impersonations')
    .selectAll()
    .where(inTenant(tenantId))
    .where('expires_at', '>', clock.now())
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  return paginate(kysely, query, request)
}

/** Ends one, whoever began it: its token is revoked. Throws 404 if there is none or it has ended. */
export const endImpersonation = operation([], async (unit, id: string): Promise<void> => {
  const { tx, tenant, now } = unit
  const row = await tx
    .deleteFrom('impersonations')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound('impersonation', id)
  await revokeAccessToken.run(unit, row.jti, row.expires_at)
  unit.concerns('user', row.user_id)
  unit.note({ userId: row.user_id, actorId: row.actor_id, reason: row.reason, jti: row.jti })
})
