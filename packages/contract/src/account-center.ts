/** The settings of what users do with their own account (DECISIONS O6, T1). */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { Nullable, OneOf } from './schema.ts'

/** What of an account a user may see or change. */
export const ACCOUNT_FIELDS = [
  'name',
  'avatar',
  'profile',
  'email',
  'phone',
  'password',
  'username',
  'social',
  'customData',
  'mfa',
  'passkey',
  'session',
  'trustedDevice',
  'personalAccessToken',
  'organization',
  'organizationSso',
  'securityLog',
  'data',
  'deletion',
] as const
export type AccountField = (typeof ACCOUNT_FIELDS)[number]

export const ACCOUNT_ACCESSES = ['Off', 'ReadOnly', 'Edit'] as const
export type AccountAccess = (typeof ACCOUNT_ACCESSES)[number]

const access = Type.Optional(OneOf(ACCOUNT_ACCESSES))
const fields = Type.Object(Object.fromEntries(ACCOUNT_FIELDS.map((name) => [name, access])) as FieldSchemas, {
  description: 'What users may do with each part of their account; a part that is not named is Off',
})
type FieldSchemas = Record<AccountField, typeof access>

const enabled = Type.Boolean({ description: 'Whether the Account API is there for users' })
const reuseVerifications = Type.Boolean({
  description:
    'Whether a verification permits any number of changes until it expires, as in Logto; otherwise it permits one',
})
const deletionDelayDays = Type.Integer({
  minimum: 0,
  maximum: 90,
  description:
    'How long an account that its user deletes is kept, in days: until then a sign-in keeps it, or the link of a mail to the user. 0: it is deleted at once',
})
const webauthnRelatedOrigins = Type.Array(Type.String({ maxLength: 2048, examples: ['https://account.example.com'] }), {
  maxItems: 20,
  description:
    'Other origins at which passkeys of this tenant may be made and used (Web Authentication Level 3, section 5.11), each an https address without a path; http for loopback hosts',
})

const deleteAccountUrl = Nullable(
  Type.String({
    maxLength: 2048,
    description: 'Where pages of an account link to for its deletion: an http or https address',
  }),
)
const customCss = Nullable(
  Type.String({ maxLength: 262_144, description: 'A style sheet for pages of an account, in addition to their own' }),
)
const profileFields = Nullable(
  Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 128 }) }), {
    maxItems: 200,
    description: 'The custom profile fields that pages of an account show, in this order',
  }),
)

const settings = {
  enabled,
  fields,
  reuseVerifications,
  deletionDelayDays,
  webauthnRelatedOrigins,
  deleteAccountUrl,
  customCss,
  profileFields,
}

/** What can be set. */
export const AccountCenterSettings = Type.Partial(Type.Object(settings))

const AccountCenter = Type.Object({
  id: Type.String({ examples: ['default'] }),
  ...settings,
})

export const accountCenterRoutes = routes({
  getAccountCenter: {
    method: 'GET',
    path: '/account-center',
    permission: 'read:sign-in-exp',
    version: WHOLE,
    summary: 'Get the settings of what users do with their own account',
    status: 200,
    response: AccountCenter,
  },
  updateAccountCenter: {
    method: 'PATCH',
    path: '/account-center',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Change the settings of what users do with their own account',
    description: 'What is omitted stays as it is, also within `fields`.',
    body: AccountCenterSettings,
    status: 200,
    response: AccountCenter,
    errors: ['custom_profile_fields.entity_not_exists_with_names'],
  },
  getPublicAccountCenter: {
    method: 'GET',
    path: '/.well-known/account-center',
    permission: null,
    summary: 'Get the settings of what users do with their own account, for pages of one’s own',
    status: 200,
    response: AccountCenter,
  },
})
