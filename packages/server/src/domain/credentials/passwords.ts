/**
 * Passwords (DECISIONS L4): argon2id with 19 MiB, two passes, one lane. Every check costs one argon2id, whether there is
 * such a user or not, so that the time of an answer does not tell; an imported hash costs what it costs besides, which
 * password-proof.ts hides. Which passwords are allowed is password-policy.ts.
 *
 * The work is done by libuv's threads, of which there are four; one is left to the rest of the server.
 */
import { availableParallelism } from 'node:os'
import { createAdmission } from '../../kernel/admission.ts'
import { timed } from '../../kernel/time-floor.ts'
import { matchesImported } from './imported-passwords.ts'

/** DECISIONS M. */
export const LONGEST_PASSWORD = 256

/** Loaded at its first use: a server that only serves machines never needs it. */
const argon2 = () => import('@node-rs/argon2')

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const ARGON2ID = 2

const admit = createAdmission(Math.min(3, availableParallelism()), 256)

/** A password as a user's row keeps it. */
export interface StoredPassword {
  readonly hash: string
  /** How an imported hash was made; null: by this server. */
  readonly algorithm: string | null
}

export interface Verification {
  readonly isCorrect: boolean
  /** The password again as this server hashes it, to store in place of an imported or weaker hash. */
  readonly renewed?: StoredPassword
}

/** @property took milliseconds, without the time in line */
interface TimedVerification extends Verification {
  readonly took: number
}

/** The same text can be written in several ways; keyboards differ in which they send (RFC 8265 section 4.2). */
const bytesOf = (password: string): string => password.normalize('NFC')

const hash = async (password: string): Promise<StoredPassword> => ({
  hash: await (await argon2()).hash(bytesOf(password), COST),
  algorithm: null,
})

/** The hash of no one's password, of the same cost as anyone's. */
const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

const verifyDecoy = async (password: string): Promise<boolean> => (await argon2()).verify(DECOY, bytesOf(password))

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
  const isCorrect = await (await argon2()).verify(stored.hash, bytesOf(password))
  return isCorrect && !(await isCurrent(stored.hash)) ? { isCorrect, renewed: await hash(password) } : { isCorrect }
}

/** Hashes a new password. Throws 503 when too many are being hashed. Does not ask whether the password is a good one. */
export const hashPassword = (password: string): Promise<StoredPassword> => admit(() => hash(password))

/**
 * Whether this is the password. Throws 503 when too many are being checked.
 * @param stored the user's password; undefined when there is no such user or they have none
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
