/** `/account/activity`: what happened in the account, in words, with the device and the place; a page at a time. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { isShown } from '../../domain/account/field-policy.ts'
import { listSecurityLog, type SecurityLogEntry } from '../../domain/account/security-log.ts'
import type { Answer } from '../../http/exchange.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Phrases } from '../../languages/en.ts'
import { fill } from '../../presentation/language.ts'
import type { Page, PageRequest } from '../../storage/page.ts'
import { type AccountContext, accountFrame, entered, toAccount } from './account-page.ts'
import { deviceName } from './device-name.ts'
import { rowList } from './rows.ts'

const PAGE_SIZE = 20

type Wording = (phrases: Phrases) => string

const changed =
  (name: Wording): Wording =>
  (phrases) =>
    fill(phrases.account.changed, { name: name(phrases) })

/** What to call what an entry of the audit log records, by its key. The first that fits counts. */
const WORDINGS: readonly (readonly [key: RegExp, wording: Wording])[] = [
  [/^(Interaction\.Register\.|ManagementApi\.createUser$)/, ({ accountActivity }) => accountActivity.register],
  [/^(ManagementApi|Scim)\./, ({ accountActivity }) => accountActivity.byOthers],
  [/^(Interaction\.ForgotPassword\.|ExperienceApi\.resetPassword$)/, (all) => all.accountActivity.passwordReset],
  [/^Interaction\.Consent\./, ({ accountActivity }) => accountActivity.consent],
  [/^Interaction\.Device\./, ({ accountActivity }) => accountActivity.device],
  [/^(Interaction|ExperienceApi)\./, ({ accountActivity }) => accountActivity.signIn],
  [/^EndSession$/, ({ accountActivity }) => accountActivity.signOut],
  [/^RevokeToken$|Grant$/, ({ accountActivity }) => accountActivity.revoke],
  [/\.(Confirm|verifyMy(Password|Code|Totp|Passkey|SocialAccount))$/, (all) => all.accountActivity.confirm],
  [/\.[Ss]end(My)?Code$/, ({ accountActivity }) => accountActivity.code],
  [/\.(DownloadData|getMyData)$/, ({ accountActivity }) => accountActivity.download],
  [/\.[Dd]elete(My)?Account$/, ({ accountActivity }) => accountActivity.deletion],
  [/Password$/, changed(({ password }) => password)],
  [/Email$/, changed(({ identifier }) => identifier.email)],
  [/Phone$/, changed(({ identifier }) => identifier.phone)],
  [/Username$/, changed(({ identifier }) => identifier.username)],
  [/(Profile|Picture|Avatar|updateMyAccount)$/, changed(({ accountSection }) => accountSection.profile)],
  [/(Totp|Passkey|BackupCodes|Factor\w*)$/, changed(({ account }) => account.factors)],
  [/(Identity|ProviderToken)$/, changed(({ account }) => account.identities)],
  [/Token$/, changed(({ accountSection }) => accountSection.tokens)],
  [/(Sessions?|Device)$/, changed(({ accountSection }) => accountSection.sessions)],
  [
    /(OrganizationDomain|OrganizationSsoConnector|IdentityProvider|Certificate)$/,
    changed(({ singleSignOn }) => singleSignOn.title),
  ],
  [/(Invitation|Organization)$/, changed(({ accountSection }) => accountSection.organizations)],
]

const wordingOf = ({ key }: SecurityLogEntry, phrases: Phrases): string => {
  const [, wording] = WORDINGS.find(([pattern]) => pattern.test(key)) ?? []
  return wording ? wording(phrases) : phrases.accountActivity.other
}

/** "Firefox · Linux", "Berlin, DE" and the application, as far as they are known. */
const circumstances = ({ userAgent, city, country, applicationName }: SecurityLogEntry): string[] => {
  const device = deviceName(userAgent)
  const place = [city, country].filter((part) => part !== null).join(', ')
  return [
    ...(device === undefined ? [] : [device]),
    ...(place === '' ? [] : [place]),
    ...(applicationName === null ? [] : [fill('{name}', { name: applicationName })]),
  ]
}

/** Times are those of the time zone in the profile, if there is one. */
const rowsOf = ({ language, user }: AccountContext, entries: readonly SecurityLogEntry[]) => {
  const { account } = language.phrases
  const { zoneinfo } = user.profile as Readonly<Record<string, unknown>>
  const moment = language.momentsIn(typeof zoneinfo === 'string' ? zoneinfo : 'UTC')
  return entries.map((entry) => ({
    name: wordingOf(entry, language.phrases),
    details: [
      ...(entry.result === 'Error' ? [account.notSuccessful] : []),
      moment(entry.createdAt),
      ...circumstances(entry),
    ],
  }))
}

const pageLink = (rel: 'prev' | 'next', parameter: 'before' | 'after', cursor: string, text: string): SafeHtml =>
  html`<a class="button quiet" id="${rel}" rel="${rel}" href="/account/activity?${parameter}=${encodeURIComponent(cursor)}">${text}</a>`

const pageLinks = ({ previousCursor, nextCursor }: Page<SecurityLogEntry>, { account }: Phrases): SafeHtml => {
  if (previousCursor === undefined && nextCursor === undefined) return html``
  return html`<p class="pages">${previousCursor === undefined ? '' : pageLink('prev', 'before', previousCursor, account.newer)}
${nextCursor === undefined ? '' : pageLink('next', 'after', nextCursor, account.older)}</p>`
}

const requested = ({ query }: AccountContext): PageRequest => {
  const [before, after] = [entered(query, 'before'), entered(query, 'after')]
  const cursor = before === '' ? { after } : { before }
  return { page: 1, pageSize: PAGE_SIZE, ...(before === '' && after === '' ? {} : cursor) }
}

const listed = async (context: AccountContext): Promise<Page<SecurityLogEntry> | undefined> => {
  const { store, exchange, user } = context
  try {
    return await listSecurityLog(store, exchange.tenant, user.id, requested(context), { isWithSteps: false })
  } catch (error) {
    // an address that no page of these leads to
    if (error instanceof ApiError && error.code === 'guard.invalid_pagination') return undefined
    throw error
  }
}

export const showActivity = async (context: AccountContext): Promise<Answer> => {
  const { rules, language } = context
  const { phrases } = language
  if (!isShown(rules.center, 'securityLog')) return toAccount(context, '/profile')
  const page = await listed(context)
  if (!page) return toAccount(context, '/activity')
  const { account, accountSection } = phrases
  return accountFrame(context, {
    section: 'activity',
    title: accountSection.activity,
    body:
      page.items.length === 0
        ? html`<p class="lead">${account.noActivity}</p>`
        : html`<p class="lead">${account.activityLead}</p>
${rowList(rowsOf(context, page.items))}
${pageLinks(page, phrases)}`,
  })
}
