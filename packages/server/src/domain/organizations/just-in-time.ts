/**
 * Just-in-time provisioning (DECISIONS E5): a user who has verified an address joins the organizations that admit
 * its domain, with the roles that these assign. Users whom an administrator creates or changes are not affected.
 * So does a user with a one-time token that names organizations.
 */
import { sql } from 'kysely'
import type { Unit } from '../../storage/unit-of-work.ts'
import { domainOfAddress } from '../credentials/email-domain.ts'
import type { UserRow } from '../users/rows.ts'
import { emitMembership } from './membership.ts'

/** An SSO connector, and the organization that it belongs to, if it does. */
interface JoinedBy {
  readonly connectorId: string
  readonly organizationId?: string
}

const owned = (invitedTo: readonly string[], organizationId: string | undefined): readonly string[] =>
  organizationId === undefined ? invitedTo : [...invitedTo, organizationId]

/**
 * Makes the user a member of every organization with the domain of their verified address and of those that invite them, and emits
 * one event for each that they join. Where they are already a member nothing changes, not even their roles.
 * @param invitedTo ids of organizations; those that do not exist anymore are left out
 * @param sso the connector at which they have an account since now; one of an organization makes them a member of this one only, whatever
 *   domain their address has
 */
export const provision = async (
  unit: Unit<'Organization.Membership.Updated'>,
  { id, primary_email, email_verified_at }: Pick<UserRow, 'id' | 'primary_email' | 'email_verified_at'>,
  invitedTo: readonly string[] = [],
  sso?: JoinedBy,
): Promise<void> => {
  const { tx, tenant, now, note } = unit
  const { connectorId, organizationId } = sso ?? {}
  const isProved = email_verified_at !== null && organizationId === undefined
  const domain = isProved && primary_email ? domainOfAddress(primary_email) : undefined
  if (domain === undefined && invitedTo.length === 0 && sso === undefined) return
  // organizations and roles that are being deleted are left out: what is locked here stays until the user has joined
  const { rows } = await sql<{ organization_id: string }>`
    WITH matching AS (
      SELECT o.id FROM organizations o
      WHERE o.tenant_id = ${tenant.id} AND o.id = ANY(${owned(invitedTo, organizationId)}::text[] || ARRAY(
        SELECT d.organization_id FROM organization_jit_email_domains d
        WHERE d.tenant_id = ${tenant.id} AND d.email_domain = ${domain ?? null}
        UNION ALL SELECT s.organization_id FROM organization_jit_sso_connectors s
        WHERE s.tenant_id = ${tenant.id} AND s.sso_connector_id = ${organizationId === undefined ? (connectorId ?? null) : null}))
      ORDER BY o.id FOR KEY SHARE OF o
    ), joined AS (
      INSERT INTO organization_users (tenant_id, organization_id, user_id, created_at)
      SELECT ${tenant.id}, id, ${id}, ${now} FROM matching
      ON CONFLICT DO NOTHING RETURNING organization_id
    ), given AS (
      SELECT j.organization_id, r.id FROM organization_jit_roles j
      JOIN organization_roles r ON r.tenant_id = j.tenant_id AND r.id = j.organization_role_id
      WHERE j.tenant_id = ${tenant.id} AND j.organization_id IN (SELECT organization_id FROM joined)
      ORDER BY r.id FOR KEY SHARE OF r
    ), roles AS (
      INSERT INTO organization_user_roles (tenant_id, organization_id, user_id, organization_role_id, created_at, origin)
      SELECT ${tenant.id}, organization_id, ${id}, id, ${now}, 'justInTime' FROM given
    )
    SELECT organization_id FROM joined ORDER BY organization_id`.execute(tx)
  for (const { organization_id } of rows) emitMembership(unit, organization_id, { addedUserIds: [id] })
  if (rows.length > 0) note({ joinedOrganizations: rows.map(({ organization_id }) => organization_id) })
}
