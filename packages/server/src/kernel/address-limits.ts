/** The limits of what one address, or one organization, may do on this node, across pages and APIs: each a count within a sliding window. */
import { createSlidingLimit, type SlidingLimit } from './sliding-limit.ts'

const WINDOW_SECONDS = 600
/** The most addresses that each limit remembers. */
const CAPACITY = 100_000
const DAY_SECONDS = 86_400

export interface AddressLimits {
  /** Failed guesses (DECISIONS L2). */
  readonly failures: SlidingLimit
  /** Messages to any recipient that the address asked for (DECISIONS L3). */
  readonly sends: SlidingLimit
  /** Accounts registered, and checks whether an identifier is free. */
  readonly registrations: SlidingLimit
  /** Events about the lock of an identifier that no account has (DECISIONS N6). */
  readonly unknownLockouts: SlidingLimit
  /** Sign-ins that were started and not finished. */
  readonly interactions: SlidingLimit
  /** Requests that are stored for a minute for unauthenticated callers. */
  readonly pushedRequests: SlidingLimit
  /** Device codes for unauthenticated applications. */
  readonly deviceCodes: SlidingLimit
  /** Applications that register themselves without a token. */
  readonly clientRegistrations: SlidingLimit
  /** Documents of clients that were fetched for unauthenticated callers. */
  readonly clientDocuments: SlidingLimit
  /** The same by the host of the document and not by address. */
  readonly documentHosts: SlidingLimit
  /** Avatars uploaded in interactions. */
  readonly uploads: SlidingLimit
  /** Audit entries about unauthenticated callers. */
  readonly auditEntries: SlidingLimit
  /** Name servers and identity providers asked for members, by organization and not by address (DECISIONS P22). */
  readonly memberChecks: SlidingLimit
  /** What was refused by any of them, by tenant, within a day. */
  readonly refusals: SlidingLimit
}

/** Enough to show that names are being guessed, too few to flood a webhook receiver. */
const UNKNOWN_LOCKOUTS = 3
/** Enough for the applications of a machine, too few to have them fill the tenant. */
const CLIENT_REGISTRATIONS = 20
/** Enough for the clients of a network, too few to have this server ask others at will. */
const CLIENT_DOCUMENTS = 30
/** However many ask for them. */
const DOCUMENTS_OF_HOST = 60
/** Enough to wait for a record to appear, too few to have this server send requests at will. */
const MEMBER_CHECKS = 30

/** The most of each within ten minutes; 0: any number. */
interface Most {
  readonly addressFailures: number
  readonly addressSends: number
  readonly addressRegistrations: number
  readonly addressInteractions: number
  readonly addressPushedRequests: number
  readonly addressDeviceCodes: number
  readonly addressUploads: number
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
    clientRegistrations: upTo(CLIENT_REGISTRATIONS),
    clientDocuments: upTo(CLIENT_DOCUMENTS),
    documentHosts: upTo(DOCUMENTS_OF_HOST),
    uploads: upTo(most.addressUploads),
    auditEntries: upTo(most.addressAuditEntries),
    memberChecks: upTo(MEMBER_CHECKS),
    refusals: createSlidingLimit({
      most: Number.POSITIVE_INFINITY,
      windowSeconds: DAY_SECONDS,
      capacity: CAPACITY,
    }),
  }
}

/** For processes that answer no requests, such as the command line. */
export const NO_ADDRESS_LIMITS: AddressLimits = createAddressLimits({
  addressFailures: 0,
  addressSends: 0,
  addressRegistrations: 0,
  addressInteractions: 0,
  addressPushedRequests: 0,
  addressDeviceCodes: 0,
  addressUploads: 0,
  addressAuditEntries: 0,
})
