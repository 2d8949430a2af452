/** What messages say, as each language says it. Placeholders are `{{host}}`, `{{minutes}}`, `{{organizationName}}`, and in text messages `{{code}}` and `{{link}}`. */
import type { MessageUsage } from '../../domain/delivery/messages.ts'

export interface MailText {
  /** Without the code: it is shown on locked screens. */
  readonly subject: string
  /** What the code or the link is for. */
  readonly lead: string
  /** On the button, where there is a link. */
  readonly action?: string
  /** What to do for a reader who did not ask for it. */
  readonly unasked: string
}

export interface MessageTexts {
  readonly direction: 'ltr' | 'rtl'
  readonly mail: Readonly<Record<MessageUsage, MailText>>
  /** Of a code that is good for some `minutes`; an invitation's is not. */
  readonly codeLife: string
  readonly codeNote: string
  readonly linkLife: string
  /** Above the address that a button leads to. */
  readonly linkFallback: string
  /** On a button whose text says nothing else. */
  readonly open: string
  /**
   * Text messages: short, and of the GSM alphabet where the language allows, so that each is one message. `MagicLink` and
   * `OrganizationInvitation` have the link; the others the code.
   */
  readonly sms: Readonly<Record<MessageUsage, string>>
}
