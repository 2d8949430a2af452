/**
 * Straight to a provider, before any page: the application names one (`direct_sign_in`), or the address that it expects belongs to one
 * company's. Whatever does not hold leads to the page at which sign-in would have started.
 */
import { ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { isConnectorId } from '../domain/sign-in/elsewhere-proof.ts'
import type { Answer } from '../http/exchange.ts'
import { type PageContext, resume } from './interaction-page.ts'
import { toSocial } from './social.ts'
import { ssoOf, toSso } from './sso.ts'
import { signInArrival } from './sso-arrival.ts'
import { asksForTerms } from './terms.ts'

/** Whether users can be sent to this connector. */
const isUsable = async ({ store, exchange: { tenant }, experience }: PageContext, id: string): Promise<boolean> => {
  if (!experience.hasSso || !isConnectorId(id)) return false
  return (await ssoConnectorOfSignIn(store, tenant, id))?.isComplete === true
}

/** To the only provider of the expected address. */
const byHint = async (context: PageContext, hint: string): Promise<Answer> => {
  const connectorIds = hint === '' ? [] : await ssoOf(context, hint)
  return connectorIds.length === 1 ? toSso(context, connectorIds, hint) : resume(context)
}

/** Where terms have to be agreed to before a sign-in, the page that asks comes first. */
export const showDirect = async (context: PageContext): Promise<Answer> => {
  const { directSignIn = '', loginHint = '' } = context.interaction.request
  if (asksForTerms(context, 'SignIn')) return resume(context)
  const [, method, name = ''] = /^(social|sso):(.+)$/.exec(directSignIn) ?? []
  if (method === 'sso' && (await isUsable(context, name)))
    return (await signInArrival(context, name)) ?? toSso(context, [name], loginHint)
  if (method === 'social') {
    const connector = context.experience.socialConnectors.find(({ target }) => target === name)
    if (connector) return toSocial(context, connector.id)
  }
  return byHint(context, loginHint)
}
