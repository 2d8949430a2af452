/** The pages on which users change what they sign in with: username, email address, phone number, password. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { sendOwnCode, verifyOwnCode } from '../../domain/account/code-verification.ts'
import { changeOwnAddress, removeOwnAddress } from '../../domain/account/own-addresses.ts'
import { changeOwnFields } from '../../domain/account/own-fields.ts'
import { changeOwnPassword } from '../../domain/account/own-password.ts'
import type { Address } from '../../domain/sign-in/draft.ts'
import { pageScript } from '../../http/page-script.ts'
import type { Parameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { fill } from '../../presentation/language.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { inputModeOf, passwordField } from '../credentials-form.ts'
import { type FormError, formErrorOf } from '../form-error.ts'
import { codeField, shownAddress, typedCode } from '../message-code.ts'
import { type AccountContext, entered, tokenField, work } from './account-page.ts'
import { type Change, type ChangeForm, simpleForm } from './change-page.ts'
import { removal } from './removals.ts'

/** DECISIONS M, in characters: the form takes no more. */
const LONGEST = 256

type Type = 'username' | 'email' | 'phone'
const AUTOCOMPLETE = { username: 'username', email: 'email', phone: 'tel' } as const

const identifierField = (
  { language: { phrases } }: AccountContext,
  type: Type,
  value: string,
  isInvalid: boolean,
): SafeHtml => html`<div class="field">
<label for="identifier">${phrases.identifier[type]}</label>
<input id="identifier" name="identifier" value="${value}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${AUTOCOMPLETE[type]}" inputmode="${inputModeOf([type])}" ${isInvalid ? html`aria-invalid="true" aria-describedby="problem"` : ''} autofocus>
</div>`

const username: Change = {
  field: 'username',
  section: 'profile',
  async form(context, typed, error) {
    const { phrases } = context.language
    const value = typed ? entered(typed, 'identifier') : (context.user.username ?? '')
    const field = identifierField(context, 'username', value, error !== undefined)
    return { title: phrases.account.usernameTitle, body: simpleForm(context, field, phrases.account.save) }
  },
  async submit(context, fields) {
    const { holder, rules } = context
    const change = { username: entered(fields, 'identifier').trim() }
    await changeOwnFields(work(context, 'ChangeUsername'), holder, rules, change)
    return undefined
  },
}

/** The second step: the code that was sent to the new address. */
const codeStep = (context: AccountContext, address: Address, id: string, error?: FormError): ChangeForm => {
  const { phrases } = context.language
  return {
    title: address.type === 'email' ? phrases.verifyEmailTitle : phrases.verifyPhoneTitle,
    lead: fill(phrases.account.codeSent, { address: shownAddress(address) }),
    error,
    body: html`<form method="post" id="change">
${tokenField(context)}
<input type="hidden" name="identifier" value="${address.value}">
<input type="hidden" name="verificationId" value="${id}">
${codeField(context, error !== undefined)}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>`,
  }
}

/** A code that was wrong can be entered again. */
const verified = async (context: AccountContext, address: Address, id: string, code: string) => {
  const { holder, rules, language } = context
  try {
    await verifyOwnCode(work(context, 'VerifyAddress'), holder, rules.experience, address, id, typedCode(code))
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'verification_code.code_mismatch') throw error
    return codeStep(context, address, id, formErrorOf(error, language.phrases))
  }
}

const address = (type: 'email' | 'phone'): Change => ({
  field: type,
  section: 'profile',
  async form(context, typed, error) {
    const { phrases } = context.language
    const field = identifierField(context, type, typed ? entered(typed, 'identifier') : '', error !== undefined)
    return {
      title: type === 'email' ? phrases.account.emailTitle : phrases.account.phoneTitle,
      lead: phrases.account.newAddressLead,
      body: simpleForm(context, field, phrases.sendCode),
    }
  },
  async submit(context, fields) {
    const { holder, rules, language } = context
    const wanted = { type, value: entered(fields, 'identifier').trim() } as const
    const id = entered(fields, 'verificationId')
    if (id === '') {
      const begun = await sendOwnCode(work(context, 'SendCode'), holder, rules, wanted, undefined, language.tag)
      return codeStep(context, wanted, begun.verificationRecordId)
    }
    const again = await verified(context, wanted, id, entered(fields, 'code'))
    if (again) return again
    const action = type === 'email' ? 'ChangeEmail' : 'ChangePhone'
    await perform(work(context, action), changeOwnAddress, holder, rules, wanted, id)
    return undefined
  },
})

const password: Change = {
  field: 'password',
  section: 'security',
  async form(context, _typed, error) {
    const { language, rules } = context
    const { phrases } = language
    const field = passwordField(
      { language, experience: rules.experience },
      { autocomplete: 'new-password', label: phrases.newPassword, isInvalid: error !== undefined, isFirst: true },
    )
    return {
      title: phrases.account.passwordTitle,
      lead: phrases.account.passwordLead,
      body: html`${simpleForm(context, field, phrases.account.save)}${pageScript('SHOW_PASSWORD')}`,
    }
  },
  async submit(context, fields: Parameters) {
    const { holder, rules } = context
    const typed = entered(fields, 'password')
    if (typed.length > LONGEST)
      throw new ApiError('guard.invalid_input', { reason: 'a password has at most 256 characters' })
    await changeOwnPassword(work(context, 'ChangePassword'), holder, rules, typed)
    return undefined
  },
}

const removedAddress = (type: 'email' | 'phone'): Change =>
  removal({
    field: type,
    section: 'profile',
    describe: ({ language: { phrases } }) => ({
      title: fill(phrases.account.removeTitle, { name: phrases.identifier[type] }),
      lead: phrases.account.removeLead,
      button: phrases.account.remove,
    }),
    run: (context) => {
      const action = type === 'email' ? 'RemoveEmail' : 'RemovePhone'
      return perform(work(context, action), removeOwnAddress, context.holder, context.rules, type)
    },
  })

export const credentialChanges = {
  username,
  email: address('email'),
  phone: address('phone'),
  password,
  'remove-email': removedAddress('email'),
  'remove-phone': removedAddress('phone'),
} as const
