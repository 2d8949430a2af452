/** `/verifications`: how users prove who they are. */
import { accountVerificationRoutes } from '@countersign/contract/account-verifications.ts'
import { sendOwnCode, verifyOwnCode } from '../domain/account/code-verification.ts'
import { verifyOwnPassword } from '../domain/account/password-verification.ts'
import { bind } from '../http/api.ts'
import { chooseLanguage } from '../languages/choice.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

export const verificationHandlers = bind(accountVerificationRoutes, {
  async verifyMyPassword({ body }, call) {
    const { experience } = await rulesOf(call)
    return verifyOwnPassword(call, holderOf(call), experience, body.password)
  },
  async sendMyCode({ body: { identifier, templateType } }, call) {
    const rules = await rulesOf(call)
    const [acceptLanguage] = call.exchange.headerValues('accept-language')
    const language = chooseLanguage(undefined, acceptLanguage, rules.experience)
    return sendOwnCode(call, holderOf(call), rules, identifier, templateType, language)
  },
  async verifyMyCode({ body: { identifier, verificationId, code } }, call) {
    const { experience } = await rulesOf(call)
    await verifyOwnCode(call, holderOf(call), experience, identifier, verificationId, code)
    return { verificationRecordId: verificationId }
  },
})
