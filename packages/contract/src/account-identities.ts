/** The Account API: accounts of one's own at providers elsewhere, and the picture (DECISIONS T10). */
import Type from 'typebox'
import { FIELD_ERRORS } from './account.ts'
import { VerificationBegun } from './account-verifications.ts'
import { ConnectorData, VisitFields, VisitScope } from './provider-visits.ts'
import { routes } from './route.ts'
import { Id } from './schema.ts'
import { UploadedAsset, uploadErrors } from './user-assets.ts'

const base = { permission: null, scopes: ['identities'] } as const
const { verificationRecordId, expiresAt } = VerificationBegun.properties
const ofTarget = {
  params: Type.Object({
    target: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.-]+$' }),
  }),
}
const Added = Type.Object({ newIdentifierVerificationRecordId: verificationRecordId })

/** Times as the provider has told them. */
const ProviderToken = Type.Object({
  access_token: Type.String(),
  scope: Type.Optional(Type.String()),
  token_type: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Integer({ description: 'Seconds from now' })),
})

const tokenErrors = [
  'account_center.field_not_enabled',
  'secrets.third_party_token_set.token_not_found',
  'secrets.third_party_token_set.access_token_expired',
  'connector.invalid_response',
] as const
const visitErrors = [
  'session.connector_session_not_found',
  'connector.authorization_failed',
  'connector.social_auth_code_invalid',
  'connector.social_invalid_id_token',
  'connector.invalid_response',
] as const

export const accountIdentityRoutes = routes({
  beginMySocialVerification: {
    ...base,
    method: 'POST',
    path: '/verifications/social',
    summary: 'Begin to prove an account at a social provider',
    description:
      'Send the browser to `authorizationUri`. The provider sends it back to `redirectUri`, which has to be registered with it and whose path ends in the id of the connector.',
    body: Type.Object({
      connectorId: Type.String({ minLength: 1, maxLength: 21 }),
      ...VisitFields,
      scope: VisitScope,
    }),
    status: 201,
    response: Type.Object({ verificationRecordId, authorizationUri: Type.String(), expiresAt }),
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id', 'connector.not_enabled', 'connector.invalid_response'],
  },
  verifyMySocialAccount: {
    ...base,
    method: 'POST',
    path: '/verifications/social/verify',
    summary: 'Prove it with what the user came back with',
    description:
      'An account that the user has already proves who they are; any other can be added with `POST /my-account/identities`.',
    body: Type.Object({
      verificationRecordId,
      connectorData: ConnectorData(),
    }),
    status: 200,
    response: Type.Object({ verificationRecordId }),
    errors: ['verification_record.not_found', 'entity.not_exists_with_id', 'connector.not_enabled', ...visitErrors],
  },
  addMyIdentity: {
    ...base,
    method: 'POST',
    path: '/my-account/identities',
    proof: true,
    summary: 'Add an account at a provider to one’s own',
    description:
      'Needs a proof of who the user is, and the verification of that account. Who has it signs in as the user.',
    body: Added,
    status: 204,
    errors: [
      ...FIELD_ERRORS,
      'verification_record.not_found',
      'user.identity_already_in_use',
      'user.social_account_exists_in_profile',
    ],
  },
  replaceMyIdentity: {
    ...base,
    method: 'PUT',
    path: '/my-account/identities',
    proof: true,
    summary: 'The same in place of the account that the user has there',
    body: Added,
    status: 204,
    errors: [...FIELD_ERRORS, 'verification_record.not_found', 'user.identity_already_in_use'],
  },
  removeMyIdentity: {
    ...base,
    method: 'DELETE',
    path: '/my-account/identities/:target',
    proof: true,
    summary: 'Remove an account at a provider from one’s own',
    description: 'Needs a proof of who the user is.',
    ...ofTarget,
    status: 204,
    errors: [...FIELD_ERRORS, 'user.identity_not_exist', 'user.last_sign_in_method_required'],
  },
  getMyProviderToken: {
    ...base,
    method: 'GET',
    path: '/my-account/identities/:target/access-token',
    isFirstParty: true,
    summary: 'Get the access token of a provider',
    description:
      'Kept where the connector says so, and refreshed when it has expired. Not for third-party applications.',
    ...ofTarget,
    status: 200,
    response: ProviderToken,
    errors: tokenErrors,
  },
  putMyProviderToken: {
    ...base,
    method: 'PUT',
    path: '/my-account/identities/:target/access-token',
    summary: 'Replace the tokens of a provider that are kept',
    description: 'By those of a verification of the account that the user has there; used up by this.',
    ...ofTarget,
    body: Type.Object({ verificationRecordId }),
    status: 200,
    response: ProviderToken,
    errors: [...tokenErrors, 'verification_record.not_found'],
  },
  getMySsoProviderToken: {
    ...base,
    method: 'GET',
    path: '/my-account/sso-identities/:connectorId/access-token',
    isFirstParty: true,
    summary: 'Get the access token of the identity provider of a company',
    description:
      'Kept where the SSO connector says so, and refreshed when it has expired. Not for third-party applications.',
    params: Type.Object({ connectorId: Id }),
    status: 200,
    response: ProviderToken,
    errors: tokenErrors,
  },
  uploadMyAvatar: {
    permission: null,
    scopes: ['profile'],
    method: 'POST',
    path: '/my-account/user-assets/avatar',
    upload: true,
    summary: 'Upload a picture of oneself',
    description:
      'It becomes that of the account. The same rules as for other uploads: decoded, made smaller and encoded anew.',
    status: 200,
    response: UploadedAsset,
    errors: [...FIELD_ERRORS, ...uploadErrors, 'request.rate_limited'],
  },
})
