/** Requests to providers that have not been answered: each answer is accepted once, for what it was asked for (SECURITY R-29). */
import { secondsAfter } from '../../kernel/clock.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { fixedStatement, type Given } from '../../storage/fixed-statement.ts'
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

interface Kept {
  readonly hash: Buffer
  readonly interaction_id: string | null
  readonly connector_id: string
  readonly sealed: Buffer
  readonly expires_at: Date
}

/** @param one column of which a tenant has one row with each value */
const keeping = (one: 'hash' | 'interaction_id') =>
  fixedStatement((db, given: Given<Kept & { tenantId: string }>) => {
    const { tenantId, hash, interaction_id, connector_id, sealed, expires_at } = given
    const kept = { hash, interaction_id, connector_id, sealed, expires_at }
    return db
      .insertInto('federation_requests')
      .values({ tenant_id: tenantId, ...kept })
      .onConflict((conflict) => conflict.columns(['tenant_id', one]).doUpdateSet(kept))
  })
const keepByHash = keeping('hash')
const keepByInteraction = keeping('interaction_id')

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
  const keep = interactionId === undefined ? keepByHash : keepByInteraction
  send(keep(tx, { tenantId: tenant.id, ...kept }))
}

type RequestKey = Given<{ tenantId: string; hash: Buffer; now: Date }>

const take = fixedStatement((db, { tenantId, hash, now }: RequestKey) =>
  db
    .deleteFrom('federation_requests')
    .where(inTenant(tenantId))
    .where('hash', '=', hash)
    .where('expires_at', '>', now)
    .returning('sealed'),
)

/**
 * Takes what the answer with this state is held against: one statement, so that of several answers one gets it. Undefined: there is
 * no such request, it belongs to something else, or it has expired.
 */
export const consumeRequest = async (
  { tx, tenant, vault, now }: Unit,
  belonging: Belonging,
  state: string,
): Promise<Expected | undefined> => {
  const [row] = await take(tx, { tenantId: tenant.id, hash: hashOf(belonging, state), now })
  return row && (JSON.parse(vault.unseal(row.sealed, purpose(tenant.id, belonging))) as Expected)
}
