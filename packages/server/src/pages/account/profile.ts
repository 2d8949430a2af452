/** `/account/profile`: the name and the profile, changed in a form; and the identifiers, each changed on a page of its own. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { isShown } from '../../domain/account/field-policy.ts'
import { changeOwnFields, changeOwnProfile } from '../../domain/account/own-fields.ts'
import type { FieldIssue } from '../../domain/users/profile-field-values.ts'
import type { Answer } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { problem } from '../interaction-page.ts'
import { shownAddress } from '../message-code.ts'
import { issueText } from '../profile-field-inputs.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  entered,
  saved,
  savedNotice,
  tokenField,
  work,
} from './account-page.ts'
import { changeErrorOf } from './change-page.ts'
import { rowList } from './rows.ts'

const CLAIMS = ['givenName', 'familyName', 'nickname'] as const
const AUTOCOMPLETE = { name: 'name', givenName: 'given-name', familyName: 'family-name', nickname: 'nickname' } as const
type Entry = keyof typeof AUTOCOMPLETE
const LONGEST = { name: 128, givenName: 256, familyName: 256, nickname: 256 } as const

const isEditable = ({ rules: { center } }: AccountContext, field: 'name' | 'profile'): boolean =>
  center.fields[field] === 'Edit'

/** What the form has. */
const entriesOf = (context: AccountContext): readonly Entry[] => [
  ...(isEditable(context, 'name') ? (['name'] as const) : []),
  ...(isEditable(context, 'profile') ? CLAIMS : []),
]

const current = ({ user }: AccountContext, entry: Entry): string => {
  if (entry === 'name') return user.name ?? ''
  const value = (user.profile as Readonly<Record<string, unknown>>)[entry]
  return typeof value === 'string' ? value : ''
}

const form = (context: AccountContext, typed: Parameters | undefined): SafeHtml => {
  const { phrases } = context.language
  const entries = entriesOf(context)
  if (entries.length === 0) return html``
  const fields = entries.map(
    (entry) => html`<div class="field">
<label for="${entry}">${phrases.fieldName[entry]}</label>
<input id="${entry}" name="${entry}" value="${typed ? entered(typed, entry) : current(context, entry)}" maxlength="${String(LONGEST[entry])}" autocomplete="${AUTOCOMPLETE[entry]}">
</div>`,
  )
  return html`<form method="post" id="profile">
${tokenField(context)}
${fields}
<button type="submit" id="submit">${phrases.account.save}</button>
</form>`
}

/** The parts that users see and do not change here. */
const readOnly = (context: AccountContext): SafeHtml => {
  const { rules, language, user } = context
  const { phrases } = language
  const { center } = rules
  const shown = [...(isShown(center, 'name') ? (['name'] as const) : []), ...(isShown(center, 'profile') ? CLAIMS : [])]
    .filter((entry) => !entriesOf(context).includes(entry) && current(context, entry) !== '')
    .map((entry) => ({ name: phrases.fieldName[entry], details: [current(context, entry)] }))
  const values = {
    username: user.username,
    email: user.primary_email,
    phone: user.primary_phone === null ? null : shownAddress({ type: 'phone', value: user.primary_phone }),
  }
  const identifiers = (['username', 'email', 'phone'] as const)
    .filter((type) => isShown(center, type))
    .map((type) => {
      const name = phrases.identifier[type]
      const value = values[type]
      const edit = { id: `change-${type}`, href: `/account/change/${type}`, about: name }
      const remove = { id: `remove-${type}`, href: `/account/change/remove-${type}`, about: name }
      const links = [
        { ...edit, text: value === null ? phrases.account.add : phrases.account.change },
        ...(value === null || type === 'username' ? [] : [{ ...remove, text: phrases.account.remove }]),
      ]
      return { name, details: [value ?? phrases.account.notSet], links: center.fields[type] === 'Edit' ? links : [] }
    })
  const rows = [...shown, ...identifiers]
  return rows.length === 0 ? html`` : rowList(rows)
}

const page = (context: AccountContext, status = 200, typed?: Parameters, errorText?: string): Promise<Answer> =>
  accountFrame(context, {
    section: 'profile',
    status,
    title: context.language.phrases.accountSection.profile,
    body: html`${savedNotice(context)}${problem(errorText)}${readOnly(context)}
${form(context, typed)}`,
  })

export const showProfile = (context: AccountContext): Promise<Answer> => page(context)

/** What to say about what the fields of the tenant do not take. */
const problemOf = ({ language: { phrases }, rules }: AccountContext, error: unknown): string => {
  const [issue] = error instanceof ApiError ? ((error.data?.issues ?? []) as FieldIssue[]) : []
  return issue ? issueText(phrases, rules.experience.profileFields, issue) : changeErrorOf(error, phrases).text
}

export const submitProfile = async (context: AccountContext): Promise<Answer> => {
  const { language } = context
  const fields = accountFields(context)
  if (!fields) return page(context, 400, undefined, language.phrases.expiredForm)
  const entries = entriesOf(context)
  const excess = entries.find((entry) => entered(fields, entry).length > LONGEST[entry])
  if (excess) {
    const values = { label: language.phrases.fieldName[excess], limit: String(LONGEST[excess]) }
    return page(context, 422, fields, fill(language.phrases.fieldIssue.too_long, values))
  }
  try {
    await change(context, fields)
    return saved(context, 'profile')
  } catch (error) {
    return page(context, 422, fields, problemOf(context, error))
  }
}

const change = async (context: AccountContext, fields: Parameters): Promise<void> => {
  const { holder, rules, user } = context
  const entries = entriesOf(context)
  const name = entered(fields, 'name').trim() || null
  if (entries.includes('name') && fields.has('name') && name !== user.name)
    await changeOwnFields(work(context, 'UpdateProfile'), holder, rules, { name })
  const claims = CLAIMS.filter(
    (claim) => entries.includes(claim) && fields.has(claim) && entered(fields, claim) !== current(context, claim),
  )
  if (claims.length > 0) {
    const profile = Object.fromEntries(claims.map((claim) => [claim, entered(fields, claim).trim()]))
    await perform(work(context, 'UpdateProfile'), changeOwnProfile, holder, rules, profile)
  }
}
