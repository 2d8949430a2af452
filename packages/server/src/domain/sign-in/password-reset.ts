/** The end of a password reset (DECISIONS F6): a new password, and an end to the sessions and grants of the old one. */
import type { Unit } from '../../storage/unit-of-work.ts'
import type { StoredPassword } from '../credentials/passwords.ts'
import { provision } from '../organizations/just-in-time.ts'
import { setPassword } from '../users/access.ts'
import type { Identified } from './draft.ts'
import { interactionFields } from './interaction-fields.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import { lockIdentified } from './password-proof.ts'
import { markVerified } from './verified-address.ts'

/**
 * Sets the password and ends the sessions, grants and refresh tokens of the user. Does not sign the user in. The
 * code has verified the address or number as well, with all its consequences (DECISIONS E5).
 */
export const completePasswordReset = async (
  unit: Unit<'PostResetPassword' | 'User.Data.Updated' | 'Organization.Membership.Updated'>,
  interaction: Interaction,
  identified: Identified,
  password: StoredPassword,
): Promise<void> => {
  const { id } = await lockIdentified(unit, identified)
  const { identifier: address } = identified
  const isNewlyVerified = address !== undefined && (await markVerified(unit, id, address))
  const user = await setPassword.run(unit, id, password)
  if (isNewlyVerified) await provision(unit, user)
  await advanceInteraction(unit, interaction.id, { draft: undefined })
  unit.note({ userId: id })
  unit.emit('PostResetPassword', interactionFields(unit, interaction, 'ForgotPassword', user))
}
