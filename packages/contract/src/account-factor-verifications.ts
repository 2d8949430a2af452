/** Verifications of the Account API by second factors, and passkeys that are being made for one's own account (DECISIONS T6). */
import Type from 'typebox'
import { VerificationBegun } from './account-verifications.ts'
import { MadePasskey, ProvedPasskey } from './passkeys.ts'
import { routes } from './route.ts'
import { JsonObject } from './schema.ts'

const base = { method: 'POST', permission: null, scopes: [] } as const
const { verificationRecordId, expiresAt } = VerificationBegun.properties
const Verified = Type.Object({ verificationRecordId })

const guessErrors = ['session.verification_blocked_too_many_attempts', 'request.rate_limited'] as const

export const accountFactorVerificationRoutes = routes({
  verifyMyTotp: {
    ...base,
    path: '/verifications/totp',
    summary: 'Prove who one is with the authenticator app',
    description: 'A code is good once. Wrong codes count towards a lock of this factor.',
    body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
    status: 201,
    response: VerificationBegun,
    errors: ['session.mfa.invalid_totp_code', ...guessErrors],
  },
  beginMyPasskeyVerification: {
    ...base,
    path: '/verifications/web-authn/authentication',
    summary: 'Begin to prove who one is with a passkey',
    description: 'The options are for `navigator.credentials.get`.',
    status: 201,
    response: Type.Object({ verificationRecordId, authenticationOptions: JsonObject, expiresAt }),
    errors: ['session.mfa.webauthn_verification_not_found'],
  },
  verifyMyPasskey: {
    ...base,
    path: '/verifications/web-authn/authentication/verify',
    summary: 'Prove who one is with a passkey',
    body: Type.Object({ verificationRecordId, payload: ProvedPasskey }),
    status: 200,
    response: Verified,
    errors: ['session.mfa.webauthn_verification_failed', 'verification_record.not_found', ...guessErrors],
  },
  beginMyPasskey: {
    ...base,
    scopes: ['identities'],
    path: '/verifications/web-authn/registration',
    summary: 'Begin to make a passkey for one’s own account',
    description:
      'The options are for `navigator.credentials.create`, at the origin of the server or at one of `webauthnRelatedOrigins`.',
    status: 200,
    response: Type.Object({ verificationRecordId, registrationOptions: JsonObject, expiresAt }),
    errors: [
      'account_center.field_not_enabled',
      'account_center.field_not_editable',
      'session.mfa.mfa_factor_not_enabled',
    ],
  },
  verifyMyNewPasskey: {
    ...base,
    scopes: ['identities'],
    path: '/verifications/web-authn/registration/verify',
    summary: 'Take the passkey that the browser has made',
    description: '`POST /my-account/mfa-verifications` adds it to the account.',
    body: Type.Object({ verificationRecordId, payload: MadePasskey }),
    status: 200,
    response: Verified,
    errors: ['session.mfa.webauthn_verification_failed', 'verification_record.not_found'],
  },
})
