/** Who changed something last, as far as the audit log knows: for a caller whose own change came too late. */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { wholePayload } from '../../storage/audit-payload.ts'
import type { Db } from '../../storage/database.ts'

/** What the entries in question are about. */
export interface Changed {
  /** Keys of the operations that change it. */
  readonly keys: readonly string[]
  /** The ids that entries about it are found by; none: it is found by the keys and the parameters of the request. */
  readonly ids: readonly string[]
  readonly params: Readonly<Record<string, string>>
}

export interface LastChange {
  /** `name` where it is known: of a user, or of an application. */
  readonly changedBy: { readonly type: string; readonly id?: string; readonly name?: string }
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly changedAt: number
}

interface Found {
  readonly key: string
  readonly user_id: string | null
  readonly application_id: string | null
  readonly payload: unknown
  readonly created_at: Date
}

/** Of the actor of an entry. */
const nameOf = async (db: Db, tenantId: string, type: string, id: string): Promise<string | undefined> => {
  const { rows } = await sql<{ name: string | null }>`
    SELECT coalesce(name, username, primary_email) AS name FROM users
    WHERE ${type} = 'user' AND tenant_id = ${tenantId} AND id = ${id}
    UNION ALL
    SELECT name FROM applications WHERE ${type} = 'application' AND tenant_id = ${tenantId} AND id = ${id}`.execute(db)
  return rows[0]?.name ?? undefined
}

/** An entry that says what changed in one of the ids. */
const CHANGE = '$.entities[*] ? (@.id == $id && exists(@.after))'

/** The last successful change; undefined: the log has none, or no longer. */
export const lastChange = async (
  db: Db,
  { id: tenantId }: Tenant,
  { keys, ids, params }: Changed,
): Promise<LastChange | undefined> => {
  const [id] = ids
  const about =
    id === undefined
      ? sql`key = ANY(${keys}::text[]) AND payload->'request'->'params' @> ${JSON.stringify(params)}::jsonb`
      : sql`entities @> ${ids}::text[] AND (key = ANY(${keys}::text[])
          OR jsonb_path_exists(payload, ${CHANGE}::jsonpath, jsonb_build_object('id', ${id}::text)))`
  const { rows } = await sql<Found>`
    SELECT key, user_id, application_id, payload, created_at FROM audit_log
    WHERE tenant_id = ${tenantId} AND ${about} AND payload->>'result' = 'Success'
    ORDER BY created_at DESC, id DESC LIMIT 1`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { actor } = wholePayload(row) as { readonly actor: { readonly type: string; readonly id?: string } }
  const name = actor.id === undefined ? undefined : await nameOf(db, tenantId, actor.type, actor.id)
  const changedBy = { ...actor, ...(name === undefined ? {} : { name }) }
  return { changedBy, changedAt: row.created_at.getTime() }
}
