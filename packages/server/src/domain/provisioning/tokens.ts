/** The bearer tokens of SCIM directories: shown once, stored as hashes, several at a time so that they can be rotated. */
import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { type DirectoryRow, getDirectory } from './directories.ts'

export type ScimTokenRow = Selectable<Tables['scim_tokens']>

const MOST_TOKENS = 10
/** Seconds. The precision of the time of the last use, so that not every request writes. */
const USE_RECORDED_EVERY = 60

/** The tokens of a directory, oldest first. Throws 404. */
export const tokensOfDirectory = async (store: Store, tenant: Tenant, directoryId: string): Promise<ScimTokenRow[]> => {
  const db = store.database.kysely
  await getDirectory(db, tenant, directoryId)
  return db
    .selectFrom('scim_tokens')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('directory_id', '=', directoryId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Creates a token; returns its row and its value. Throws 404, 400 for an expiry in the past or an eleventh token. */
export const createScimToken = operation(
  [],
  async (unit, directoryId: string, name: string, expiresAt: Date | null) => {
    const { tx, tenant, now } = unit
    if (expiresAt && expiresAt <= now)
      throw new ApiError('request.invalid_input', { reason: 'expiresAt is in the past' })
    const { rows } = await sql<{ count: number }>`
      SELECT (SELECT count(*)::integer FROM scim_tokens t
        WHERE t.tenant_id = d.tenant_id AND t.directory_id = d.id) AS count
      FROM scim_directories d WHERE d.tenant_id = ${tenant.id} AND d.id = ${directoryId} FOR UPDATE`.execute(tx)
    if (!rows[0]) throw notFound('SCIM directory', directoryId)
    if (rows[0].count >= MOST_TOKENS)
      throw new ApiError('request.invalid_input', { reason: `a directory has at most ${MOST_TOKENS} tokens` })
    const { value, hash } = newHashedOpaque('scimToken')
    const row = await tx
      .insertInto('scim_tokens')
      .values({
        tenant_id: tenant.id,
        directory_id: directoryId,
        id: newId(),
        name,
        hash,
        created_at: now,
        expires_at: expiresAt,
        last_used_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('scimDirectory', directoryId)
    unit.note({ scimToken: name })
    return { row, value }
  },
)

/** Deletes a token: it is refused from the next request on. Throws 404. */
export const deleteScimToken = operation([], async (unit, directoryId: string, id: string): Promise<void> => {
  const deleted = await unit.tx
    .deleteFrom('scim_tokens')
    .where(inTenant(unit.tenant.id))
    .where('directory_id', '=', directoryId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!deleted) throw notFound('SCIM token', id)
  unit.concerns('scimDirectory', directoryId)
  unit.note({ scimToken: deleted.name })
})

/**
 * The directory of a live token, whose use is recorded; undefined when there is no such token or it has expired. Does not
 * check whether the directory is enabled.
 */
export const directoryOfToken = async (
  { database, clock }: Store,
  tenant: Tenant,
  value: string,
): Promise<DirectoryRow | undefined> => {
  const hash = opaqueHash('scimToken', value)
  if (!hash) return undefined
  const now = clock.now()
  const { rows } = await sql<DirectoryRow & { last_used_at: Date | null }>`
    SELECT d.*, t.last_used_at FROM scim_tokens t
    JOIN scim_directories d ON d.tenant_id = t.tenant_id AND d.id = t.directory_id
    WHERE t.tenant_id = ${tenant.id} AND t.hash = ${hash} AND (t.expires_at IS NULL OR t.expires_at > ${now})`.execute(
    database.kysely,
  )
  const [found] = rows
  if (!found) return undefined
  const { last_used_at: lastUsedAt, ...directory } = found
  if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= USE_RECORDED_EVERY * 1000)
    await database.kysely
      .updateTable('scim_tokens')
      .set({ last_used_at: now })
      .where(inTenant(tenant.id))
      .where('hash', '=', hash)
      .execute()
  return directory
}
