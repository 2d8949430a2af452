/**
 * Deletes unused images (DECISIONS L25): abandoned uploads, avatars that were replaced or whose user was deleted, everything of deleted
 * tenants. The row is deleted first and leaves the path of the file behind, so that no file is missed.
 */
import { sql } from 'kysely'
import type { Store } from '../../storage/store.ts'

const BATCH = 1000
/** Files are deleted one by one, each with a request if they are in a bucket. */
const FILES_AT_ONCE = 100
/**
 * Time between two checks of an avatar; one that has lost its user stays for this long, in case the user restores it.
 */
const CHECK_MS = 86_400_000

/** Checks the images that are due; returns how many rows were deleted. Any number of nodes may do this concurrently. */
const forgetUnused = async ({ database: { kysely }, clock }: Store): Promise<void> => {
  const now = clock.now()
  const next = new Date(now.getTime() + CHECK_MS)
  for (;;) {
    const { rows } = await sql<{ due: number }>`
      WITH due AS (
        SELECT tenant_id, name, is_used FROM assets WHERE check_at < ${now}
        ORDER BY check_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
      seen AS (
        SELECT d.tenant_id, d.name, d.is_used AS was_used, EXISTS (
          SELECT FROM users u WHERE u.tenant_id = d.tenant_id
            AND u.avatar LIKE '%/assets/%' AND right(u.avatar, 26) = d.name) AS is_used FROM due d),
      kept AS (
        UPDATE assets a SET is_used = s.is_used, check_at = ${next} FROM seen s
        WHERE a.tenant_id = s.tenant_id AND a.name = s.name AND (s.is_used OR s.was_used)),
      gone AS (
        DELETE FROM assets a USING seen s
        WHERE a.tenant_id = s.tenant_id AND a.name = s.name AND NOT s.is_used AND NOT s.was_used
        RETURNING a.tenant_id || '/' || a.name AS path),
      left_behind AS (INSERT INTO removed_assets (path, removed_at) SELECT path, ${now} FROM gone)
      SELECT count(*)::integer AS due FROM due`.execute(kysely)
    if ((rows[0]?.due ?? 0) < BATCH) return
  }
}

/** Deletes the files whose rows were deleted. A failed deletion is attempted again the next time. */
const deleteFiles = async ({ database: { kysely }, assets: { files } }: Store): Promise<number> => {
  if (!files) return 0
  let deleted = 0
  for (;;) {
    const rows = await kysely
      .selectFrom('removed_assets')
      .select('path')
      .orderBy('removed_at')
      .limit(FILES_AT_ONCE)
      .execute()
    for (const { path } of rows) {
      await files.remove(path)
      await kysely.deleteFrom('removed_assets').where('path', '=', path).execute()
    }
    deleted += rows.length
    if (rows.length < FILES_AT_ONCE) return deleted
  }
}

/** Deletes what is no longer used; returns the number of files. Throws what the storage of files throws. */
export const forgetUnusedImages = async (store: Store): Promise<number> => {
  await forgetUnused(store)
  return deleteFiles(store)
}
