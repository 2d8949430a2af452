/** `/account/profile`: the fields of the profile, changed in a form; and the picture and the identifiers, each on a page of its own. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { isShown } from '../../domain/account/field-policy.ts'
import {
  changeOwnProfileFields,
  isChangeable,
  ownProfileFields,
  profileOf,
} from '../../domain/account/own-profile-fields.ts'
import type { FieldIssue } from '../../domain/users/profile-field-values.ts'
import type { Answer } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { problem } from '../interaction-page.ts'
import { shownAddress } from '../message-code.ts'
import { answersOf, changedFields, fieldInputs, filledIn, issueText, labelOf } from '../profile-field-inputs.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  saved,
  savedNotice,
  tokenField,
  work,
} from './account-page.ts'
import { changeErrorOf } from './change-page.ts'
import { picture } from './picture.ts'
import { rowList } from './rows.ts'

/** What came of a form that was refused. */
interface Refused {
  readonly status: number
  readonly text: string
  readonly fields?: Parameters
  readonly issues?: readonly FieldIssue[]
}

/** What the form has. */
const changeable = ({ rules }: AccountContext) => ownProfileFields(rules).filter((field) => isChangeable(rules, field))

const before = (context: AccountContext): Parameters => filledIn(changeable(context), profileOf(context.user))

const form = (context: AccountContext, refused: Refused | undefined): SafeHtml => {
  const { phrases } = context.language
  const fields = changeable(context)
  if (fields.length === 0) return html``
  const { fields: typed = before(context), issues = [] } = refused ?? {}
  const shown = { phrases, fields: typed, issues, marksOptional: false }
  return html`<form method="post" id="profile">
${tokenField(context)}
${fields.map((field) => fieldInputs(field, shown))}
<button type="submit" id="submit">${phrases.account.save}</button>
</form>`
}

/** What users see of the fields and do not change here. */
const fixedRows = ({ rules, user, language: { phrases } }: AccountContext) => {
  const fields = ownProfileFields(rules).filter((field) => !isChangeable(rules, field))
  return fields.flatMap((field) => {
    const texts = [...filledIn([field], profileOf(user)).values()].flat()
    return texts.length === 0
      ? []
      : [{ name: labelOf(phrases, field), details: [fill('{name}', { name: texts.join(', ') })] }]
  })
}

const identifierRows = ({ rules: { center }, user, language: { phrases } }: AccountContext) => {
  const values = {
    username: user.username,
    email: user.primary_email,
    phone: user.primary_phone === null ? null : shownAddress({ type: 'phone', value: user.primary_phone }),
  }
  return (['username', 'email', 'phone'] as const)
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
}

const page = (context: AccountContext, refused?: Refused): Promise<Answer> => {
  const rows = [...fixedRows(context), ...identifierRows(context)]
  return accountFrame(context, {
    section: 'profile',
    status: refused?.status ?? 200,
    title: context.language.phrases.accountSection.profile,
    body: html`${savedNotice(context)}${problem(refused?.text)}${picture(context)}
${rows.length > 0 ? rowList(rows) : ''}
${form(context, refused)}`,
  })
}

export const showProfile = (context: AccountContext): Promise<Answer> => page(context)

/** What the fields do not take is said of the field. */
const refusalOf = ({ language: { phrases }, rules }: AccountContext, error: unknown, fields: Parameters): Refused => {
  const issues = error instanceof ApiError ? ((error.data?.issues ?? []) as FieldIssue[]) : []
  const [first] = issues
  if (!first) return { ...changeErrorOf(error, phrases), fields }
  return { status: 422, text: issueText(phrases, ownProfileFields(rules), first), fields, issues }
}

export const submitProfile = async (context: AccountContext): Promise<Answer> => {
  const { holder, rules, language } = context
  const fields = accountFields(context)
  if (!fields) return page(context, { status: 400, text: language.phrases.expiredForm })
  const changed = changedFields(changeable(context), before(context), fields)
  if (changed.length === 0) return saved(context, 'profile')
  try {
    const answers = answersOf(changed, fields)
    await perform(work(context, 'UpdateProfile'), changeOwnProfileFields, holder, rules, answers)
    return saved(context, 'profile')
  } catch (error) {
    return page(context, refusalOf(context, error, fields))
  }
}
