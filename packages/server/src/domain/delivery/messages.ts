/** Messages to people: queued by the transaction that causes them, rendered and sent after its commit (`events/`). */
import type { MESSAGE_USAGES } from '@countersign/contract/connector-configs.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { keepIdentifier } from '../credentials/identifiers.ts'
import { queueDispatch } from './dispatches.ts'

/** The kinds of dispatches. */
export const MAIL = 'mail'
export const SMS = 'sms'
export const WITHHELD = 'withheld-message'

export type MessageUsage = (typeof MESSAGE_USAGES)[number]

/** Messages whose link the operator chooses. */
const OPERATORS: ReadonlySet<MessageUsage> = new Set(['OrganizationInvitation', 'MagicLink'])

export interface Message {
  /** An email address, or a phone number: its digits, country code first. */
  readonly recipient: string
  readonly usage: MessageUsage
  /** The values of the template's placeholders: `code` and its lifetime in `minutes`, `link`, `date` (RFC 3339 full-date). */
  readonly variables: Readonly<Record<string, string>>
  /** The recipient's language; the tenant's when nothing is known about them. */
  readonly language?: LanguageTag
}

/**
 * Queues a message within the unit that causes it; it leaves when the unit commits, if the tenant has a connector for
 * mail, or for text messages where the recipient is a phone number. Throws 400 `user.invalid_email`, 422 `user.invalid_phone`. Does not limit how often: that is the caller's (DECISIONS L3).
 * @param message `variables.link`, if there is one, must lead to the tenant's own base URL (SECURITY R-25), except that
 *   of an invitation or a one-time token, which an operator gives and operator-mail.ts has checked @param lifetimeSeconds
 *   after which it is useless and is dropped unsent
 */
export const queueMessage = (unit: Unit, message: Message, lifetimeSeconds: number): void => {
  const { link } = message.variables
  if (link !== undefined && !OPERATORS.has(message.usage) && !link.startsWith(`${unit.tenant.baseUrl}/`)) {
    throw new Error('A link in a message must begin with the base URL of the tenant')
  }
  const isMail = message.recipient.includes('@')
  const recipient = keepIdentifier({ type: isMail ? 'email' : 'phone', value: message.recipient }).value
  queueDispatch(unit, isMail ? MAIL : SMS, { ...message, recipient } satisfies Message, lifetimeSeconds)
}

/**
 * Queues a message that is never sent, because no account has the address: that is the same work as queueMessage (DECISIONS L24). The worker takes
 * it like any other and leaves an entry in the audit log (`System.withholdMessage`).
 */
export const withholdMessage = (unit: Unit, message: Message, lifetimeSeconds: number): void =>
  queueDispatch(unit, WITHHELD, message, lifetimeSeconds)
