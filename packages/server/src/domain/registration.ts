/** Self-registration with a name and a password: an account, a session, and the events of both (DECISIONS K1, L1). */
import { ApiError } from '../kernel/api-error.ts'
import { operation, perform, type Work } from '../storage/unit-of-work.ts'
import type { Client } from './clients.ts'
import { type Identifier, identifierKey } from './identifiers.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import { passwordIssues } from './password-policy.ts'
import { hashPassword, type StoredPassword } from './passwords.ts'
import { startSession } from './sessions.ts'
import { type IdentifierType, readIdentifier } from './sign-in.ts'
import { userEntity } from './user-rows.ts'
import { createUserRow } from './users.ts'

export interface Registration {
  readonly interaction: Interaction
  readonly client: Client
  /** The secret of the browser's session, if it has one already. */
  readonly previousSecret: string | undefined
  readonly types: readonly IdentifierType[]
  /** As it was typed. */
  readonly identifier: string
  readonly password: string
}

export type RegistrationOutcome =
  | { readonly result: 'registered'; readonly secret: string }
  | { readonly result: 'taken' | 'invalid-identifier' | 'weak-password' | 'busy' }

const TAKEN = new Set(['user.username_already_in_use', 'user.email_already_in_use', 'user.phone_already_in_use'])

const registered = operation(
  ['PostRegister', 'User.Created'],
  async (
    unit,
    { interaction, client, previousSecret }: Registration,
    identifier: Identifier,
    password: StoredPassword,
  ): Promise<string> => {
    const user = await createUserRow(unit, identifier, password, client.id)
    unit.emit('User.Created', { data: userEntity(user) })
    const { secret } = await startSession(unit, {
      userId: user.id,
      amr: ['pwd'],
      applicationId: client.id,
      interactionEvent: 'Register',
      previousSecret,
    })
    // what somebody else agreed to in this interaction is not theirs
    await advanceInteraction(unit, interaction.id, { signedInAt: unit.now.getTime(), consented: undefined })
    unit.note({ userId: user.id, applicationId: client.id })
    unit.emit('PostRegister', {
      interactionEvent: 'Register',
      sessionId: interaction.id,
      userId: user.id,
      user: userEntity(user),
      ...(unit.caller.ip === undefined ? {} : { userIp: unit.caller.ip }),
    })
    return secret
  },
)

/** Registers a user and signs them in. The policy of passwords is asked here; whether an address is theirs is not. */
export const registerWithPassword = async (work: Work, registration: Registration): Promise<RegistrationOutcome> => {
  const { types, identifier: typed, password } = registration
  const identifier = readIdentifier(typed, types)
  if (identifierKey(identifier) === undefined) return { result: 'invalid-identifier' }
  if (passwordIssues(password, undefined, [typed]).length > 0) return { result: 'weak-password' }
  try {
    const secret = await perform(work, registered, registration, identifier, await hashPassword(password))
    return { result: 'registered', secret }
  } catch (error) {
    if (error instanceof ApiError && TAKEN.has(error.code)) return { result: 'taken' }
    if (error instanceof ApiError && error.code === 'request.unavailable') return { result: 'busy' }
    throw error
  }
}
