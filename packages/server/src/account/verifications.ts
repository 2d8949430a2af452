/** `/verifications`: how users prove who they are. */
import { accountVerificationRoutes } from '@countersign/contract/account-verifications.ts'
import { verifyOwnPassword } from '../domain/account/password-verification.ts'
import { bind } from '../http/api.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

export const verificationHandlers = bind(accountVerificationRoutes, {
  async verifyMyPassword({ body }, call) {
    const { experience } = await rulesOf(call)
    return verifyOwnPassword(call, holderOf(call), experience, body.password)
  },
})
