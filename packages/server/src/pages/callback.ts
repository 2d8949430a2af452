/** Where providers send users back to: `/callback/:connectorId`, for social and for SSO connectors. */

import { nonceIn } from '../domain/federation/credential-nonce.ts'
import { ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { isConnectorId } from '../domain/sign-in/elsewhere-proof.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import { returnedToAccount, verificationIn } from './account/elsewhere.ts'
import type { Dispatcher } from './dispatcher.ts'
import { interactionPage, type PageContext } from './interaction-page.ts'
import { returnedFromSocial, tappedAtGoogle } from './social.ts'
import { returnedFromSso } from './sso.ts'

/** The state names the interaction, which has to be that of this browser, or a verification of the account pages. */
export const showCallback =
  (dispatcher: Dispatcher) =>
  async (store: Store, exchange: Exchange): Promise<Answer> => {
    const parameters = parseParameters(exchange.queryText)
    const [state = ''] = parameters.get('state') ?? []
    const [id = ''] = state.split('.')
    const { connectorId = '' } = exchange.params
    const verificationId = verificationIn(state)
    if (verificationId !== undefined) return returnedToAccount(store, exchange, connectorId, verificationId, parameters)
    return interactionPage(store, dispatcher, async (context) => {
      const isOfCompany =
        isConnectorId(connectorId) && (await ssoConnectorOfSignIn(store, exchange.tenant, connectorId)) !== undefined
      const returned = isOfCompany ? returnedFromSso : returnedFromSocial
      return returned(context, connectorId, parameters)
    })({ ...exchange, params: { id } })
  }

/**
 * Apple sends a form from its own site, with which browsers send no cookies: it is asked to come again by GET. Google One Tap sends one
 * from the sign-in page, whose interaction is in the nonce.
 */
export const submitCallback =
  (dispatcher: Dispatcher) =>
  async (store: Store, exchange: Exchange): Promise<Answer> => {
    const fields = formParameters(exchange) ?? new Map<string, string[]>()
    const { connectorId = '' } = exchange.params
    const [credential] = fields.get('credential') ?? []
    if (credential !== undefined) {
      const [id = ''] = (nonceIn(credential) ?? '').split('.')
      const signIn = (context: PageContext) => tappedAtGoogle(context, connectorId, credential)
      return interactionPage(store, dispatcher, signIn)({ ...exchange, params: { id } })
    }
    const query = new URLSearchParams()
    for (const name of ['code', 'state', 'iss', 'error', 'user'])
      for (const value of fields.get(name)?.slice(0, 1) ?? []) query.set(name, value)
    return redirectTo(`${exchange.tenant.baseUrl}/callback/${connectorId}?${query}`)
  }
