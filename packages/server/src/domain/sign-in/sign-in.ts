/** The end of a sign-in (DECISIONS L1): the session, and what is told of it. Pages and the Experience API both end here. */

import { sql } from 'kysely'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { provision } from '../organizations/just-in-time.ts'
import { startSession } from '../sessions/sessions.ts'
import type { UserColumns } from '../users/fields.ts'
import { type UserRow, userEntity } from '../users/rows.ts'
import type { Identified, InteractionEvent } from './draft.ts'
import type { SignInExperience } from './experience.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import { lockIdentified, type PasswordProof, provePassword, redeemProof } from './password-proof.ts'
import { assertOffered, passwordIdentifiers, readIdentifier } from './rules.ts'

/** The browser in which something is submitted. */
export interface Submission {
  readonly interaction: Interaction
  /** The secret of the browser's session, if it has one already. */
  readonly previousSecret: string | undefined
}

export interface PasswordAttempt extends Submission {
  readonly experience: SignInExperience
  /** As it was typed. */
  readonly identifier: string
  readonly password: string
}

/** What PostSignIn, PostRegister and PostResetPassword say. */
export const interactionFields = (
  { caller }: Unit,
  interaction: Interaction,
  interactionEvent: InteractionEvent,
  user: UserRow,
) => ({
  interactionEvent,
  sessionId: interaction.id,
  userId: user.id,
  user: userEntity(user),
  ...(caller.ip === undefined ? {} : { userIp: caller.ip }),
})

/** Gives the user a session and the interaction its sign-in; returns the session's secret, which is for the cookie. */
export const startSessionOf = async (
  unit: Unit,
  { interaction, previousSecret }: Submission,
  { userId, amr }: Identified,
  interactionEvent: 'SignIn' | 'Register',
): Promise<string> => {
  const { clientId: applicationId } = interaction.request
  const { session, secret } = await startSession(unit, { userId, amr, applicationId, interactionEvent, previousSecret })
  // what somebody else agreed to in this interaction is not theirs, and what was submitted cannot be submitted again
  const change = { signedInSession: session.id, consented: undefined, draft: undefined }
  await advanceInteraction(unit, interaction.id, change)
  unit.note({ userId, applicationId })
  return secret
}

/**
 * Signs in a user who was identified; returns the secret of the session. User.Data.Updated is emitted when there are
 * changes to the user beside it; an address among them was proved, with all that follows from it (DECISIONS E5). Throws as
 * lockIdentified, 422 for an identifier that somebody else has by now.
 */
export const completeSignIn = async (
  unit: Unit<'PostSignIn' | 'User.Data.Updated' | 'Organization.Membership.Updated'>,
  submission: Submission,
  identified: Identified,
  changes: UserColumns = {},
): Promise<string> => {
  const { id } = await lockIdentified(unit, identified)
  const hasChanges = Object.keys(changes).length > 0
  const user = await unit.tx
    .updateTable('users')
    .set({
      ...changes,
      last_sign_in_at: unit.now,
      // the application that signed the user in first (WIRE W1)
      application_id: sql`coalesce(application_id, ${submission.interaction.request.clientId})`,
      ...(hasChanges ? { updated_at: unit.now } : {}),
    })
    .where(inTenant(unit.tenant.id))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const secret = await startSessionOf(unit, submission, identified, 'SignIn')
  if (hasChanges) unit.emit('User.Data.Updated', { data: userEntity(user) })
  if (changes.email_verified_at) await provision(unit, user)
  unit.emit('PostSignIn', interactionFields(unit, submission.interaction, 'SignIn', user))
  return secret
}

const signedIn = operation(
  ['PostSignIn', 'User.Data.Updated', 'Organization.Membership.Updated', 'Identifier.Lockout'],
  async (unit, submission: Submission, proof: PasswordProof): Promise<string> =>
    completeSignIn(unit, submission, await redeemProof(unit, proof)),
)

/** Proves a password and signs in, in one step as the page does; returns the secret of the session. Throws as both. */
export const signInWithPassword = async (work: Work, attempt: PasswordAttempt): Promise<string> => {
  const { experience, identifier, password } = attempt
  assertOffered(experience, 'SignIn')
  const typed = readIdentifier(identifier, passwordIdentifiers(experience))
  return perform(work, signedIn, attempt, await provePassword(work, experience, typed, password))
}
