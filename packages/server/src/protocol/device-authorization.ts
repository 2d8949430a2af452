/** The device authorization endpoint: RFC 8628 sections 3.1 and 3.2, DECISIONS F8. */
import { detailsToStore } from '../domain/access/authorization-details.ts'
import { countDeviceCode } from '../domain/credentials/address-failures.ts'
import { DEVICE_CODE_SECONDS, POLL_SECONDS, requestDeviceCode } from '../domain/issued/device-codes.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { checkDetails, checkRepetition, checkResources, checkScope, cutScopes } from './authorize/checks.ts'
import { authenticateClient, clientActor } from './client-authentication.ts'
import { formOf, NO_STORE } from './endpoint.ts'
import { asDirectError } from './pushed-authorization.ts'

/** Scope and resources are checked as those of an authorization request; every other parameter is ignored. */
export const deviceAuthorizationEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const parameters = formOf(exchange)
    const { client } = await authenticateClient(store, exchange, parameters, store.clock.now())
    if (!client.metadata.isDeviceFlow)
      throw new OAuthError('unauthorized_client', 'the application does not use the device flow')
    const request = await (async () => {
      try {
        checkRepetition(parameters)
        const asked = checkScope(parameters)
        const { details, indicators } = await checkDetails(store, tenant, client, parameters)
        const resources = [...new Set([...(await checkResources(store, tenant, parameters)), ...indicators])]
        const authorizationDetails = detailsToStore(details)
        return { resources, authorizationDetails, ...(await cutScopes(store, tenant, client, asked, resources)) }
      } catch (error) {
        throw asDirectError(error)
      }
    })()
    const work = { store, tenant, caller: callerOf(exchange, 'RequestDeviceCode', clientActor(client)) }
    countDeviceCode(work)
    const codes = await perform(work, requestDeviceCode, { applicationId: client.id, ...request })
    const verificationUri = `${tenant.baseUrl}/device`
    return jsonAnswer(
      200,
      {
        device_code: codes.deviceCode,
        user_code: codes.userCode,
        verification_uri: verificationUri,
        verification_uri_complete: `${verificationUri}?user_code=${codes.userCode}`,
        expires_in: DEVICE_CODE_SECONDS,
        interval: POLL_SECONDS,
      },
      NO_STORE,
    )
  }
