/**
 * Nonces of the server (RFC 9449 sections 8 and 9): made from the time and the master key, so that every node knows them and none
 * is stored. A new one every minute; each is accepted for one to two minutes.
 */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Proof } from './proof.ts'

const STEP_MS = 60_000
/** Characters of base64url: 132 bits. */
const LENGTH = 22

const stepAt = (now: Date): number => Math.floor(now.getTime() / STEP_MS)

const nonceOf = ({ vault }: Store, { id }: Tenant, step: number): string =>
  vault.authenticate(`${id}/${step}`, 'dpop-nonce').toString('base64url').slice(0, LENGTH)

/** The nonce that proofs of this tenant's clients should carry now. */
export const currentNonce = (store: Store, tenant: Tenant, now: Date): string => nonceOf(store, tenant, stepAt(now))

/** Whether it is the nonce of now, of the minute before, or of the next, which a node whose clock is ahead may have given. */
export const isAcceptedNonce = (store: Store, tenant: Tenant, nonce: unknown, now: Date): boolean =>
  [0, -1, 1].some((distance) => nonce === nonceOf(store, tenant, stepAt(now) + distance))

/**
 * The header with the next nonce, for a client whose nonce will soon be too old (RFC 9449 sections 8.2 and 9); none if its proof
 * carried none, or the newest.
 */
export const nextNonce = (
  store: Store,
  tenant: Tenant,
  proof: Pick<Proof, 'nonce'> | undefined,
): Readonly<Record<string, string>> => {
  if (proof?.nonce === undefined) return {}
  const nonce = currentNonce(store, tenant, store.clock.now())
  return nonce === proof.nonce ? {} : { 'dpop-nonce': nonce }
}
