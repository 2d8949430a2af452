/** What is called of the npm package `@logto/api`: SPEC 6.2, by its typed paths and methods, and what scripts read. */
import {
  APPLICATION,
  type Call,
  call,
  INVITATION,
  ORGANIZATION,
  ORGANIZATION_ROLE,
  ORGANIZATION_SCOPE,
  RESOURCE,
  ROLE,
  SCOPE,
  USER,
} from './logto-api.shapes.ts'

/** By the method and the path, as SPEC 6.2 writes them. */
export const CALLS: Readonly<Record<string, Call>> = {
  'POST /users': call(200, (api, _, body) => api.POST('/api/users', { body }))(USER),
  'DELETE /users/:userId': call(204, (api, { userId }) =>
    api.DELETE('/api/users/{userId}', { params: { path: { userId } } }),
  )(),
  'PATCH /users/:userId': call(200, (api, { userId }, body) =>
    api.PATCH('/api/users/{userId}', { params: { path: { userId } }, body }),
  )(USER),
  'PATCH /users/:userId/custom-data': call(200, (api, { userId }, body) =>
    api.PATCH('/api/users/{userId}/custom-data', { params: { path: { userId } }, body }),
  )({}),
  'PATCH /users/:userId/profile': call(200, (api, { userId }, body) =>
    api.PATCH('/api/users/{userId}/profile', { params: { path: { userId } }, body }),
  )({}),
  'PATCH /users/:userId/password': call(200, (api, { userId }, body) =>
    api.PATCH('/api/users/{userId}/password', { params: { path: { userId } }, body }),
  )(USER),
  'PATCH /users/:userId/is-suspended': call(200, (api, { userId }, body) =>
    api.PATCH('/api/users/{userId}/is-suspended', { params: { path: { userId } }, body }),
  )(USER),
  'POST /roles': call(200, (api, _, body) => api.POST('/api/roles', { body }))(ROLE),
  'DELETE /roles/:id': call(204, (api, { roleId }) =>
    api.DELETE('/api/roles/{id}', { params: { path: { id: roleId } } }),
  )(),
  'PATCH /roles/:id': call(200, (api, { roleId }, body) =>
    api.PATCH('/api/roles/{id}', { params: { path: { id: roleId } }, body }),
  )(ROLE),
  'POST /roles/:id/scopes': call(201, (api, { roleId }, body) =>
    api.POST('/api/roles/{id}/scopes', { params: { path: { id: roleId } }, body }),
  )([SCOPE]),
  'DELETE /roles/:id/scopes/:scopeId': call(204, (api, { roleId, scopeId }) =>
    api.DELETE('/api/roles/{id}/scopes/{scopeId}', { params: { path: { id: roleId, scopeId } } }),
  )(),
  'POST /resources/:resourceId/scopes': call(201, (api, { resourceId }, body) =>
    api.POST('/api/resources/{resourceId}/scopes', { params: { path: { resourceId } }, body }),
  )(SCOPE),
  'DELETE /resources/:resourceId/scopes/:scopeId': call(204, (api, { resourceId, scopeId }) =>
    api.DELETE('/api/resources/{resourceId}/scopes/{scopeId}', { params: { path: { resourceId, scopeId } } }),
  )(),
  'PATCH /resources/:resourceId/scopes/:scopeId': call(200, (api, { resourceId, scopeId }, body) =>
    api.PATCH('/api/resources/{resourceId}/scopes/{scopeId}', { params: { path: { resourceId, scopeId } }, body }),
  )(SCOPE),
  'POST /organizations': call(201, (api, _, body) => api.POST('/api/organizations', { body }))(ORGANIZATION),
  'DELETE /organizations/:id': call(204, (api, { organizationId }) =>
    api.DELETE('/api/organizations/{id}', { params: { path: { id: organizationId } } }),
  )(),
  'PATCH /organizations/:id': call(200, (api, { organizationId }, body) =>
    api.PATCH('/api/organizations/{id}', { params: { path: { id: organizationId } }, body }),
  )(ORGANIZATION),
  'POST /organizations/:id/users': call(201, (api, { organizationId }, body) =>
    api.POST('/api/organizations/{id}/users', { params: { path: { id: organizationId } }, body }),
  )({ userIds: 'array' }),
  'PUT /organizations/:id/users': call(204, (api, { organizationId }, body) =>
    api.PUT('/api/organizations/{id}/users', { params: { path: { id: organizationId } }, body }),
  )(),
  'DELETE /organizations/:id/users/:userId': call(204, (api, { organizationId, userId }) =>
    api.DELETE('/api/organizations/{id}/users/{userId}', { params: { path: { id: organizationId, userId } } }),
  )(),
  'POST /organizations/:id/applications': call(201, (api, { organizationId }, body) =>
    api.POST('/api/organizations/{id}/applications', { params: { path: { id: organizationId } }, body }),
  )(),
  'PUT /organizations/:id/applications': call(204, (api, { organizationId }, body) =>
    api.PUT('/api/organizations/{id}/applications', { params: { path: { id: organizationId } }, body }),
  )(),
  'DELETE /organizations/:id/applications/:applicationId': call(204, (api, { organizationId, applicationId }) =>
    api.DELETE('/api/organizations/{id}/applications/{applicationId}', {
      params: { path: { id: organizationId, applicationId } },
    }),
  )(),
  'PUT /organization-invitations/:id/status': call(200, (api, { acceptableInvitationId }, body) =>
    api.PUT('/api/organization-invitations/{id}/status', { params: { path: { id: acceptableInvitationId } }, body }),
  )(INVITATION),
  'POST /organization-roles': call(201, (api, _, body) => api.POST('/api/organization-roles', { body }))(
    ORGANIZATION_ROLE,
  ),
  'DELETE /organization-roles/:id': call(204, (api, { organizationRoleId }) =>
    api.DELETE('/api/organization-roles/{id}', { params: { path: { id: organizationRoleId } } }),
  )(),
  'PATCH /organization-roles/:id': call(200, (api, { organizationRoleId }, body) =>
    api.PATCH('/api/organization-roles/{id}', { params: { path: { id: organizationRoleId } }, body }),
  )(ORGANIZATION_ROLE),
  'POST /organization-scopes': call(201, (api, _, body) => api.POST('/api/organization-scopes', { body }))(
    ORGANIZATION_SCOPE,
  ),
  'DELETE /organization-scopes/:id': call(204, (api, { organizationScopeId }) =>
    api.DELETE('/api/organization-scopes/{id}', { params: { path: { id: organizationScopeId } } }),
  )(),
  'PATCH /organization-scopes/:id': call(200, (api, { organizationScopeId }, body) =>
    api.PATCH('/api/organization-scopes/{id}', { params: { path: { id: organizationScopeId } }, body }),
  )(ORGANIZATION_SCOPE),
  'PUT /organization-roles/:id/scopes': call(204, (api, { organizationRoleId }, body) =>
    api.PUT('/api/organization-roles/{id}/scopes', { params: { path: { id: organizationRoleId } }, body }),
  )(),
  'POST /organization-roles/:id/scopes': call(201, (api, { organizationRoleId }, body) =>
    api.POST('/api/organization-roles/{id}/scopes', { params: { path: { id: organizationRoleId } }, body }),
  )(),
  'DELETE /organization-roles/:id/scopes/:organizationScopeId': call(
    204,
    (api, { organizationRoleId, organizationScopeId }) =>
      api.DELETE('/api/organization-roles/{id}/scopes/{organizationScopeId}', {
        params: { path: { id: organizationRoleId, organizationScopeId } },
      }),
  )(),
}

