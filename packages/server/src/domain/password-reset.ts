/** The end of a forgotten password (DECISIONS F6): a new one, and an end to whatever the old one had opened. */
import type { Unit } from '../storage/unit-of-work.ts'
import type { Identified } from './draft.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import { lockIdentified } from './password-proof.ts'
import type { StoredPassword } from './passwords.ts'
import { interactionFields } from './sign-in.ts'
import { setPassword } from './user-access.ts'

/** Sets the password and ends the sessions, grants and refresh tokens of the user. Signs nobody in. */
export const completePasswordReset = async (
  unit: Unit<'PostResetPassword' | 'User.Data.Updated'>,
  interaction: Interaction,
  identified: Identified,
  password: StoredPassword,
): Promise<void> => {
  const { id } = await lockIdentified(unit, identified)
  const user = await setPassword.run(unit, id, password)
  await advanceInteraction(unit, interaction.id, { draft: undefined })
  unit.note({ userId: id })
  unit.emit('PostResetPassword', interactionFields(unit, interaction, 'ForgotPassword', user))
}
