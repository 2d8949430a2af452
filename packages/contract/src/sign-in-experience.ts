/** The sign-in settings of a tenant (DECISIONS L1): what may be signed in with, how it looks, what protects it. */
import Type, { type TObject, type TSchema } from 'typebox'
import { PublicCaptcha } from './captcha-provider.ts'
import {
  emailBlocklistPolicy,
  passwordExpiration,
  passwordPolicy,
  sentinelPolicy,
  usernamePolicy,
  verificationCodePolicy,
} from './credential-policies.ts'
import { CustomProfileField } from './custom-profile-fields.ts'
import { adaptiveMfa, captchaPolicy, mfa, passkeySignIn, trustedDevice } from './factor-settings.ts'
import { ownerNotices } from './owner-notices.ts'
import { routes, WHOLE } from './route.ts'
import { JsonObject, Nullable, OneOf } from './schema.ts'

const IDENTIFIERS = ['username', 'email', 'phone'] as const
const Identifier = OneOf(IDENTIFIERS)
export const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2f4fd0'] })
const Link = Type.String({ maxLength: 2048, description: 'http or https' })

const colors = Type.Object({ primaryColor: Color, isDarkModeEnabled: Type.Boolean(), darkPrimaryColor: Color })
export const Branding = Type.Object({
  logoUrl: Type.Optional(Link),
  darkLogoUrl: Type.Optional(Link),
  favicon: Type.Optional(Link),
  darkFavicon: Type.Optional(Link),
})
const languageInfo = Type.Object({
  autoDetect: Type.Boolean({ description: 'Whether the browser’s languages are taken into account' }),
  fallbackLanguage: Type.String({
    maxLength: 35,
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
    description: 'BCP 47. The hosted pages speak fifteen languages, in any region, and those of `/custom-phrases`',
    examples: ['en'],
  }),
})
const Method = Type.Object({
  identifier: Identifier,
  password: Type.Boolean(),
  verificationCode: Type.Boolean({ description: 'Whether a code by mail or text message signs users in' }),
  isPasswordPrimary: Type.Boolean({ description: 'Which of the two the hosted page asks for first' }),
})
/** What is left out is as if nothing but the password existed. */
const MethodUpdate = Type.Object({
  identifier: Identifier,
  password: Type.Boolean(),
  verificationCode: Type.Optional(
    Type.Boolean({ description: 'false by default; needs a connector, and an identifier other than the username' }),
  ),
  isPasswordPrimary: Type.Optional(Type.Boolean({ description: 'true by default' })),
})
const signIn = Type.Object({ methods: Type.Array(Method, { maxItems: 3 }) })
const signUp = Type.Object({
  identifiers: Type.Array(Identifier, {
    maxItems: 3,
    description: 'A new user provides one of them; if empty, registration is off',
  }),
  password: Type.Boolean(),
  verify: Type.Boolean({
    description:
      'Whether email addresses and phone numbers are verified by a code; otherwise they are accepted as they are',
  }),
  secondaryIdentifiers: Type.Optional(
    Type.Array(
      Type.Object({
        identifier: OneOf([...IDENTIFIERS, 'emailOrPhone']),
        verify: Type.Optional(Type.Boolean({ description: 'By a code; not for a username. false by default' })),
      }),
      { maxItems: 3, description: 'New users are asked for each of them after the first one' },
    ),
  ),
})

const Address = Nullable(Type.String({ maxLength: 2048, description: 'http or https; the empty string is null' }))

