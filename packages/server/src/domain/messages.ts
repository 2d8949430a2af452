/** Messages to people: queued by the transaction that causes them, rendered and sent after its commit (`events/`). */
import type { MESSAGE_USAGES } from '@countersign/contract/connectors.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { queueDispatch } from './dispatches.ts'
import { keepIdentifier } from './identifiers.ts'

/** The kind of dispatch. */
export const MAIL = 'mail'

export type MessageUsage = (typeof MESSAGE_USAGES)[number]

export interface Message {
  /** An e-mail address. */
  readonly recipient: string
  readonly usage: MessageUsage
  /** What the placeholders of the template stand for: `code`, `link`. */
  readonly variables: Readonly<Record<string, string>>
}

/** As long as a code lives (DECISIONS L3): later than that it is of no use. */
const CODE_SECONDS = 600
/** An invitation may come late. */
const INVITATION_SECONDS = 86_400

/**
 * Queues a message within the unit that causes it; it leaves when the unit commits, if the tenant has a mail connector.
 * Throws 400 `user.invalid_email`. Does not limit how often: that is the caller's (DECISIONS L3).
 * @param message `variables.link`, if there is one, must lead to the tenant's own base URL (SECURITY R-25)
 */
export const queueMessage = (unit: Unit, message: Message): void => {
  const { link } = message.variables
  if (link !== undefined && !link.startsWith(`${unit.tenant.baseUrl}/`)) {
    throw new Error('A link in a message must begin with the base URL of the tenant')
  }
  const recipient = keepIdentifier({ type: 'email', value: message.recipient }).value
  const seconds = message.usage === 'OrganizationInvitation' ? INVITATION_SECONDS : CODE_SECONDS
  queueDispatch(unit, MAIL, { ...message, recipient } satisfies Message, seconds)
}
