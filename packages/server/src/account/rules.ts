/** The settings that a change of an account depends on, from the cache. */
import type { AccountRules } from '../domain/account/own-fields.ts'
import { accountCenter } from '../domain/sign-in/account-center.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import type { Call } from '../http/api.ts'

export const rulesOf = async ({ store, tenant }: Pick<Call, 'store' | 'tenant'>): Promise<AccountRules> => {
  const [center, experience] = await Promise.all([accountCenter(store, tenant), signInExperience(store, tenant)])
  return { center, experience }
}
