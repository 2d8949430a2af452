/** Deletes expired rows, a few at a time, so that no deletion is ever large. */
import { sql } from 'kysely'
import { numberAllEvents } from '../../storage/outbox.ts'
import type { Store } from '../../storage/store.ts'
import { FAMILIAR_DAYS } from '../factors/familiarity.ts'
import { pauseInactiveStreams } from '../signals/backlog.ts'
import { tellAllReceivers } from '../signals/distribution.ts'
import { numberAllRevocations } from '../tenants/revocations.ts'

const BATCH = 1000
const DAY_MS = 86_400_000
/** DECISIONS K8. */
export const EVENT_DAYS = 30
/** Reuse of a code revokes what was issued from it (SECURITY R-8), as long as its first use is on record. */
const CODE_DAYS = 1
/**
 * After this long without a new failure, failures no longer count as consecutive: a day after the longest lock has
 * ended (DECISIONS N6).
 */
const FAILURE_DAYS = 2

/** Table, the column with its time, and how long rows stay after it. */
const EXPIRING = [
  ['revoked_access_tokens', 'expires_at', 0],
  ['revocations', 'expires_at', 0],
  ['used_client_assertions', 'expires_at', 0],
  ['used_dpop_proofs', 'expires_at', 0],
  ['used_captchas', 'expires_at', 0],
  ['authorization_codes', 'expires_at', CODE_DAYS],
  ['opaque_access_tokens', 'expires_at', 0],
  ['refresh_families', 'expires_at', 0],
  ['pushed_requests', 'expires_at', 0],
  ['device_codes', 'expires_at', 0],
  ['backchannel_requests', 'expires_at', 0],
  ['subject_tokens', 'expires_at', 0],
  ['verification_codes', 'expires_at', 0],
  ['account_verifications', 'expires_at', 0],
  ['one_time_tokens', 'kept_until', 0],
  ['message_sends', 'sent_at', 1],
  ['owner_notices', 'expires_at', 0],
  // the worker drops them when they expire; this is for kinds that no node knows anymore
  ['dispatches', 'expires_at', 1],
  ['federation_requests', 'expires_at', 0],
  ['saml_requests', 'expires_at', 0],
  ['saml_logouts', 'expires_at', 0],
  ['saml_visits', 'expires_at', 0],
  ['used_saml_assertions', 'expires_at', 0],
  ['saml_metadata', 'expires_at', 0],
  ['used_credentials', 'expires_at', 0],
  ['sso_arrivals', 'expires_at', 0],
  ['interactions', 'expires_at', 0],
  ['impersonations', 'expires_at', 0],
  ['grants', 'expires_at', 0],
  ['trusted_devices', 'expires_at', 0],
  ['known_devices', 'last_seen_at', FAMILIAR_DAYS],
  ['sign_in_countries', 'last_seen_at', FAMILIAR_DAYS],
  ['identifier_failures', 'updated_at', FAILURE_DAYS],
  ['hook_attempts', 'created_at', EVENT_DAYS],
  ['hook_deliveries', 'created_at', EVENT_DAYS],
  ['events', 'created_at', EVENT_DAYS],
  ['signal_events', 'created_at', EVENT_DAYS],
] as const

/**
 * Sessions that ended by time. Grants that outlive it (DECISIONS G4) no longer belong to it; the others ended at the
 * same moment.
 */
const forgetSessions = async ({ database: { kysely }, clock }: Store): Promise<number> => {
  const { numAffectedRows = 0n } = await sql`
    WITH ended AS (
      SELECT tenant_id, id FROM sessions WHERE expires_at < ${clock.now()} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
    kept AS (
      UPDATE grants g SET session_id = NULL, original_session_id = g.session_id FROM ended
      WHERE g.tenant_id = ended.tenant_id AND g.session_id = ended.id AND g.expires_at > ${clock.now()})
    DELETE FROM sessions s USING ended WHERE s.tenant_id = ended.tenant_id AND s.id = ended.id`.execute(kysely)
  return Number(numAffectedRows)
}

/** Audit entries past their retention; per tenant, because the index by age begins with the tenant. */
const forgetAuditEntries = async ({ database: { kysely }, clock, auditDays }: Store): Promise<number> => {
  if (auditDays === 0) return 0
  const before = new Date(clock.now().getTime() - auditDays * DAY_MS)
  const { numAffectedRows = 0n } = await sql`DELETE FROM audit_log WHERE ctid = ANY(ARRAY(
    SELECT old.ctid FROM tenants t, LATERAL (
      SELECT a.ctid FROM audit_log a WHERE a.tenant_id = t.id AND a.created_at < ${before}
      ORDER BY a.created_at, a.id LIMIT ${BATCH}) old LIMIT ${BATCH}))`.execute(kysely)
  return Number(numAffectedRows)
}

const DONE_AT = 'expired-rows-deleted-at'

const noteDone = async ({ database: { kysely }, clock }: Store): Promise<void> => {
  const value = Buffer.from(clock.now().toISOString())
  await kysely
    .insertInto('installation')
    .values({ key: DONE_AT, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** When a node last deleted all that had expired; undefined: not yet. */
export const lastForgottenAt = async ({ database: { kysely } }: Store): Promise<Date | undefined> => {
  const row = await kysely.selectFrom('installation').select('value').where('key', '=', DONE_AT).executeTakeFirst()
  return row && new Date(row.value.toString())
}

/** Deletes expired rows; returns how many. Any number of nodes may do it at once. */
export const forgetExpired = async (store: Store): Promise<number> => {
  const { database, clock } = store
  const { kysely } = database
  // otherwise those of a tenant whose events are not read would stay for ever
  await numberAllEvents(kysely)
  let forgotten = 0
  for (let sessions = BATCH; sessions === BATCH; forgotten += sessions) sessions = await forgetSessions(store)
  for (let entries = BATCH; entries === BATCH; forgotten += entries) entries = await forgetAuditEntries(store)
  for (const [name, column, days] of EXPIRING) {
    const before = new Date(clock.now().getTime() - days * DAY_MS)
    const [table, time] = [sql.table(name), sql.ref(column)]
    for (;;) {
      const { numAffectedRows = 0n } = await sql`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE ${time} < ${before} LIMIT ${BATCH}))`.execute(kysely)
      forgotten += Number(numAffectedRows)
      if (numAffectedRows < BATCH) break
    }
  }
  // of what has just been deleted most had ended by time, and leaves nothing
  await numberAllRevocations(store)
  await tellAllReceivers(store)
  await pauseInactiveStreams(store)
  await noteDone(store)
  return forgotten
}
