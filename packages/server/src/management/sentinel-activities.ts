/** `/sentinel-activities`: unlocks what too many failures have locked. */
import { sentinelActivityRoutes } from '@countersign/contract/sentinel-activities.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { identifiersUnlocked } from '../domain/users/unlock.ts'
import { bind } from '../http/api.ts'

export const sentinelActivityHandlers = bind(sentinelActivityRoutes, {
  async deleteSentinelActivities({ body }, { store, tenant, perform }) {
    const { usernamePolicy } = await signInExperience(store, tenant)
    const targets = body.targetType === 'User' ? body.targets : []
    await perform(identifiersUnlocked, targets, usernamePolicy.caseSensitive)
  },
})
