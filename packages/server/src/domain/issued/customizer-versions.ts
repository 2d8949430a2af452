/** Earlier custom claims scripts: kept at each change of a script, listed, and restored. */
import type { CustomizedToken } from '@countersign/contract/jwt-customizer.ts'
import { type Selectable, sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** The most versions that are kept of a kind of token. */
const MOST_KEPT = 50

export type CustomizerVersion = Selectable<Tables['jwt_customizer_versions']>

const ofKind = (db: Db, { id }: Pick<Tenant, 'id'>, tokenType: CustomizedToken) =>
  db.selectFrom('jwt_customizer_versions').selectAll().where(inTenant(id)).where('token_type', '=', tokenType)

/** The newest first; the first is in use, if there is a script. */
export const listVersions = (db: Db, tenant: Tenant, tokenType: CustomizedToken): Promise<CustomizerVersion[]> =>
  ofKind(db, tenant, tokenType).orderBy('version', 'desc').execute()

/** Throws 404. */
export const getVersion = async (
  db: Db,
  tenant: Pick<Tenant, 'id'>,
  tokenType: CustomizedToken,
  version: number,
): Promise<CustomizerVersion> => {
  const row = await ofKind(db, tenant, tokenType).where('version', '=', version).executeTakeFirst()
  if (!row) throw notFound('version of the script', String(version))
  return row
}

/**
 * Keeps the script unless it is that of the newest version, and deletes what is more than fifty versions old. The row of the
 * script is locked by the caller.
 */
export const keepVersion = async (
  { tx, tenant, now, caller, note }: Unit,
  tokenType: CustomizedToken,
  script: string,
  restoredFrom: number | undefined,
): Promise<void> => {
  const { rows } = await sql<{ version: number }>`
    INSERT INTO jwt_customizer_versions (tenant_id, token_type, version, script, changed_by, restored_from, created_at)
    SELECT ${tenant.id}, ${tokenType}::text, coalesce(max(version), 0) + 1, ${script}::text, ${JSON.stringify(caller.actor)}::jsonb,
      ${restoredFrom ?? null}::integer, ${now}::timestamptz
    FROM jwt_customizer_versions WHERE tenant_id = ${tenant.id} AND token_type = ${tokenType}
    HAVING NOT coalesce((array_agg(script ORDER BY version DESC))[1] = ${script}, false)
    RETURNING version`.execute(tx)
  const [kept] = rows
  if (!kept) return
  note({ scriptVersion: kept.version, ...(restoredFrom === undefined ? {} : { restoredFrom }) })
  await tx
    .deleteFrom('jwt_customizer_versions')
    .where(inTenant(tenant.id))
    .where('token_type', '=', tokenType)
    .where('version', '<=', kept.version - MOST_KEPT)
    .execute()
}