/** What can be set. */
const settable = {
  color: colors,
  branding: Branding,
  hideLogtoBranding: Type.Boolean({ description: 'Stored for other tools; the pages show no branding of the server' }),
  languageInfo,
  termsOfUseUrl: Address,
  privacyPolicyUrl: Address,
  agreeToTermsPolicy: OneOf(['Automatic', 'ManualRegistrationOnly', 'Manual'], {
    description:
      'Whether the hosted pages require a check box for the terms of use and the privacy policy: never, to register, or to sign in too, where passkeys are then not offered in place of a name. Pages of your own have to ask themselves',
  }),
  signIn,
  signUp,
  signUpProfileFields: Nullable(
    Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 128 }) }), {
      maxItems: 200,
      description:
        'The fields of `/custom-profile-fields` that new users are asked for, in this order; null is all of them, in their own order; none: an empty list',
    }),
  ),
  signInMode: OneOf(['SignIn', 'Register', 'SignInAndRegister']),
  passwordPolicy,
  usernamePolicy,
  sentinelPolicy,
  verificationCodePolicy,
  emailBlocklistPolicy,
  passwordExpiration,
  supportEmail: Nullable(Type.String({ maxLength: 128, description: 'The empty string is null' })),
  supportWebsiteUrl: Address,
  customCss: Nullable(
    Type.String({
      maxLength: 262_144,
      description:
        'A style sheet for the hosted pages, behind their own; those on which users sign in to the console go without. It loads nothing from other addresses, and must not contain `</`. The empty string is null',
    }),
  ),
  unknownSessionRedirectUrl: Nullable(
    Type.String({
      maxLength: 2048,
      description:
        'Where pages that end something lead on to when they know no application; http or https; the empty string is null',
    }),
  ),
  forgotPasswordMethods: Nullable(
    Type.Array(OneOf(['EmailVerificationCode', 'PhoneVerificationCode']), {
      maxItems: 2,
      description: 'Each needs a connector that sends its codes; null is every one for which there is a connector',
    }),
  ),
  mfa,
  passkeySignIn,
  trustedDevice,
  adaptiveMfa,
  ownerNotices,
  captchaPolicy,
  socialSignIn: Type.Object({
    automaticAccountLinking: Type.Optional(
      Type.Boolean({
        description:
          'Whether a social account becomes that of the user who has its email address or phone number, if both sides have verified it; otherwise users are asked. Off by default',
      }),
    ),
    skipRequiredIdentifiers: Type.Optional(
      Type.Boolean({
        description:
          'Whether users with a social account need none of the identifiers that sign-up asks for. Off by default',
      }),
    ),
  }),
  singleSignOnEnabled: Type.Boolean({
    description:
      'Whether users with an address at a domain of an SSO connector sign in there, and neither by password nor by code. Off by default',
  }),
  singleSignOnExemptUserIds: Type.Array(Type.String({ minLength: 1, maxLength: 21 }), {
    maxItems: 20,
    description:
      'Users who may sign in by password or code nonetheless: administrators who must not be locked out when the identity provider cannot be reached. They need a second factor if `mfa.factors` has any, whatever the policy is',
  }),
  socialSignInConnectorTargets: Type.Array(Type.String({ maxLength: 128 }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'The targets of the social connectors that users sign in with, in the order of their buttons',
  }),
  restrictExchangeToSubjectScope: Type.Boolean({
    description:
      'Whether token exchange limits the new token to the scopes of the exchanged access token, by name, and to its organization; false by default',
  }),
}

/** What belongs to features that do not exist yet: answered as switched off, and refused when it would switch them on. */
const switchedOff = {
  customContent: JsonObject,
  customUiAssets: Nullable(JsonObject),
  customUiCsp: JsonObject,
}

const optional = <T extends Record<string, TSchema>>(fields: T) => Type.Partial(Type.Object(fields))

/** What can be set and is not for everyone to read. */
const internal = {
  developerMode: Type.Boolean({
    description:
      'Whether the error page for a refused authorization request names the redirect URI and the application, for developers who are setting up an application. Off by default; always on while the base URL is a loopback address',
  }),
}

export const SignInExperience = Type.Object({
  tenantId: Type.String(),
  id: Type.String({ examples: ['default'] }),
  ...settable,
  ...internal,
  ...switchedOff,
})
/** Of these what is left out stays as it is. */
const mergeable = {
  color: Type.Partial(colors),
  languageInfo: Type.Partial(languageInfo),
  signUp: Type.Partial(signUp),
  signIn: Type.Object({ methods: Type.Array(MethodUpdate, { maxItems: 3 }) }),
}
export const SignInExperienceUpdate = optional({ ...settable, ...internal, ...mergeable, ...switchedOff })

/** The names of the fields whose features do not exist yet. */
export const SWITCHED_OFF = Object.keys(switchedOff) as (keyof typeof switchedOff)[]

const {
  restrictExchangeToSubjectScope: _ofTokens,
  emailBlocklistPolicy: _ofOperators,
  singleSignOnExemptUserIds: _exempt,
  ...publicSettable
} = settable
const PublicSignInExperience: TObject = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  ...publicSettable,
  ...switchedOff,
  forgotPassword: Type.Object({ email: Type.Boolean(), phone: Type.Boolean() }),
  captchaConfig: Type.Optional(PublicCaptcha),
  googleOneTap: Type.Optional(
    Type.Object(
      {
        isEnabled: Type.Boolean(),
        autoSelect: Type.Optional(Type.Boolean()),
        closeOnTapOutside: Type.Optional(Type.Boolean()),
        itpSupport: Type.Optional(Type.Boolean()),
        clientId: Type.String(),
        connectorId: Type.String(),
      },
      { description: 'Absent where Google One Tap is not offered' },
    ),
  ),
  customProfileFields: Type.Array(CustomProfileField, {
    description: 'Those that new users are asked for, in their order',
  }),
  socialConnectors: Type.Array(
    Type.Object({
      id: Type.String(),
      target: Type.String(),
      name: Type.Record(Type.String(), Type.String(), { description: 'By language' }),
      logo: Type.String(),
      logoDark: Nullable(Type.String()),
    }),
  ),
  ssoConnectors: Type.Array(
    Type.Object({ id: Type.String(), connectorName: Type.String(), logo: Type.String(), darkLogo: Type.String() }),
    { description: 'Those that can be used, at most 100, if singleSignOnEnabled' },
  ),
  isDevelopmentTenant: Type.Boolean(),
})

