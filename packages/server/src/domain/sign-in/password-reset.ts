/** The end of a password reset (DECISIONS F6): a new password, and an end to the sessions and grants of the old one. */
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import { provision } from '../organizations/just-in-time.ts'
import { setPassword } from '../users/access.ts'
import type { Identified } from './draft.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import { lockIdentified } from './password-proof.ts'
import { interactionFields } from './sign-in.ts'

/** Records that the user receives mail at their address. Returns whether that is new. */
const verifyEmail = async ({ tx, tenant, now }: Unit, userId: string, identifier: Identifier | undefined) => {
  if (identifier?.type !== 'email') return false
  const verified = await tx
    .updateTable('users')
    .set({ email_verified_at: now })
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .where('email_verified_at', 'is', null)
    .returning('id')
    .execute()
  return verified.length > 0
}

/**
 * Sets the password and ends the sessions, grants and refresh tokens of the user. Does not sign the user in. A mailed
 * code has verified the address as well, with all its consequences (DECISIONS E5).
 */
export const completePasswordReset = async (
  unit: Unit<'PostResetPassword' | 'User.Data.Updated' | 'Organization.Membership.Updated'>,
  interaction: Interaction,
  identified: Identified,
  password: StoredPassword,
): Promise<void> => {
  const { id } = await lockIdentified(unit, identified)
  const isNewlyVerified = await verifyEmail(unit, id, identified.identifier)
  const user = await setPassword.run(unit, id, password)
  if (isNewlyVerified) await provision(unit, user)
  await advanceInteraction(unit, interaction.id, { draft: undefined })
  unit.note({ userId: id })
  unit.emit('PostResetPassword', interactionFields(unit, interaction, 'ForgotPassword', user))
}
