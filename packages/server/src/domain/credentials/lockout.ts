/**
 * The one lock-out gate (DECISIONS L2, SECURITY R-28): consecutive failures of an identifier, over every way of proving
 * who one is. Whether the account exists makes no difference to it.
 */

import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { type Identifier, identifierKey } from './identifiers.ts'

export interface LockoutPolicy {
  readonly maxAttempts: number
  /** Seconds. */
  readonly lockSeconds: number
}

/** What is kept of an identifier: enough to count, not enough to read. */
const hashOf = (identifier: Identifier): Buffer =>
  hashSecret(`${identifier.type}:${identifierKey(identifier) ?? identifier.value.toLowerCase()}`)

const lockedNow = async (db: Db, tenantId: string, identifier: Identifier, now: Date): Promise<boolean> => {
  const row = await db
    .selectFrom('identifier_failures')
    .select('locked_until')
    .where(inTenant(tenantId))
    .where('identifier_hash', '=', hashOf(identifier))
    .where('locked_until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the identifier is locked: asked before anything is verified. */
export const isLocked = ({ database, clock }: Store, { id }: Tenant, identifier: Identifier): Promise<boolean> =>
  lockedNow(database.kysely, id, identifier, clock.now())

/** The same within a transaction, where nothing is guessed at. */
export const isLockedWithin = ({ tx, tenant, now }: Unit, identifier: Identifier): Promise<boolean> =>
  lockedNow(tx, tenant.id, identifier, now)

/**
 * The same where a guess is answered. Who guesses at one identifier takes turns until the transaction ends: of any number at
 * once no more are answered than the limit lets through, the first ones too, when there is no row yet. Throws 400
 * `session.verification_blocked_too_many_attempts`, which is remembered: once the lock has fallen a right guess and a wrong
 * one read the same and take the same way.
 */
export const assertUnlocked = async (unit: Unit, identifier: Identifier): Promise<void> => {
  const { tx, tenant } = unit
  unit.note({ identifierType: identifier.type })
  const lock = `${tenant.id} ${hashOf(identifier).toString('base64url')}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 2))`.execute(tx)
  if (await isLockedWithin(unit, identifier))
    throw new Refusal(new ApiError('session.verification_blocked_too_many_attempts'))
}

/**
 * Counts a failure of an identifier that was found unlocked: one statement, so that guesses in parallel are counted once
 * each. The one that reaches the limit locks the identifier and emits Identifier.Lockout; a lock that has ended begins a new
 * count. A limit that was lowered below what is counted already is reached by the next failure.
 */
export const countFailure = async (
  unit: Unit<'Identifier.Lockout'>,
  identifier: Identifier,
  { maxAttempts: most, lockSeconds }: LockoutPolicy,
): Promise<void> => {
  const { tx, tenant, now, emit } = unit
  const until = secondsAfter(now, lockSeconds)
  const lockOfFirst = most <= 1 ? until : null
  // the count is that of the limit once: by the failure that locks; those that were on their way count on above it
  const { rows } = await sql<{ failures: number }>`
    INSERT INTO identifier_failures AS f (tenant_id, identifier_hash, failures, locked_until, updated_at)
    VALUES (${tenant.id}, ${hashOf(identifier)}, 1, ${lockOfFirst}, ${now})
    ON CONFLICT (tenant_id, identifier_hash) DO UPDATE SET
      failures = CASE
        WHEN f.locked_until <= ${now} THEN 1
        WHEN f.locked_until > ${now} THEN GREATEST(f.failures, ${most}::int) + 1
        ELSE LEAST(f.failures + 1, ${most}::int) END,
      locked_until = CASE
        WHEN f.locked_until <= ${now} THEN ${lockOfFirst}::timestamptz
        WHEN f.locked_until > ${now} THEN f.locked_until
        WHEN f.failures + 1 >= ${most}::int THEN ${until}::timestamptz
        ELSE NULL END,
      updated_at = ${now}
    RETURNING failures`.execute(tx)
  if (rows[0]?.failures === most) emit('Identifier.Lockout', { type: identifier.type, value: identifier.value })
}

/** A success begins the count anew: only consecutive failures lock. */
export const forgetFailures = async ({ tx, tenant }: Unit, identifier: Identifier): Promise<void> => {
  await tx
    .deleteFrom('identifier_failures')
    .where(inTenant(tenant.id))
    .where('identifier_hash', '=', hashOf(identifier))
    .execute()
}

/**
 * Forgets the failures of identifiers of any kind, at the word of an administrator; how many had any is in the audit log.
 * What is being verified meanwhile is counted, from one.
 * @param values as they are typed
 */
export const identifiersUnlocked = operation(
  [],
  async ({ tx, tenant, note }, values: readonly string[]): Promise<void> => {
    const types = ['username', 'email', 'phone'] as const
    const hashes = values.flatMap((value) => types.map((type) => hashOf({ type, value })))
    const { numDeletedRows } = await tx
      .deleteFrom('identifier_failures')
      .where(inTenant(tenant.id))
      .where('identifier_hash', '=', sql<Buffer>`ANY(${hashes}::bytea[])`)
      .executeTakeFirstOrThrow()
    note({ unlocked: Number(numDeletedRows) })
  },
)