const policyErrors = [
  'sign_in_experiences.adaptive_mfa_requires_mfa',
  'sign_in_experiences.adaptive_mfa_requires_non_skippable_policy',
  'custom_profile_fields.entity_not_exists_with_names',
  'sign_in_experiences.at_least_one_authentication_factor',
  'sign_in_experiences.backup_code_cannot_be_enabled_alone',
  'sign_in_experiences.duplicated_mfa_factors',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_mfa',
  'sign_in_experiences.email_verification_code_cannot_be_used_for_sign_in',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_sign_in',
  'sign_in_experiences.code_sign_in_must_be_enabled',
  'sign_in_experiences.phone_verification_code_cannot_be_used_for_mfa',
  'sign_in_experiences.duplicated_sign_up_identifiers',
  'sign_in_experiences.enabled_connector_not_found',
  'sign_in_experiences.forgot_password_method_requires_connector',
  'sign_in_experiences.invalid_custom_email_blocklist_format',
  'sign_in_experiences.miss_sign_up_identifier_in_sign_in',
  'sign_in_experiences.missing_sign_up_identifiers',
  'sign_in_experiences.password_expiration_invalid_period_days',
  'sign_in_experiences.password_expiration_requires_forgot_password',
  'sign_in_experiences.password_sign_in_must_be_enabled',
  'sign_in_experiences.passwordless_requires_verify',
  'sign_in_experiences.unsupported_default_language',
  'sign_in_experiences.username_policy_case_conflicts_exist',
  'sign_in_experiences.username_requires_password',
  'request.feature_not_supported',
  'entity.relation_foreign_key_not_found',
] as const

export const signInExperienceRoutes = routes({
  getSignInExperience: {
    method: 'GET',
    path: '/sign-in-exp',
    permission: 'read:sign-in-exp',
    version: WHOLE,
    summary: 'Get the sign-in settings',
    status: 200,
    response: SignInExperience,
  },
  updateSignInExperience: {
    method: 'PATCH',
    path: '/sign-in-exp',
    permission: 'write:sign-in-exp',
    version: WHOLE,
    summary: 'Change the sign-in settings',
    description: `Each field in the request is replaced as a whole, except that omitted parts of \`color\`, \`languageInfo\` and \`signUp\` stay as they are; omitted parts of a policy take their defaults. These belong to features that do not exist yet and are refused with 422 if they would switch one on: ${SWITCHED_OFF.map((name) => `\`${name}\``).join(', ')}; so is \`signUp.verify\` for usernames alone. Names cannot be written while \`usernamePolicy.caseSensitive\` is switched off.`,
    body: SignInExperienceUpdate,
    status: 200,
    response: SignInExperience,
    errors: policyErrors,
  },
  getCaseConflicts: {
    method: 'GET',
    path: '/sign-in-exp/username-policy/case-sensitivity-conflicts',
    permission: 'read:users',
    summary: 'List usernames that differ only in case',
    description: 'They have to be changed before `usernamePolicy.caseSensitive` can be switched off.',
    query: Type.Object({
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'How many names to list; 20 by default' }),
      ),
    }),
    status: 200,
    response: Type.Object({
      totalConflicts: Type.Integer({ description: 'How many names are in use in more than one spelling' }),
      samples: Type.Array(
        Type.Object({
          usernameLower: Type.String({ description: 'The name in lower case' }),
          userIds: Type.Array(Type.String(), { description: 'The users who have it, at most 100' }),
        }),
      ),
    }),
  },
  checkPassword: {
    method: 'POST',
    path: '/sign-in-exp/default/check-password',
    permission: 'write:sign-in-exp',
    summary: 'Check whether the password policy allows a password',
    description:
      'If it does not, the response has the status 400, `result` is false and `issues` says why; every other 400 is an error with a `code`.',
    body: Type.Object({
      password: Type.String({ minLength: 1, maxLength: 1024, examples: ['a long enough phrase'] }),
      userId: Type.Optional(
        Type.String({ maxLength: 21, description: 'The user whose names the password must not contain' }),
      ),
    }),
    status: 200,
    otherStatus: 400,
    response: Type.Object({
      result: Type.Boolean(),
      issues: Type.Optional(
        Type.Array(Type.Object({ code: Type.String(), interpolation: Type.Optional(JsonObject) }), {
          description: 'Absent when there are none',
        }),
      ),
    }),
    errors: ['entity.not_exists_with_id'],
  },
  getPublicSignInExperience: {
    method: 'GET',
    path: '/.well-known/sign-in-exp',
    permission: null,
    summary: 'Get the sign-in settings that custom sign-in pages need',
    query: Type.Object({
      appId: Type.Optional(
        Type.String({
          maxLength: 256,
          description: 'An application whose colours and logos replace the tenant’s',
        }),
      ),
      organizationId: Type.Optional(
        Type.String({ maxLength: 256, description: 'An organization whose colours and logos replace both' }),
      ),
    }),
    status: 200,
    response: PublicSignInExperience,
  },
})
