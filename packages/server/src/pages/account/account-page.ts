/**
 * The hosted account pages: users look after their own account without an application, by the operations that the Account API uses.
 *
 * This file has what they share: the session of the browser, the way to sign-in and back, the form's token, and the frame.
 */
import type { AccountField } from '@countersign/contract/account-center.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { isEditable, isShown, offersDeletion } from '../../domain/account/field-policy.ts'
import { type AccountHolder, sessionHolder } from '../../domain/account/holder.ts'
import type { AccountRules } from '../../domain/account/own-fields.ts'
import { latestProof } from '../../domain/account/verifications.ts'
import { countInteraction } from '../../domain/credentials/address-failures.ts'
import { findSession, type Session } from '../../domain/sessions/sessions.ts'
import { accountCenter } from '../../domain/sign-in/account-center.ts'
import { type AccountLink, accountPageRequest } from '../../domain/sign-in/account-pages-sign-in.ts'
import { signInExperience } from '../../domain/sign-in/experience.ts'
import { createInteraction } from '../../domain/sign-in/interactions.ts'
import { getUser, type UserRow } from '../../domain/users/rows.ts'
import { browserOf } from '../../http/browser-cookie.ts'
import { callerOf } from '../../http/caller-of.ts'
import { readCookie, withCookies } from '../../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../../http/exchange.ts'
import { type Parameters, parseParameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Language } from '../../presentation/language.ts'
import { brandedPage, languageOf, tenantPage } from '../../presentation/tenant-page.ts'
import type { Store } from '../../storage/store.ts'
import { perform, type Work } from '../../storage/unit-of-work.ts'
import { formFields, formTokenOf } from '../interaction-page.ts'
import { backLink, rememberReturn } from './return-address.ts'

/** The pages that the navigation shows, by the last part of their address. */
const SECTIONS = [
  'profile',
  'security',
  'sessions',
  'activity',
  'applications',
  'organizations',
  'tokens',
  'data',
] as const
export type Section = (typeof SECTIONS)[number]
/** The address of a page that shows one of several. */
export type PathOfOne = `${string}?id=${string}`

export interface AccountContext {
  readonly store: Store
  readonly exchange: Exchange
  readonly rules: AccountRules
  readonly language: Language
  readonly session: Session
  readonly user: UserRow
  /** With the proof that a change uses up, if there is one. */
  readonly holder: AccountHolder
  readonly formToken: string
  readonly query: Parameters
  /** Set-Cookie values of the answer. */
  readonly cookies: string[]
}

/** Of an operation that the user asks for. @param action the key of the audit entry, without its prefix */
export const work = ({ store, exchange, user }: AccountContext, action: string): Work => ({
  store,
  tenant: exchange.tenant,
  caller: callerOf(exchange, `AccountPages.${action}`, { actor: { type: 'user', id: user.id } }),
})

/** To a page of the account. @param path below `/account` */
export const toAccount = ({ exchange, cookies }: Pick<AccountContext, 'exchange' | 'cookies'>, path: string): Answer =>
  redirectTo(`${exchange.tenant.baseUrl}/account${path}`, cookies)

/** The page after a change, which says that it was made. @param path below `/account`, of a section or of what was changed in it */
export const saved = (context: AccountContext, path: Section | PathOfOne): Answer =>
  toAccount(context, `/${path}${path.includes('?') ? '&' : '?'}saved=1`)

/** The first value of a field or a parameter; empty if there is none. */
export const entered = (fields: Parameters, name: string): string => fields.get(name)?.[0] ?? ''

/** What is shown while the tenant has no account pages. */
const offPage = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const experience = await signInExperience(store, exchange.tenant)
  const language = await languageOf(store, exchange, experience)
  const { account } = language.phrases
  return brandedPage(experience, language, {
    status: 404,
    title: account.offTitle,
    body: html`<h1 id="title">${account.offTitle}</h1>
<p class="lead">${account.offLead}</p>
${await backLink(store, exchange, language)}`,
  })
}

/** The parameters of a page that it needs again after a sign-in. */
const KEPT = ['id', 'next'] as const
const LONGEST_KEPT = 320

