/**
 * What one address may do, no matter to whom: how many failed guesses (DECISIONS L2), so that one machine cannot try
 * one password with every name; how many messages it may have sent (L3), so that it cannot have everyone mailed; and
 * how much it may have stored without authenticating, so that it cannot fill the disk (SECURITY R-35). Each node counts
 * separately. The lockout of an identifier is in lockout.ts, the limit per recipient in message-limit.ts.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { isAnonymous } from '../../kernel/caller.ts'
import { countedNetwork } from '../../kernel/network.ts'
import type { Admitted, SlidingLimit } from '../../kernel/sliding-limit.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Work } from '../../storage/unit-of-work.ts'

const admit = (limit: SlidingLimit, { store, tenant, caller: { ip } }: Work): Admitted =>
  ip === undefined
    ? { isAdmitted: true, takeBack: () => undefined }
    : limit.admit(`${tenant.id} ${countedNetwork(ip)}`, store.clock.now())

const count = (limit: SlidingLimit, work: Work): (() => void) => {
  const admitted = admit(limit, work)
  if (admitted.isAdmitted) return admitted.takeBack
  const { store, tenant } = work
  store.addressLimits.refusals.admit(tenant.id, store.clock.now())
  throw new ApiError('request.rate_limited', { retryAfter: admitted.retryAfter })
}

/** How many requests of a tenant this process has refused in the last day because their address had sent too many. */
export const refusedOfLate = ({ addressLimits, clock }: Store, { id }: Tenant): number =>
  addressLimits.refusals.count(id, clock.now())

/**
 * Counts a guess from the caller's address; call the returned function when the guess was right. Throws 429
 * `request.rate_limited` when there were too many wrong ones. A caller without an address is not limited.
 */
export const countGuess = (work: Work): (() => void) => count(work.store.addressLimits.failures, work)

/** How many guesses of the caller's address have failed of late, as far as this node has counted them. */
export const countedFailures = ({ store, tenant, caller: { ip } }: Work): number =>
  ip === undefined ? 0 : store.addressLimits.failures.count(`${tenant.id} ${countedNetwork(ip)}`, store.clock.now())

/**
 * Counts a message that the caller's address asks for; otherwise as countGuess. Call the returned function when none
 * was sent.
 */
export const countRequestedSend = (work: Work): (() => void) => count(work.store.addressLimits.sends, work)

/**
 * Counts an account registered from the caller's address, or a check whether an identifier is free; otherwise as
 * countGuess. Call the returned function when there was neither.
 */
export const countRegistration = (work: Work): (() => void) => count(work.store.addressLimits.registrations, work)

/**
 * Counts an event about an identifier that no account has; false if the caller's address has caused enough of them
 * (DECISIONS N6).
 */
export const mayTellOfUnknown = (work: Work): boolean =>
  admit(work.store.addressLimits.unknownLockouts, work).isAdmitted

/**
 * Counts a guess like countGuess, for callers that do not refuse everything from an address with too many wrong
 * guesses.
 */
export const admitGuess = (work: Work): Admitted => admit(work.store.addressLimits.failures, work)

/** Counts a sign-in that the caller starts; otherwise as countGuess. */
export const countInteraction = (work: Work): void => void count(work.store.addressLimits.interactions, work)

/** Uncounts a finished sign-in of the caller's address. One counted by another node stays counted there. */
export const uncountInteraction = ({ store, tenant, caller: { ip } }: Work): void => {
  if (ip !== undefined)
    store.addressLimits.interactions.takeBackLatest(`${tenant.id} ${countedNetwork(ip)}`, store.clock.now())
}

/**
 * Counts a request that is stored for an anonymous caller; otherwise as countGuess. Other callers may push any number.
 */
export const countPushedRequest = (work: Work): void => {
  if (isAnonymous(work.caller)) count(work.store.addressLimits.pushedRequests, work)
}

/** Counts a device code that is created for an anonymous caller; otherwise as countPushedRequest. */
export const countDeviceCode = (work: Work): void => {
  if (isAnonymous(work.caller)) count(work.store.addressLimits.deviceCodes, work)
}

/** Counts an application that registers itself without a token; otherwise as countGuess. */
export const countClientRegistration = (work: Work): void =>
  void count(work.store.addressLimits.clientRegistrations, work)

/**
 * Counts the document of a client that is fetched, for its host and for the caller's address; otherwise as countGuess.
 * @param host of the document
 */
export const countClientDocument = (work: Work, host: string): void => {
  if (isAnonymous(work.caller)) count(work.store.addressLimits.clientDocuments, work)
  const ofHost = work.store.addressLimits.documentHosts.admit(host, work.store.clock.now())
  if (!ofHost.isAdmitted) throw new ApiError('request.rate_limited', { retryAfter: ofHost.retryAfter })
}

/** Counts an image that the caller uploads; otherwise as countGuess. */
export const countUpload = (work: Work): void => void count(work.store.addressLimits.uploads, work)
