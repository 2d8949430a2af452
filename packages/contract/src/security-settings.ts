/** What a tenant demands of its applications: a security profile, pushed authorization requests, and nonces in DPoP proofs. */
import Type from 'typebox'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'

export const SECURITY_PROFILES = ['none', 'fapi2'] as const

const settings = {
  profile: OneOf(SECURITY_PROFILES, {
    description:
      'The security profile of the applications that have none of their own (customClientMetadata.securityProfile). It can be set only when all of them keep to it',
  }),
  requirePushedAuthorizationRequests: Type.Boolean({
    description: 'Whether every application has to push its authorization requests (RFC 9126)',
  }),
  dpopNonceRequired: Type.Boolean({
    description:
      'Whether the DPoP proofs of every application must carry the nonce of the server (RFC 9449), at the token endpoint, for pushed requests, and at the APIs of the server',
  }),
}

const SecuritySettings = Type.Object(settings)
/** What can be set. */
export const SecuritySettingsChange = Type.Partial(SecuritySettings)

export const securitySettingsRoutes = routes({
  getSecuritySettings: {
    method: 'GET',
    path: '/configs/security',
    permission: 'read:configs',
    summary: 'Get what the tenant demands of its applications',
    status: 200,
    response: SecuritySettings,
  },
  updateSecuritySettings: {
    method: 'PATCH',
    path: '/configs/security',
    permission: 'write:configs',
    summary: 'Change what the tenant demands of its applications',
    description: 'The console and SAML applications are exempt. Discovery says whether requests have to be pushed.',
    body: SecuritySettingsChange,
    status: 200,
    response: SecuritySettings,
  },
})