interface Read {
  readonly call: Call
  /** Where we differ, and stay so. */
  readonly differs?: readonly string[]
}

/** What scripts read, by its path. */
export const READS: Readonly<Record<string, Read>> = {
  '/users': { call: call(200, (api) => api.GET('/api/users'))([USER]) },
  '/users/:userId/roles': {
    call: call(200, (api, { userId }) => api.GET('/api/users/{userId}/roles', { params: { path: { userId } } }))([
      ROLE,
    ]),
  },
  '/users/:userId/organizations': {
    call: call(200, (api, { userId }) =>
      api.GET('/api/users/{userId}/organizations', { params: { path: { userId } } }),
    )([{ ...ORGANIZATION, organizationRoles: 'array' }]),
  },
  '/users/:userId/personal-access-tokens': {
    call: call(200, (api, { userId }) =>
      api.GET('/api/users/{userId}/personal-access-tokens', { params: { path: { userId } } }),
    )([
      {
        tenantId: 'string',
        userId: 'string',
        name: 'string',
        value: 'string',
        createdAt: 'number',
        expiresAt: 'number?',
      },
    ]),
    // shown once (DECISIONS I1)
    differs: ['value'],
  },
  '/roles': {
    call: call(200, (api) => api.GET('/api/roles'))([
      {
        ...ROLE,
        usersCount: 'number',
        featuredUsers: 'array',
        applicationsCount: 'number',
        featuredApplications: 'array',
      },
    ]),
  },
  '/roles/:id/scopes': {
    call: call(200, (api, { roleId }) => api.GET('/api/roles/{id}/scopes', { params: { path: { id: roleId } } }))([
      { ...SCOPE, resource: 'object' },
    ]),
  },
  '/resources': { call: call(200, (api) => api.GET('/api/resources'))([RESOURCE]) },
  '/applications': {
    call: call(200, (api) => api.GET('/api/applications'))([APPLICATION]),
  },
  '/applications/:id/secrets': {
    call: call(200, (api, { applicationId }) =>
      api.GET('/api/applications/{id}/secrets', { params: { path: { id: applicationId } } }),
    )([
      {
        tenantId: 'string',
        applicationId: 'string',
        name: 'string',
        value: 'string',
        createdAt: 'number',
        expiresAt: 'number?',
      },
    ]),
  },
  '/organizations': { call: call(200, (api) => api.GET('/api/organizations'))([ORGANIZATION]) },
  '/organizations/:id/users': {
    call: call(200, (api, { organizationId }) =>
      api.GET('/api/organizations/{id}/users', { params: { path: { id: organizationId } } }),
    )([{ ...USER, organizationRoles: 'array' }]),
  },
  '/organization-roles': {
    call: call(200, (api) => api.GET('/api/organization-roles'))([
      { ...ORGANIZATION_ROLE, scopes: 'array', resourceScopes: 'array' },
    ]),
  },
  '/organization-scopes': { call: call(200, (api) => api.GET('/api/organization-scopes'))([ORGANIZATION_SCOPE]) },
  '/organization-invitations': {
    call: call(200, (api) => api.GET('/api/organization-invitations'))([INVITATION]),
  },
}
