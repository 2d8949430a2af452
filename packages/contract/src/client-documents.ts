/**
 * Clients whose id is the address of a document about them (OAuth Client ID Metadata Document): whether a tenant takes them, and what
 * they may ask users for.
 */
import Type, { type Static } from 'typebox'
import { routes } from './route.ts'
import { ConsentScopes, ConsentScopeTarget, UserConsentScopes } from './user-consent-scopes.ts'

const settings = {
  enabled: Type.Boolean({
    description:
      'Whether clients that nobody has registered may sign users in, if they publish a document about themselves at the https address that is their id. false by default. Users are asked each time, with a warning',
  }),
}
export const ClientDocumentSettings = Type.Object(settings)
export type ClientDocumentSettings = Static<typeof ClientDocumentSettings>
/** What can be set; what is left out stays. */
export const ClientDocumentSettingsChange = Type.Partial(ClientDocumentSettings)

export const clientDocumentRoutes = routes({
  getCimdConfig: {
    method: 'GET',
    path: '/configs/cimd',
    permission: 'read:configs',
    summary: 'Get whether clients may be identified by the address of a document',
    status: 200,
    response: ClientDocumentSettings,
  },
  updateCimdConfig: {
    method: 'PATCH',
    path: '/configs/cimd',
    permission: 'write:configs',
    summary: 'Change whether clients may be identified by the address of a document',
    description:
      'Off, such clients are unknown: they start no sign-in and get no token, nor renew one. Access tokens that they have stay valid until they expire.',
    body: ClientDocumentSettingsChange,
    status: 200,
    response: ClientDocumentSettings,
  },
  getCimdUserConsentScopes: {
    method: 'GET',
    path: '/cimd/user-consent-scopes',
    permission: 'read:applications',
    summary: 'List what clients identified by a document may ask users for',
    status: 200,
    response: ConsentScopes,
  },
  addCimdUserConsentScopes: {
    method: 'POST',
    path: '/cimd/user-consent-scopes',
    permission: 'write:applications',
    summary: 'Let clients identified by a document ask users for more',
    description:
      'Holds for every such client of the tenant. Other scopes in a request are dropped before the user is asked. openid and offline_access are always allowed.',
    body: UserConsentScopes,
    status: 201,
    errors: ['application.user_consent_scopes_not_found', 'application.consent_management_api_scopes_not_allowed'],
  },
  removeCimdUserConsentScope: {
    method: 'DELETE',
    path: '/cimd/user-consent-scopes/:scopeType/:scopeId',
    permission: 'write:applications',
    summary: 'Remove a scope that clients identified by a document may ask users for',
    description: 'The next token no longer has it, even when refreshed. The id of a user scope is its name.',
    params: Type.Object(ConsentScopeTarget),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