const withParameters = (path: string, query: Parameters): string => {
  const kept = KEPT.flatMap((name) => {
    const value = entered(query, name)
    return value === '' || value.length > LONGEST_KEPT ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`
}

/** Too many sign-ins were begun from this address. */
const busyPage = async (store: Store, exchange: Exchange, { status, data }: ApiError): Promise<Answer> => {
  const answer = await tenantPage(store, exchange, ({ phrases }) => ({
    status,
    title: phrases.failed,
    body: html`<h1 id="title">${phrases.failed}</h1>
<p class="lead">${phrases.lockedAddress}</p>`,
  }))
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(data?.retryAfter) } }
}

/** The link that the user came by, if one was sent to them. */
const linkOf = (query: Parameters): AccountLink | undefined => {
  const token = entered(query, 'one_time_token')
  const loginHint = entered(query, 'login_hint')
  return token === '' || token.length > LONGEST_KEPT || loginHint.length > LONGEST_KEPT
    ? undefined
    : { token, loginHint }
}

/** The sign-in page, which leads back to this one; the page of the link, where the user came by one. */
const toSignIn = async (
  store: Store,
  exchange: Exchange,
  path: string,
  cookies: readonly string[],
  link?: AccountLink,
): Promise<Answer> => {
  const { tenant } = exchange
  const { browser, cookies: ofBrowser } = browserOf(exchange)
  const begun = { store, tenant, caller: callerOf(exchange, 'Interaction.Create'), isForgettable: true }
  try {
    countInteraction(begun)
  } catch (error) {
    if (error instanceof ApiError) return busyPage(store, exchange, error)
    throw error
  }
  const id = await perform(begun, createInteraction, browser, accountPageRequest(store, tenant, path, link))
  return redirectTo(`${tenant.issuer}/auth/${id}`, [...cookies, ...ofBrowser])
}

/**
 * Turns a page into an endpoint's handler: it finds whose account it is, or has the user sign in. A form that was sent without a
 * session leads to the page of the form, after the sign-in.
 * @param path of the page, below this server
 */
export const accountPage =
  (path: string, render: (context: AccountContext) => Promise<Answer>) =>
  async (store: Store, exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const center = await accountCenter(store, tenant)
    if (!center.enabled) return offPage(store, exchange)
    const query = parseParameters(exchange.queryText)
    const cookies = [...(await rememberReturn(store, exchange, query))]
    const session = await findSession(store, tenant, readCookie(exchange, 'session'))
    const back = withParameters(path, query)
    const link = linkOf(query)
    if (!session || link) return toSignIn(store, exchange, back, cookies, link)
    const { browser, cookies: ofBrowser } = browserOf(exchange)
    cookies.push(...ofBrowser)
    const experience = await signInExperience(store, tenant)
    const rules = { center, experience }
    const language = await languageOf(store, exchange, experience)
    const [user, proof] = await Promise.all([
      getUser(store, tenant, session.userId),
      latestProof(store, tenant, sessionHolder(session), center),
    ])
    const holder = sessionHolder(session, proof)
    const formToken = formTokenOf(store, exchange, browser, `account/${session.id}`)
    const context = { store, exchange, rules, language, session, user, holder, formToken, query, cookies }
    try {
      return await render(context)
    } catch (error) {
      // it has ended in the meantime
      if (error instanceof ApiError && error.code === 'auth.unauthorized')
        return toSignIn(store, exchange, back, cookies)
      throw error
    }
  }

/** Whether a browser may send a file, to change this part of an account: before its body is read. */
export const admitsUpload = async (store: Store, exchange: Exchange, field: AccountField): Promise<boolean> => {
  const center = await accountCenter(store, exchange.tenant)
  if (!center.enabled || !isEditable(center, field)) return false
  return (await findSession(store, exchange.tenant, readCookie(exchange, 'session'))) !== undefined
}

/** The fields of a form of these pages; undefined if it lacks the token or is not a form. */
export const accountFields = (context: AccountContext): Parameters | undefined => formFields(context)

/** The hidden field that proves that the form came from this server. */
export const tokenField = ({ formToken }: AccountContext): SafeHtml =>
  html`<input type="hidden" name="token" value="${formToken}">`

/** The pages that have something to show. */
const sectionsOf = ({ rules: { center } }: AccountContext): readonly Section[] => {
  const shown = {
    profile: true,
    security: true,
    sessions: isShown(center, 'session') || isShown(center, 'trustedDevice'),
    activity: isShown(center, 'securityLog'),
    applications: isShown(center, 'session'),
    organizations: isShown(center, 'organization') || isShown(center, 'organizationSso'),
    tokens: isShown(center, 'personalAccessToken'),
    data: isShown(center, 'data') || offersDeletion(center),
  }
  return SECTIONS.filter((section) => shown[section])
}

const navigation = (context: AccountContext, current: Section): SafeHtml => {
  const { phrases } = context.language
  const links = sectionsOf(context).map((section) => {
    const isHere = section === current ? html`aria-current="page"` : html``
    return html`<li><a id="to-${section}" href="/account/${section}" ${isHere}>${phrases.accountSection[section]}</a></li>`
  })
  return html`<nav aria-label="${phrases.account.title}"><ul class="tabs">${links}</ul></nav>`
}

interface AccountContent {
  readonly section: Section
  readonly title: string
  readonly body: SafeHtml
  readonly status?: number
  /** Addresses that forms of the page may lead to besides this server. */
  readonly formTargets?: readonly string[]
}

/** The frame of every account page. */
export const accountFrame = async (
  context: AccountContext,
  { section, title, body, status = 200, formTargets = [] }: AccountContent,
): Promise<Answer> => {
  const { store, exchange, language, rules, cookies } = context
  const answer = brandedPage(rules.experience, language, {
    status,
    title,
    formTargets,
    body: html`${await backLink(store, exchange, language)}${navigation(context, section)}
<h1 id="title">${title}</h1>
${body}`,
  })
  return withCookies(answer, cookies)
}

/** Good news at the top of a section. */
export const savedNotice = ({ query, language: { phrases } }: AccountContext): SafeHtml =>
  query.has('saved') ? html`<p class="notice" role="status" id="notice">${phrases.account.saved}</p>` : html``
