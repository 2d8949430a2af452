/**
 * Passwords (DECISIONS L4): argon2id with 19 MiB, two passes, one lane. Every check costs one argon2id, whether or
 * not the user exists, so that response times do not reveal it; an imported hash adds its own cost, which
 * password-proof.ts hides. Which passwords are allowed is password-policy.ts.
 *
 * The work is done on libuv's four threads; one is left for the rest of the server.
 */
import { availableParallelism } from 'node:os'
import { createAdmission } from '../../kernel/admission.ts'
import { timed } from '../../kernel/time-floor.ts'
import { matchesImported } from './imported-passwords.ts'

/** DECISIONS M. */
export const LONGEST_PASSWORD = 256

let library: Promise<typeof import('@node-rs/argon2')> | undefined
/** Loaded on first use: a server that serves only machines never needs it. Node takes 0.1 ms to find it again. */
const argon2 = (): Promise<typeof import('@node-rs/argon2')> => {
  library ??= import('@node-rs/argon2')
  return library
}

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const ARGON2ID = 2

const admit = createAdmission(
  Math.min(3, availableParallelism()),
  256,
  'too many passwords are being checked; try again soon',
)

/** A password as stored in a user's row. */
export interface StoredPassword {
  readonly hash: string
  /** The method of an imported hash; null: made by this server. */
  readonly algorithm: string | null
}

export interface Verification {
  readonly isCorrect: boolean
  /** A new hash by this server, to replace an imported or weaker one. */
  readonly renewed?: StoredPassword
}

/** @property took milliseconds, without the time in the queue */
interface TimedVerification extends Verification {
  readonly took: number
}

/** The same text can be encoded in several ways, and keyboards differ in which they send (RFC 8265 section 4.2). */
const bytesOf = (password: string): string => password.normalize('NFC')

let computed = 0
/** How many argon2id hashes this process has begun to compute, for new passwords and for passwords to be checked. */
export const hashesComputed = (): number => computed

const hash = async (password: string): Promise<StoredPassword> => {
  computed += 1
  return { hash: await (await argon2()).hash(bytesOf(password), COST), algorithm: null }
}

const matches = async (encoded: string, password: string): Promise<boolean> => {
  computed += 1
  return (await argon2()).verify(encoded, bytesOf(password))
}

/** A hash that belongs to no password, at the same cost as any other. */
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

const verifyDecoy = (password: string): Promise<boolean> => matches(DECOY, password)

const isCurrent = async (encoded: string): Promise<boolean> => {
  const { parseOptions } = await argon2()
  const { algorithm, memoryCost, timeCost, parallelism } = parseOptions(encoded)
  return (
    algorithm === ARGON2ID &&
    memoryCost === COST.memoryCost &&
    timeCost === COST.timeCost &&
    parallelism === COST.parallelism
  )
}

const check = async (stored: StoredPassword | undefined, password: string): Promise<Verification> => {
  if (!stored) {
    await verifyDecoy(password)
    return { isCorrect: false }
  }
  if (stored.algorithm !== null) {
    if (await matchesImported(stored.algorithm, stored.hash, password)) {
      return { isCorrect: true, renewed: await hash(password) }
    }
    await verifyDecoy(password)
    return { isCorrect: false }
  }
  const isCorrect = await matches(stored.hash, password)
  return isCorrect && !(await isCurrent(stored.hash)) ? { isCorrect, renewed: await hash(password) } : { isCorrect }
}

/** Hashes a new password. Throws 503 when too many are being hashed. Does not check the policy. */
export const hashPassword = (password: string): Promise<StoredPassword> => admit(() => hash(password))

/**
 * Whether this is the password. Throws 503 when too many are being checked.
 * @param stored the user's password; undefined when the user does not exist or has none
 */
export const verifyPassword = async (
  stored: StoredPassword | undefined,
  password: string,
): Promise<TimedVerification> => {
  const isTooLong = password.length > LONGEST_PASSWORD * 2 || [...password].length > LONGEST_PASSWORD
  const { result, took } = await admit(() => timed(() => (isTooLong ? check(undefined, '') : check(stored, password))))
  return { ...result, took }
}

/** The password of a user's row, if it has one. */
export const storedPassword = (
  row: { readonly password_hash: string | null; readonly password_algorithm: string | null } | undefined,
): StoredPassword | undefined =>
  row?.password_hash == null ? undefined : { hash: row.password_hash, algorithm: row.password_algorithm }
