/**
 * SPEC 6.2 as data: each operation of the Management API that exists now, with the events it causes; those that DECISIONS
 * N1 adds; and operations of ours that emit nothing.
 */
import { isDeepStrictEqual } from 'node:util'
import type { EventType } from '@countersign/contract/events.ts'
import type { Method } from '@countersign/contract/route.ts'
import { expect } from 'vitest'
import { fresh, type World } from '../management/arrange.ts'

export interface Operation {
  readonly method: Method
  /** As SPEC 6.2 writes it. */
  readonly path: string
  /** What distinguishes two rows of one operation. */
  readonly when?: string
  readonly at: (world: World) => string
  readonly body?: (world: World) => unknown
  readonly events: readonly EventType[]
  /** The events' own fields. */
  readonly fields?: (world: World) => readonly Record<string, unknown>[]
}

const MEMBERSHIP = 'Organization.Membership.Updated'
const ROLE_SCOPES = 'OrganizationRole.Scopes.Updated'
const DELTA = ['addedUserIds', 'removedUserIds', 'addedApplicationIds', 'removedApplicationIds', 'part', 'parts']
/** A membership event with exactly this delta. */
const delta = (organizationId: string, change: Record<string, string[]>) =>
  expect.toSatisfy((event: Record<string, unknown>) => {
    const own = Object.entries(event).filter(([name]) => DELTA.includes(name))
    return event.organizationId === organizationId && isDeepStrictEqual(Object.fromEntries(own), change)
  })

/** Entities with exactly these ids, in any order. */
const exactly = (...ids: string[]) =>
  expect.toSatisfy((entities: { id: string }[]) =>
    isDeepStrictEqual(entities.map(({ id }) => id).sort(), ids.toSorted()),
  )
/** Entities with these ids and perhaps others: other rows add to the same role. */
const including = (...ids: string[]) =>
  expect.toSatisfy((entities: { id: string }[]) => new Set(entities.map(({ id }) => id)).isSupersetOf(new Set(ids)))
const oneOf = (...ids: string[]) => expect.toSatisfy((id: string) => ids.includes(id))

/** The events of the two organization roles, whose order is that of their ids, which hold exactly this now. */
const organizationRolesHolding = ({ organizationRoleId, machineOrganizationRoleId }: World, ...ids: string[]) =>
  [organizationRoleId, machineOrganizationRoleId]
    .sort()
    .map((id) => ({ organizationRoleId: id, data: exactly(...ids) }))

/** The events of the roles that held scopeId. */
const withoutScope = (world: World) => [
  { roleId: world.roleId, data: [] },
  ...organizationRolesHolding(world, world.organizationScopeId),
]

