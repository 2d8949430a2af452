/** The fields that the events about an interaction share. */
import type { Unit } from '../../storage/unit-of-work.ts'
import { type UserRow, userEntity } from '../users/rows.ts'
import type { InteractionEvent } from './draft.ts'
import type { Interaction } from './interactions.ts'

/** The fields of PostSignIn, PostRegister, PostResetPassword and PostSignInAdaptiveMfaTriggered. */
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
