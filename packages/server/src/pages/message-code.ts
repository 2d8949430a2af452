/** What the pages that ask for a code by mail or text message share: which code it is, the field for it, and another one. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Address, CodeRecord, Draft, FactorCodeRecord, InteractionEvent } from '../domain/sign-in/draft.ts'
import { findDraft } from '../domain/sign-in/interaction-drafts.ts'
import { pageScript } from '../http/page-script.ts'
import { ApiError } from '../kernel/api-error.ts'
import { fill, type Language } from '../presentation/language.ts'
import type { Work } from '../storage/unit-of-work.ts'
import type { PageContext } from './interaction-page.ts'

/** What was verified and entered in this interaction so far, if it was started. */
export const draftHere = (work: Work, interactionId: string): Promise<Draft | undefined> =>
  findDraft(work, interactionId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'session.interaction_not_found') return undefined
    throw error
  })

/** The newest code that was sent in an interaction, if one was. @param event what the interaction has to be for */
export const sentCodeOf = (
  { interactionEvent, verificationRecords }: Draft,
  event: InteractionEvent,
): CodeRecord | undefined =>
  interactionEvent === event
    ? verificationRecords.findLast(
        (record): record is CodeRecord =>
          record.type === 'EmailVerificationCode' || record.type === 'PhoneVerificationCode',
      )
    : undefined

/** The same, of the interaction as it is now. */
export const sentCode = async (
  work: Work,
  interactionId: string,
  event: InteractionEvent,
): Promise<CodeRecord | undefined> => {
  const draft = await draftHere(work, interactionId)
  return draft && sentCodeOf(draft, event)
}

/** A code as users paste it. */
export const typedCode = (text: string): string => text.replace(/[\s-]/g, '')

/** An address or a number as people read it. */
export const shownAddress = ({ type, value }: Address): string => (type === 'phone' ? `+${value}` : value)

/** Of two texts the one about a mail, or the one about a text message. */
export const byKind = ({ type }: Address, ofEmail: string, ofPhone: string): string =>
  type === 'phone' ? ofPhone : ofEmail

/** Where a code was sent and how long it is valid: the values of the phrases that say so. */
export const sentValues = ({ experience, language }: PageContext, identifier: Address) => ({
  email: shownAddress(identifier),
  duration: language.duration(Math.ceil(experience.verificationCodePolicy.expirationDuration / 60), 'minute'),
})

export const codeField = (
  { language: { phrases } }: Pick<PageContext, 'language'>,
  isInvalid: boolean,
): SafeHtml => html`<div class="field">
<label for="code">${phrases.code}</label>
<input id="code" class="code-field" name="code" maxlength="16" required autocomplete="one-time-code" inputmode="numeric" ${isInvalid ? html`aria-invalid="true" aria-describedby="problem"` : html``} autofocus>
</div>`

/** How long a page waits before it sends another code. */
const COOL_DOWN_SECONDS = 60

/** In the query, after another code was sent. */
export const SENT_AGAIN = 'sent'

/** For how many seconds another code cannot be requested yet. */
const secondsToWait = ({ store }: PageContext, { sentAt = 0 }: CodeRecord | FactorCodeRecord): number => {
  const passed = (store.clock.now().getTime() - sentAt) / 1000
  return passed < 0 ? 0 : Math.max(0, Math.ceil(COOL_DOWN_SECONDS - passed))
}

const waitText = ({ phrases, duration }: Language, seconds: number) =>
  fill(phrases.waitForCode, { duration: duration(seconds, 'second') })

/** What to say to someone who requests another code too soon. Undefined: it can be sent. */
export const tooSoon = (context: PageContext, record: CodeRecord | FactorCodeRecord): string | undefined => {
  const seconds = secondsToWait(context, record)
  return seconds > 0 ? waitText(context.language, seconds) : undefined
}

/**
 * The form for another code, with the time until it can be sent; with JavaScript the button appears at that time.
 * @param captcha if one has to be passed
 */
export const sendAgainForm = (
  context: PageContext,
  record: CodeRecord | FactorCodeRecord,
  captcha: SafeHtml = html``,
): SafeHtml => {
  const { language, formToken } = context
  const { phrases } = language
  const seconds = secondsToWait(context, record)
  const wait =
    seconds > 0
      ? html`<p class="hint" id="wait" data-seconds="${String(seconds)}" data-text="${phrases.waitForCode}">${waitText(language, seconds)}</p>`
      : html``
  return html`<form method="post" id="again">
<input type="hidden" name="token" value="${formToken}">
${wait}${captcha}<button type="submit" id="send-again" class="plain" name="again" value="again">${phrases.sendAgain}</button>
</form>
${seconds > 0 ? pageScript('COOL_DOWN') : html``}`
}