export const SPEC_6_2: readonly Operation[] = [
  {
    method: 'POST',
    path: '/users',
    at: () => '/users',
    body: () => ({ username: fresh('spec'), password: 'x', customData: { plan: 'pro' } }),
    events: ['User.Created'],
    fields: () => [{ data: { username: expect.stringContaining('spec'), customData: { plan: 'pro' }, name: null } }],
  },
  {
    method: 'DELETE',
    path: '/users/:userId',
    at: ({ userId }) => `/users/${userId}`,
    // DECISIONS N1: the organization has a member less
    events: [MEMBERSHIP, 'User.Deleted'],
    fields: ({ userId, organizationId }) => [
      delta(organizationId, { removedUserIds: [userId] }),
      { data: { id: userId, username: expect.stringContaining('user') } },
    ],
  },
  {
    method: 'PATCH',
    path: '/users/:userId',
    at: ({ userId }) => `/users/${userId}`,
    body: () => ({ name: 'Ann' }),
    events: ['User.Data.Updated'],
    fields: ({ userId }) => [{ data: { id: userId, name: 'Ann' } }],
  },
  {
    method: 'PATCH',
    path: '/users/:userId',
    when: 'with nothing to change',
    at: ({ userId }) => `/users/${userId}`,
    body: () => ({}),
    events: ['User.Data.Updated'],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/custom-data',
    at: ({ userId }) => `/users/${userId}/custom-data`,
    body: () => ({ customData: { plan: 'pro' } }),
    events: ['User.Data.Updated'],
    fields: ({ userId }) => [{ data: { id: userId, customData: { plan: 'pro' } } }],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/profile',
    at: ({ userId }) => `/users/${userId}/profile`,
    body: () => ({ profile: { givenName: 'Ann' } }),
    events: ['User.Data.Updated'],
    fields: ({ userId }) => [{ data: { id: userId, profile: { givenName: 'Ann' } } }],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/password',
    at: ({ userId }) => `/users/${userId}/password`,
    body: () => ({ password: 'y' }),
    events: ['User.Data.Updated'],
    fields: ({ userId }) => [{ data: { id: userId } }],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/is-suspended',
    when: 'to suspend',
    at: ({ userId }) => `/users/${userId}/is-suspended`,
    body: () => ({ isSuspended: true }),
    events: ['User.SuspensionStatus.Updated'],
    fields: ({ userId }) => [{ data: { id: userId, isSuspended: true } }],
  },
  {
    method: 'PATCH',
    path: '/users/:userId/is-suspended',
    when: 'to what it was',
    at: ({ userId }) => `/users/${userId}/is-suspended`,
    body: () => ({ isSuspended: false }),
    events: ['User.SuspensionStatus.Updated'],
    fields: ({ userId }) => [{ data: { id: userId, isSuspended: false } }],
  },
  {
    method: 'POST',
    path: '/roles',
    when: 'without permissions',
    at: () => '/roles',
    body: () => ({ name: fresh('role'), description: 'd' }),
    events: ['Role.Created'],
    fields: () => [
      { data: { name: expect.stringContaining('role'), description: 'd', type: 'User', isDefault: false } },
    ],
  },
  {
    method: 'POST',
    path: '/roles',
    when: 'with an empty list of permissions',
    at: () => '/roles',
    body: () => ({ name: fresh('role'), scopeIds: [] }),
    events: ['Role.Created'],
  },
  {
    method: 'POST',
    path: '/roles',
    when: 'with a permission',
    at: () => '/roles',
    body: ({ scopeId }) => ({ name: fresh('role'), scopeIds: [scopeId] }),
    events: ['Role.Created', 'Role.Scopes.Updated'],
    fields: ({ scopeId }) => [{}, { data: [expect.objectContaining({ id: scopeId, name: 'read' })] }],
  },
  {
    method: 'DELETE',
    path: '/roles/:id',
    at: ({ roleId }) => `/roles/${roleId}`,
    events: ['Role.Deleted'],
    fields: ({ roleId }) => [{ data: { id: roleId, type: 'MachineToMachine' } }],
  },
  {
    method: 'PATCH',
    path: '/roles/:id',
    at: ({ roleId }) => `/roles/${roleId}`,
    body: () => ({ description: 'changed' }),
    events: ['Role.Data.Updated'],
    fields: ({ roleId }) => [{ data: { id: roleId, description: 'changed' } }],
  },
  {
    method: 'POST',
    path: '/roles/:id/scopes',
    at: ({ roleId }) => `/roles/${roleId}/scopes`,
    body: ({ freeScopeId }) => ({ scopeIds: [freeScopeId] }),
    events: ['Role.Scopes.Updated'],
    fields: ({ roleId, scopeId, freeScopeId }) => [
      {
        roleId,
        data: expect.toSatisfy(
          (scopes: { id: string }[]) =>
            scopes.length === 2 && new Set(scopes.map(({ id }) => id)).isSupersetOf(new Set([scopeId, freeScopeId])),
        ),
      },
    ],
  },
  {
    method: 'DELETE',
    path: '/roles/:id/scopes/:scopeId',
    at: ({ roleId, scopeId }) => `/roles/${roleId}/scopes/${scopeId}`,
    events: ['Role.Scopes.Updated'],
    fields: ({ roleId }) => [{ roleId, data: [] }],
  },
  {
    method: 'POST',
    path: '/resources/:resourceId/scopes',
    at: ({ resourceId }) => `/resources/${resourceId}/scopes`,
    body: () => ({ name: 'new', description: 'd' }),
    events: ['Scope.Created'],
    fields: ({ resourceId }) => [{ data: { resourceId, name: 'new', description: 'd' } }],
  },
  {
    method: 'DELETE',
    path: '/resources/:resourceId/scopes/:scopeId',
    at: ({ resourceId, scopeId }) => `/resources/${resourceId}/scopes/${scopeId}`,
    // DECISIONS N1: the roles that held it hold less
    events: ['Role.Scopes.Updated', ROLE_SCOPES, ROLE_SCOPES, 'Scope.Deleted'],
    fields: (world) => [
      ...withoutScope(world),
      { data: { id: world.scopeId, resourceId: world.resourceId, name: 'read' } },
    ],
  },
  {
    method: 'PATCH',
    path: '/resources/:resourceId/scopes/:scopeId',
    at: ({ resourceId, scopeId }) => `/resources/${resourceId}/scopes/${scopeId}`,
    body: () => ({ description: 'changed' }),
    events: ['Scope.Data.Updated'],
    fields: ({ scopeId }) => [{ data: { id: scopeId, name: 'read', description: 'changed' } }],
  },
  {
    method: 'POST',
    path: '/organizations',
    at: () => '/organizations',
    body: () => ({ name: 'Acme', description: 'd', customData: { plan: 'pro' }, isMfaRequired: true }),
    events: ['Organization.Created'],
    fields: () => [{ data: { name: 'Acme', description: 'd', customData: { plan: 'pro' }, isMfaRequired: true } }],
  },
  {
    method: 'DELETE',
    path: '/organizations/:id',
    at: ({ organizationId }) => `/organizations/${organizationId}`,
    events: ['Organization.Deleted'],
    fields: ({ organizationId }) => [{ data: { id: organizationId, name: expect.stringContaining('organization') } }],
  },
  {
    method: 'PATCH',
    path: '/organizations/:id',
    at: ({ organizationId }) => `/organizations/${organizationId}`,
    body: () => ({ name: 'Renamed', color: { primaryColor: '#aabbcc' } }),
    events: ['Organization.Data.Updated'],
    fields: ({ organizationId }) => [
      { data: { id: organizationId, name: 'Renamed', color: { primaryColor: '#aabbcc' } } },
    ],
  },
  {
    method: 'POST',
    path: '/organizations/:id/users',
    at: ({ organizationId }) => `/organizations/${organizationId}/users`,
    body: ({ userId, freeUserId }) => ({ userIds: [userId, freeUserId] }),
    events: [MEMBERSHIP],
    fields: ({ organizationId, freeUserId }) => [delta(organizationId, { addedUserIds: [freeUserId] })],
  },
  {
    method: 'POST',
    path: '/organizations/:id/users',
    when: 'of members',
    at: ({ organizationId }) => `/organizations/${organizationId}/users`,
    body: ({ userId }) => ({ userIds: [userId, userId] }),
    events: [MEMBERSHIP],
    fields: ({ organizationId }) => [delta(organizationId, {})],
  },
  {
    method: 'PUT',
    path: '/organizations/:id/users',
    at: ({ organizationId }) => `/organizations/${organizationId}/users`,
    body: ({ freeUserId }) => ({ userIds: [freeUserId] }),
    events: [MEMBERSHIP],
    fields: ({ organizationId, userId, freeUserId }) => [
      delta(organizationId, { addedUserIds: [freeUserId], removedUserIds: [userId] }),
    ],
  },
  {
    method: 'PUT',
    path: '/organizations/:id/users',
    when: 'as they are',
    at: ({ organizationId }) => `/organizations/${organizationId}/users`,
    body: ({ userId }) => ({ userIds: [userId] }),
    events: [MEMBERSHIP],
    fields: ({ organizationId }) => [delta(organizationId, {})],
  },
  {
    method: 'DELETE',
    path: '/organizations/:id/users/:userId',
    at: ({ organizationId, userId }) => `/organizations/${organizationId}/users/${userId}`,
    events: [MEMBERSHIP],
    fields: ({ organizationId, userId }) => [delta(organizationId, { removedUserIds: [userId] })],
  },
  {
    method: 'POST',
    path: '/organizations/:id/applications',
    at: ({ organizationId }) => `/organizations/${organizationId}/applications`,
    body: ({ applicationId, freeApplicationId }) => ({ applicationIds: [applicationId, freeApplicationId] }),
    events: [MEMBERSHIP],
    fields: ({ organizationId, freeApplicationId }) => [
      delta(organizationId, { addedApplicationIds: [freeApplicationId] }),
    ],
  },
  {
    method: 'PUT',
    path: '/organizations/:id/applications',
    at: ({ organizationId }) => `/organizations/${organizationId}/applications`,
    body: () => ({ applicationIds: [] }),
    events: [MEMBERSHIP],
    fields: ({ organizationId, applicationId }) => [delta(organizationId, { removedApplicationIds: [applicationId] })],
  },
  {
    method: 'DELETE',
    path: '/organizations/:id/applications/:applicationId',
    at: ({ organizationId, applicationId }) => `/organizations/${organizationId}/applications/${applicationId}`,
    events: [MEMBERSHIP],
    fields: ({ organizationId, applicationId }) => [delta(organizationId, { removedApplicationIds: [applicationId] })],
  },
  {
    method: 'PUT',
    path: '/organization-invitations/:id/status',
    when: 'to Accepted',
    at: ({ acceptableInvitationId }) => `/organization-invitations/${acceptableInvitationId}/status`,
    body: ({ freeUserId }) => ({ status: 'Accepted', acceptedUserId: freeUserId }),
    events: [MEMBERSHIP],
    fields: ({ organizationId, freeUserId }) => [delta(organizationId, { addedUserIds: [freeUserId] })],
  },
  {
    method: 'POST',
    path: '/organization-roles',
    when: 'without permissions',
    at: () => '/organization-roles',
    body: () => ({ name: fresh('role'), organizationScopeIds: [], resourceScopeIds: [] }),
    events: ['OrganizationRole.Created'],
    fields: () => [{ data: { name: expect.stringContaining('role'), description: null, type: 'User' } }],
  },
  {
    method: 'POST',
    path: '/organization-roles',
    when: 'with an organization permission',
    at: () => '/organization-roles',
    body: ({ organizationScopeId }) => ({ name: fresh('role'), organizationScopeIds: [organizationScopeId] }),
    events: ['OrganizationRole.Created', ROLE_SCOPES],
    fields: ({ organizationScopeId }) => [{}, { data: [{ id: organizationScopeId }] }],
  },
  {
    method: 'POST',
    path: '/organization-roles',
    when: 'with an API permission',
    at: () => '/organization-roles',
    body: ({ scopeId }) => ({ name: fresh('role'), resourceScopeIds: [scopeId] }),
    events: ['OrganizationRole.Created', ROLE_SCOPES],
    fields: ({ scopeId, resourceId }) => [{}, { data: [{ id: scopeId, resourceId }] }],
  },
  {
    method: 'DELETE',
    path: '/organization-roles/:id',
    at: ({ organizationRoleId }) => `/organization-roles/${organizationRoleId}`,
    events: ['OrganizationRole.Deleted'],
    fields: ({ organizationRoleId }) => [{ data: { id: organizationRoleId, type: 'User' } }],
  },
  {
    method: 'PATCH',
    path: '/organization-roles/:id',
    at: ({ organizationRoleId }) => `/organization-roles/${organizationRoleId}`,
    body: () => ({ description: 'changed' }),
    events: ['OrganizationRole.Data.Updated'],
    fields: ({ organizationRoleId }) => [{ data: { id: organizationRoleId, description: 'changed' } }],
  },
  {
    method: 'POST',
    path: '/organization-scopes',
    at: () => '/organization-scopes',
    body: () => ({ name: fresh('read:member'), description: 'd' }),
    events: ['OrganizationScope.Created'],
    fields: () => [{ data: { name: expect.stringContaining('read:member'), description: 'd' } }],
  },
  {
    method: 'DELETE',
    path: '/organization-scopes/:id',
    at: ({ organizationScopeId }) => `/organization-scopes/${organizationScopeId}`,
    // DECISIONS N1: the roles that held it hold less
    events: [ROLE_SCOPES, ROLE_SCOPES, 'OrganizationScope.Deleted'],
    fields: (world) => [...organizationRolesHolding(world, world.scopeId), { data: { id: world.organizationScopeId } }],
  },
  {
    method: 'PATCH',
    path: '/organization-scopes/:id',
    at: ({ organizationScopeId }) => `/organization-scopes/${organizationScopeId}`,
    body: () => ({ description: 'changed' }),
    events: ['OrganizationScope.Data.Updated'],
    fields: ({ organizationScopeId }) => [{ data: { id: organizationScopeId, description: 'changed' } }],
  },
  {
    method: 'POST',
    path: '/organization-roles/:id/scopes',
    at: ({ organizationRoleId }) => `/organization-roles/${organizationRoleId}/scopes`,
    body: ({ freeOrganizationScopeId }) => ({ organizationScopeIds: [freeOrganizationScopeId] }),
    events: [ROLE_SCOPES],
    fields: ({ organizationRoleId, organizationScopeId, freeOrganizationScopeId, scopeId }) => [
      { organizationRoleId, data: exactly(organizationScopeId, freeOrganizationScopeId, scopeId) },
    ],
  },
  {
    method: 'PUT',
    path: '/organization-roles/:id/scopes',
    at: ({ organizationRoleId }) => `/organization-roles/${organizationRoleId}/scopes`,
    body: ({ freeOrganizationScopeId }) => ({ organizationScopeIds: [freeOrganizationScopeId] }),
    events: [ROLE_SCOPES],
    fields: ({ organizationRoleId, freeOrganizationScopeId, scopeId }) => [
      { organizationRoleId, data: exactly(freeOrganizationScopeId, scopeId) },
    ],
  },
  {
    method: 'DELETE',
    path: '/organization-roles/:id/scopes/:organizationScopeId',
    at: ({ organizationRoleId, organizationScopeId }) =>
      `/organization-roles/${organizationRoleId}/scopes/${organizationScopeId}`,
    events: [ROLE_SCOPES],
    fields: ({ organizationRoleId, scopeId }) => [{ organizationRoleId, data: exactly(scopeId) }],
  },
]

