/** Codes by mail and text message on the page for a second factor: sent at a button's press, entered, sent again. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { FactorType } from '../domain/factors/factors.ts'
import type { Address, Draft, FactorCodeRecord } from '../domain/sign-in/draft.ts'
import { maskedAddress } from '../domain/sign-in/second-factors.ts'
import { getUser } from '../domain/users/rows.ts'
import { fill } from '../presentation/language.ts'
import type { PageContext } from './interaction-page.ts'
import { codeField, sendAgainForm } from './message-code.ts'

export type MessageFactor = 'EmailVerificationCode' | 'PhoneVerificationCode'

export const isMessageFactor = (type: FactorType | undefined): type is MessageFactor =>
  type === 'EmailVerificationCode' || type === 'PhoneVerificationCode'

/** The kind of address that a factor is. */
export const addressTypeOf = (factor: MessageFactor): Address['type'] =>
  factor === 'EmailVerificationCode' ? 'email' : 'phone'

const RECORD_OF = {
  EmailVerificationCode: 'MfaEmailVerificationCode',
  PhoneVerificationCode: 'MfaPhoneVerificationCode',
} as const

/** The code that was sent for a factor; undefined: none was, or another one since, which has voided it. */
export const factorCodeOf = ({ verificationRecords }: Draft, factor: MessageFactor): FactorCodeRecord | undefined => {
  const newest = verificationRecords.findLast(
    (record) => record.type === 'MfaEmailVerificationCode' || record.type === 'MfaPhoneVerificationCode',
  )
  return newest?.type === RECORD_OF[factor] && !newest.verified ? newest : undefined
}

/** What is known of the address of the user who signs in, as far as it is shown. */
const addressOf = async (
  { store, exchange }: PageContext,
  { identified }: Draft,
  factor: MessageFactor,
): Promise<string> => {
  if (!identified) return ''
  const user = await getUser(store, exchange.tenant, identified.userId)
  return maskedAddress((factor === 'EmailVerificationCode' ? user.primary_email : user.primary_phone) ?? '')
}

/** The sentence above the form, and the form. @param more before the button that confirms */
export const messageFactorForm = async (
  context: PageContext,
  draft: Draft,
  factor: MessageFactor,
  isInvalid: boolean,
  more: SafeHtml,
): Promise<{ readonly lead: string; readonly form: SafeHtml }> => {
  const { language, formToken } = context
  const { phrases } = language
  const token = html`<input type="hidden" name="token" value="${formToken}">`
  const record = factorCodeOf(draft, factor)
  if (!record)
    return {
      lead: fill(phrases.secondFactorSend, { address: await addressOf(context, draft, factor) }),
      form: html`<form method="post" id="second-factor">
${token}
<button type="submit" id="send-code" name="send" value="send">${phrases.sendCode}</button>
</form>`,
    }
  return {
    lead: fill(phrases.secondFactor[factor], { address: maskedAddress(record.identifier.value) }),
    form: html`<form method="post" id="second-factor">
${token}
${codeField(context, isInvalid)}${more}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>
${sendAgainForm(context, record)}`,
  }
}
