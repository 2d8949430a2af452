/**
 * The lockout (DECISIONS L2, N6, SECURITY R-28): consecutive failures over every way to authenticate. They are counted
 * twice: under the identifier that was entered, whose lock responses show, whether or not an account has it; and under
 * the account that has it, whose lock applies to all its identifiers and looks like a wrong guess, so that nothing
 * reveals that an identifier belongs to a locked account.
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { type Identifier, identifierKey } from './identifiers.ts'

/** The account that has an identifier. */
export interface Account {
  readonly userId: string
  /** All identifiers that it can be signed in with. */
  readonly identifiers: readonly Identifier[]
}

/** The target of a guess: an identifier as entered, and the account that has it, if there is one. */
export interface Target {
  readonly identifier: Identifier
  readonly account: Account | undefined
}

export interface LockoutPolicy {
  readonly maxAttempts: number
  /** Of the first lock; each one after it is twice as long, until a success. */
  readonly lockSeconds: number
  /** Whether the tenant distinguishes usernames by case: then each is counted as written. */
  readonly hasExactNames: boolean
  /** Whether the lock of an identifier that no account has may cause an event: limited by address (DECISIONS N6). */
  readonly mayTellUnknown: () => boolean
}

/** The longest lock (DECISIONS N6). */
const LONGEST_LOCK_SECONDS = 86_400

/**
 * What is stored of an identifier: enough to count, not enough to read. An exact username is counted as written: the
 * failures of one account neither lock another nor are reset by its success.
 */
export const hashOf = (identifier: Identifier): Buffer => {
  const { type, value, isExact } = identifier
  return hashSecret(`${type}:${isExact ? value : (identifierKey(identifier) ?? value.toLowerCase())}`)
}

const accountHashOf = (userId: string): Buffer => hashSecret(`account:${userId}`)

/** SQL that tells whether the target with this hash is locked. @param hash SQL, like the others */
const isLocked = (tenantId: string, hash: string, now: string): string =>
  `EXISTS (SELECT FROM identifier_failures f
    WHERE f.tenant_id = ${tenantId} AND f.identifier_hash = ${hash} AND f.locked_until > ${now})`

/**
 * SQL of the locks of a target, for the statement that finds its account: `is_identifier_locked` and `is_account_locked`.
 * @param identifierHash from hashOf @param userId null or absent: no account has the identifier
 */
export const lockColumns = (tenantId: string, identifierHash: string, userId: string, now: string): string =>
  `${isLocked(tenantId, identifierHash, now)} AS is_identifier_locked,
   ${isLocked(tenantId, `sha256(convert_to('account:' || coalesce(${userId}, ''), 'UTF8'))`, now)} AS is_account_locked`

/** Counted in place of an account where there is none, for an unknown identifier to take the same work as a known one (DECISIONS L24). */
const standInHashOf = (identifier: Identifier): Buffer =>
  hashSecret(`no account:${hashOf(identifier).toString('base64url')}`)

/** The identifier first, then its account: transactions that wait for both wait in this order. */
const hashesOf = ({ identifier, account }: Target): readonly [Buffer, Buffer] => [
  hashOf(identifier),
  account ? accountHashOf(account.userId) : standInHashOf(identifier),
]

export interface Locks {
  /** Of the identifier: responses show it. */
  readonly isIdentifierLocked: boolean
  /** Of the account: no guess succeeds, and responses are those of a wrong guess. */
  readonly isAccountLocked: boolean
}

interface Failures {
  readonly identifier_hash: Buffer
  readonly is_locked: boolean
}

/** Those of these hashes with failures since the last success. */
const failuresAmong = async ({ tx, tenant, now }: Unit, hashes: readonly Buffer[]): Promise<readonly Failures[]> => {
  const { rows } = await sql<Failures>`
    SELECT f.identifier_hash, coalesce(f.locked_until > ${now}, false) AS is_locked FROM identifier_failures f
    WHERE f.tenant_id = ${tenant.id} AND f.identifier_hash = ANY(${hashes}::bytea[])`.execute(tx)
  return rows
}

const isLockedAmong = (failures: readonly Failures[], hash: Buffer): boolean =>
  failures.some(({ identifier_hash, is_locked }) => is_locked && identifier_hash.equals(hash))

/** The consecutive failures of an identifier so far, whether or not an account has it. */
export const failuresOf = async (db: Db, tenantId: string, identifier: Identifier): Promise<number> => {
  const { rows } = await sql<{ failures: number }>`/* prepared */
    SELECT f.failures FROM identifier_failures f
    WHERE f.tenant_id = ${tenantId} AND f.identifier_hash = ${hashOf(identifier)}`.execute(db)
  return rows[0]?.failures ?? 0
}

