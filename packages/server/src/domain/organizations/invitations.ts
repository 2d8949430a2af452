/** Invitations to organizations (DECISIONS E4): Pending, and then Accepted, Revoked or Expired for good. */

import type { InvitationCreate } from '@countersign/contract/organization-invitations.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { keepIdentifier } from '../credentials/identifiers.ts'
import { queueOperatorMail } from '../delivery/operator-mail.ts'
import { type Invitation, type InvitationRow, readInvitation } from './invitation-rows.ts'
import { emitMembership, insertMembers } from './membership.ts'
import { holdOrganizationRoles } from './role-rows.ts'
import { findAndLockOrganization, lockOrganization, type OrganizationRow } from './rows.ts'

/** What the caller wants in the message. */
export interface InvitationMessage {
  readonly code?: string
  readonly link?: string
}

/** A mail server may be down for a long time; an invitation may arrive late. */
const MESSAGE_SECONDS = 86_400

const unknown = (field: string, id: string) => new ApiError('entity.relation_foreign_key_not_found', { [field]: [id] })

/** Counts and queues the message. Throws as queueOperatorMail. */
const sendMessage = async (
  unit: Unit,
  { invitee: recipient }: Pick<InvitationRow, 'invitee'>,
  { name }: OrganizationRow,
  { code, link }: InvitationMessage,
): Promise<void> => {
  const variables = {
    organizationName: name,
    ...(code === undefined ? {} : { code }),
    ...(link === undefined ? {} : { link }),
  }
  await queueOperatorMail(unit, { recipient, usage: 'OrganizationInvitation', variables }, MESSAGE_SECONDS)
}

/** Throws 422 when the user with the address is a member, or is already invited. The organization is locked. */
const assertInvitable = async ({ tx, tenant, now }: Unit, organizationId: string, key: string): Promise<void> => {
  const { rows } = await sql<{ isMember: boolean; isInvited: boolean }>`
    SELECT EXISTS (
        SELECT FROM users u
        JOIN organization_users ou ON ou.tenant_id = u.tenant_id AND ou.user_id = u.id
        WHERE u.tenant_id = ${tenant.id} AND u.email_key = ${key} AND ou.organization_id = ${organizationId}
      ) AS "isMember",
      EXISTS (
        SELECT FROM organization_invitations
        WHERE tenant_id = ${tenant.id} AND invitee_key = ${key} AND organization_id = ${organizationId}
          AND status = 'Pending' AND expires_at > ${now}
      ) AS "isInvited"`.execute(tx)
  if (rows[0]?.isMember) throw new ApiError('organization.invitee_is_member')
  if (rows[0]?.isInvited)
    throw new ApiError('entity.unique_integrity_violation', { reason: 'the address has a pending invitation' })
}

const assertInviter = async ({ tx, tenant }: Unit, inviterId: string): Promise<void> => {
  const inviter = await tx
    .selectFrom('users')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', inviterId)
    .forKeyShare()
    .executeTakeFirst()
  if (!inviter) throw unknown('inviterId', inviterId)
}

/**
 * Creates an invitation; two concurrent ones for the same address take turns, and the second is refused. Throws 400,
 * 422, 429, 501.
 */
