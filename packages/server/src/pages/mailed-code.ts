/** What the pages that ask for a mailed code share: which code it is, and the field for it. */
import { html, type SafeHtml } from '@remix-run/html-template'
import type { Draft, EmailVerificationCodeRecord, InteractionEvent } from '../domain/sign-in/draft.ts'
import { findDraft } from '../domain/sign-in/interaction-drafts.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Work } from '../storage/unit-of-work.ts'
import type { PageContext } from './interaction-page.ts'

/** What was verified and entered in this interaction so far, if it was started. */
export const draftHere = (work: Work, interactionId: string): Promise<Draft | undefined> =>
  findDraft(work, interactionId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'session.interaction_not_found') return undefined
    throw error
  })

/** The code that was sent in an interaction, if one was. @param event what the interaction has to be for */
export const sentCodeOf = (
  { interactionEvent, verificationRecords }: Draft,
  event: InteractionEvent,
): EmailVerificationCodeRecord | undefined => {
  const record = verificationRecords.find(({ type }) => type === 'EmailVerificationCode')
  return interactionEvent === event && record?.type === 'EmailVerificationCode' ? record : undefined
}

/** The same, of the interaction as it is now. */
export const sentCode = async (
  work: Work,
  interactionId: string,
  event: InteractionEvent,
): Promise<EmailVerificationCodeRecord | undefined> => {
  const draft = await draftHere(work, interactionId)
  return draft && sentCodeOf(draft, event)
}

/** A code as users paste it. */
export const typedCode = (text: string): string => text.replace(/[\s-]/g, '')

/** For how long a code is valid, in words. */
export const codeLife = ({ experience, language }: PageContext): string =>
  language.duration(Math.ceil(experience.verificationCodePolicy.expirationDuration / 60), 'minute')

export const codeField = (
  { language: { phrases } }: PageContext,
  isInvalid: boolean,
): SafeHtml => html`<div class="field">
<label for="code">${phrases.code}</label>
<input id="code" class="code-field" name="code" maxlength="16" required autocomplete="one-time-code" inputmode="numeric" ${isInvalid ? html`aria-invalid="true" aria-describedby="problem"` : html``} autofocus>
</div>`
