/** The consent page of third-party applications (DECISIONS F4). */

import { ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { NO_LOOK, shownName } from '../domain/applications/look.ts'
import { hasReservedScope } from '../domain/permissions/reserved-names.ts'
import { findSession } from '../domain/sessions/sessions.ts'
import { displayNameOf } from '../domain/sign-in/identity.ts'
import { recordAccount, recordConsent } from '../domain/sign-in/interactions.ts'
import { offeredOrganizations, recordConsentWithOrganizations } from '../domain/sign-in/organization-choice.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { detailsList } from './details-list.ts'
import { documentWarning } from './document-warning.ts'
import { formFields, framed, type PageContext, problem, resume } from './interaction-page.ts'
import { type Asked, askedOf, scopeList } from './scope-list.ts'

/** A choice of organizations, if the application asks for them; no box is ticked beforehand. */
const organizationChoice = async ({ store, exchange, client, interaction, language }: PageContext, userId: string) => {
  const isAsked = client.isThirdParty && hasReservedScope(interaction.request.scopes, ORGANIZATIONS_SCOPE)
  const offered = isAsked ? await offeredOrganizations(store, exchange.tenant, client.id, userId) : []
  const boxes = offered.map(
    ({ id, name, isChosen }): SafeHtml =>
      html`<label><input type="checkbox" name="organization" value="${id}" ${isChosen ? html`checked` : html``}>${name}</label>`,
  )
  return offered.length === 0
    ? html``
    : html`<fieldset class="choices" id="organizations">
<legend>${language.phrases.chooseOrganizations}</legend>
<input type="hidden" name="offered" value="${offered.map(({ id }) => id).join(' ')}">
${boxes}
</fieldset>`
}

/** What a third party says about itself, shown where the user decides. */
const linksOfThirdParty = ({ client, language: { phrases } }: PageContext): SafeHtml => {
  const { termsOfUseUrl, privacyPolicyUrl } = client.look ?? NO_LOOK
  if (!client.isThirdParty || (!termsOfUseUrl && !privacyPolicyUrl)) return html``
  const terms = html`<a id="application-terms" href="${termsOfUseUrl ?? ''}" rel="noreferrer">${phrases.terms}</a>`
  const privacy = html`<a id="application-privacy" href="${privacyPolicyUrl ?? ''}" rel="noreferrer">${phrases.privacy}</a>`
  return html`<p class="aside" id="application-links">${fill(phrases.ofApplication, { application: shownName(client) })}<br>
${termsOfUseUrl ? terms : ''} ${privacyPolicyUrl ? privacy : ''}</p>`
}

/** What becomes of what the user has allowed before, where the application extends or replaces it. */
const grantChange = ({ interaction: { request }, language: { phrases } }: PageContext): SafeHtml => {
  const action = request.grant?.action ?? 'create'
  if (action === 'create') return html``
  return html`<p class="lead" id="grant-change">${action === 'merge' ? phrases.grantMerged : phrases.grantReplaced}</p>
`
}

interface Asking {
  readonly asked: Asked
  /** As the page names the user. */
  readonly user: string
  readonly organizations: SafeHtml
}

/** The question. */
export const consentForm = async (
  context: PageContext,
  { asked, user, organizations }: Asking,
  status: number,
  errorText?: string,
): Promise<Answer> => {
  const { client, language } = context
  const { phrases } = language
  const title = fill(phrases.consentTitle, { application: shownName(client) })
  return framed(context, {
    status,
    title,
    body: html`<h1 id="title">${title}</h1>
${documentWarning(context)}<p class="lead">${fill(phrases.consentLead, { user })}</p>
${problem(errorText)}
${grantChange(context)}${await detailsList(context, 'h2')}${await scopeList(context, asked, 'h2')}
<form method="post" id="consent">
<input type="hidden" name="token" value="${asked.formToken}">
${organizations}
<button type="submit" id="allow" name="answer" value="allow">${phrases.allow}</button>
<button type="submit" id="deny" name="answer" value="deny" class="quiet">${phrases.deny}</button>
<button type="submit" id="another" name="answer" value="another" class="plain">${phrases.anotherAccount}</button>
</form>
${linksOfThirdParty(context)}`,
  })
}

/** Whether what is asked for is confirmed on a page of its own, with a different question and a warning. */
const hasOwnPage = ({ interaction: { request } }: PageContext): boolean =>
  request.device !== undefined || request.backchannel !== undefined

const page = async (context: PageContext, status: number, errorText?: string): Promise<Answer> => {
  const { store, exchange } = context
  const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  // without a session there is no one to ask: the dispatcher decides
  if (!session || hasOwnPage(context)) return resume(context)
  const asked = await askedOf(context, session)
  const user = await displayNameOf(store, exchange.tenant, session.userId)
  const organizations = await organizationChoice(context, session.userId)
  return consentForm(context, { asked, user, organizations }, status, errorText)
}

export const showConsent = (context: PageContext): Promise<Answer> => page(context, 200)

export const submitConsent = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, client, interaction, language } = context
  const session = hasOwnPage(context)
    ? undefined
    : await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  if (!session) return resume(context)
  const { ids, formToken } = await askedOf(context, session)
  const fields = formFields({ exchange, formToken })
  if (!fields) return page(context, 400, language.phrases.expiredForm)
  const answer = fields.get('answer')?.[0]
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.Consent.Submit') }
  const offered = fields.get('offered')?.[0]
  const consented = { sessionId: session.id, ids: ids ?? [] }
  if (answer === 'allow' && offered) {
    const chosen = fields.get('organization') ?? []
    const choice = { applicationId: client.id, userId: session.userId, offered: offered.split(' '), chosen }
    await perform(work, recordConsentWithOrganizations, interaction.id, consented, choice)
  } else if (answer === 'allow') await perform(work, recordConsent, interaction.id, { consented })
  if (answer === 'deny') await perform(work, recordConsent, interaction.id, { denied: true })
  if (answer === 'another') await perform(work, recordAccount, interaction.id, 'another')
  return resume(context)
}
