/** Where providers send users back to: `/callback/:connectorId`, for social and for SSO connectors. */
import { ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import type { Dispatcher } from './dispatcher.ts'
import { interactionPage } from './interaction-page.ts'
import { returnedFromSocial } from './social.ts'
import { returnedFromSso } from './sso.ts'

/** The state names the interaction, which has to be that of this browser. */
export const showCallback =
  (dispatcher: Dispatcher) =>
  async (store: Store, exchange: Exchange): Promise<Answer> => {
    const parameters = parseParameters(exchange.queryText)
    const [id = ''] = (parameters.get('state')?.[0] ?? '').split('.')
    const { connectorId = '' } = exchange.params
    return interactionPage(store, dispatcher, async (context) => {
      // what is no id is not looked for
      const isId = /^[0-9a-z]{21}$/.test(connectorId)
      const isOfCompany = isId && (await ssoConnectorOfSignIn(store, exchange.tenant, connectorId)) !== undefined
      const returned = isOfCompany ? returnedFromSso : returnedFromSocial
      return returned(context, connectorId, parameters)
    })({ ...exchange, params: { id } })
  }

/** Apple sends a form from its own site, with which browsers send no cookies: it is asked to come again by GET. */
export const submitCallback = async (_store: Store, exchange: Exchange): Promise<Answer> => {
  const fields = formParameters(exchange) ?? new Map<string, string[]>()
  const query = new URLSearchParams()
  for (const name of ['code', 'state', 'iss', 'error'])
    for (const value of fields.get(name)?.slice(0, 1) ?? []) query.set(name, value)
  return redirectTo(`${exchange.tenant.baseUrl}/callback/${exchange.params.connectorId ?? ''}?${query}`)
}
