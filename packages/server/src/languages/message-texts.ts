/**
 * The texts of messages, which each language provides. Placeholders are `{{host}}`, `{{duration}}`, `{{organizationName}}`, `{{date}}`, and in
 * text messages `{{code}}` and `{{link}}`.
 */
import type { MESSAGE_USAGES } from '@countersign/contract/connector-configs.ts'
import type { OwnerNotice } from '@countersign/contract/owner-notices.ts'

type MessageUsage = (typeof MESSAGE_USAGES)[number]

export interface MailText {
  /** Without the code: it is shown on locked screens. */
  readonly subject: string
  /** What the code or the link is for. */
  readonly lead: string
  /** The label of the button, for mails with a link. */
  readonly action?: string
  /** Advice for readers who did not ask for the mail. */
  readonly unasked: string
}

export interface MessageTexts {
  readonly mail: Readonly<Record<MessageUsage, MailText>>
  /** What the owner of an account is told of; `{{details}}` is when and from where. */
  readonly changes: Readonly<Record<OwnerNotice, string>>
  /** With `{{duration}}`; an invitation's code has no such limit. */
  readonly codeLife: string
  readonly codeNote: string
  readonly linkLife: string
  /** Above the address to which the button leads. */
  readonly linkFallback: string
  /** The label of a button without an `action`. */
  readonly open: string
  /**
   * Text messages: short, and in the GSM alphabet if the language allows it, so that each is sent as one message. `MagicLink`,
   * `BackchannelAuthentication`, `OrganizationInvitation` and `AccountDeletion` have the link; the others the code.
   */
  readonly sms: Readonly<Record<Exclude<MessageUsage, 'AccountChanged' | 'NewSignIn'>, string>>
}