/** Throws 400 `session.verification_blocked_too_many_attempts` for a locked identifier, in steps without a guess. */
export const assertUnlocked = async (unit: Unit, identifier: Identifier): Promise<void> => {
  const hash = hashOf(identifier)
  if (isLockedAmong(await failuresAmong(unit, [hash]), hash))
    throw new ApiError('session.verification_blocked_too_many_attempts')
}

/** Whether an account, or one of the identifiers that it has, is locked: for steps that nobody is told of (SECURITY R-28). */
export const isLockedOut = async (unit: Unit, { userId, identifiers }: Account): Promise<boolean> =>
  (await failuresAmong(unit, [accountHashOf(userId), ...identifiers.map(hashOf)])).some(({ is_locked }) => is_locked)

/** A turn at a target. */
interface Turn {
  /** If so, the guess is wrong and has to be counted. */
  readonly isAccountLocked: boolean
  /**
   * Whether a success has failures to reset (`forgetFailures`); no other guess is counted before the transaction ends.
   */
  readonly hasFailures: boolean
}

/** Every hash under which failures at the target are counted, also with other identifiers of its account. */
const allHashesOf = (target: Target, known: readonly Buffer[] = hashesOf(target)): Buffer[] => [
  ...known,
  ...(target.account?.identifiers ?? []).map(hashOf),
]

/** Waits behind others who guess at one of these, until their transaction ends. */
const queueUp = ({ tx, tenant, send }: Unit, hashes: readonly Buffer[]): void => {
  const turns = hashes.map((hash) => `${tenant.id} ${hash.toString('base64url')}`)
  send(sql`SELECT pg_advisory_xact_lock(hashtextextended(turn, 2)) FROM unnest(${turns}::text[]) AS turn`.execute(tx))
}

/**
 * Called where a guess is answered: guesses at one identifier, and at one account, take turns until the transaction
 * ends. However many are simultaneous, no more are answered than the limit allows, even the first ones, when there is
 * no row yet. Throws 400 `session.verification_blocked_too_many_attempts`, which is recorded: once the lock is in
 * force, right and wrong guesses get the same response and take the same path.
 */
export const takeTurn = async (unit: Unit, target: Target): Promise<Turn> => {
  const hashes = hashesOf(target)
  const [own, ofAccount] = hashes
  unit.note({ identifierType: target.identifier.type })
  // sent together: the second is begun, and sees what is committed, when the first has ended
  queueUp(unit, hashes)
  const failures = await failuresAmong(unit, allHashesOf(target, hashes))
  if (isLockedAmong(failures, own)) throw new Refusal(new ApiError('session.verification_blocked_too_many_attempts'))
  const isAccountLocked = target.account !== undefined && isLockedAmong(failures, ofAccount)
  return { isAccountLocked, hasFailures: failures.length > 0 }
}

/**
 * The failures of each hash after one more, in order. The count equals the limit exactly once: with the failure that
 * locks.
 */
const countOnce = async (
  { tx, tenant, now }: Unit,
  hashes: readonly Buffer[],
  { maxAttempts: most, lockSeconds }: LockoutPolicy,
): Promise<(number | undefined)[]> => {
  const lockOf = (locks: number | ReturnType<typeof sql>) =>
    sql`${now}::timestamptz + make_interval(secs =>
      LEAST(${lockSeconds}::float8 * power(2, LEAST(${locks}::int, 20)), ${LONGEST_LOCK_SECONDS}::float8))`
  // counted after a lock has ended, or the first ever: locks at once if one failure is enough
  const isOne = sql`${most}::int <= 1`
  const isReached = sql`(CASE WHEN f.locked_until <= ${now} THEN ${isOne}
    ELSE f.locked_until IS NULL AND f.failures + 1 >= ${most}::int END)`
  // those in flight when the lock came into force keep counting above the limit
  const { rows } = await sql<{ identifier_hash: Buffer; failures: number }>`
    INSERT INTO identifier_failures AS f (tenant_id, identifier_hash, failures, locked_until, locks, updated_at)
    SELECT ${tenant.id}, hash, 1, CASE WHEN ${isOne} THEN ${lockOf(0)} END, (${isOne})::int, ${now}
    FROM unnest(${hashes}::bytea[]) AS hash
    ON CONFLICT (tenant_id, identifier_hash) DO UPDATE SET
      failures = CASE
        WHEN f.locked_until <= ${now} THEN 1
        WHEN f.locked_until > ${now} THEN GREATEST(f.failures, ${most}::int) + 1
        ELSE LEAST(f.failures + 1, ${most}::int) END,
      locked_until = CASE
        WHEN ${isReached} THEN ${lockOf(sql`f.locks`)}
        WHEN f.locked_until > ${now} THEN f.locked_until END,
      locks = f.locks + ${isReached}::int,
      updated_at = ${now}
    RETURNING identifier_hash, failures`.execute(tx)
  return hashes.map((hash) => rows.find(({ identifier_hash }) => identifier_hash.equals(hash))?.failures)
}

