/** The Account API: users look after their own account (DECISIONS T). Its routes are below `/my-account` and `/verifications`. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, JsonObject, Nullable } from './schema.ts'
import { Identity, UserProfile } from './user.ts'
import { SsoIdentity } from './user-sso-identities.ts'

const Address = Nullable(Type.String({ maxLength: 128 }))

/** Each member is there if the token has its scope and the settings show it. */
const Account = Type.Object({
  id: Type.Optional(Id),
  username: Type.Optional(Address),
  primaryEmail: Type.Optional(Address),
  primaryPhone: Type.Optional(Nullable(Type.String({ description: 'Digits only, country code first' }))),
  name: Type.Optional(Nullable(Type.String())),
  avatar: Type.Optional(Nullable(Type.String())),
  customData: Type.Optional(JsonObject),
  identities: Type.Optional(Type.Record(Type.String(), Identity)),
  ssoIdentities: Type.Optional(Type.Array(SsoIdentity)),
  profile: Type.Optional(UserProfile),
  applicationId: Type.Optional(Nullable(Type.String())),
  cimdClientId: Type.Optional(
    Nullable(Type.String({ description: 'The same for a client whose id is the address of its metadata' })),
  ),
  isSuspended: Type.Optional(Type.Boolean()),
  hasPassword: Type.Optional(Type.Boolean()),
  hasSecurityVerificationMethod: Type.Optional(
    Type.Boolean({ description: 'Whether the user can verify who they are with a password or with a code' }),
  ),
  lastSignInAt: Type.Optional(Nullable(EpochMilliseconds)),
  createdAt: Type.Optional(EpochMilliseconds),
  updatedAt: Type.Optional(EpochMilliseconds),
})

const removable = { description: 'null and the empty string remove it' }

const AccountUpdate = Type.Object({
  name: Type.Optional(Type.Union([Type.String({ maxLength: 128 }), Type.Null()], removable)),
  avatar: Type.Optional(
    Type.Union([Type.String({ maxLength: 2048, description: 'An address; http or https' }), Type.Null()], removable),
  ),
  username: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Null()], removable)),
  customData: Type.Optional(JsonObject),
})

/** What a change can meet that the settings forbid. */
export const FIELD_ERRORS = ['account_center.field_not_enabled', 'account_center.field_not_editable'] as const
/** What a change that takes away a way to sign in can meet. */
export const REMOVAL_ERRORS = [
  'user.last_sign_in_method_required',
  'user.username_required',
  'user.email_required',
  'user.phone_required',
  'user.email_or_phone_required',
  'user.missing_mfa',
] as const

export const accountRoutes = routes({
  getMyAccount: {
    method: 'GET',
    path: '/my-account',
    permission: null,
    scopes: [],
    summary: 'Get one’s own account',
    description:
      'The response has what the scopes of the token cover and the settings show: `profile` for name, avatar, username, profile and times, `address`, `email`, `phone`, `custom_data`, and `identities` for the accounts elsewhere.',
    status: 200,
    response: Account,
  },
  updateMyAccount: {
    method: 'PATCH',
    path: '/my-account',
    permission: null,
    scopes: [],
    proof: true,
    summary: 'Change one’s own account',
    description:
      'Needs the scope `profile`, for customData `custom_data`. customData is replaced. A changed username needs a proof of who the user is; nothing else does.',
    body: AccountUpdate,
    status: 200,
    response: Account,
    errors: [
      ...FIELD_ERRORS,
      ...REMOVAL_ERRORS,
      'request.rate_limited',
      'user.username_already_in_use',
      'user.username_starts_with_number',
      'user.username_invalid_charset_hard',
      'user.username_too_short',
      'user.username_too_long',
      'user.username_lowercase_not_allowed',
      'user.username_uppercase_not_allowed',
      'user.username_numbers_not_allowed',
      'user.username_underscore_not_allowed',
    ],
  },
  deleteMyAccount: {
    method: 'DELETE',
    path: '/my-account',
    permission: null,
    scopes: [],
    proof: true,
    summary: 'Delete one’s own account',
    description:
      'At once, or after `deletionDelayDays` of the settings. Until then the account is signed out everywhere; a sign-in keeps it, or the link of a message to its address.',
    status: 200,
    response: Type.Object({
      deletionAt: Nullable(Type.Integer({ description: 'When it will be deleted, in milliseconds; null: it is' })),
    }),
    errors: [...FIELD_ERRORS, 'administrator.last_owner'],
  },
  updateMyProfile: {
    method: 'PATCH',
    path: '/my-account/profile',
    permission: null,
    scopes: ['profile'],
    summary: 'Merge values into one’s own profile',
    description: 'An address is replaced as a whole, and needs the scope `address`.',
    body: UserProfile,
    status: 200,
    response: UserProfile,
    errors: FIELD_ERRORS,
  },
})
