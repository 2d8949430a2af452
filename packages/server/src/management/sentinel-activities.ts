/** `/sentinel-activities`: unlocks what too many failures have locked. */
import { sentinelActivityRoutes } from '@countersign/contract/sentinel-activities.ts'
import { identifiersUnlocked } from '../domain/users/unlock.ts'
import { bind } from '../http/api.ts'

export const sentinelActivityHandlers = bind(sentinelActivityRoutes, {
  async deleteSentinelActivities({ body }, { perform }) {
    await perform(identifiersUnlocked, body.targetType === 'User' ? body.targets : [])
  },
})
