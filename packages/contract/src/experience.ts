/**
 * The Experience API: sign-in and registration as JSON, for sign-in pages of one's own. A call concerns the interaction
 * that the browser's cookies name; no token is needed.
 */
import Type from 'typebox'
import { Captcha } from './captcha-provider.ts'
import {
  AnyIdentifier,
  accountElsewhereErrors,
  bound,
  codeErrors,
  FederatedInfo,
  identifiedErrors,
  identifierErrors,
  neededFactorErrors,
  offeredErrors,
  takenErrors,
  VerificationId,
  Verified,
} from './experience-steps.ts'
import { routes } from './route.ts'
import { JsonObject, OneOf } from './schema.ts'
import { UserAddress, UserProfile } from './user.ts'

export const INTERACTION_EVENTS = ['SignIn', 'Register', 'ForgotPassword'] as const
const InteractionEvent = OneOf(INTERACTION_EVENTS)
/** What a code is for. */
const CodeUsage = OneOf([...INTERACTION_EVENTS, 'BindNewIdentifier', 'BindMfa', 'MfaVerification'])
const Value = Type.String({ minLength: 1, maxLength: 256 })
const Password = Type.String({ minLength: 1, maxLength: 256 })
const Address = Type.Object({ type: OneOf(['email', 'phone']), value: Value })
const Named = <const T extends string>(type: T) => OneOf([type])

const Profile = Type.Object({
  username: Type.Optional(Type.String()),
  primaryEmail: Type.Optional(Type.String()),
  primaryPhone: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
  profile: Type.Optional(UserProfile),
  customData: Type.Optional(JsonObject),
  submitted: Type.Optional(Type.Boolean({ description: 'Whether the fields of the profile were answered' })),
})

/** What a user may say of themselves beside identifiers and password: what every user has, and the tenant's own fields. */
const ExtraProfile = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    avatar: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'An address; http or https' })),
    ...UserProfile.properties,
    address: Type.Optional(Type.Object(UserAddress.properties, { additionalProperties: false })),
  },
  {
    additionalProperties: true,
    description:
      'Also by the names of `/custom-profile-fields`: a number or its text for a Number, `true` or `false` for a Checkbox, a text in the format of a Date. The parts of a Fullname are members of their own, those of an Address members of an object. Unlike elsewhere what is unknown is refused: it would be lost',
  },
)

