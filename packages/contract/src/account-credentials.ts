/** The Account API: what users sign in with, their password and their addresses (DECISIONS T4, T5). */
import Type from 'typebox'
import { FIELD_ERRORS, REMOVAL_ERRORS } from './account.ts'
import { routes } from './route.ts'

const base = { permission: null, proof: true, status: 204 } as const
const verified = {
  newIdentifierVerificationRecordId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'The verification of the new address; used up by this',
  }),
}

export const accountCredentialRoutes = routes({
  setMyPassword: {
    ...base,
    method: 'POST',
    path: '/my-account/password',
    scopes: [],
    summary: 'Set one’s own password',
    description:
      'Needs a proof of who the user is. Ends the other sessions of the user, with all grants and tokens that are not of this session, and the trust in devices.',
    body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 256 }) }),
    errors: [...FIELD_ERRORS, 'password.rejected', 'session.sso_enabled', 'user.same_password', 'request.unavailable'],
  },
  setMyEmail: {
    ...base,
    method: 'POST',
    path: '/my-account/primary-email',
    scopes: ['email'],
    summary: 'Set one’s own email address',
    description: 'Needs a proof of who the user is, and the verification of the new address.',
    body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 256 }), ...verified }),
    errors: [
      ...FIELD_ERRORS,
      'session.email_blocklist.email_not_allowed',
      'session.email_blocklist.email_subaddressing_not_allowed',
      'session.sso_enabled',
      'user.email_already_in_use',
      'user.invalid_email',
      'verification_record.not_found',
    ],
  },
  removeMyEmail: {
    ...base,
    method: 'DELETE',
    path: '/my-account/primary-email',
    scopes: ['email'],
    summary: 'Remove one’s own email address',
    description: 'Needs a proof of who the user is.',
    errors: [...FIELD_ERRORS, ...REMOVAL_ERRORS],
  },
  setMyPhone: {
    ...base,
    method: 'POST',
    path: '/my-account/primary-phone',
    scopes: ['phone'],
    summary: 'Set one’s own phone number',
    description: 'Needs a proof of who the user is, and the verification of the new number.',
    body: Type.Object({ phone: Type.String({ minLength: 1, maxLength: 256 }), ...verified }),
    errors: [...FIELD_ERRORS, 'user.phone_already_in_use', 'user.invalid_phone', 'verification_record.not_found'],
  },
  removeMyPhone: {
    ...base,
    method: 'DELETE',
    path: '/my-account/primary-phone',
    scopes: ['phone'],
    summary: 'Remove one’s own phone number',
    description: 'Needs a proof of who the user is.',
    errors: [...FIELD_ERRORS, ...REMOVAL_ERRORS],
  },
})
