/** Reading the audit log. */

import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'

export type AuditEntry = Selectable<Tables['audit_log']>

export interface AuditFilter {
  readonly userId?: string | undefined
  readonly applicationId?: string | undefined
  readonly key?: string | undefined
  /** The id of something that it concerned. */
  readonly entity?: string | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** Audit entries, newest first. Throws 400 when the window is empty. */
export const listAuditEntries = async (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & AuditFilter,
): Promise<Page<AuditEntry>> => {
  const { userId, applicationId, key, entity, from, until } = request
  if (from && until && from >= until) throw new ApiError('log.invalid_time_window')
  await store.audit.flush()
  const db = store.database.kysely
  let query = db.selectFrom('audit_log').selectAll().where(inTenant(tenantId))
  if (userId) query = query.where('user_id', '=', userId)
  if (applicationId) query = query.where('application_id', '=', applicationId)
  if (key) query = query.where('key', '=', key)
  if (entity) query = query.where(sql<boolean>`entities @> ARRAY[${entity}]::text[]`)
  if (from) query = query.where('created_at', '>=', from)
  if (until) query = query.where('created_at', '<', until)
  const isIndexed = !entity && [userId, applicationId, key].filter(Boolean).length <= 1
  return paginate(db, query, request, { isIndexed, isSearch: entity !== undefined })
}

export const getAuditEntry = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<AuditEntry> => {
  await store.audit.flush()
  const row = await store.database.kysely
    .selectFrom('audit_log')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('log', id)
  return row
}
