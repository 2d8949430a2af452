/**
 * How every page that a person sees looks and speaks: the phrases in each language, and the frame in the colours of the
 * tenant. Pages of the protocol (errors, sign-out) and of an interaction are both rendered here; they supply the
 * content.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Client } from '../domain/applications/clients.ts'
import { shownName } from '../domain/applications/look.ts'
import { overTenant } from '../domain/sign-in/application-look.ts'
import {
  DEFAULT_EXPERIENCE,
  type SignInExperience,
  type SignInSettings,
  signInExperience,
} from '../domain/sign-in/experience.ts'
import type { OrganizationLook } from '../domain/sign-in/organization-look.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { htmlPage, type ThirdParty } from '../http/html-page.ts'
import { chooseLanguage } from '../languages/choice.ts'
import type { Store } from '../storage/store.ts'
import { fill, inEnglish, type Language, languageNamed } from './language.ts'

export interface Content {
  /** The application that the page is about. */
  readonly application?: Pick<Client, 'id' | 'name' | 'look' | 'isThirdParty'> | undefined
  /** The organization that the request names. */
  readonly organization?: OrganizationLook | undefined
  readonly status?: number
  readonly title: string
  readonly body: SafeHtml
  /** Set-Cookie values. */
  readonly cookies?: string[]
  /** Addresses that forms of the page may lead to besides this server: the application that gets the response. */
  readonly formTargets?: readonly string[]
  /** Addresses of pictures in the body. */
  readonly images?: readonly string[]
  /** What the page loads from elsewhere. */
  readonly thirdParty?: ThirdParty | undefined
}

/** The title with the application that the page is about, so that tabs and histories tell one sign-in from another. */
const fullTitle = ({ title, application }: Content): string => {
  const name = application ? fill('{name}', { name: shownName(application) }) : ''
  return title.includes(name) ? title : `${title} · ${name}`
}

/** A page in the colours and the language that are given. */
export const brandedPage = (
  settings: SignInSettings,
  { tag, direction, phrases }: Language,
  content: Content,
): Answer => {
  const { color, branding, customCss, termsOfUseUrl, privacyPolicyUrl, supportWebsiteUrl, supportEmail } = overTenant(
    settings,
    content.application,
    content.organization,
  )
  const links = [
    termsOfUseUrl ? html`<a id="terms" href="${termsOfUseUrl}" rel="noreferrer">${phrases.terms}</a>` : undefined,
    privacyPolicyUrl
      ? html`<a id="privacy" href="${privacyPolicyUrl}" rel="noreferrer">${phrases.privacy}</a>`
      : undefined,
    supportWebsiteUrl ? html`<a id="help" href="${supportWebsiteUrl}" rel="noreferrer">${phrases.help}</a>` : undefined,
    supportEmail ? html`<a id="support-email" href="mailto:${supportEmail}">${supportEmail}</a>` : undefined,
  ].filter((link) => link !== undefined)
  return htmlPage({
    ...content,
    title: fullTitle(content),
    language: tag,
    direction,
    appearance: { ...color, ...branding, customCss },
    ...(links.length > 0 ? { footer: html`${links}` } : {}),
  })
}

/** @param uiLocales of the authorization request, where there is one */
export const languageOf = (
  store: Store,
  { tenant, headers }: Exchange,
  experience: SignInExperience,
  uiLocales?: string,
): Promise<Language> =>
  languageNamed(store, tenant, experience, chooseLanguage(uiLocales, headers['accept-language'], experience))

/** A page outside an interaction: the tenant's colours, the reader's language. */
export const tenantPage = async (
  store: Store,
  exchange: Exchange,
  render: (language: Language, settings: SignInSettings) => Content,
  uiLocales?: string,
): Promise<Answer> => {
  const experience = await signInExperience(store, exchange.tenant)
  const language = await languageOf(store, exchange, experience, uiLocales)
  return brandedPage(experience, language, render(language, experience))
}

/** Shown above the title of a page that reports success. */
export const doneMark = html`<svg class="done" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M7 12.5l3.5 3.5 6.5-7.5"/></svg>
`

/** What a page says about a failure that the reader can do nothing about: a fixed sentence and the request id. */
const failure = ({ phrases }: Language, requestId: string, status: number): Content => ({
  status,
  title: phrases.failed,
  body: html`<h1 id="title">${phrases.failed}</h1>
<p class="lead">${phrases.failedLead}</p>
${requestLine(phrases, requestId)}`,
})

/** The id by which the operator finds the request in the log. */
export const requestLine = ({ requestNumber }: Language['phrases'], requestId: string): SafeHtml =>
  html`<p class="hint">${fill(requestNumber, { id: '' })}<code id="request-id">${requestId}</code></p>`

/** The failure page in the tenant's colours, or in the default ones if those cannot be read. */
export const failurePage = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, (language) => failure(language, exchange.requestId, 500)).catch(() =>
    plainFailurePage(exchange.requestId, 500),
  )

/** The same when not even the tenant is known. */
export const plainFailurePage = (requestId: string, status: number): Answer => {
  const language = inEnglish()
  return brandedPage(DEFAULT_EXPERIENCE, language, failure(language, requestId, status))
}
