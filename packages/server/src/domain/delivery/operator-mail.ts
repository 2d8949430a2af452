/** Mail that an operator's application has sent to someone, with a link of its own: invitations, one-time tokens. */
import { ApiError } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { countSend, recipientHash, SENDS_WITHIN_SECONDS } from './message-limit.ts'
import { type Message, queueMessage } from './messages.ts'

/**
 * Whether a message may link there: to any application of the operator, by https, or to the tenant itself. The
 * link comes from the caller of the Management API, never from a request to a page (SECURITY R-25).
 */
const isLinkable = (link: string, baseUrl: string): boolean => {
  const url = URL.parse(link)
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || link.startsWith(`${baseUrl}/`)
}

/**
 * Counts and queues a mail. Throws 400 `guard.invalid_input` for a link that is neither https nor of the tenant, 501
 * `connector.not_found` without a mail connector, 429 `request.message_rate_limited` beyond the limit per recipient (DECISIONS L3).
 * @param lifetimeSeconds after which it is useless and is dropped unsent
 */
export const queueOperatorMail = async (unit: Unit, message: Message, lifetimeSeconds: number): Promise<void> => {
  const { tx, tenant } = unit
  const { link } = message.variables
  if (link !== undefined && !isLinkable(link, tenant.baseUrl))
    throw new ApiError('guard.invalid_input', { reason: 'the link in a message must be an https address' })
  const connector = await tx
    .selectFrom('connectors')
    .select('id')
    .where(inTenant(tenant.id))
    .where('type', '=', 'Email')
    .executeTakeFirst()
  if (!connector) throw new ApiError('connector.not_found')
  if (!(await countSend(unit, recipientHash({ type: 'email', value: message.recipient }))))
    throw new ApiError('request.message_rate_limited', { retryAfter: SENDS_WITHIN_SECONDS })
  queueMessage(unit, message, lifetimeSeconds)
}
