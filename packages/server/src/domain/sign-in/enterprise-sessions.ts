/**
 * Sessions that were made at the identity provider of a company end with the session there (DECISIONS P15),
 * and with them those of our applications.
 */
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { ProviderLogout } from '../federation/enterprise/logout.ts'
import { isFirstLogout } from '../federation/saml/kept-visits.ts'
import { type Participants, participantsOf } from '../sessions/saml-logouts.ts'
import { endSession } from '../sessions/sessions.ts'
import type { SsoAccount } from '../users/sso-identities.ts'

/** Records by which account a session was made, or renewed. */
export const recordSsoSession = (unit: Unit, sessionId: string, sso: SsoAccount): void => {
  const { tx, tenant, send } = unit
  const { connectorId, account, sealedIdToken } = sso
  const made = {
    connector_id: connectorId,
    issuer: account.issuer,
    identity_id: account.id,
    provider_session_id: account.sessionId ?? null,
    name_id: account.nameId?.value ?? null,
    sealed_id_token: sealedIdToken === undefined ? null : Buffer.from(sealedIdToken, 'base64'),
  }
  send(
    tx
      .insertInto('sso_sessions')
      .values({ tenant_id: tenant.id, session_id: sessionId, ...made })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'session_id']).doUpdateSet(made))
      .execute(),
  )
}

/** By which account a session was made. */
export interface SsoSession {
  readonly connectorId: string
  readonly identityId: string
  readonly sealedIdToken: Buffer | null
}

/** Undefined for a session that was not made at the identity provider of a company. */
export const findSsoSession = async (
  { database }: Store,
  tenant: Tenant,
  sessionId: string,
): Promise<SsoSession | undefined> =>
  database.kysely
    .selectFrom('sso_sessions')
    .select(['connector_id as connectorId', 'identity_id as identityId', 'sealed_id_token as sealedIdToken'])
    .where(inTenant(tenant.id))
    .where('session_id', '=', sessionId)
    .executeTakeFirst()

interface Named {
  readonly id: string
  readonly user_id: string
}

/** The sessions that a provider says have ended. */
const named = ({ tx, tenant }: Unit, connectorId: string, said: ProviderLogout): Promise<Named[]> => {
  const { issuer, identityId, nameId, sessionIds, saidAt } = said
  let query = tx
    .selectFrom('sso_sessions as p')
    .innerJoin('sessions as s', (join) =>
      join.onRef('s.tenant_id', '=', 'p.tenant_id').onRef('s.id', '=', 'p.session_id'),
    )
    .select(['s.id', 's.user_id'])
    .where(inTenant(tenant.id, 'p'))
    .where('p.connector_id', '=', connectorId)
    .where('p.issuer', '=', issuer)
    .where('s.authenticated_at', '<=', saidAt)
  if (identityId !== undefined) query = query.where('p.identity_id', '=', identityId)
  // of sessions whose NameID was not kept, from before it was, the account is known: by its NameID, unless an attribute identifies users
  if (nameId !== undefined)
    query = query.where(({ eb, or, and }) =>
      or([eb('p.name_id', '=', nameId), and([eb('p.name_id', 'is', null), eb('p.identity_id', '=', nameId)])]),
    )
  if (sessionIds !== undefined) query = query.where('p.provider_session_id', 'in', sessionIds)
  return query.orderBy('s.id').execute()
}

const endThose = async (unit: Unit, connectorId: string, sessions: readonly Named[]): Promise<void> => {
  for (const { id, user_id } of sessions) {
    unit.concerns('user', user_id)
    await endSession(unit, id)
  }
  unit.note({ connectorId, sessions: sessions.map(({ id }) => id) })
}

/**
 * Ends the sessions that a provider says have ended: those that it names, or all of the user. Those that began after it said so
 * stay, so that its message has no effect a second time.
 */
export const endSsoSessions = operation(
  [],
  async (unit, connectorId: string, said: ProviderLogout): Promise<void> =>
    endThose(unit, connectorId, await named(unit, connectorId, said)),
)

/**
 * The same for a logout request of SAML, which is accepted once: of several uses at the same time one ends the sessions. Returns
 * their SAML applications; undefined: this is not the first use.
 */
export const endSamlSessions = operation(
  [],
  async (unit, connectorId: string, requestId: string, said: ProviderLogout): Promise<Participants | undefined> => {
    if (!(await isFirstLogout(unit, said.issuer, requestId))) return undefined
    const sessions = await named(unit, connectorId, said)
    const ending = sessions.map(({ id }) => id)
    const participants = await participantsOf(unit, ending)
    await endThose(unit, connectorId, sessions)
    return participants
  },
)
