/** The limits of what one address may do to this node, over pages and APIs: each a count within a window that slides. */
import { createSlidingLimit, type SlidingLimit } from './sliding-limit.ts'

const WINDOW_SECONDS = 600
/** The most addresses that each limit remembers. */
const CAPACITY = 100_000

export interface AddressLimits {
  /** Failed guesses (DECISIONS L2). */
  readonly failures: SlidingLimit
  /** Messages to any recipient that the address asked for (DECISIONS L3). */
  readonly sends: SlidingLimit
  /** Accounts registered, and questions whether an identifier is free. */
  readonly registrations: SlidingLimit
  /** Events that tell of the lock of an identifier that no account has (DECISIONS N6). */
  readonly unknownLockouts: SlidingLimit
  /** Sign-ins that were begun and are not finished. */
  readonly interactions: SlidingLimit
  /** Requests that are kept for a minute for callers who have not proved who they are. */
  readonly pushedRequests: SlidingLimit
  /** Device codes for applications that have not proved who they are. */
  readonly deviceCodes: SlidingLimit
  /** Entries of the audit log about callers who have not proved who they are. */
  readonly auditEntries: SlidingLimit
}

/** Enough to see that names are being guessed at, too few to fill a receiver of webhooks. */
const UNKNOWN_LOCKOUTS = 3

/** The most of each within ten minutes; 0: any number. */
interface Most {
  readonly addressFailures: number
  readonly addressSends: number
  readonly addressRegistrations: number
  readonly addressInteractions: number
  readonly addressPushedRequests: number
  readonly addressDeviceCodes: number
  readonly addressAuditEntries: number
}

export const createAddressLimits = (most: Most): AddressLimits => {
  const upTo = (count: number) => createSlidingLimit({ most: count, windowSeconds: WINDOW_SECONDS, capacity: CAPACITY })
  return {
    failures: upTo(most.addressFailures),
    sends: upTo(most.addressSends),
    registrations: upTo(most.addressRegistrations),
    unknownLockouts: upTo(UNKNOWN_LOCKOUTS),
    interactions: upTo(most.addressInteractions),
    pushedRequests: upTo(most.addressPushedRequests),
    deviceCodes: upTo(most.addressDeviceCodes),
    auditEntries: upTo(most.addressAuditEntries),
  }
}

/** For what answers no requests, such as the command line. */
export const NO_ADDRESS_LIMITS: AddressLimits = createAddressLimits({
  addressFailures: 0,
  addressSends: 0,
  addressRegistrations: 0,
  addressInteractions: 0,
  addressPushedRequests: 0,
  addressDeviceCodes: 0,
  addressAuditEntries: 0,
})
