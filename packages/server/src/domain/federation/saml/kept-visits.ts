/** Visits to SAML identity providers between request and response, and the assertions that were used: each once, on whatever node. */
import { secondsAfter } from '../../../kernel/clock.ts'
import { newBytes } from '../../../kernel/ids.ts'
import { hashSecret, matchesHash } from '../../../kernel/secrets.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Store } from '../../../storage/store.ts'
import { operation, type Unit } from '../../../storage/unit-of-work.ts'
import { keptUnder } from '../kept-under.ts'
import type { SamlDestination } from './authorization.ts'

const VISIT_SECONDS = 900
/** Longer than a logout request is fresh, in either direction. */
const LOGOUT_SECONDS = 1800

export interface SamlVisit {
  /** Where the browser goes with the response. */
  readonly returnTo: string
  /** The request, if it has to be posted. */
  readonly posted?: SamlDestination
  /** Of a visit to sign out: the ID of the request. */
  readonly logoutId?: string
}

const purpose = (tenantId: string, connectorId: string): string => `saml-visit/${tenantId}/${connectorId}`

/**
 * Keeps a visit under its RelayState. A sign-in has one at a time, the newest: how many there are is bounded by how many sign-ins an
 * address may begin (SECURITY R-35).
 * @param interactionId undefined: a user who signs out, and has no session any more
 */
export const keepVisit = operation(
  [],
  async (
    { tx, tenant, vault, now, note },
    connectorId: string,
    relayState: string,
    visit: SamlVisit,
    interactionId?: string,
  ): Promise<void> => {
    note({ connectorId })
    const kept = {
      hash: hashSecret(relayState),
      connector_id: connectorId,
      sealed: vault.seal(JSON.stringify(visit), purpose(tenant.id, connectorId)),
      sealed_response: null,
      expires_at: secondsAfter(now, VISIT_SECONDS),
    }
    await tx
      .insertInto('saml_visits')
      .values({ tenant_id: tenant.id, interaction_id: interactionId ?? null, ...kept })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'interaction_id']).doUpdateSet(kept))
      .execute()
  },
)

/** A visit that is under way, to post its request; undefined: there is none, or it has been answered. */
export const findVisit = async (
  { database: { kysely }, vault, clock }: Store,
  tenant: Tenant,
  connectorId: string,
  relayState: string,
): Promise<SamlVisit | undefined> => {
  const row = await kysely
    .selectFrom('saml_visits')
    .select('sealed')
    .where(keptUnder(tenant, connectorId, relayState, clock.now()))
    .where('sealed_response', 'is', null)
    .executeTakeFirst()
  return row && (JSON.parse(vault.unseal(row.sealed, purpose(tenant.id, connectorId))) as SamlVisit)
}

/** A response, and the secret that only the browser which brought it is given. */
interface KeptResponse {
  readonly response: string
  readonly code: string
}

/**
 * Keeps the response to a visit, unread: the first that comes. Returns where the browser goes with it, with a new code: whoever began the
 * visit cannot fetch what the identity provider has given to the browser of another user. Undefined: there is no such visit, or it has
 * been answered.
 */
export const keepResponse = operation(
  [],
  async (
    { tx, tenant, vault, now, note },
    connectorId: string,
    relayState: string,
    response: string,
  ): Promise<string | undefined> => {
    note({ connectorId })
    const kept: KeptResponse = { response, code: newBytes(32).toString('base64url') }
    const row = await tx
      .updateTable('saml_visits')
      .set({ sealed_response: vault.seal(JSON.stringify(kept), purpose(tenant.id, connectorId)) })
      .where(keptUnder(tenant, connectorId, relayState, now))
      .where('sealed_response', 'is', null)
      .returning('sealed')
      .executeTakeFirst()
    if (!row) return undefined
    const { returnTo } = JSON.parse(vault.unseal(row.sealed, purpose(tenant.id, connectorId))) as SamlVisit
    const url = new URL(returnTo)
    url.searchParams.set('code', kept.code)
    return url.href
  },
)

/** A visit, once, whatever was kept in it; undefined: there is none. */
const takeVisit = ({ tx, tenant, now, note }: Unit, connectorId: string, relayState: string) => {
  note({ connectorId })
  return tx
    .deleteFrom('saml_visits')
    .where(keptUnder(tenant, connectorId, relayState, now))
    .returning(['sealed', 'sealed_response'])
    .executeTakeFirst()
}

/** Takes the response to a visit, once, also with a wrong code; undefined: none came, or another browser brought it. */
export const takeResponse = operation(
  [],
  async (unit, connectorId: string, relayState: string, code: string): Promise<string | undefined> => {
    const { tenant, vault } = unit
    const row = await takeVisit(unit, connectorId, relayState)
    if (!row?.sealed_response) return undefined
    const kept = JSON.parse(vault.unseal(row.sealed_response, purpose(tenant.id, connectorId))) as KeptResponse
    return matchesHash(code, hashSecret(kept.code)) ? kept.response : undefined
  },
)

/** Takes a visit to sign out, once; undefined: there is none. */
export const takeLogout = operation(
  [],
  async (unit, connectorId: string, relayState: string): Promise<SamlVisit | undefined> => {
    const { tenant, vault } = unit
    const row = await takeVisit(unit, connectorId, relayState)
    return row && (JSON.parse(vault.unseal(row.sealed, purpose(tenant.id, connectorId))) as SamlVisit)
  },
)

const isFirstUse = async ({ tx, tenant }: Unit, issuer: string, id: string, until: Date): Promise<boolean> => {
  const row = await tx
    .insertInto('used_saml_assertions')
    .values({ tenant_id: tenant.id, hash: hashSecret(JSON.stringify([issuer, id])), expires_at: until })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether this is the first use of an assertion: one statement, so that of several uses one is (SECURITY R-36). */
export const useAssertion = operation(
  [],
  async (unit, issuer: string, assertionId: string, usableUntil: number): Promise<boolean> => {
    unit.note({ assertionId })
    return isFirstUse(unit, issuer, assertionId, new Date(usableUntil))
  },
)

/**
 * The same for a logout request, whose ID is not that of an assertion: none of those has a colon.
 * @param issuer an identity provider, or an application of ours by its id, which is no entity ID that a connector could have
 */
export const isFirstLogout = (unit: Unit, issuer: string, requestId: string): Promise<boolean> => {
  unit.note({ requestId })
  return isFirstUse(unit, issuer, `logout:${requestId}`, secondsAfter(unit.now, LOGOUT_SECONDS))
}
