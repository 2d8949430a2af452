/** Invitations to organizations: Pending, and then Accepted, Revoked or Expired for good (DECISIONS E4). */
import Type from 'typebox'
import { OrganizationRoleSummary } from './organization-entities.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, IdListOrNone, Moment, Nullable, OneOf } from './schema.ts'

const Invitation = Type.Object({
  tenantId: Type.String(),
  id: Id,
  inviterId: Nullable(Type.String()),
  invitee: Type.String({ description: 'An email address' }),
  acceptedUserId: Nullable(Type.String()),
  organizationId: Id,
  status: OneOf(['Pending', 'Accepted', 'Revoked', 'Expired']),
  createdAt: EpochMilliseconds,
  updatedAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
  organizationRoles: Type.Array(OrganizationRoleSummary, { description: 'Assigned with the membership' }),
})

const MessagePayload = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 256 })),
  link: Type.Optional(
    Type.String({ maxLength: 2048, description: 'An https address, of your application for example' }),
  ),
  locale: Type.Optional(Type.String({ maxLength: 64 })),
  uiLocales: Type.Optional(Type.String({ maxLength: 256 })),
})

export const InvitationCreate = Type.Object({
  inviterId: Type.Optional(Nullable(Type.String({ maxLength: 21, description: 'The user who invites' }))),
  invitee: Type.String({ minLength: 1, maxLength: 256 }),
  organizationId: Type.String({ minLength: 1, maxLength: 21 }),
  expiresAt: Moment,
  organizationRoleIds: Type.Optional(IdListOrNone),
  messagePayload: Type.Optional(
    Type.Union([MessagePayload, Type.Literal(false)], {
      description: 'The values for the message; false or absent: no message is sent',
    }),
  ),
})

const ById = Type.Object({ id: Id })
const Text = Type.Optional(Type.String({ maxLength: 256 }))
const mailErrors = ['connector.not_found', 'request.message_rate_limited'] as const

export const organizationInvitationRoutes = routes({
  listOrganizationInvitations: {
    method: 'GET',
    path: '/organization-invitations',
    permission: 'read:organizations',
    list: 'whole',
    summary: 'List invitations to organizations',
    query: Type.Object({ organizationId: Text, inviterId: Text, invitee: Text }),
    status: 200,
    response: Type.Array(Invitation),
  },
  createOrganizationInvitation: {
    method: 'POST',
    path: '/organization-invitations',
    permission: 'write:organizations',
    summary: 'Invite a person to an organization',
    description: 'There is at most one pending invitation for an address and an organization.',
    body: InvitationCreate,
    status: 201,
    response: Invitation,
    errors: [
      'user.invalid_email',
      'user.invalid_role_type',
      'organization.invitee_is_member',
      'entity.unique_integrity_violation',
      'entity.relation_foreign_key_not_found',
      ...mailErrors,
    ],
  },
  getOrganizationInvitation: {
    method: 'GET',
    path: '/organization-invitations/:id',
    permission: 'read:organizations',
    summary: 'Get an invitation',
    params: ById,
    status: 200,
    response: Invitation,
    errors: ['entity.not_exists_with_id'],
  },
  deleteOrganizationInvitation: {
    method: 'DELETE',
    path: '/organization-invitations/:id',
    permission: 'write:organizations',
    summary: 'Delete an invitation',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  sendOrganizationInvitation: {
    method: 'POST',
    path: '/organization-invitations/:id/message',
    permission: 'write:organizations',
    summary: 'Send the message of a pending invitation again',
    params: ById,
    body: MessagePayload,
    status: 204,
    errors: ['entity.not_exists_with_id', 'organization.invitation_not_pending', ...mailErrors],
  },
  setOrganizationInvitationStatus: {
    method: 'PUT',
    path: '/organization-invitations/:id/status',
    permission: 'write:organizations',
    summary: 'Accept or revoke an invitation',
    description:
      'Accepting makes the user a member with the roles of the invitation. The user must have the invited address.',
    params: ById,
    body: Type.Object({
      status: OneOf(['Accepted', 'Revoked']),
      acceptedUserId: Type.Optional(
        Nullable(Type.String({ maxLength: 21, description: 'The user who accepts; required to accept' })),
      ),
    }),
    status: 200,
    response: Invitation,
    errors: [
      'entity.not_exists_with_id',
      'entity.relation_foreign_key_not_found',
      'organization.invitation_not_pending',
      'organization.invitation_wrong_user',
    ],
  },
})
