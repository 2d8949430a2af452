/** API resources (RFC 8707 resource indicators) and their permissions: SPEC 2.1, 2.2, DECISIONS D1 to D3. */
import Type from 'typebox'
import { AuthorizationDetailsType } from './authorization-details.ts'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, NameSearch, Nullable, OneOf } from './schema.ts'

const AccessTokenTtl = Type.Integer({
  minimum: 1,
  maximum: 31_536_000,
  description: 'Lifetime of access tokens for this resource, in seconds',
})
/** Which tokens an API takes: any, or only those bound to a key of the client (RFC 9449). */
const SENDER_CONSTRAINTS = ['none', 'dpop', 'mtls'] as const
export type SenderConstraint = (typeof SENDER_CONSTRAINTS)[number]
const SenderConstraintOfResource = OneOf(SENDER_CONSTRAINTS, {
  description:
    'dpop: access tokens for this resource are issued only to clients that send a DPoP proof, and are bound to its key (RFC 9449). mtls: only to applications whose tokens are bound to their client certificate (RFC 8705). none by default: tokens are bound if the client sends a proof, or is set to',
})
const DpopNonceRequired = Type.Boolean({
  description:
    'Whether the DPoP proof of a request for a token of this resource must carry the nonce of the server (RFC 9449). The API itself asks for nonces of its own. false by default',
})
const ResourceName = Type.String({ minLength: 1, maxLength: 256 })

export const Scope = Type.Object({
  tenantId: Type.String(),
  id: Id,
  resourceId: Id,
  name: Type.String(),
  description: Nullable(Type.String()),
  createdAt: EpochMilliseconds,
})

export const Resource = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Type.String(),
  indicator: Type.String({ description: 'The value of the `resource` parameter and of the `aud` claim' }),
  isDefault: Type.Boolean(),
  accessTokenTtl: AccessTokenTtl,
  senderConstraint: SenderConstraintOfResource,
  dpopNonceRequired: DpopNonceRequired,
})
const ResourceWithScopes = Type.Object({ ...Resource.properties, scopes: Type.Optional(Type.Array(Scope)) })
const ListedResource = Type.Object({
  ...ResourceWithScopes.properties,
  authorizationDetailsTypes: Type.Optional(
    Type.Array(Type.Pick(AuthorizationDetailsType, ['id', 'type', 'description'])),
  ),
})

/** A permission together with the resource it belongs to. */
export const ScopeWithResource = Type.Object({ ...Scope.properties, resource: Resource })

export const ResourceCreate = Type.Object({
  name: ResourceName,
  indicator: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'An absolute URI without a fragment; cannot be changed later',
  }),
  accessTokenTtl: Type.Optional(AccessTokenTtl),
  senderConstraint: Type.Optional(SenderConstraintOfResource),
  dpopNonceRequired: Type.Optional(DpopNonceRequired),
  isDefault: Type.Optional(Type.Boolean()),
})
export const ResourceUpdate = Type.Object({
  name: Type.Optional(ResourceName),
  accessTokenTtl: Type.Optional(AccessTokenTtl),
  senderConstraint: Type.Optional(SenderConstraintOfResource),
  dpopNonceRequired: Type.Optional(DpopNonceRequired),
})
const ScopeName = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Compared byte for byte with the requested scope',
})
const ScopeDescription = Type.Optional(Nullable(Type.String({ maxLength: 1024 })))
export const ScopeCreate = Type.Object({ name: ScopeName, description: ScopeDescription })
export const ScopeUpdate = Type.Object({ name: Type.Optional(ScopeName), description: ScopeDescription })

const ById = Type.Object({ id: Id })
const OfResource = Type.Object({ resourceId: Id })
const OneScope = Type.Object({ resourceId: Id, scopeId: Id })

export const resourceRoutes = routes({
  listResources: {
    method: 'GET',
    path: '/resources',
    permission: 'read:resources',
    list: 'whole',
    summary: 'List API resources',
    query: Type.Object({
      includeScopes: Type.Optional(Type.String({ description: '`true` adds the permissions of each resource' })),
      includeAuthorizationDetailsTypes: Type.Optional(
        Type.String({ description: '`true` adds the types of authorization details of each resource' }),
      ),
    }),
    status: 200,
    response: Type.Array(ListedResource),
  },
  createResource: {
    method: 'POST',
    path: '/resources',
    permission: 'write:resources',
    summary: 'Register an API resource',
    body: ResourceCreate,
    status: 201,
    response: ResourceWithScopes,
    errors: ['resource.invalid_indicator', 'resource.resource_identifier_in_use'],
  },
  getResource: {
    method: 'GET',
    path: '/resources/:id',
    permission: 'read:resources',
    version: WHOLE,
    summary: 'Get an API resource',
    params: ById,
    status: 200,
    response: Resource,
    errors: ['entity.not_exists_with_id'],
  },
  updateResource: {
    method: 'PATCH',
    path: '/resources/:id',
    permission: 'write:resources',
    version: WHOLE,
    summary: 'Change an API resource',
    description: 'The indicator cannot be changed: tokens in use carry it.',
    params: ById,
    body: ResourceUpdate,
    status: 200,
    response: Resource,
    errors: ['entity.not_exists_with_id', 'resource.cannot_modify_management_api'],
  },
  deleteResource: {
    method: 'DELETE',
    path: '/resources/:id',
    permission: 'write:resources',
    version: WHOLE,
    summary: 'Delete an API resource and its permissions',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id', 'resource.cannot_delete_management_api'],
  },
  setDefaultResource: {
    method: 'PATCH',
    path: '/resources/:id/is-default',
    permission: 'write:resources',
    summary: 'Make an API resource the default API, or no longer the default',
    description: 'A tenant has at most one default API: setting a second one replaces the first.',
    params: ById,
    body: Type.Object({ isDefault: Type.Boolean() }),
    status: 200,
    response: Resource,
    errors: ['entity.not_exists_with_id', 'resource.cannot_modify_management_api'],
  },
  listScopes: {
    method: 'GET',
    path: '/resources/:resourceId/scopes',
    permission: 'read:resources',
    list: 'whole',
    summary: 'List the permissions of an API resource',
    params: OfResource,
    query: Type.Object({ search: NameSearch }),
    status: 200,
    response: Type.Array(Scope),
    errors: ['entity.not_exists_with_id'],
  },
  createScope: {
    method: 'POST',
    path: '/resources/:resourceId/scopes',
    permission: 'write:resources',
    summary: 'Add a permission to an API resource',
    params: OfResource,
    body: ScopeCreate,
    status: 201,
    response: Scope,
    errors: [
      'entity.not_exists_with_id',
      'scope.name_with_space',
      'scope.name_exists',
      'resource.cannot_modify_management_api',
    ],
  },
  updateScope: {
    method: 'PATCH',
    path: '/resources/:resourceId/scopes/:scopeId',
    permission: 'write:resources',
    summary: 'Change a permission',
    params: OneScope,
    body: ScopeUpdate,
    status: 200,
    response: Scope,
    errors: [
      'entity.not_exists_with_id',
      'scope.name_with_space',
      'scope.name_exists',
      'resource.cannot_modify_management_api',
    ],
  },
  deleteScope: {
    method: 'DELETE',
    path: '/resources/:resourceId/scopes/:scopeId',
    permission: 'write:resources',
    summary: 'Delete a permission',
    params: OneScope,
    status: 204,
    errors: ['entity.not_exists_with_id', 'resource.cannot_modify_management_api'],
  },
})
