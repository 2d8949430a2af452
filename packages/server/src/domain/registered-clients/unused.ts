/** Removes registered applications that nobody has ever signed in to (DECISIONS Y4). */
import { DEFAULT_REGISTRATION } from '@countersign/contract/client-registration.ts'
import { sql } from 'kysely'
import { systemCaller } from '../../kernel/caller.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Store } from '../../storage/store.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { getTenant } from '../tenants/tenants.ts'
import { removeUnusedClient } from './registered-clients.ts'

const DAY_SECONDS = 86_400
const AT_ONCE = 100

interface Unused {
  readonly tenant_id: string
  readonly application_id: string
  readonly days: number
}

/** Those whose time has come, the oldest first. */
const unusedClients = async ({ database, clock }: Store, offset: number): Promise<Unused[]> => {
  const days = sql`CASE WHEN s.settings ? 'unusedClientDays' THEN (s.settings->>'unusedClientDays')::integer
    ELSE ${DEFAULT_REGISTRATION.unusedClientDays}::integer END`
  const { rows } = await sql<Unused>`
    SELECT r.tenant_id, r.application_id, ${days} AS days FROM registered_clients r
    JOIN client_registration_settings s ON s.tenant_id = r.tenant_id
    WHERE r.last_used_at IS NULL AND r.registered_at < ${clock.now()}::timestamptz - ${days} * interval '24 hours'
    ORDER BY r.registered_at, r.tenant_id, r.application_id LIMIT ${AT_ONCE} OFFSET ${offset}`.execute(database.kysely)
  return rows
}

const remove = async (store: Store, { tenant_id, application_id, days }: Unused): Promise<boolean> => {
  try {
    const work = { store, tenant: await getTenant(store, tenant_id), caller: systemCaller('removeUnusedClient') }
    return await perform(work, removeUnusedClient, application_id, secondsAfter(store.clock.now(), -days * DAY_SECONDS))
  } catch (error) {
    store.log.warn(
      { err: error, tenantId: tenant_id, applicationId: application_id },
      'an unused registered application could not be deleted',
    )
    return false
  }
}

/** Deletes registered applications that were never used; returns how many. Any number of nodes may do it at once. */
export const removeUnusedClients = async (store: Store): Promise<number> => {
  for (let [removed, left] = [0, 0]; ; ) {
    const unused = await unusedClients(store, left)
    for (const one of unused) {
      if (await remove(store, one)) removed += 1
      else left += 1
    }
    if (unused.length < AT_ONCE) return removed
  }
}