export const createInvitation = operation(
  [],
  async (unit, input: Static<typeof InvitationCreate>): Promise<Invitation> => {
    const { tx, tenant, now } = unit
    const { organizationId, messagePayload } = input
    const inviterId = input.inviterId ?? null
    const invitee = keepIdentifier({ type: 'email', value: input.invitee })
    const expiresAt = new Date(input.expiresAt)
    if (expiresAt <= now)
      throw new ApiError('guard.invalid_input', {
        reason: 'expiresAt must be in the future',
        issues: [{ path: '/expiresAt', reason: 'must be in the future', code: 'past' }],
      })
    const organization = await findAndLockOrganization(unit, organizationId)
    if (!organization) throw unknown('organizationId', organizationId)
    if (inviterId !== null) await assertInviter(unit, inviterId)
    const roleIds = [...new Set(input.organizationRoleIds)]
    await holdOrganizationRoles(unit, roleIds, 'User')
    await assertInvitable(unit, organizationId, invitee.key)
    const row = await tx
      .insertInto('organization_invitations')
      .values({
        tenant_id: tenant.id,
        id: newId(),
        organization_id: organizationId,
        inviter_id: inviterId,
        invitee: invitee.value,
        invitee_key: invitee.key,
        accepted_user_id: null,
        created_at: now,
        updated_at: now,
        expires_at: expiresAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('organizationInvitation', row.id)
    await sql`
      INSERT INTO organization_invitation_roles (tenant_id, invitation_id, organization_role_id)
      SELECT ${tenant.id}, ${row.id}, unnest(${roleIds}::text[])`.execute(tx)
    if (messagePayload) await sendMessage(unit, row, organization, messagePayload)
    return readInvitation(tx, tenant, row.id, now)
  },
)

const notPending = (status: string) => new ApiError('organization.invitation_not_pending', { status })

/** Sends the message of a pending invitation again. Throws 404, 422 for one that is not pending, 400, 429, 501. */
export const sendInvitation = operation([], async (unit, id: string, message: InvitationMessage): Promise<void> => {
  const { tx, tenant, now } = unit
  const { row: before } = await readInvitation(tx, tenant, id, now)
  const organization = await lockOrganization(unit, before.organization_id)
  // it may have been accepted while the organization was waited for
  const { row, status } = await readInvitation(tx, tenant, id, now)
  if (status !== 'Pending') throw notPending(status)
  await sendMessage(unit, row, organization, message)
})

/**
 * Makes the user a member with the roles of the invitation. Of any number of simultaneous attempts one succeeds. Throws
 * 404, 422 for an invitation that is not pending, or for a user who does not have its address.
 */
export const acceptInvitation = operation(
  ['Organization.Membership.Updated'],
  async (unit, id: string, userId: string): Promise<Invitation> => {
    const { tx, tenant, now } = unit
    const { row } = await readInvitation(tx, tenant, id, now)
    const organizationId = row.organization_id
    await lockOrganization(unit, organizationId)
    const { rows } = await sql`
      UPDATE organization_invitations i SET status = 'Accepted', accepted_user_id = u.id, updated_at = ${now}
      FROM users u
      WHERE i.tenant_id = ${tenant.id} AND i.id = ${id} AND i.status = 'Pending' AND i.expires_at > ${now}
        AND u.tenant_id = i.tenant_id AND u.id = ${userId} AND u.email_key = i.invitee_key
      RETURNING i.id`.execute(tx)
    if (rows.length === 0) await refuseAcceptance(unit, id, userId)
    const addedUserIds = await insertMembers(unit, 'user', organizationId, [userId])
    // a role that is being deleted is left out
    await sql`
      INSERT INTO organization_user_roles (tenant_id, organization_id, user_id, organization_role_id, created_at, origin, origin_id)
      SELECT ${tenant.id}, ${organizationId}, ${userId}, id, ${now}, 'invitation', ${id} FROM (
        SELECT r.id FROM organization_invitation_roles ir
        JOIN organization_roles r ON r.tenant_id = ir.tenant_id AND r.id = ir.organization_role_id
        WHERE ir.tenant_id = ${tenant.id} AND ir.invitation_id = ${id} ORDER BY r.id FOR KEY SHARE OF r) AS given
      ON CONFLICT DO NOTHING`.execute(tx)
    unit.concerns('organization', organizationId)
    emitMembership(unit, organizationId, { addedUserIds })
    return readInvitation(tx, tenant, id, now)
  },
)

/** Throws the reason for which an acceptance changed nothing. */
const refuseAcceptance = async ({ tx, tenant, now }: Unit, id: string, userId: string): Promise<never> => {
  const { status } = await readInvitation(tx, tenant, id, now)
  if (status !== 'Pending') throw notPending(status)
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .executeTakeFirst()
  throw user ? new ApiError('organization.invitation_wrong_user') : unknown('acceptedUserId', userId)
}

/** Throws 404, 422 for an invitation that is not pending. */
export const revokeInvitation = operation([], async ({ tx, tenant, now }, id: string): Promise<Invitation> => {
  const { rows } = await sql`
    UPDATE organization_invitations SET status = 'Revoked', updated_at = ${now}
    WHERE tenant_id = ${tenant.id} AND id = ${id} AND status = 'Pending' AND expires_at > ${now}
    RETURNING id`.execute(tx)
  const after = await readInvitation(tx, tenant, id, now)
  if (rows.length === 0) throw notPending(after.status)
  return after
})

/** Deletes an invitation in any state; a user who accepted it stays a member. Throws 404. */
export const deleteInvitation = operation([], async ({ tx, tenant }, id: string): Promise<void> => {
  const deleted = await tx
    .deleteFrom('organization_invitations')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('id')
    .execute()
  if (deleted.length === 0) throw notFound('invitation', id)
})
