/**
 * `/account/change/:change`: a page for each sensitive change. It asks for a proof of who the user is before it shows its form, and the
 * change uses that proof up (SECURITY R-27); what is changed is decided in `domain/account`.
 */
import type { AccountField } from '@countersign/contract/account-center.ts'
import { html, type SafeHtml } from '@remix-run/html-template'
import { assertEditable, assertShown } from '../../domain/account/field-policy.ts'
import type { Answer } from '../../http/exchange.ts'
import { isUploadType, parseUploadForm } from '../../http/multipart.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import type { Phrases } from '../../languages/en.ts'
import { type FormError, formErrorOf } from '../form-error.ts'
import { isFormToken, problem } from '../interaction-page.ts'
import {
  type AccountContext,
  accountFields,
  accountFrame,
  entered,
  type PathOfOne,
  type Section,
  saved,
  toAccount,
  tokenField,
} from './account-page.ts'

/** What a change shows below its title. */
export interface ChangeForm {
  readonly title: string
  readonly lead?: string
  /** Forms with their tokens. */
  readonly body: SafeHtml
  /** Where what was entered in a later step was refused. */
  readonly error?: FormError | undefined
  /** Addresses that the form may lead to besides this server. */
  readonly formTargets?: readonly string[]
}

export interface Change {
  readonly field: AccountField
  /** The page that leads here, and that comes after. */
  readonly section: Section
  /** The page below `/account` that leads here, and that comes after, where it is another than that of the section. */
  readonly home?: (context: AccountContext) => PathOfOne
  /** Whether it only reads: then the part need not be one that users change. */
  readonly isReading?: true
  /** Bytes of the file that its form may bring, which is then text in the field `file`. */
  readonly largestFile?: number
  /** What only this change is refused with. */
  readonly errorText?: (error: ApiError, phrases: Phrases) => string | undefined
  /** The form. @param typed what came back, where it was refused */
  form(context: AccountContext, typed: Parameters | undefined, error: FormError | undefined): Promise<ChangeForm>
  /** Makes the change; what it gives is shown first where there is another step, or is the answer itself. Throws the errors of the domain. */
  submit(context: AccountContext, fields: Parameters): Promise<ChangeForm | { readonly answer: Answer } | undefined>
}

/** Which of several is changed: in the address of the page, not in its form. */
export const idOf = ({ query }: AccountContext): string => entered(query, 'id')

/** A form with one button. */
export const simpleForm = (context: AccountContext, content: SafeHtml, button: string): SafeHtml =>
  html`<form method="post" id="change">
${tokenField(context)}
${content}<button type="submit" id="submit">${button}</button>
</form>`

const REQUIRED = /^user\.(username|email|phone|email_or_phone)_required$/

/** What only these pages are refused with. */
const ownErrorText = ({ code }: ApiError, { account, goneCode, taken }: Phrases): string | undefined => {
  if (code === 'user.last_sign_in_method_required') return account.lastWay
  if (code === 'verification_record.not_found') return goneCode
  if (code === 'user.personal_access_token_name_exists') return taken
  if (code === 'user.missing_mfa' || REQUIRED.test(code)) return account.required
  return undefined
}

/** What no form mends: what is changed does not exist, the session has ended, or there is a fault. */
const isFatal = ({ status }: ApiError): boolean => status === 401 || status === 404 || status >= 500

/** What to say about an error of the domain. Rethrows what no form mends. @param textOf what is said in place of the usual text */
export const changeErrorOf = (error: unknown, phrases: Phrases, textOf: Change['errorText'] = undefined): FormError => {
  if (!(error instanceof ApiError)) throw error
  const text = textOf?.(error, phrases) ?? ownErrorText(error, phrases)
  if (text !== undefined) return { status: 422, text }
  try {
    return formErrorOf(error, phrases)
  } catch (unknown) {
    if (isFatal(error)) throw unknown
    return { status: 422, text: phrases.notOffered }
  }
}

const homeOf = ({ home, section }: Change, context: AccountContext): Section | PathOfOne => home?.(context) ?? section

const framed = (context: AccountContext, change: Change, form: ChangeForm, refused?: FormError) => {
  const { title, lead, body, error = refused, formTargets = [] } = form
  return accountFrame(context, {
    section: change.section,
    title,
    formTargets,
    ...(error ? { status: error.status } : {}),
    body: html`${lead === undefined ? '' : html`<p class="lead">${lead}</p>`}${problem(error?.text)}${body}
<p class="aside"><a id="cancel" href="/account/${homeOf(change, context)}">${context.language.phrases.cancel}</a></p>`,
  })
}

/** To the page that asks for a proof, and from there to a change. @param next its name and, behind a colon, which of several is changed */
export const toConfirm = (context: AccountContext, next: string): Answer =>
  toAccount(context, `/confirm?next=${encodeURIComponent(next)}`)

const backHere = (context: AccountContext, name: string): Answer => {
  const id = idOf(context)
  return toConfirm(context, id === '' ? name : `${name}:${id}`)
}

/** The fields of the form, with the file that it may bring; undefined if it lacks the token. Throws as parseUploadForm. */
const broughtFields = async (context: AccountContext, { largestFile }: Change): Promise<Parameters | undefined> => {
  const { exchange, formToken } = context
  const type = exchange.headers['content-type']
  if (largestFile === undefined || !isUploadType(type)) return accountFields(context)
  const { file, fields } = await parseUploadForm(exchange.body, type, largestFile)
  if (!isFormToken(formToken, entered(fields, 'token'))) return undefined
  return new Map([...fields, ['file', [file?.toString('utf8') ?? '']]])
}

/** The handlers of a change. @param name the last part of its address */
export const changeHandlers = (name: string, change: Change) => {
  const guarded = (render: (context: AccountContext) => Promise<Answer>) => async (context: AccountContext) => {
    const { rules, holder } = context
    try {
      if (change.isReading) assertShown(rules.center, change.field)
      else assertEditable(rules.center, change.field)
      return holder.verificationId === undefined ? backHere(context, name) : await render(context)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // it has been used up by another window, or is too old
      if (error.code === 'verification_record.permission_denied') return backHere(context, name)
      // the settings do not allow it, any more
      if (!isFatal(error)) return toAccount(context, `/${change.section}`)
      throw error
    }
  }
  const errorOf = ({ language }: AccountContext, error: unknown) =>
    changeErrorOf(error, language.phrases, change.errorText)
  const refused = async (context: AccountContext, typed: Parameters | undefined, error: FormError) =>
    framed(context, change, await change.form(context, typed, error), error)
  return {
    show: guarded(async (context) => framed(context, change, await change.form(context, undefined, undefined))),
    /** Answers a body that is larger than any that the form could have. */
    refuse: guarded((context) =>
      refused(context, undefined, errorOf(context, new ApiError('guard.file_size_exceeded'))),
    ),
    submit: guarded(async (context) => {
      const { phrases } = context.language
      let fields: Parameters | undefined
      try {
        fields = await broughtFields(context, change)
        if (!fields) return refused(context, undefined, { status: 400, text: phrases.expiredForm })
        const next = await change.submit(context, fields)
        if (!next) return saved(context, homeOf(change, context))
        return 'answer' in next ? next.answer : framed(context, change, next)
      } catch (error) {
        if (error instanceof ApiError && error.code === 'verification_record.permission_denied') throw error
        if (error instanceof ApiError && error.code.startsWith('account_center.')) throw error
        return refused(context, fields, errorOf(context, error))
      }
    }),
  }
}
