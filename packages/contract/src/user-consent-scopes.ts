/** What a third-party application may ask users for (DECISIONS F4). */
import Type from 'typebox'
import {
  ORGANIZATION_ROLES_SCOPE,
  ORGANIZATIONS_SCOPE,
  SESSIONS_SCOPE,
  TRUSTED_DEVICES_SCOPE,
} from './reserved-names.ts'
import { routes } from './route.ts'
import { Id, Nullable, OneOf } from './schema.ts'

/** The scopes that speak of the user; openid and offline_access need not be configured. */
export const USER_SCOPES = [
  'profile',
  'email',
  'phone',
  'address',
  'custom_data',
  'identities',
  'roles',
  ORGANIZATIONS_SCOPE,
  ORGANIZATION_ROLES_SCOPE,
  SESSIONS_SCOPE,
  TRUSTED_DEVICES_SCOPE,
] as const

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 21 }), {
  maxItems: 1000,
  description: 'Ids of permissions',
})
const Scope = Type.Object({ id: Id, name: Type.String(), description: Nullable(Type.String()) })
const OfResource = Type.Object({
  resource: Type.Object({ id: Id, name: Type.String(), indicator: Type.String() }),
  scopes: Type.Array(Scope),
})

export const UserConsentScopes = Type.Object({
  organizationScopes: Type.Optional(Ids),
  resourceScopes: Type.Optional(Ids),
  organizationResourceScopes: Type.Optional(Ids),
  userScopes: Type.Optional(Type.Array(OneOf(USER_SCOPES), { maxItems: 100 })),
})

/** What may be asked for, with the names. */
export const ConsentScopes = Type.Object({
  organizationScopes: Type.Array(Scope),
  resourceScopes: Type.Array(OfResource),
  organizationResourceScopes: Type.Array(OfResource),
  userScopes: Type.Array(OneOf(USER_SCOPES)),
})

/** One of them. */
export const ConsentScopeTarget = {
  scopeType: OneOf(['organization-scopes', 'resource-scopes', 'organization-resource-scopes', 'user-scopes']),
  scopeId: Type.String({ minLength: 1, maxLength: 64 }),
}

const OfApplication = Type.Object({ applicationId: Id })

export const userConsentScopeRoutes = routes({
  getUserConsentScopes: {
    method: 'GET',
    path: '/applications/:applicationId/user-consent-scopes',
    permission: 'read:applications',
    summary: 'List what a third-party application may ask users for',
    params: OfApplication,
    status: 200,
    response: ConsentScopes,
    errors: ['entity.not_exists_with_id', 'application.third_party_application_only'],
  },
  addUserConsentScopes: {
    method: 'POST',
    path: '/applications/:applicationId/user-consent-scopes',
    permission: 'write:applications',
    summary: 'Let a third-party application ask users for more',
    description:
      'Other scopes in a request are dropped before the user is asked. openid and offline_access are always allowed. Organization scopes apply within the organizations that the user agrees to. `urn:logto:scope:sessions` and `urn:logto:scope:trusted_devices` let an application read these in the Account API.',
    params: OfApplication,
    body: UserConsentScopes,
    status: 201,
    errors: [
      'entity.not_exists_with_id',
      'application.third_party_application_only',
      'application.user_consent_scopes_not_found',
      'application.consent_management_api_scopes_not_allowed',
    ],
  },
  removeUserConsentScope: {
    method: 'DELETE',
    path: '/applications/:applicationId/user-consent-scopes/:scopeType/:scopeId',
    permission: 'write:applications',
    summary: 'Remove a scope that a third-party application may ask users for',
    description: 'The next token no longer has it, even when refreshed. The id of a user scope is its name.',
    params: Type.Object({ applicationId: Id, ...ConsentScopeTarget }),
    status: 204,
    errors: ['entity.not_exists_with_id', 'application.third_party_application_only'],
  },
})