/** Operations that SPEC 6.2 does not list and that those who mirror a tenant must hear of (DECISIONS N1). */
export const ADDED: readonly Operation[] = [
  {
    method: 'PUT',
    path: '/users/:userId/identities/:target',
    at: ({ userId, target }) => `/users/${userId}/identities/${target}`,
    body: ({ userId }) => ({ userId: `at-acme-${userId}` }),
    events: ['User.Data.Updated'],
    fields: ({ userId }) => [{ data: { id: userId } }],
  },
  {
    method: 'DELETE',
    path: '/users/:userId/identities/:target',
    at: ({ userId, target }) => `/users/${userId}/identities/${target}`,
    events: ['User.Data.Updated'],
    fields: ({ userId }) => [{ data: { id: userId, identities: {} } }],
  },
  {
    method: 'DELETE',
    path: '/resources/:id',
    at: ({ resourceId }) => `/resources/${resourceId}`,
    events: ['Role.Scopes.Updated', ROLE_SCOPES, ROLE_SCOPES, 'Scope.Deleted', 'Scope.Deleted'],
    fields: (world) => {
      const deleted = { data: { id: oneOf(world.scopeId, world.freeScopeId), resourceId: world.resourceId } }
      return [...withoutScope(world), deleted, deleted]
    },
  },
  {
    method: 'DELETE',
    path: '/applications/:id',
    at: ({ applicationId }) => `/applications/${applicationId}`,
    events: [MEMBERSHIP],
    fields: ({ organizationId, applicationId }) => [delta(organizationId, { removedApplicationIds: [applicationId] })],
  },
  {
    method: 'POST',
    path: '/organization-roles/:id/resource-scopes',
    at: ({ organizationRoleId }) => `/organization-roles/${organizationRoleId}/resource-scopes`,
    body: ({ freeScopeId }) => ({ scopeIds: [freeScopeId] }),
    events: [ROLE_SCOPES],
    fields: ({ organizationRoleId, organizationScopeId, scopeId, freeScopeId }) => [
      { organizationRoleId, data: including(organizationScopeId, scopeId, freeScopeId) },
    ],
  },
  {
    method: 'PUT',
    path: '/organization-roles/:id/resource-scopes',
    at: ({ organizationRoleId }) => `/organization-roles/${organizationRoleId}/resource-scopes`,
    body: ({ freeScopeId }) => ({ scopeIds: [freeScopeId] }),
    events: [ROLE_SCOPES],
    fields: ({ organizationRoleId, organizationScopeId, freeScopeId }) => [
      { organizationRoleId, data: exactly(organizationScopeId, freeScopeId) },
    ],
  },
  {
    method: 'DELETE',
    path: '/organization-roles/:id/resource-scopes/:scopeId',
    at: ({ organizationRoleId, scopeId }) => `/organization-roles/${organizationRoleId}/resource-scopes/${scopeId}`,
    events: [ROLE_SCOPES],
    fields: ({ organizationRoleId, organizationScopeId }) => [
      { organizationRoleId, data: exactly(organizationScopeId) },
    ],
  },
]

