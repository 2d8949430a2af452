/** What the ID tokens of a tenant say about users (OpenID Connect Core section 5.4). */
import Type, { type Static } from 'typebox'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'

/** Claims beyond those that OpenID Connect Core defines, each of a scope that has to be asked for. */
export const EXTENDED_CLAIMS = [
  'custom_data',
  'identities',
  'roles',
  'organizations',
  'organization_data',
  'organization_roles',
] as const

const settings = {
  enabledExtendedClaims: Type.Array(OneOf(EXTENDED_CLAIMS), {
    maxItems: 20,
    description:
      'Which of these are in ID tokens when their scope is asked for; userinfo has all of them. By default roles, organizations and organization_roles: the others may be large',
  }),
  claims: OneOf(['scopes', 'requested'], {
    description:
      'What ID tokens say to applications that do not choose themselves (customClientMetadata.idTokenClaims): the claims of the requested scopes, which is the default, or only those that the parameter `claims` names (OpenID Connect Core section 5.4)',
  }),
}
export const IdTokenSettings = Type.Object(settings)
export type IdTokenSettings = Static<typeof IdTokenSettings>
/** What can be set; what is left out stays. */
export const IdTokenSettingsChange = Type.Partial(IdTokenSettings)

export const DEFAULT_ID_TOKEN_SETTINGS: IdTokenSettings = {
  enabledExtendedClaims: ['roles', 'organizations', 'organization_roles'],
  claims: 'scopes',
}

export const idTokenSettingsRoutes = routes({
  getIdTokenSettings: {
    method: 'GET',
    path: '/configs/id-token',
    permission: 'read:configs',
    summary: 'Get what ID tokens say about users',
    status: 200,
    response: IdTokenSettings,
  },
  putIdTokenSettings: {
    method: 'PUT',
    path: '/configs/id-token',
    permission: 'write:configs',
    summary: 'Change what ID tokens say about users',
    description: 'What is left out stays. Holds for the next ID token. The console has its own.',
    body: IdTokenSettingsChange,
    status: 200,
    response: IdTokenSettings,
  },
})
