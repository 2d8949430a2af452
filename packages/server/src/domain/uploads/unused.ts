/**
 * Deletes unused images (DECISIONS L25): abandoned uploads, avatars that were replaced or whose user was deleted, everything of deleted
 * tenants. The row is deleted first and leaves the path of the file behind, so that no file is missed.
 */
import { sql } from 'kysely'
import type { AssetFiles } from '../../kernel/assets.ts'
import type { Store } from '../../storage/store.ts'

const BATCH = 1000
/** Files are deleted one by one, each with a request if they are in a bucket. */
const FILES_AT_ONCE = 100
/** After so many failures in a row the rest waits for the next time: a storage that is down answers each request late. */
const MOST_FAILURES = 3
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

/** Deletes a file, whose row then goes. One that cannot be deleted goes to the end of the queue; returns why. */
const deleteFile = async ({ database: { kysely }, clock }: Store, files: AssetFiles, path: string) => {
  try {
    await files.remove(path)
  } catch (error) {
    await kysely.updateTable('removed_assets').set({ removed_at: clock.now() }).where('path', '=', path).execute()
    return { error }
  }
  await kysely.deleteFrom('removed_assets').where('path', '=', path).execute()
  return undefined
}

/**
 * Deletes the files whose rows were deleted. A failed deletion is attempted again the next time, and does not keep those behind it; if
 * several fail one after the other, the storage is taken to be down. Throws the last failure.
 */
const deleteFiles = async (store: Store): Promise<number> => {
  const { files } = store.assets
  if (!files) return 0
  const failed: string[] = []
  let last: Awaited<ReturnType<typeof deleteFile>>
  for (let [deleted, failures] = [0, 0]; ; ) {
    const rows = await store.database.kysely
      .selectFrom('removed_assets')
      .select('path')
      .$if(failed.length > 0, (query) => query.where('path', 'not in', failed))
      .orderBy('removed_at')
      .limit(FILES_AT_ONCE)
      .execute()
    for (const { path } of rows) {
      const failure = await deleteFile(store, files, path)
      if (!failure) [deleted, failures] = [deleted + 1, 0]
      else {
        last = failure
        failed.push(path)
        failures += 1
        if (failures === MOST_FAILURES) throw failure.error
      }
    }
    if (rows.length === FILES_AT_ONCE) continue
    if (last) throw last.error
    return deleted
  }
}

/** Deletes what is no longer used; returns the number of files. Throws what the storage of files throws. */
export const forgetUnusedImages = async (store: Store): Promise<number> => {
  await forgetUnused(store)
  return deleteFiles(store)
}
