/**
 * The pages: sign-in, registration, consent, accounts, devices. Forms that work without JavaScript, over the same operations
 * that the Experience API uses. A page ends with a redirect to `/oidc/auth/:id`, where the dispatcher decides what is next,
 * or, where it has decided that in the transaction of the sign-in, with the way back to the application.
 *
 * This file has what the pages of an interaction share: finding the interaction, the form's token, and the frame.
 */
import { timingSafeEqual } from 'node:crypto'
import { html, type SafeHtml } from '@remix-run/html-template'
import { type Client, summaryOf } from '../domain/applications/clients.ts'
import { clientOfRequest } from '../domain/sign-in/account-pages-sign-in.ts'
import type { InteractionEvent } from '../domain/sign-in/draft.ts'
import type { Step } from '../domain/sign-in/draft-profile.ts'
import { experienceAt, type SignInExperience } from '../domain/sign-in/experience.ts'
import { findInteraction, type Interaction } from '../domain/sign-in/interactions.ts'
import { type OrganizationLook, organizationLook } from '../domain/sign-in/organization-look.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, type Parameters } from '../http/parameters.ts'
import type { Language } from '../presentation/language.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { brandedPage, type Content, languageOf, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import type { Dispatcher } from './dispatcher.ts'

export interface PageContext {
  readonly store: Store
  readonly dispatcher: Dispatcher
  readonly exchange: Exchange
  readonly interaction: Interaction
  readonly client: Client
  readonly organization?: OrganizationLook | undefined
  readonly experience: SignInExperience
  readonly language: Language
  /** The hidden field that proves that the form came from this server (SECURITY R-33). */
  readonly formToken: string
}

/** The value that a form must bring back: only this browser's pages can hold it. @param form the interaction's id */
export const formTokenOf = ({ vault }: Store, { tenant }: Exchange, browser: string, form: string): string =>
  vault.authenticate(`${tenant.id}/${form}/${browser}`, 'form').toString('base64url')

/** Shown when an interaction has ended, has expired, or belongs to another browser. */
export const expiredPage = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const application = await applicationBefore(store, exchange)
  return tenantPage(store, exchange, (language, settings) => ({
    status: 400,
    title: language.phrases.expired,
    application,
    body: html`<h1 id="title">${language.phrases.expired}</h1>
<p class="lead">${language.phrases.expiredLead}</p>
${onwardLink(language, settings, application)}`,
  }))
}

/** Turns a page into an endpoint's handler: finds the interaction of this browser, or says that there is none. */
export const interactionPage =
  (store: Store, dispatcher: Dispatcher, render: (context: PageContext) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant, params } = exchange
    const browser = readCookie(exchange, 'browser')
    const interaction = await findInteraction(store, tenant, params.id ?? '', browser)
    const client = interaction && (await clientOfRequest(store, tenant, interaction.request))
    if (!interaction || !client || browser === undefined) return expiredPage(store, exchange)
    const experience = await experienceAt(store, tenant, client.id)
    const language = await languageOf(store, exchange, experience, interaction.request.uiLocales)
    const organization = await organizationLook(store, tenant, interaction.request.organizationId)
    return render({
      store,
      dispatcher,
      exchange,
      interaction,
      client,
      organization,
      experience,
      language,
      formToken: formTokenOf(store, exchange, browser, interaction.id),
    })
  }

/** Whether a form brought the right token back. */
export const isFormToken = (formToken: string, brought = ''): boolean => {
  const [given, right] = [Buffer.from(brought), Buffer.from(formToken)]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** The fields of a form; undefined if it lacks the token or is not a form. */
export const formFields = ({
  exchange,
  formToken,
}: Pick<PageContext, 'exchange' | 'formToken'>): Parameters | undefined => {
  const fields = formParameters(exchange)
  if (!fields) return undefined
  return isFormToken(formToken, fields.get('token')?.[0]) ? fields : undefined
}

/** The context that the domain's steps need. @param interactionEvent the purpose of the page, for the audit entries */
export const stepOf = (
  { store, exchange, interaction: { id: sessionId, state }, client, experience, language }: PageContext,
  interactionEvent: InteractionEvent,
): Step => {
  const caller = callerOf(exchange, `Interaction.${interactionEvent}.Submit`, {
    application: summaryOf(client),
    interaction: { sessionId, applicationId: client.id, interactionEvent },
  })
  const work = { store, tenant: exchange.tenant, caller }
  const isHuman = state.draft?.isHuman === true
  return { work, interactionId: sessionId, experience, language: language.tag, isHuman }
}

/** To another page of the same step, such as from sign-in to the forgotten password page. */
export const toPage = (
  { exchange, interaction }: PageContext,
  page:
    | 'sign-in'
    | 'one-time-token'
    | 'sign-in-code'
    | 'select-account'
    | 'register'
    | 'complete-profile'
    | 'extra-profile'
    | 'verify-email'
    | 'forgot-password'
    | 'reset-password'
    | 'second-factor'
    | 'set-up-factor'
    | 'set-up-address',
  query = '',
): Answer => redirectTo(`${exchange.tenant.baseUrl}/${page}/${interaction.id}${query}`)

/** Back to the dispatcher. */
export const resume = ({ exchange, interaction }: PageContext, cookies: readonly string[] = []): Answer =>
  redirectTo(`${exchange.tenant.issuer}/auth/${interaction.id}`, cookies)

/** The frame of a page in an interaction. */
export const framed = (
  { experience, language, interaction, client, organization }: PageContext,
  content: Content,
): Answer =>
  brandedPage(experience, language, {
    application: client,
    organization,
    formTargets: [interaction.request.redirectUri],
    ...content,
  })

/** What went wrong, where a screen reader announces it and the eye finds it. */
export const problem = (text: string | undefined): SafeHtml =>
  text === undefined ? html`` : html`<p class="problem" role="alert" id="problem">${text}</p>`
