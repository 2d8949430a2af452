/** The backchannel authentication endpoint: OpenID CIBA sections 7.1 to 7.3, DECISIONS F27. */
import { detailsToStore } from '../domain/access/authorization-details.ts'
import type { Client } from '../domain/applications/clients.ts'
import { BACKCHANNEL_POLL_SECONDS } from '../domain/issued/backchannel-requests.ts'
import { firstKnownAcr } from '../domain/sign-in/acr.ts'
import { initiateBackchannel } from '../domain/sign-in/backchannel-initiation.ts'
import { experienceAt } from '../domain/sign-in/experience.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { checkDetails, checkRepetition, checkResources, checkScope, cutScopes } from './authorize/checks.ts'
import { refuseBackchannel } from './backchannel-client.ts'
import {
  bindingMessageOf,
  hintOf,
  lifetimeOf,
  notificationTokenOf,
  refuseUnsupported,
} from './backchannel-parameters.ts'
import { openedBackchannelRequest } from './backchannel-request.ts'
import { authenticateClient, clientActor } from './client-authentication.ts'
import { formOf, NO_STORE } from './endpoint.ts'
import { asDirectError } from './pushed-authorization.ts'

/** The checks, in order. Throws AuthorizationError for those that authorization requests have too, else OAuthError. */
const checkedRequest = async (store: Store, tenant: Tenant, client: Client, sent: Parameters, now: Date) => {
  checkRepetition(sent)
  const { parameters, consume } = await openedBackchannelRequest(store, tenant, client, sent, now)
  refuseUnsupported(parameters)
  const asked = checkScope(parameters)
  if (!asked.includes('openid')) throw new OAuthError('invalid_scope', 'scope must contain openid')
  const bindingMessage = bindingMessageOf(parameters)
  const lifetime = lifetimeOf(parameters)
  const notificationToken = notificationTokenOf(client, parameters)
  const acr = firstKnownAcr(parameters.get('acr_values')?.[0] || undefined)
  const { details, indicators } = await checkDetails(store, tenant, client, parameters)
  const resources = [...new Set([...(await checkResources(store, tenant, parameters)), ...indicators])]
  const { scopes } = await cutScopes(store, tenant, client, asked, resources)
  const hint = await hintOf(store, tenant, client, parameters)
  const authorizationDetails = detailsToStore(details)
  const request = {
    applicationId: client.id,
    scopes,
    resources,
    authorizationDetails,
    bindingMessage,
    acr,
    lifetime,
    notificationToken,
  }
  return { hint, request, consume }
}

export const backchannelAuthenticationEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const sent = formOf(exchange)
    const now = store.clock.now()
    const { client } = await authenticateClient(store, exchange, sent, now)
    const refusal = refuseBackchannel(client)
    if (refusal !== undefined) throw new OAuthError('unauthorized_client', refusal)
    const { hint, request, consume } = await (async () => {
      try {
        return await checkedRequest(store, tenant, client, sent, now)
      } catch (error) {
        throw asDirectError(error)
      }
    })()
    const experience = await experienceAt(store, tenant, client.id)
    if (!experience.canMail && !experience.canText)
      throw new OAuthError(
        'temporarily_unavailable',
        'nobody can be asked: the tenant sends neither mail nor text messages',
      )
    await consume?.()
    const work = { store, tenant, caller: callerOf(exchange, 'RequestBackchannelAuthentication', clientActor(client)) }
    const requestId = await perform(work, initiateBackchannel, hint, request, experience)
    return jsonAnswer(
      200,
      { auth_req_id: requestId, expires_in: request.lifetime, interval: BACKCHANNEL_POLL_SECONDS },
      NO_STORE,
    )
  }
