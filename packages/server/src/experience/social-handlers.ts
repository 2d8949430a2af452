/** Sign-in at social providers, contract to domain. */
import { experienceSocialRoutes } from '@countersign/contract/experience-social.ts'
import { beginSocial, verifyOneTap, verifySocial } from '../domain/sign-in/social-proof.ts'
import { bind } from '../http/api.ts'
import { foreignCookie } from '../http/cookies.ts'
import { stepOf } from './interaction.ts'

/** The cookie that the script of Google One Tap sets. */
const CSRF = 'g_csrf_token'

export const experienceSocialHandlers = bind(experienceSocialRoutes, {
  async beginSocial({ params, body }, call) {
    return beginSocial(await stepOf(call), params.connectorId, body)
  },
  async verifySocial({ params, body }, call) {
    const { connectorData, verificationId } = body
    const { credential, g_csrf_token: token } = connectorData
    if (typeof credential === 'string') {
      const isOfBrowser = typeof token === 'string' && token !== '' && token === foreignCookie(call.exchange, CSRF)
      return { verificationId: await verifyOneTap(await stepOf(call), params.connectorId, credential, isOfBrowser) }
    }
    return { verificationId: await verifySocial(await stepOf(call), params.connectorId, connectorData, verificationId) }
  },
})
