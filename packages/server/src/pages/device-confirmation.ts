/**
 * The page that asks whether a device may be signed in, and what comes after. It is always shown, even for first-party
 * applications: only the user can tell whether the device is theirs (RFC 8628 section 5.4).
 */
import { html } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { findSession } from '../domain/sessions/sessions.ts'
import { displayNameOf } from '../domain/sign-in/identity.ts'
import { recordAccount, recordConsent } from '../domain/sign-in/interactions.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { fill } from '../presentation/language.ts'
import { doneMark, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { detailsList } from './details-list.ts'
import { formFields, framed, type PageContext, problem, resume } from './interaction-page.ts'
import { askedOf, scopeList } from './scope-list.ts'

const page = async (context: PageContext, status: number, errorText?: string): Promise<Answer> => {
  const { store, exchange, interaction, client, language } = context
  const { phrases } = language
  const { scopes, resources, device } = interaction.request
  const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  // an interaction without a device, or without a user to ask, is left to the dispatcher
  if (!session || !device) return resume(context)
  const asked = await askedOf(context, session)
  const user = await displayNameOf(store, exchange.tenant, session.userId)
  const sealed = Buffer.from(device.sealedUserCode, 'base64')
  const code = store.vault.unseal(sealed, `device/${exchange.tenant.id}/${device.hash}`)
  const title = fill(phrases.deviceConfirmTitle, { application: shownName(client) })
  return framed(context, {
    status,
    title,
    formTargets: [],
    body: html`<h1 id="title">${title}</h1>
<p class="lead">${fill(phrases.deviceConfirmLead, { user })}</p>
${problem(errorText)}
<p class="user-code">${phrases.deviceConfirmCode}<strong id="user-code">${code}</strong></p>
${await detailsList(context, 'h2')}${scopes.length + resources.length > 0 ? html`<h2>${phrases.deviceConfirmScopes}</h2>${await scopeList(context, asked, 'h3')}` : ''}
<p class="warning" id="warning">${phrases.deviceConfirmWarning}</p>
<form method="post" id="device-confirmation">
<input type="hidden" name="token" value="${asked.formToken}">
<button type="submit" id="allow" name="answer" value="allow" aria-describedby="warning">${phrases.deviceConfirmAllow}</button>
<button type="submit" id="deny" name="answer" value="deny" class="quiet">${phrases.deviceConfirmDeny}</button>
<button type="submit" id="another" name="answer" value="another" class="plain">${phrases.anotherAccount}</button>
</form>`,
  })
}

export const showDeviceConfirmation = (context: PageContext): Promise<Answer> => page(context, 200)

export const submitDeviceConfirmation = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, interaction, language } = context
  const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
  if (!session) return resume(context)
  const { ids, formToken } = await askedOf(context, session)
  const fields = formFields({ exchange, formToken })
  if (!fields) return page(context, 400, language.phrases.expiredForm)
  const answer = fields.get('answer')?.[0]
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.Device.Answer') }
  const consented = { sessionId: session.id, ids: ids ?? [] }
  if (answer === 'allow') await perform(work, recordConsent, interaction.id, { consented })
  if (answer === 'deny') await perform(work, recordConsent, interaction.id, { denied: true })
  if (answer === 'another') await perform(work, recordAccount, interaction.id, 'another')
  return resume(context)
}

export const showDeviceDone = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.deviceDone,
    body: html`${doneMark}<h1 id="title">${phrases.deviceDone}</h1><p class="lead">${phrases.deviceDoneLead}</p>`,
  }))

export const showDeviceDenied = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.deviceDenied,
    body: html`<h1 id="title">${phrases.deviceDenied}</h1><p class="lead">${phrases.deviceDeniedLead}</p>`,
  }))
