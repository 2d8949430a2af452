/** `/organization-invitations`. */
import { organizationInvitationRoutes } from '@countersign/contract/organization-invitations.ts'
import { type Invitation, listInvitations, readInvitation } from '../domain/organizations/invitation-rows.ts'
import {
  acceptInvitation,
  createInvitation,
  deleteInvitation,
  revokeInvitation,
  sendInvitation,
} from '../domain/organizations/invitations.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { mapPage } from '../storage/page.ts'

const toInvitation = ({ row, status, organizationRoles }: Invitation) => ({
  tenantId: row.tenant_id,
  id: row.id,
  inviterId: row.inviter_id,
  invitee: row.invitee,
  acceptedUserId: row.accepted_user_id,
  organizationId: row.organization_id,
  status,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  organizationRoles,
})

export const organizationInvitationHandlers = bind(organizationInvitationRoutes, {
  async listOrganizationInvitations({ query }, { store, tenant, page }) {
    return mapPage(await listInvitations(store, tenant, { ...page, ...query }), toInvitation)
  },
  async createOrganizationInvitation({ body }, { perform }) {
    return toInvitation(await perform(createInvitation, body))
  },
  async getOrganizationInvitation({ params }, { store, tenant }) {
    return toInvitation(await readInvitation(store.database.kysely, tenant, params.id, store.clock.now()))
  },
  async deleteOrganizationInvitation({ params }, { perform }) {
    await perform(deleteInvitation, params.id)
  },
  async sendOrganizationInvitation({ params, body }, { perform }) {
    await perform(sendInvitation, params.id, body)
  },
  async setOrganizationInvitationStatus({ params, body }, { perform }) {
    if (body.status === 'Revoked') return toInvitation(await perform(revokeInvitation, params.id))
    if (!body.acceptedUserId) throw new ApiError('organization.invitation_wrong_user')
    return toInvitation(await perform(acceptInvitation, params.id, body.acceptedUserId))
  },
})
