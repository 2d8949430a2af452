/**
 * OpenID Connect Back-Channel Logout 1.0 (DECISIONS F7): which applications are notified that a session has ended. The
 * notices are queued by the transaction that ends it; they become logout tokens when they are sent (`events/`).
 */

import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { queueDispatches } from '../delivery/dispatches.ts'

/** The kind of dispatch. */
export const LOGOUT_TOKEN = 'logout-token'
/** After a day the application's own session has most likely ended. */
const LIFETIME_SECONDS = 86_400

/** The queued payload: which application to notify, about which session of which user. */
export interface LogoutNotice {
  readonly clientId: string
  readonly userId: string
  /** The `sid` that the application knows. */
  readonly sessionId: string
}

/** A grant that is no longer part of a session. */
export interface EndedGrant {
  readonly application_id: string
  readonly session_id: string | null
  readonly is_told: boolean
}

/**
 * Whether the application of a grant wants to be notified, for the RETURNING of the statement that ends the grant, so
 * that exactly those are notified whose grants it ended.
 */
export const isToldOfLogout: RawBuilder<boolean> = sql<boolean>`(EXISTS (
  SELECT FROM applications a WHERE a.tenant_id = grants.tenant_id AND a.id = grants.application_id
  AND a.oidc_client_metadata->>'backchannelLogoutUri' IS NOT NULL)
  OR EXISTS (SELECT FROM saml_applications s WHERE s.tenant_id = grants.tenant_id AND s.application_id = grants.application_id
    AND s.settings->'singleLogout'->>'backChannelUrl' IS NOT NULL))`

/**
 * Queues a notice for each of the grants whose application wants to be notified; a grant without a session has nothing
 * to end.
 */
export const queueLogoutNotices = (unit: Unit, userId: string, ended: readonly EndedGrant[]): void => {
  const notices = new Map<string, LogoutNotice>()
  for (const { application_id: clientId, session_id: sessionId, is_told } of ended) {
    if (is_told && sessionId !== null) notices.set(`${clientId} ${sessionId}`, { clientId, userId, sessionId })
  }
  queueDispatches(unit, LOGOUT_TOKEN, [...notices.values()], LIFETIME_SECONDS)
}

/**
 * Where an application wants to be notified, and the algorithm that it expects for the token; undefined if it does not.
 */
export const logoutTarget = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  clientId: string,
): Promise<{ uri: string; algorithm: SigningAlgorithm | undefined } | undefined> => {
  const row = await database.kysely
    .selectFrom('applications')
    .select([
      sql<string | null>`oidc_client_metadata->>'backchannelLogoutUri'`.as('uri'),
      sql<SigningAlgorithm | null>`custom_client_metadata->>'idTokenSignedResponseAlg'`.as('algorithm'),
    ])
    .where(inTenant(tenantId))
    .where('id', '=', clientId)
    .executeTakeFirst()
  return row?.uri ? { uri: row.uri, algorithm: row.algorithm ?? undefined } : undefined
}