const silent = (
  method: Method,
  path: string,
  at: (world: World) => string,
  body?: (world: World) => unknown,
): Operation => ({ method, path, at, ...(body ? { body } : {}), events: [] })

/** Operations that neither SPEC 6.2 nor DECISIONS N1 lists. */
export const SILENT: readonly Operation[] = [
  silent(
    'POST',
    '/users/:userId/roles',
    ({ userId }) => `/users/${userId}/roles`,
    ({ freeUserRoleId }) => ({ roleIds: [freeUserRoleId] }),
  ),
  silent(
    'PUT',
    '/users/:userId/roles',
    ({ userId }) => `/users/${userId}/roles`,
    () => ({ roleIds: [] }),
  ),
  silent('DELETE', '/users/:userId/roles/:roleId', ({ userId, userRoleId }) => `/users/${userId}/roles/${userRoleId}`),
  silent(
    'POST',
    '/roles/:id/users',
    ({ userRoleId }) => `/roles/${userRoleId}/users`,
    ({ freeUserId }) => ({ userIds: [freeUserId] }),
  ),
  silent('DELETE', '/roles/:id/users/:userId', ({ userId, userRoleId }) => `/roles/${userRoleId}/users/${userId}`),
  silent(
    'POST',
    '/users/:userId/password/verify',
    ({ userId }) => `/users/${userId}/password/verify`,
    () => ({ password: 'x' }),
  ),
  silent(
    'PATCH',
    '/sign-in-exp',
    () => '/sign-in-exp',
    () => ({ termsOfUseUrl: 'https://example.com/terms' }),
  ),
  silent(
    'POST',
    '/sign-in-exp/default/check-password',
    () => '/sign-in-exp/default/check-password',
    () => ({ password: 'a long enough phrase' }),
  ),
  silent(
    'POST',
    '/resources',
    () => '/resources',
    () => ({ name: 'x', indicator: `https://${fresh('silent')}.example` }),
  ),
  silent(
    'PATCH',
    '/resources/:id',
    ({ resourceId }) => `/resources/${resourceId}`,
    () => ({ name: 'y' }),
  ),
  silent(
    'PATCH',
    '/resources/:id/is-default',
    ({ resourceId }) => `/resources/${resourceId}/is-default`,
    () => ({ isDefault: true }),
  ),
  silent(
    'POST',
    '/applications',
    () => '/applications',
    () => ({ name: 'x', type: 'SPA' }),
  ),
  silent(
    'PUT',
    '/applications/:applicationId/roles',
    ({ applicationId }) => `/applications/${applicationId}/roles`,
    ({ freeRoleId }) => ({ roleIds: [freeRoleId] }),
  ),
  silent(
    'PUT',
    '/organization-invitations/:id/status',
    ({ invitationId }) => `/organization-invitations/${invitationId}/status`,
    () => ({ status: 'Revoked' }),
  ),
  silent(
    'POST',
    '/organization-invitations',
    () => '/organization-invitations',
    ({ organizationId }) => ({
      organizationId,
      invitee: `${fresh('silent')}@example.com`,
      expiresAt: Date.UTC(2100, 0),
      messagePayload: { code: '1' },
    }),
  ),
  silent('DELETE', '/organization-invitations/:id', ({ invitationId }) => `/organization-invitations/${invitationId}`),
  silent(
    'POST',
    '/organizations/:id/users/:userId/roles',
    ({ organizationId, userId }) => `/organizations/${organizationId}/users/${userId}/roles`,
    ({ freeOrganizationRoleId }) => ({ organizationRoleIds: [freeOrganizationRoleId] }),
  ),
  silent(
    'PUT',
    '/organizations/:id/applications/:applicationId/roles',
    ({ organizationId, applicationId }) => `/organizations/${organizationId}/applications/${applicationId}/roles`,
    () => ({ organizationRoleIds: [] }),
  ),
  silent(
    'POST',
    '/organizations/:id/jit/email-domains',
    ({ organizationId }) => `/organizations/${organizationId}/jit/email-domains`,
    () => ({ emailDomain: `${fresh('silent')}.example` }),
  ),
  silent(
    'PUT',
    '/applications/:applicationId/access-control',
    ({ thirdPartyId }) => `/applications/${thirdPartyId}/access-control`,
    ({ userId }) => ({ userIds: [userId], userRoleIds: [], organizationIds: [], organizationRoleRules: [] }),
  ),
]
