/** Reads the audit log: by page for the API, from beginning to end for exports. */

import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { wholePayload } from '../../storage/audit-payload.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'

export type AuditEntry = Selectable<Tables['audit_log']>

export interface AuditFilter {
  readonly userId?: string | undefined
  readonly applicationId?: string | undefined
  readonly key?: string | undefined
  /** The id of an entity that it concerned. */
  readonly entity?: string | undefined
  /** In the payload, which no index covers: within a day only. */
  readonly requestId?: string | undefined
  /** The same. */
  readonly result?: 'Success' | 'Error' | undefined
  /** The id of an application: leaves out that it got tokens by codes. */
  readonly withoutTokensOf?: string | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** An entry as in `GET /api/logs`, exports and the file of a running server. */
export const loggedEntry = (row: AuditEntry) => ({
  tenantId: row.tenant_id,
  id: row.id,
  key: row.key,
  payload: wholePayload(row),
  createdAt: row.created_at.getTime(),
})

/** The entry says that the application got tokens: the authorization, and the redemption of its code. */
const gotTokens = (applicationId: string) => sql<boolean>`(application_id IS NOT DISTINCT FROM ${applicationId}
  AND key IN ('Interaction.Authorize', 'ExchangeTokenBy.AuthorizationCode') AND payload->>'result' = 'Success')`

/** The entries of a tenant that match a filter. Throws 400 when its window is empty. */
export const matchingEntries = (db: Db, tenantId: string, filter: AuditFilter) => {
  const { userId, applicationId, key, entity, requestId, result, withoutTokensOf, from, until } = filter
  if (from && until && from >= until) throw new ApiError('log.invalid_time_window')
  let query = db.selectFrom('audit_log').selectAll().where(inTenant(tenantId))
  if (userId) query = query.where('user_id', '=', userId)
  if (applicationId) query = query.where('application_id', '=', applicationId)
  if (key) query = query.where('key', '=', key)
  if (entity) query = query.where(sql<boolean>`entities @> ARRAY[${entity}]::text[]`)
  if (requestId) query = query.where(sql<string>`payload->>'requestId'`, '=', requestId)
  if (result) query = query.where(sql<string>`payload->>'result'`, '=', result)
  if (withoutTokensOf) query = query.where(sql<boolean>`NOT ${gotTokens(withoutTokensOf)}`)
  if (from) query = query.where('created_at', '>=', from)
  if (until) query = query.where('created_at', '<', until)
  return query
}

const DAY_MS = 86_400_000

/** The window of a filter that has to look into every entry: no longer than a day, the last one unless it begins elsewhere. */
const withinADay = ({ from, until }: AuditFilter, now: Date): Pick<AuditFilter, 'from' | 'until'> => {
  if (!from) return { from: new Date((until ?? now).getTime() - DAY_MS), until }
  const end = new Date(from.getTime() + DAY_MS)
  return { from, until: until && until < end ? until : end }
}

/** Audit entries, newest first. Throws 400 when the window is empty. */
export const listAuditEntries = async (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & AuditFilter,
): Promise<Page<AuditEntry>> => {
  await store.audit.flush()
  const db = store.database.kysely
  const { userId, applicationId, key, entity, requestId, result } = request
  const isWithinPayload = requestId !== undefined || result !== undefined
  const isIndexed = !entity && !isWithinPayload && [userId, applicationId, key].filter(Boolean).length <= 1
  const reading = { isIndexed, isSearch: entity !== undefined || requestId !== undefined }
  const filter = isWithinPayload ? { ...request, ...withinADay(request, store.clock.now()) } : request
  return paginate(db, matchingEntries(db, tenantId, filter), request, reading)
}

const PAGE = 1000

/**
 * Audit entries, oldest first, a page at a time, each starting where the previous one ended. Throws 400 as
 * listAuditEntries.
 */
export async function* auditPages(
  { database }: Store,
  { id: tenantId }: Tenant,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  const query = matchingEntries(database.kysely, tenantId, filter).orderBy('created_at').orderBy('id').limit(PAGE)
  for (let last: AuditEntry | undefined; ; ) {
    const after = last && sql<boolean>`(created_at, id) > (${last.created_at}, ${last.id})`
    const rows = await (after ? query.where(after) : query).execute()
    if (rows.length > 0) yield rows
    last = rows.at(-1)
    if (rows.length < PAGE) return
  }
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
