/**
 * The page that asks whether an application may sign its user in without a browser. It is always shown, even for
 * first-party applications: only the user can tell whether they expect it (OpenID CIBA section 8).
 */
import { html } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { findSession } from '../domain/sessions/sessions.ts'
import { displayNameOf } from '../domain/sign-in/identity.ts'
import { recordConsent } from '../domain/sign-in/interactions.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { detailsList } from './details-list.ts'
import { formFields, framed, type PageContext, problem, resume } from './interaction-page.ts'
import { askedOf, scopeList } from './scope-list.ts'

const page = async (context: PageContext, status: number, errorText?: string): Promise<Answer> => {
  const { store, exchange, interaction, client, language } = context
  const { phrases } = language
  const { backchannel, hintedUserId } = interaction.request
  const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  // another request, or nobody or somebody else to ask: the dispatcher decides
  if (!session || !backchannel || session.userId !== hintedUserId) return resume(context)
  const asked = await askedOf(context, session)
  const user = await displayNameOf(store, exchange.tenant, session.userId)
  const title = fill(phrases.backchannelConfirmTitle, { application: shownName(client) })
  const { bindingMessage } = backchannel
  return framed(context, {
    status,
    title,
    formTargets: [],
    body: html`<h1 id="title">${title}</h1>
<p class="lead">${fill(phrases.consentLead, { user })}</p>
${problem(errorText)}
${await detailsList(context, 'h2')}${await scopeList(context, asked, 'h2')}
${bindingMessage === undefined ? html`` : html`<p class="user-code">${phrases.backchannelMessage}<b id="binding-message"><bdi>${bindingMessage}</bdi></b></p>`}
<p class="warning" id="warning">${phrases.backchannelWarning}</p>
<form method="post" id="backchannel-confirmation">
<input type="hidden" name="token" value="${asked.formToken}">
<button type="submit" id="allow" name="answer" value="allow" aria-describedby="warning">${phrases.allow}</button>
<button type="submit" id="deny" name="answer" value="deny" class="quiet">${phrases.deny}</button>
</form>`,
  })
}

export const showBackchannelConfirmation = (context: PageContext): Promise<Answer> => page(context, 200)

export const submitBackchannelConfirmation = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, interaction, language } = context
  const { backchannel, hintedUserId } = interaction.request
  const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  if (!session || !backchannel || session.userId !== hintedUserId) return resume(context)
  const { ids, formToken } = await askedOf(context, session)
  const fields = formFields({ exchange, formToken })
  if (!fields) return page(context, 400, language.phrases.expiredForm)
  const answer = fields.get('answer')?.[0]
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.Backchannel.Answer') }
  const consented = { sessionId: session.id, ids: ids ?? [] }
  if (answer === 'allow') await perform(work, recordConsent, interaction.id, { consented })
  if (answer === 'deny') await perform(work, recordConsent, interaction.id, { denied: true })
  return resume(context)
}
