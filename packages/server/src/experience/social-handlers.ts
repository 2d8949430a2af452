/** Sign-in at social providers, contract to domain. */
import { experienceSocialRoutes } from '@countersign/contract/experience-social.ts'
import { beginSocial, verifySocial } from '../domain/sign-in/social-proof.ts'
import { bind } from '../http/api.ts'
import { stepOf } from './interaction.ts'

export const experienceSocialHandlers = bind(experienceSocialRoutes, {
  async beginSocial({ params, body }, call) {
    return beginSocial(await stepOf(call), params.connectorId, body)
  },
  async verifySocial({ params, body }, call) {
    const { connectorData, verificationId } = body
    return { verificationId: await verifySocial(await stepOf(call), params.connectorId, connectorData, verificationId) }
  },
})
