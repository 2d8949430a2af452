/** Sign-in at the identity providers of companies, contract to domain. */
import { experienceSsoRoutes } from '@countersign/contract/experience-sso.ts'
import { beginSso, verifySso } from '../domain/sign-in/enterprise-proof.ts'
import { ssoConnectorIdsFor } from '../domain/sign-in/sso-domains.ts'
import { bind } from '../http/api.ts'
import { stepOf } from './interaction.ts'

export const experienceSsoHandlers = bind(experienceSsoRoutes, {
  async findSsoConnectors({ query }, call) {
    const { experience } = await stepOf(call)
    const reading = { tx: call.store.database.kysely, tenant: call.tenant }
    return { connectorIds: await ssoConnectorIdsFor(reading, experience, query.email) }
  },
  async beginSso({ params, body }, call) {
    return beginSso(await stepOf(call), params.connectorId, body)
  },
  async verifySso({ params, body }, call) {
    const { connectorData, verificationId } = body
    return { verificationId: await verifySso(await stepOf(call), params.connectorId, connectorData, verificationId) }
  },
})
