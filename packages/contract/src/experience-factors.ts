/** Second factors, passkeys and trusted devices in the Experience API (DECISIONS O). */
import Type from 'typebox'
import { AnyIdentifier, bound, codeErrors, identifiedErrors, VerificationId, Verified } from './experience-steps.ts'
import { FACTORS } from './factor-settings.ts'
import { MadePasskey, ProvedPasskey } from './passkeys.ts'
import { routes } from './route.ts'
import { JsonObject, OneOf } from './schema.ts'

const SecondFactorCode = Type.String({ minLength: 1, maxLength: 64 })
/** Of a step that proves a second factor. */
const factorErrors = [
  'session.interaction_not_found',
  'session.mfa.mfa_sign_in_only',
  'session.verification_blocked_too_many_attempts',
  'request.rate_limited',
  ...identifiedErrors,
] as const
/** Which of the addresses of the user; capitalised in older clients. */
const FactorAddress = OneOf(['email', 'phone', 'Email', 'Phone'])
/** Of a step that sets one up, or decides about them. */
const setUpErrors = [
  'session.interaction_not_found',
  'session.not_supported_for_forgot_password',
  'session.mfa.mfa_factor_not_enabled',
  'session.mfa.require_mfa_verification',
  ...identifiedErrors,
] as const
export const experienceFactorRoutes = routes({
  createTotpSecret: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/totp/secret',
    summary: 'Begin to set up an authenticator app',
    description:
      'Makes a secret for the user who was identified, or for the account that is being registered, as text and as an image for the app to read. Prove it by a code, then add it with `POST /experience/profile/mfa`.',
    status: 200,
    response: Type.Object({
      verificationId: VerificationId,
      secret: Type.String({ description: 'Base32' }),
      secretQrCode: Type.String({ description: 'A `data:` address of an SVG' }),
    }),
    errors: [...setUpErrors, 'user.totp_already_in_use'],
  },
  verifyTotp: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/totp/verify',
    summary: 'Prove a code of an authenticator app',
    description:
      'Without `verificationId` it is the app of the user who was identified, and the code is a second factor; with it, the app that is being set up. A code is good once. Wrong codes count towards a lock of this factor.',
    body: Type.Object({ code: SecondFactorCode, verificationId: Type.Optional(VerificationId) }),
    status: 200,
    response: Verified,
    errors: [
      ...factorErrors,
      'session.mfa.invalid_totp_code',
      'session.mfa.pending_info_not_found',
      'session.verification_session_not_found',
    ],
  },
  generateBackupCodes: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/backup-code/generate',
    summary: 'Make backup codes',
    description: 'Ten, told here and never again; add them with `POST /experience/profile/mfa`.',
    status: 200,
    response: Type.Object({ verificationId: VerificationId, codes: Type.Array(Type.String()) }),
    errors: [...setUpErrors, 'user.backup_code_already_in_use'],
  },
  verifyBackupCode: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/backup-code/verify',
    summary: 'Prove a backup code',
    description: 'Of the user who was identified, as a second factor. Each is good once.',
    body: Type.Object({ code: SecondFactorCode }),
    status: 200,
    response: Verified,
    errors: [...factorErrors, 'session.mfa.invalid_backup_code'],
  },
  sendFactorCode: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/mfa-verification-code',
    summary: 'Send a code as a second factor',
    description:
      'To the address or the number that the account of the identified user has, unless they have signed in with a code to it. An earlier code becomes invalid.',
    body: Type.Object({ identifierType: FactorAddress }),
    status: 200,
    response: Verified,
    errors: [
      ...factorErrors,
      'session.mfa.mfa_factor_not_enabled',
      'request.message_rate_limited',
      'connector.not_found',
    ],
  },
  verifyFactorCode: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/mfa-verification-code/verify',
    summary: 'Prove a code as a second factor',
    description:
      'Ten wrong attempts invalidate a code. Wrong attempts count towards a lock of this factor, not towards the lockout of the address.',
    body: Type.Object({
      verificationId: VerificationId,
      code: Type.String({ minLength: 1, maxLength: 32 }),
      identifierType: FactorAddress,
    }),
    status: 200,
    response: Verified,
    errors: [...factorErrors, ...codeErrors],
  },
  beginPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/web-authn/registration',
    summary: 'Begin to make a passkey',
    description:
      'For the user who was identified, or for the account that is being registered. The options go to `navigator.credentials.create`.',
    status: 200,
    response: Type.Object({ verificationId: VerificationId, registrationOptions: JsonObject }),
    errors: setUpErrors,
  },
  finishPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/web-authn/registration/verify',
    summary: 'Bring the passkey that was made',
    description: 'Add it with `POST /experience/profile/mfa`.',
    body: Type.Object({ verificationId: VerificationId, payload: MadePasskey }),
    status: 200,
    response: Verified,
    errors: [
      'session.interaction_not_found',
      'session.verification_session_not_found',
      'session.mfa.webauthn_verification_failed',
      'session.mfa.webauthn_verification_not_found',
    ],
  },
  getPasskeyOptions: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/web-authn/authentication',
    summary: 'Ask for a passkey as a second factor',
    description:
      'Of the user who was identified. The options go to `navigator.credentials.get`. The challenge belongs to the interaction; `verificationId` need not be sent back.',
    status: 200,
    response: Type.Object({ verificationId: VerificationId, authenticationOptions: JsonObject }),
    errors: [...factorErrors, 'session.mfa.webauthn_verification_not_found'],
  },
  verifyPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/web-authn/authentication/verify',
    summary: 'Prove a passkey as a second factor',
    body: Type.Object({ verificationId: Type.Optional(VerificationId), payload: ProvedPasskey }),
    status: 200,
    response: Verified,
    errors: [...factorErrors, 'session.mfa.webauthn_verification_failed'],
  },
  getSignInPasskeyOptions: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/sign-in-passkey/authentication',
    summary: 'Ask for a passkey to sign in with',
    description:
      'The answer is the same for every identifier, whether an account has it or not: any passkey of this server will do. The options go to `navigator.credentials.get`.',
    body: Type.Object({ identifier: AnyIdentifier }),
    status: 200,
    response: Type.Object({ verificationId: VerificationId, authenticationOptions: JsonObject }),
    errors: ['session.interaction_not_found', 'session.invalid_interaction_type', 'user.sign_in_method_not_enabled'],
  },
  verifySignInPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/verification/sign-in-passkey/authentication/verify',
    summary: 'Prove a passkey to sign in with',
    description: 'Identify the user with it; no other factor is asked for.',
    body: Type.Object({ verificationId: Type.Optional(VerificationId), payload: ProvedPasskey }),
    status: 200,
    response: Verified,
    errors: [
      'session.interaction_not_found',
      'session.invalid_interaction_type',
      'session.mfa.webauthn_verification_failed',
      'user.sign_in_method_not_enabled',
      'request.rate_limited',
    ],
  },
  preflightSignInPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/preflight/sign-in-passkey/authentication',
    summary: 'Ask for a passkey before anything was begun',
    description: 'For the autofill of a browser: the options are ready when the page is.',
    status: 200,
    response: Type.Object({ authenticationOptions: JsonObject }),
    errors: ['user.sign_in_method_not_enabled'],
  },
  addFactor: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa',
    summary: 'Add a factor that was set up',
    description:
      'The account gets it when the interaction is submitted. A user who has factors proves one of them first; backup codes need another factor beside them. With `EmailVerificationCode` and `PhoneVerificationCode` the verified address or number becomes that of the account.',
    body: Type.Object({ type: OneOf(FACTORS), verificationId: VerificationId }),
    status: 204,
    errors: [
      ...setUpErrors,
      'session.verification_session_not_found',
      'session.verification_failed',
      'session.mfa.backup_code_can_not_be_alone',
      'user.email_exists_in_profile',
      'user.phone_exists_in_profile',
      'user.email_already_in_use',
      'user.phone_already_in_use',
      'user.sign_up_method_not_enabled',
      'session.email_blocklist.email_not_allowed',
      'session.email_blocklist.email_subaddressing_not_allowed',
    ],
  },
  addSignInPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa/passkey',
    summary: 'Add a passkey to sign in with',
    description:
      'As `POST /experience/profile/mfa`, whether or not passkeys are second factors. Answers `user.passkey_preferred`.',
    body: Type.Object({ verificationId: VerificationId }),
    status: 204,
    errors: [
      ...setUpErrors,
      'session.verification_session_not_found',
      'session.verification_failed',
      'user.sign_in_method_not_enabled',
    ],
  },
  skipSignInPasskey: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa/passkey-skipped',
    summary: 'Say that the user does not want a passkey',
    description: 'Answers `user.passkey_preferred`; they are not asked again.',
    status: 204,
    errors: setUpErrors,
  },
  enableMfa: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa/mfa-enabled',
    summary: 'Say that the user wants a second factor',
    description: 'Submitting then answers `user.missing_mfa` in place of `user.suggest_mfa` until one was added.',
    status: 204,
    errors: setUpErrors,
  },
  skipMfa: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa/mfa-skipped',
    summary: 'Say that the user does not want a second factor',
    description: 'They are not asked again. Refused where the policy is a mandatory one.',
    status: 204,
    errors: [...setUpErrors, 'session.mfa.mfa_policy_not_user_controlled'],
  },
  skipMfaSuggestion: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa/mfa-suggestion-skipped',
    summary: 'Say that the user does not want another factor',
    description: 'Answers `session.mfa.suggest_additional_mfa`; they are not asked again.',
    status: 204,
    errors: [...setUpErrors, 'session.mfa.mfa_policy_not_user_controlled'],
  },
  trustDevice: {
    ...bound,
    method: 'POST',
    path: '/experience/profile/mfa/trusted-device',
    summary: 'Trust the device',
    description:
      'From the end of this sign-in on: a second factor is not asked for again on it until that ends (`trustedDevice` of the sign-in settings). Needs a factor other than a backup code that was proved in this interaction.',
    status: 204,
    errors: [
      'session.interaction_not_found',
      'session.mfa.mfa_sign_in_only',
      'session.mfa.require_mfa_verification',
      ...identifiedErrors,
    ],
  },
})
