/**
 * The session in which a grant was made, as SQL for the statements that read tokens; the grant is `g` there. The
 * session's grant to its application has it in `session_id`; that of a device, and one that outlived its
 * session, in `original_session_id` (DECISIONS F3, N8, N9).
 */
import { type RawBuilder, sql } from 'kysely'
import type { SqlValue } from '../../storage/statement.ts'

/** Matches its row of sessions `s`, whether or not it still exists. */
const IS_ITS_SESSION = 's.tenant_id = g.tenant_id AND s.id = coalesce(g.session_id, g.original_session_id)'

/** The `sid` of its tokens: the session's id, as long as the session has not ended. */
export const SID_OF_GRANT = `coalesce(g.session_id,
  (SELECT s.id FROM sessions s WHERE s.tenant_id = g.tenant_id AND s.id = g.original_session_id))`

/** The same for Kysely. */
export const sidOfGrant: RawBuilder<string | null> = sql.raw(SID_OF_GRANT)

/** Whether the session is live. @param now SQL of the time */
export const sessionLives = (now: string): string =>
  `EXISTS (SELECT FROM sessions s WHERE ${IS_ITS_SESSION} AND s.expires_at > ${now})`

/** The same for Kysely. */
export const sessionLivesAt = (now: SqlValue<Date>): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM sessions s WHERE ${sql.raw(IS_ITS_SESSION)} AND s.expires_at > ${now})`

/** Whether what was authorized for these scopes ends with the session (DECISIONS G4). */
export const endsWithSession = (scopes: readonly string[]): boolean => !scopes.includes('offline_access')
