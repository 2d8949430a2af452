/** Signing in with a name and a password (DECISIONS L1, L2, L4): one gate, one verification, one transaction. */
import { ApiError } from '../kernel/api-error.ts'
import { operation, perform, type Work } from '../storage/unit-of-work.ts'
import { type Identifier, identifierKey } from './identifiers.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import { countFailure, forgetFailures, isLocked, isLockedAtRedemption, type LockoutPolicy } from './lockout.ts'
import { type StoredPassword, storedPassword, verifyPassword } from './passwords.ts'
import { startSession } from './sessions.ts'
import { findUserByIdentifier, userEntity } from './user-rows.ts'

export type IdentifierType = Identifier['type']

/** RFC 8176. */
const PASSWORD = ['pwd']

export interface PasswordAttempt {
  readonly interaction: Interaction
  /** The secret of the browser's session, if it has one already. */
  readonly previousSecret: string | undefined
  /** What may be signed in with. */
  readonly types: readonly IdentifierType[]
  /** As it was typed. */
  readonly identifier: string
  readonly password: string
  readonly policy: { readonly maxAttempts: number; readonly lockoutDuration: number }
}

export type SignInOutcome =
  | { readonly result: 'signed-in'; readonly secret: string }
  | { readonly result: 'wrong' | 'locked' | 'busy' }

/** What a typed name is: the first of the allowed kinds that it can be, an address or a number before a username. */
export const readIdentifier = (text: string, types: readonly IdentifierType[]): Identifier => {
  const order: readonly IdentifierType[] = ['email', 'phone', 'username']
  const candidates = order.filter((type) => types.includes(type)).map((type) => ({ type, value: text }))
  return candidates.find((each) => identifierKey(each) !== undefined) ?? { type: types[0] ?? 'username', value: text }
}

const failed = operation(
  ['Identifier.Lockout'],
  async (unit, identifier: Identifier, policy: LockoutPolicy): Promise<void> => {
    unit.note({ result: 'Error', error: 'session.invalid_credentials', identifierType: identifier.type })
    await countFailure(unit, identifier, policy)
  },
)

interface Verified {
  readonly interaction: Interaction
  readonly previousSecret: string | undefined
  readonly identifier: Identifier
  readonly userId: string
  readonly renewed: StoredPassword | undefined
}

/** Starts the session of a user whose password was right, and tells the interaction; undefined when the lock fell first. */
const succeeded = operation(
  ['PostSignIn'],
  async (unit, { interaction, previousSecret, identifier, userId, renewed }: Verified): Promise<string | undefined> => {
    if (await isLockedAtRedemption(unit, identifier)) return undefined
    await forgetFailures(unit, identifier)
    const user = await unit.tx
      .updateTable('users')
      .set({
        last_sign_in_at: unit.now,
        ...(renewed && { password_hash: renewed.hash, password_algorithm: renewed.algorithm }),
      })
      .where('tenant_id', '=', unit.tenant.id)
      .where('id', '=', userId)
      .where('is_suspended', '=', false)
      .returningAll()
      .executeTakeFirst()
    if (!user) return undefined
    const { secret } = await startSession(unit, {
      userId,
      amr: PASSWORD,
      applicationId: interaction.request.clientId,
      interactionEvent: 'SignIn',
      previousSecret,
    })
    // what somebody else agreed to in this interaction is not theirs
    await advanceInteraction(unit, interaction.id, { signedInAt: unit.now.getTime(), consented: undefined })
    unit.note({ userId, applicationId: interaction.request.clientId })
    unit.emit('PostSignIn', {
      interactionEvent: 'SignIn',
      sessionId: interaction.id,
      userId,
      user: userEntity(user),
      ...(unit.caller.ip === undefined ? {} : { userIp: unit.caller.ip }),
    })
    return secret
  },
)

/**
 * Signs in. Wrong password, no such user, a user without password and a suspended user are one outcome and take the same
 * time; a locked identifier is told, whether there is such a user or not.
 */
export const signInWithPassword = async (work: Work, attempt: PasswordAttempt): Promise<SignInOutcome> => {
  const { store, tenant } = work
  const identifier = readIdentifier(attempt.identifier, attempt.types)
  const { maxAttempts, lockoutDuration } = attempt.policy
  if (await isLocked(store, tenant, identifier)) return { result: 'locked' }
  const user = await findUserByIdentifier(store.database.kysely, tenant.id, identifier)
  try {
    const { isCorrect, renewed } = await verifyPassword(storedPassword(user), attempt.password)
    if (!user || !isCorrect || user.is_suspended) {
      await perform(work, failed, identifier, { maxAttempts, lockSeconds: lockoutDuration * 60 })
      return { result: 'wrong' }
    }
    const secret = await perform(work, succeeded, {
      interaction: attempt.interaction,
      previousSecret: attempt.previousSecret,
      identifier,
      userId: user.id,
      renewed,
    })
    return secret === undefined ? { result: 'locked' } : { result: 'signed-in', secret }
  } catch (error) {
    if (error instanceof ApiError && error.code === 'request.unavailable') return { result: 'busy' }
    throw error
  }
}