export const experienceRoutes = routes({
  startInteraction: {
    ...bound,
    method: 'PUT',
    path: '/experience',
    summary: 'Start, or start over',
    description:
      'Discards everything that was verified and entered in the interaction, and the captcha. A captcha is good for one wrong password: after it, start over with another.',
    body: Type.Object({
      interactionEvent: InteractionEvent,
      captchaToken: Type.Optional(
        Type.String({
          maxLength: 8192,
          description:
            'What the captcha gave: the token of the provider, or the solution of a proof of work as ALTCHA writes it (base64 of JSON)',
        }),
      ),
    }),
    status: 204,
    errors: [
      'user.sign_in_method_not_enabled',
      'user.sign_up_method_not_enabled',
      'session.forgot_password_not_enabled',
      'session.captcha_failed',
      'request.unavailable',
    ],
  },
  getCaptcha: {
    ...bound,
    method: 'GET',
    path: '/experience/captcha',
    summary: 'Get the captcha that the page has to show',
    description:
      'Bring what it gives as `captchaToken` with `PUT /experience`. `isRequired` is what holds now: where `captchaPolicy.afterFailures` is set, a later call may be refused with 422 `session.captcha_required`. Each response has another challenge, which is good once, for this interaction, for 20 minutes.',
    status: 200,
    response: Type.Object({ isRequired: Type.Boolean(), captcha: Type.Optional(Captcha) }),
  },
  switchInteractionEvent: {
    ...bound,
    method: 'PUT',
    path: '/experience/interaction-event',
    summary: 'Switch between sign-in and registration',
    description: 'Verifications are kept; the identified user and entered data are not.',
    body: Type.Object({ interactionEvent: InteractionEvent }),
    status: 204,
    errors: [
      'session.interaction_not_found',
      'session.not_supported_for_forgot_password',
      'user.sign_in_method_not_enabled',
      'user.sign_up_method_not_enabled',
    ],
  },
  getInteraction: {
    ...bound,
    method: 'GET',
    path: '/experience/interaction',
    summary: 'Get what has happened so far',
    description: 'The response contains no password and nothing derived from one.',
    status: 200,
    response: Type.Object({
      interactionEvent: InteractionEvent,
      userId: Type.Optional(Type.String()),
      trustedDevice: Type.Optional(
        Type.Object({ canCreate: Type.Boolean(), durationDays: Type.Optional(Type.Integer()) }),
      ),
      profile: Profile,
      verificationRecords: Type.Array(
        Type.Object({
          id: VerificationId,
          type: Type.String(),
          identifier: Type.Optional(Type.Object({ type: Type.String(), value: Type.String() })),
          userId: Type.Optional(Type.String()),
          connectorId: Type.Optional(Type.String()),
          ...FederatedInfo,
          verified: Type.Optional(Type.Boolean()),
          templateType: Type.Optional(CodeUsage),
          oneTimeTokenContext: Type.Optional(
            Type.Object({
              jitOrganizationIds: Type.Optional(Type.Array(Type.String())),
              interactionEvent: Type.Optional(InteractionEvent),
            }),
          ),
        }),
      ),
      mfa: Type.Object({
        mfaEnabled: Type.Optional(Type.Boolean()),
        mfaSkipped: Type.Optional(Type.Boolean()),
        additionalBindingSuggestionSkipped: Type.Optional(Type.Boolean()),
        totp: Type.Optional(Type.Object({ type: OneOf(['Totp']) })),
        backupCode: Type.Optional(Type.Object({ type: OneOf(['BackupCode']) })),
        webAuthn: Type.Optional(Type.Array(Type.Object({ type: OneOf(['WebAuthn']), credentialId: Type.String() }))),
      }),
      signInContext: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: 'Where the caller is, if GEOIP_FILE says it: country, city, latitude, longitude',
        }),
      ),
      captcha: Type.Object({ verified: Type.Boolean(), skipped: Type.Boolean() }),
    }),
    errors: ['session.interaction_not_found'],
  },
  verifyPassword: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/password',
    summary: 'Verify a password',
    description:
      'A wrong password and an unknown identifier get the same response. Consecutive failures lock the identifier.',
    body: Type.Object({ identifier: AnyIdentifier, password: Password }),
    status: 200,
    response: Verified,
    errors: [
      'session.captcha_required',
      'session.interaction_not_found',
      'session.invalid_interaction_type',
      'session.invalid_credentials',
      'session.verification_blocked_too_many_attempts',
      'user.sign_in_method_not_enabled',
      'session.sso_enabled',
      'request.rate_limited',
      'request.unavailable',
    ],
  },
  sendVerificationCode: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/verification-code',
    summary: 'Send a code',
    description:
      'A code of six digits, to an email address or a phone number: of a user who signs in by codes, of an account whose password was forgotten, of a user who registers and has to verify it, or one that an identified user adds to their account while signing in, be it as a second factor. The response does not reveal whether an account has the address. An earlier code becomes invalid.',
    body: Type.Object({ identifier: Address, interactionEvent: InteractionEvent }),
    status: 200,
    response: Verified,
    errors: [
      'session.captcha_required',
      'session.interaction_not_found',
      'session.invalid_interaction_type',
      'session.verification_blocked_too_many_attempts',
      'user.invalid_email',
      'session.email_blocklist.email_not_allowed',
      'session.email_blocklist.email_subaddressing_not_allowed',
      'request.message_rate_limited',
      'request.rate_limited',
      'connector.not_found',
      'session.sso_enabled',
      'user.email_exists_in_profile',
      'user.phone_exists_in_profile',
      'user.invalid_phone',
      'session.invalid_credentials',
      'user.suspended',
      ...offeredErrors,
    ],
  },
  verifyVerificationCode: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/verification-code/verify',
    summary: 'Verify an address or a number with the code sent to it',
    description:
      'Ten wrong attempts invalidate a code. Wrong attempts count towards the lockout of the identifier, like wrong passwords.',
    body: Type.Object({
      identifier: Address,
      verificationId: VerificationId,
      code: Type.String({ minLength: 1, maxLength: 32 }),
    }),
    status: 200,
    response: Verified,
    errors: [
      'session.interaction_not_found',
      'session.verification_blocked_too_many_attempts',
      'user.invalid_email',
      'user.invalid_phone',
      ...codeErrors,
      'request.rate_limited',
    ],
  },
  verifyNewPasswordIdentity: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/new-password-identity',
    summary: 'Choose an identifier and a password',
    description:
      'For registration, with one of `signUp.identifiers`. An email address or a number is accepted as it is if `signUp.verify` is false; otherwise the address is verified with a code instead. The response reveals whether the identifier is free; each call counts towards a limit per address of the caller.',
    body: Type.Object({
      identifier: AnyIdentifier,
      password: Password,
    }),
    status: 200,
    response: Verified,
    errors: [
      'session.captcha_required',
      'session.verification_failed',
      'request.rate_limited',
      'session.interaction_not_found',
      'session.invalid_interaction_type',
      'user.sign_up_method_not_enabled',
      'password.rejected',
      'request.unavailable',
      ...identifierErrors,
    ],
  },
  proveOneTimeToken: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/one-time-token/verify',
    summary: 'Verify an address with the one-time token of a link',
    description:
      'Uses the token up. Without `identifier` or `token` they are those that the authorization request brought (`login_hint`, `one_time_token`). Identify the user with it, or register: that works even if registration is off. The response does not depend on whether an account has the address. Wrong tokens count towards the lockout of the identifier, like wrong passwords.',
    body: Type.Object({
      identifier: Type.Optional(Type.Object({ type: Named('email'), value: Value })),
      token: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    }),
    status: 200,
    response: Verified,
    errors: [
      'session.interaction_not_found',
      'session.verification_blocked_too_many_attempts',
      'user.invalid_email',
      'one_time_token.token_not_found',
      'one_time_token.email_mismatch',
      'one_time_token.interaction_event_mismatch',
      'one_time_token.token_expired',
      'one_time_token.token_consumed',
      'one_time_token.token_revoked',
      'request.rate_limited',
    ],
  },
  identify: {
    ...bound,
    method: 'POST',
    path: '/experience/identification',
    summary: 'Identify the user who signs in or registers',
    description:
      'By a verification of this interaction. At registration the response is 201 and `verificationId` may be omitted; the account itself is created when the interaction is submitted.',
    body: Type.Object({
      verificationId: Type.Optional(VerificationId),
      linkSocialIdentity: Type.Optional(
        Type.Boolean({
          description:
            'Whether the social account becomes that of the user who has its address, where both sides have verified that',
        }),
      ),
    }),
    status: 204,
    otherStatus: 201,
    errors: [
      'session.captcha_required',
      'session.interaction_not_found',
      'session.verification_session_not_found',
      'session.verification_failed',
      'password.expired',
      'session.identity_conflict',
      'session.invalid_credentials',
      'user.suspended',
      'user.user_not_exist',
      ...accountElsewhereErrors,
      ...offeredErrors,
      'user.missing_profile',
      ...identifierErrors,
    ],
  },
  addProfile: {
    ...bound,
    method: 'POST',
    path: '/experience/profile',
    summary: 'Enter a username, a password or profile data',
    description:
      'Kept until the interaction is submitted. `email` and `phone` take what was verified for registration or, if a user without one signs in, to be added; `social` adds a social account that was verified. With `value` in place of `verificationId`, an address or a number is accepted without verification if `signUp.verify` is false. Unknown names in `values` are refused.',
    body: Type.Union([
      Type.Object({ type: Named('username'), value: Value }),
      Type.Object({ type: Named('password'), value: Password }),
      Type.Object({ type: Named('extraProfile'), values: ExtraProfile }),
      Type.Object({ type: OneOf(['email', 'phone', 'social']), verificationId: VerificationId }),
      Type.Object({ type: OneOf(['email', 'phone']), value: Value }),
    ]),
    status: 204,
    errors: [
      'request.rate_limited',
      'session.interaction_not_found',
      ...identifiedErrors,
      'session.not_supported_for_forgot_password',
      'session.verification_session_not_found',
      'session.verification_failed',
      'user.username_exists_in_profile',
      'user.email_exists_in_profile',
      'user.phone_exists_in_profile',
      'user.password_exists_in_profile',
      'user.identity_already_in_use',
      'user.social_account_exists_in_profile',
      'user.sign_up_method_not_enabled',
      'password.rejected',
      'request.unavailable',
      ...identifierErrors,
    ],
  },
  resetPassword: {
    ...bound,
    method: 'PUT',
    path: '/experience/profile/password',
    summary: 'Choose a new password in place of a forgotten one',
    body: Type.Object({ password: Password }),
    status: 204,
    errors: [
      'session.interaction_not_found',
      'session.invalid_interaction_type',
      ...identifiedErrors,
      'user.same_password',
      'password.rejected',
      'request.unavailable',
    ],
  },
  submitInteraction: {
    ...bound,
    method: 'POST',
    path: '/experience/submit',
    summary: 'Finish',
    description:
      'Signs the user in who has what sign-up requires (else 422 `user.missing_profile`, whose `missingProfile` names what has to be entered first), or makes the account and signs it in, and sets the cookie of the session. The browser then goes to `redirectTo`. Where a second factor has to be proved the answer is 403 `session.mfa.require_mfa_verification` with `availableFactors`; where one has to be set up it is 422 `user.missing_mfa`, and `user.suggest_mfa` or `session.mfa.suggest_additional_mfa` where that can be skipped. Where passkeys sign users in and this one has none, it is 422 `user.passkey_preferred` until one was made or that was skipped. Resetting a password signs no one in, and there is no `redirectTo`.',
    status: 200,
    response: Type.Object({ redirectTo: Type.Optional(Type.String()) }),
    errors: [
      'password.expired',
      'request.rate_limited',
      'session.interaction_not_found',
      ...identifiedErrors,
      ...neededFactorErrors,
      'user.missing_profile',
      'session.verification_failed',
      'user.new_password_required_in_profile',
      ...takenErrors,
      'user.username_exists_in_profile',
      'user.email_exists_in_profile',
      'user.phone_exists_in_profile',
      'user.password_exists_in_profile',
      'user.identity_already_in_use',
      'user.social_account_exists_in_profile',
      ...offeredErrors,
    ],
  },
})
