/** The caller of a request, as the audit log and the envelope of events record it. */
import type { Caller } from '../kernel/caller.ts'
import type { Exchange } from './exchange.ts'

/**
 * The caller of a request that does something: the system unless `more` names an actor.
 * @param action the key of the audit entry
 * @param more further facts, such as the application or the interaction
 */
export const callerOf = (
  { requestId, ip, userAgent }: Exchange,
  action: string,
  more: Partial<Omit<Caller, 'action' | 'requestId' | 'ip' | 'userAgent'>> = {},
): Caller => ({
  actor: { type: 'system' },
  action,
  requestId,
  ip,
  ...(userAgent === undefined ? {} : { userAgent }),
  ...more,
})
