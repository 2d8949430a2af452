/**
 * The session that a grant was made in, as SQL for the statements that read tokens; the grant is `g` there. A grant that is
 * the session's one to its application has it in `session_id`; that of a device, and one that went on when its session
 * ended, in `original_session_id` (DECISIONS F3, N8, N9).
 */
import { type RawBuilder, sql } from 'kysely'
import type { SqlValue } from '../../storage/statement.ts'

/** Which row of sessions `s` it is, whether or not there still is one. */
const IS_ITS_SESSION = 's.tenant_id = g.tenant_id AND s.id = coalesce(g.session_id, g.original_session_id)'

/** `sid` of its tokens: the session's id, as long as the session has not ended. */
export const SID_OF_GRANT = `coalesce(g.session_id,
  (SELECT s.id FROM sessions s WHERE s.tenant_id = g.tenant_id AND s.id = g.original_session_id))`

/** The same for a statement of Kysely. */
export const sidOfGrant: RawBuilder<string | null> = sql.raw(SID_OF_GRANT)

/** Whether the session lives. @param now SQL of the time */
export const sessionLives = (now: string): string =>
  `EXISTS (SELECT FROM sessions s WHERE ${IS_ITS_SESSION} AND s.expires_at > ${now})`

/** The same for a statement of Kysely. */
export const sessionLivesAt = (now: SqlValue<Date>): RawBuilder<boolean> =>
  sql`EXISTS (SELECT FROM sessions s WHERE ${sql.raw(IS_ITS_SESSION)} AND s.expires_at > ${now})`

/** Whether what was authorized for these scopes ends with the session (DECISIONS G4). */
export const endsWithSession = (scopes: readonly string[]): boolean => !scopes.includes('offline_access')
