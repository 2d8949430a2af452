/** The consent page of third-party applications (DECISIONS F4). */
import { html } from '@remix-run/html-template'
import { displayNameOf } from '../domain/identity.ts'
import { recordAccount, recordConsent } from '../domain/interactions.ts'
import { findSession } from '../domain/sessions.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { callerOf, formFields, framed, type PageContext, problem, resume } from './interaction-page.ts'
import { scopeList } from './scope-list.ts'

const page = async (context: PageContext, status: number, trouble?: string): Promise<Answer> => {
  const { store, exchange, client, language, formToken } = context
  const { phrases } = language
  const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  // without a session there is nobody to ask: the dispatcher knows what to do
  if (!session) return resume(context)
  const user = await displayNameOf(store, exchange.tenant, session.userId)
  const title = fill(phrases.consentTitle, { application: client.name })
  return framed(context, {
    status,
    title,
    body: html`<h1 id="title">${title}</h1>
<p class="lead">${fill(phrases.consentLead, { user })}</p>
${problem(trouble)}
${await scopeList(context)}
<form method="post" id="consent">
<input type="hidden" name="token" value="${formToken}">
<button type="submit" id="allow" name="answer" value="allow">${phrases.allow}</button>
<button type="submit" id="deny" name="answer" value="deny" class="quiet">${phrases.deny}</button>
<button type="submit" id="another" name="answer" value="another" class="plain">${phrases.anotherAccount}</button>
</form>`,
  })
}

export const showConsent = (context: PageContext): Promise<Answer> => page(context, 200)

export const submitConsent = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, interaction, language } = context
  const fields = formFields(context)
  if (!fields) return page(context, 400, language.phrases.expiredForm)
  const answer = fields.get('answer')?.[0]
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.Consent.Submit') }
  if (answer === 'allow') await perform(work, recordConsent, interaction.id, { consented: interaction.request.scopes })
  if (answer === 'deny') await perform(work, recordConsent, interaction.id, { denied: true })
  if (answer === 'another') await perform(work, recordAccount, interaction.id, 'another')
  return resume(context)
}
