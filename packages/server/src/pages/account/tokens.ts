/** `/account/tokens`: personal access tokens of one's own; a new one is shown once. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { isShown } from '../../domain/account/field-policy.ts'
import { createOwnToken, deleteOwnToken, renameOwnToken } from '../../domain/account/own-tokens.ts'
import { personalAccessTokensOf } from '../../domain/issued/personal-access-tokens.ts'
import type { Answer } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { type AccountContext, accountFrame, entered, savedNotice, work } from './account-page.ts'
import { type Change, idOf, simpleForm } from './change-page.ts'
import { removal } from './removals.ts'
import { rowList } from './rows.ts'

export const showTokens = async (context: AccountContext): Promise<Answer> => {
  const { store, exchange, user, rules, language } = context
  const { account, accountSection } = language.phrases
  const { center } = rules
  const isEditable = center.fields.personalAccessToken === 'Edit'
  const tokens = isShown(center, 'personalAccessToken')
    ? await personalAccessTokensOf(store, exchange.tenant, user.id)
    : []
  const rows = tokens.map(({ name, created_at, expires_at, last_used_at }, index) => {
    const link = (change: 'rename' | 'remove', text: string) => ({
      id: `${change}-${index}`,
      href: `/account/change/${change}-token?id=${encodeURIComponent(name)}`,
      text,
      about: name,
    })
    return {
      name,
      details: [
        fill(account.since, { date: language.day(created_at) }),
        ...(expires_at ? [fill(account.validUntil, { date: language.day(expires_at) })] : []),
        ...(last_used_at ? [fill(account.lastUsed, { date: language.day(last_used_at) })] : []),
      ],
      links: isEditable ? [link('rename', account.rename), link('remove', account.remove)] : [],
    }
  })
  return accountFrame(context, {
    section: 'tokens',
    title: accountSection.tokens,
    body: html`<p class="lead">${account.tokensLead}</p>
${savedNotice(context)}
${rows.length > 0 ? rowList(rows) : ''}
${isEditable ? html`<p><a class="button quiet" id="new-token" href="/account/change/new-token">${account.newToken}</a></p>` : ''}`,
  })
}

const LONGEST_NAME = 256

/** The end of a day, in UTC. Undefined: not a day. */
const endOf = (day: string): Date | undefined => {
  const moment = new Date(`${day}T23:59:59Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const nameField = ({ language: { phrases } }: AccountContext, value: string): SafeHtml =>
  html`<div class="field">
<label for="name">${phrases.account.tokenName}</label>
<input id="name" name="name" value="${value}" maxlength="${String(LONGEST_NAME)}" required autocomplete="off" autofocus>
</div>`

/** Throws 400 for what is no name. */
const nameIn = (fields: Parameters): string => {
  const name = entered(fields, 'name').trim()
  if (name === '' || name.length > LONGEST_NAME)
    throw new ApiError('guard.invalid_input', { reason: `a name of a token has 1 to ${LONGEST_NAME} characters` })
  return name
}

/** Throws 404 unless the user has a token of the name in the address. */
const assertOwn = async (context: AccountContext): Promise<string> => {
  const { store, exchange, user } = context
  const name = idOf(context)
  const own = await personalAccessTokensOf(store, exchange.tenant, user.id)
  if (!own.some((token) => token.name === name)) throw notFound('token', name)
  return name
}

const newToken: Change = {
  field: 'personalAccessToken',
  section: 'tokens',
  async form(context, typed) {
    const { phrases } = context.language
    const { account } = phrases
    const value = (name: string) => (typed ? entered(typed, name) : '')
    const content = html`${nameField(context, value('name'))}
<div class="field">
<label for="until">${fill(phrases.optionalField, { label: account.lastDay })}</label>
<input id="until" name="until" type="date" value="${value('until')}" autocomplete="off">
</div>
`
    return { title: account.newToken, lead: account.tokensLead, body: simpleForm(context, content, account.save) }
  },
  async submit(context, fields) {
    const { holder, rules, language, store } = context
    const { account } = language.phrases
    const name = nameIn(fields)
    const day = entered(fields, 'until')
    const until = day === '' ? null : endOf(day)
    const isPast = until && until <= store.clock.now()
    if (until === undefined || isPast)
      throw new ApiError('guard.invalid_input', { reason: 'the last day of a token is a day to come' })
    const { value } = await perform(work(context, 'CreateToken'), createOwnToken, holder, rules, name, until)
    return {
      title: account.tokenTitle,
      lead: account.tokenLead,
      body: html`<p><code class="key" id="value">${value}</code></p>
<p><a class="button" id="done" href="/account/tokens">${account.done}</a></p>`,
    }
  },
}

const renamedToken: Change = {
  field: 'personalAccessToken',
  section: 'tokens',
  async form(context, typed) {
    const { account } = context.language.phrases
    const name = await assertOwn(context)
    const field = nameField(context, typed ? entered(typed, 'name') : name)
    return { title: account.renameTokenTitle, body: simpleForm(context, field, account.save) }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const [before, name] = [idOf(context), nameIn(fields)]
    if (name !== before) await perform(work(context, 'RenameToken'), renameOwnToken, holder, rules, before, name)
    return undefined
  },
}

const removedToken = removal({
  field: 'personalAccessToken',
  section: 'tokens',
  async describe(context) {
    const { account } = context.language.phrases
    const name = await assertOwn(context)
    return { title: fill(account.removeTitle, { name }), lead: account.removeTokenLead, button: account.remove }
  },
  run: (context) => perform(work(context, 'RemoveToken'), deleteOwnToken, context.holder, context.rules, idOf(context)),
})

export const tokenChanges = {
  'new-token': newToken,
  'rename-token': renamedToken,
  'remove-token': removedToken,
} as const
