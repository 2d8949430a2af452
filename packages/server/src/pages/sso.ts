/**
 * Sign-in at the identity provider of a company through the pages: the domain of the address that was entered decides, there is no
 * page of its own on the way. Where several connectors have the domain the user chooses one.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import {
  type ShownSsoConnector,
  shownSsoConnector,
  ssoConnectorOfSignIn,
} from '../domain/federation/enterprise/connectors.ts'
import type { Proof } from '../domain/sign-in/elsewhere-proof.ts'
import { beginSso, proveSso } from '../domain/sign-in/enterprise-proof.ts'
import { connectorsOfOrganization } from '../domain/sign-in/organization-look.ts'
import type { Newcomer } from '../domain/sign-in/sign-in-elsewhere.ts'
import { requiredSsoFor } from '../domain/sign-in/sso-domains.ts'
import { type Answer, redirectTo } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { newId } from '../kernel/ids.ts'
import { fill } from '../presentation/language.ts'
import { formFields, framed, type PageContext, stepOf, toPage } from './interaction-page.ts'
import { orProblem, registerHere, signInBy, toConfirmation } from './social.ts'
import { mark, marksElsewhere, providerTargets } from './social-buttons.ts'
import { asksForTerms } from './terms.ts'

/** The action of the button that leads there without a password; with the id of a connector behind it, to that one without an address. */
export const SSO = 'sso'

/** The connector of the button that was pressed, if it was one of those. */
export const chosenSso = (action: string | undefined): string | undefined => /^sso:(.+)$/.exec(action ?? '')?.[1]

/** The button; only where single sign-on is on. */
export const ssoButton = ({ experience, language: { phrases } }: PageContext): SafeHtml =>
  experience.hasSso
    ? html`<button type="submit" class="quiet" id="use-sso" name="action" value="${SSO}" formnovalidate>${phrases.useSso}</button>`
    : html``

/** The connectors at which the user of an address has to sign in. */
export const ssoOf = ({ store, exchange: { tenant }, experience }: PageContext, typed: string): Promise<string[]> =>
  requiredSsoFor({ tx: store.database.kysely, tenant }, experience, { type: 'email', value: typed })

/** The connectors that an error names, if it says that a user signs in there. */
export const ssoInError = (error: unknown): readonly string[] | undefined =>
  error instanceof ApiError && error.code === 'session.sso_enabled'
    ? (error.data?.connectorIds as readonly string[] | undefined)
    : undefined

const labelled = ({ language }: PageContext, { connectorName, logo, darkLogo }: ShownSsoConnector): SafeHtml =>
  html`${mark({ logo, logoDark: darkLogo })}<span>${fill(language.phrases.continueWith, { provider: connectorName })}</span>`

const button = (context: PageContext, connector: ShownSsoConnector): SafeHtml =>
  html`<button type="submit" class="quiet social" id="sso-${connector.id}" name="connector" value="${connector.id}">${labelled(context, connector)}</button>`

const shownOf = async ({ store, exchange }: PageContext, ids: readonly string[]): Promise<ShownSsoConnector[]> => {
  const found = await Promise.all(ids.map((id) => ssoConnectorOfSignIn(store, exchange.tenant, id)))
  return found.flatMap((each) => (each ? [shownSsoConnector(each)] : []))
}

const logosOf = (shown: readonly ShownSsoConnector[]): readonly string[] =>
  marksElsewhere(shown.map(({ logo, darkLogo }) => ({ logo, logoDark: darkLogo })))

/** Buttons for the connectors of the organization that the request names, within the form of the page; and their logos that are elsewhere. */
export const organizationButtons = async (
  context: PageContext,
): Promise<{ readonly buttons: SafeHtml; readonly images: readonly string[] }> => {
  const { store, exchange, experience, interaction } = context
  const ids = await connectorsOfOrganization(store, exchange.tenant, experience, interaction.request.organizationId)
  const shown = await shownOf(context, ids)
  const buttons = shown.map(
    (each) =>
      html`<button type="submit" class="quiet social" id="sso-${each.id}" name="action" value="${SSO}:${each.id}" formnovalidate>${labelled(context, each)}</button>`,
  )
  return { buttons: html`${buttons}`, images: logosOf(shown) }
}

const choice = async (context: PageContext, ids: readonly string[], typed: string): Promise<Answer> => {
  const { interaction, formToken, language } = context
  const { phrases } = language
  const shown = await shownOf(context, ids)
  const body = html`<h1 id="title">${phrases.chooseSso}</h1>
<p class="lead">${fill(phrases.chooseSsoLead, { address: typed })}</p>
<form method="post" id="sso" action="/sso/${interaction.id}">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="identifier" value="${typed}">
${shown.map((each) => button(context, each))}
</form>
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>`
  return framed(context, {
    status: 200,
    title: phrases.chooseSso,
    body,
    formTargets: providerTargets(context),
    images: logosOf(shown),
  })
}

const begin = (context: PageContext, connectorId: string, typed: string): Promise<Answer> =>
  orProblem(context, async () => {
    const { exchange, experience, interaction } = context
    const event = experience.signInMode === 'Register' ? 'Register' : 'SignIn'
    const redirectUri = `${exchange.tenant.baseUrl}/callback/${connectorId}`
    const asked = { redirectUri, state: `${interaction.id}.${newId()}`, ...(typed ? { loginHint: typed } : {}) }
    return redirectTo((await beginSso(stepOf(context, event), connectorId, asked, event)).authorizationUri)
  })

/** To the connector, or to the choice of one. @param typed the address that was entered, which the provider is told */
export const toSso = (context: PageContext, connectorIds: readonly string[], typed: string): Promise<Answer> => {
  const [only = '', ...others] = connectorIds
  return others.length === 0 ? begin(context, only, typed) : choice(context, connectorIds, typed)
}

/** A connector that was chosen. */
export const submitSso = async (context: PageContext): Promise<Answer> => {
  const fields = formFields(context)
  const [connectorId] = fields?.get('connector') ?? []
  if (connectorId === undefined) return toPage(context, 'sign-in')
  return begin(context, connectorId, fields?.get('identifier')?.[0] ?? '')
}

/** Whether a new user has to agree to something that they were not asked at sign-in. */
const asksNewcomers = (context: PageContext): boolean =>
  asksForTerms(context, 'Register') && !asksForTerms(context, 'SignIn')

/** Signs in by an account that was proved. A new user of a company has an account at once, unless there are terms to agree to. */
export const signInToSso = (context: PageContext, proof: Proof): Promise<Answer> => {
  const isAsked = asksNewcomers(context)
  const otherwise = ({ recordId }: Newcomer) => (isAsked ? toConfirmation(context) : registerHere(context, recordId))
  return signInBy(context, proof, { otherwise, isNewWelcome: !isAsked })
}

/** The user is back from the provider. */
export const returnedFromSso = (context: PageContext, connectorId: string, parameters: Parameters): Promise<Answer> =>
  orProblem(context, async () => {
    const data = Object.fromEntries([...parameters].map(([name, [value]]) => [name, value]))
    const proof = await proveSso(stepOf(context, 'SignIn'), context.interaction.state.draft, connectorId, data)
    return signInToSso(context, proof)
  })