/**
 * Counts a failure at a target that had its turn: one statement, so that parallel guesses are counted once each. The
 * one that reaches the limit locks and emits Identifier.Lockout, once per lock of the account; after a lock has ended,
 * a new count starts, whose lock is twice as long. If the limit is lowered below the current count, the next failure
 * reaches it.
 */
export const countFailure = async (
  unit: Unit<'Identifier.Lockout'>,
  target: Target,
  policy: LockoutPolicy,
): Promise<void> => {
  const { identifier, account } = target
  const { maxAttempts: most } = policy
  const [own, ofAccount] = await countOnce(unit, hashesOf(target), policy)
  const { type, value } = identifier
  if (!account) {
    if (own === most && policy.mayTellUnknown()) unit.emit('Identifier.Lockout', { type, value })
    return
  }
  // failures from before the account had the identifier can lock it first; for a locked account the event was already
  // emitted
  const hasLocked = ofAccount === most || (own === most && (ofAccount ?? 0) < most)
  if (hasLocked) unit.emit('Identifier.Lockout', { type, value, userId: account.userId })
}

const forget = ({ tx, tenant }: Unit, hashes: readonly Buffer[]): Promise<{ identifier_hash: Buffer }[]> =>
  tx
    .deleteFrom('identifier_failures')
    .where(inTenant(tenant.id))
    .where('identifier_hash', '=', sql<Buffer>`ANY(${hashes}::bytea[])`)
    .returning('identifier_hash')
    .execute()

/** A success resets the count, for every identifier of the account: only consecutive failures lock. */
export const forgetFailures = async (unit: Unit, target: Target): Promise<void> => {
  await forget(unit, allHashesOf(target))
}

/** Second factors of which each has a count of failures of its own (DECISIONS O1). */
const FACTOR_POOLS = ['totp', 'backup-code', 'webauthn', 'message-code'] as const
export type FactorPool = (typeof FACTOR_POOLS)[number]
const poolHashOf = (pool: FactorPool, userId: string): Buffer => hashSecret(`${pool}:${userId}`)

/** Throws 400 `session.verification_blocked_too_many_attempts` for a locked factor, which is remembered. */
export const assertFactorUnlocked = async (unit: Unit, pool: FactorPool, userId: string): Promise<void> => {
  const hash = poolHashOf(pool, userId)
  if (isLockedAmong(await failuresAmong(unit, [hash]), hash))
    throw new Refusal(new ApiError('session.verification_blocked_too_many_attempts'))
}

/**
 * Where a guess at a second factor of a user is answered: guesses take turns, and once too many have failed none is answered.
 * Throws as assertFactorUnlocked.
 */
export const takeFactorTurn = async (unit: Unit, pool: FactorPool, userId: string): Promise<void> => {
  queueUp(unit, [poolHashOf(pool, userId)])
  await assertFactorUnlocked(unit, pool, userId)
}

/** Counts a failure at a second factor that had its turn; the one that reaches the limit locks. */
export const countFactorFailure = async (
  unit: Unit,
  pool: FactorPool,
  userId: string,
  policy: LockoutPolicy,
): Promise<void> => {
  await countOnce(unit, [poolHashOf(pool, userId)], policy)
}

/** A success begins the count of this factor anew. */
export const forgetFactorFailures = (unit: Unit, pool: FactorPool, userId: string): void =>
  unit.send(forget(unit, [poolHashOf(pool, userId)]))

/**
 * The kinds of identifier that a typed text may be.
 * @param hasExactNames whether the tenant distinguishes usernames by case
 */
export const readings = (value: string, hasExactNames: boolean): Identifier[] => [
  { type: 'username', value, isExact: hasExactNames },
  { type: 'email', value },
  { type: 'phone', value },
]

/**
 * Clears the failures of identifiers of any kind and of the accounts that have them, for an administrator; the audit
 * log has the number of identifiers that had any. Guesses verified in the meantime are counted, from one. @param typed
 * the readings of what users enter @param accounts the accounts that have one of them
 */
export const forgetAll = async (
  unit: Unit,
  typed: readonly Identifier[],
  accounts: readonly Account[],
): Promise<void> => {
  const named = typed.map(hashOf)
  const others = accounts.flatMap(({ userId, identifiers }) => [
    accountHashOf(userId),
    ...identifiers.map(hashOf),
    ...FACTOR_POOLS.map((pool) => poolHashOf(pool, userId)),
  ])
  const forgotten = await forget(unit, [...named, ...typed.map(standInHashOf), ...others])
  const isNamed = (hash: Buffer) => named.some((each) => each.equals(hash))
  unit.note({ unlocked: forgotten.filter(({ identifier_hash }) => isNamed(identifier_hash)).length })
}
