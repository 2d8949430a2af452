/** Requests to providers that have not been answered: each answer is accepted once, for what it was asked for (SECURITY R-29). */
import { secondsAfter } from '../../kernel/clock.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Expected } from './client.ts'

/**
 * What a request belongs to: a connector, and the interaction of a sign-in, a verification of the Account API or, in the Management
 * API, neither.
 */
export interface Belonging {
  readonly connectorId: string
  readonly interactionId?: string
  readonly verificationId?: string
}

const REQUEST_SECONDS = 900

const hashOf = ({ connectorId, interactionId = '', verificationId }: Belonging, state: string): Buffer =>
  hashSecret(`${connectorId}/${verificationId === undefined ? interactionId : `account:${verificationId}`}/${state}`)

const purpose = (tenantId: string, { connectorId }: Belonging): string =>
  `federation-request/${tenantId}/${connectorId}`

/**
 * Keeps what the answer will be held against, by one statement; an interaction has one request at a time, the newest. A verification has
 * no other with the same state.
 */
export const keepRequest = (unit: Unit, belonging: Belonging, expected: Expected): void => {
  const { tx, tenant, vault, now, send } = unit
  const { interactionId, connectorId } = belonging
  const kept = {
    hash: hashOf(belonging, expected.state),
    interaction_id: interactionId ?? null,
    connector_id: connectorId,
    sealed: vault.seal(JSON.stringify(expected), purpose(tenant.id, belonging)),
    expires_at: secondsAfter(now, REQUEST_SECONDS),
  }
  // the hash of a state in an interaction is of that interaction alone: a row with it is the one that is replaced
  const one = interactionId === undefined ? 'hash' : 'interaction_id'
  send(
    tx
      .insertInto('federation_requests')
      .values({ tenant_id: tenant.id, ...kept })
      .onConflict((conflict) => conflict.columns(['tenant_id', one]).doUpdateSet(kept))
      .execute(),
  )
}

/**
 * Takes what the answer with this state is held against: one statement, so that of several answers one gets it. Undefined: there is
 * no such request, it belongs to something else, or it has expired.
 */
export const consumeRequest = async (
  { tx, tenant, vault, now }: Unit,
  belonging: Belonging,
  state: string,
): Promise<Expected | undefined> => {
  const row = await tx
    .deleteFrom('federation_requests')
    .where(inTenant(tenant.id))
    .where('hash', '=', hashOf(belonging, state))
    .where('expires_at', '>', now)
    .returning('sealed')
    .executeTakeFirst()
  return row && (JSON.parse(vault.unseal(row.sealed, purpose(tenant.id, belonging))) as Expected)
}
