/**
 * The rows of invitations: listing and reading them with their roles. The status Expired is not stored but computed
 * when read (DECISIONS E4).
 */

import { type Selectable, sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { identifierKey } from '../credentials/identifiers.ts'

export type InvitationRow = Selectable<Tables['organization_invitations']>
export type InvitationStatus = 'Pending' | 'Accepted' | 'Revoked' | 'Expired'

export interface Invitation {
  readonly row: InvitationRow
  readonly status: InvitationStatus
  readonly organizationRoles: { id: string; name: string }[]
}

/** The status at a given moment: a pending invitation past its time has expired. */
export const invitationStatus = (
  { status, expires_at }: Pick<InvitationRow, 'status' | 'expires_at'>,
  now: Date,
): InvitationStatus =>
  status === 'Pending' && expires_at <= now ? 'Expired' : (status as Exclude<InvitationStatus, 'Expired'>)

const withRoles = async (
  db: Db,
  { id: tenantId }: Tenant,
  invitations: readonly InvitationRow[],
  now: Date,
): Promise<Invitation[]> => {
  const { rows } = await sql<{ invitation_id: string; id: string; name: string }>`
    SELECT ir.invitation_id, r.id, r.name FROM organization_invitation_roles ir
    JOIN organization_roles r ON r.tenant_id = ir.tenant_id AND r.id = ir.organization_role_id
    WHERE ir.tenant_id = ${tenantId} AND ir.invitation_id = ANY(${invitations.map(({ id }) => id)}::text[])
    ORDER BY r.name`.execute(db)
  const byInvitation = Map.groupBy(rows, ({ invitation_id }) => invitation_id)
  return invitations.map((row) => ({
    row,
    status: invitationStatus(row, now),
    organizationRoles: (byInvitation.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
  }))
}

export interface InvitationFilter {
  readonly organizationId?: string | undefined
  readonly inviterId?: string | undefined
  /** An email address, in any spelling. */
  readonly invitee?: string | undefined
}

export const listInvitations = async (
  store: Store,
  tenant: Tenant,
  request: PageRequest & InvitationFilter,
): Promise<Page<Invitation>> => {
  const db = store.database.kysely
  const { organizationId, inviterId, invitee } = request
  let query = db.selectFrom('organization_invitations').selectAll().where(inTenant(tenant.id))
  if (organizationId) query = query.where('organization_id', '=', organizationId)
  if (inviterId) query = query.where('inviter_id', '=', inviterId)
  if (invitee) query = query.where('invitee_key', '=', identifierKey({ type: 'email', value: invitee }) ?? '')
  const page = await paginate(db, query, request)
  return { ...page, items: await withRoles(db, tenant, page.items, store.clock.now()) }
}

/** Reads within a transaction too. Throws 404. */
export const readInvitation = async (db: Db, tenant: Tenant, id: string, now: Date): Promise<Invitation> => {
  const row = await db
    .selectFrom('organization_invitations')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .executeTakeFirst()
  const [found] = row ? await withRoles(db, tenant, [row], now) : []
  if (!found) throw notFound('invitation', id)
  return found
}
