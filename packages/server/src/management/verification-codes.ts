/** `/verification-codes`: codes that an operator's application sends and verifies. */
import { verificationCodeRoutes } from '@countersign/contract/verification-codes.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { sendOperatorCode, verifyOperatorCode } from '../domain/sign-in/operator-codes.ts'
import { bind } from '../http/api.ts'
import { recipientIn } from './recipient.ts'

export const verificationCodeHandlers = bind(verificationCodeRoutes, {
  async sendOperatorCode({ body }, { store, tenant, perform }) {
    await perform(sendOperatorCode, recipientIn(body), await signInExperience(store, tenant))
  },
  async verifyOperatorCode({ body }, { store, tenant, perform }) {
    const experience = await signInExperience(store, tenant)
    await perform(verifyOperatorCode, recipientIn(body), body.verificationCode, experience)
  },
})
