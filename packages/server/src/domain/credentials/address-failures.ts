/**
 * What one address may do, whoever it does it to: how many failed guesses (DECISIONS L2), so that one machine cannot try one
 * password with every name, and how many messages it may have sent (L3), so that it cannot have everybody mailed. Counted by
 * each node for itself. Beside it stand the lock-out of an identifier, lockout.ts, and the limit of a recipient,
 * message-limit.ts.
 */
import { isIPv6 } from 'node:net'
import { ApiError } from '../../kernel/api-error.ts'
import type { SlidingLimit } from '../../kernel/sliding-limit.ts'
import type { Work } from '../../storage/unit-of-work.ts'

/** An address as it is counted: of IPv6 the /64, which one customer of a provider has whole. */
export const countedAddress = (ip: string): string => {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  // four groups are 64 bits; what :: stands for is zeros
  const whole = tail === undefined ? groups : [...groups, ...Array<string>(Math.max(0, 4 - groups.length)).fill('0')]
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const count = (limit: SlidingLimit, { store, tenant, caller }: Work): (() => void) => {
  if (caller.ip === undefined) return () => undefined
  const admitted = limit.admit(`${tenant.id} ${countedAddress(caller.ip)}`, store.clock.now())
  if (!admitted.isAdmitted) throw new ApiError('request.rate_limited', { retryAfter: admitted.retryAfter })
  return admitted.takeBack
}

/**
 * Counts a guess from the caller's address; call what it returns when the guess was right. Throws 429
 * `request.rate_limited` when there were too many wrong ones. A caller without an address is not limited.
 */
export const countGuess = (work: Work): (() => void) => count(work.store.addressLimits.failures, work)

/** Counts a message that the caller's address asks for; else as countGuess. Call what it returns when none was sent. */
export const countRequestedSend = (work: Work): (() => void) => count(work.store.addressLimits.sends, work)
