/** The keys that sign a tenant's tokens (DECISIONS G1). Private parts never leave the server. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, OneOf } from './schema.ts'

/** The algorithms that the server can sign with. */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

export const SigningKey = Type.Object({
  id: Type.String({ description: 'The `kid`: the RFC 7638 thumbprint of the public key' }),
  createdAt: EpochMilliseconds,
  signingKeyAlgorithm: OneOf(['RSA', 'EC', 'OKP']),
  algorithm: OneOf(SIGNING_ALGORITHMS),
  chain: Type.String({
    description:
      '`main`: signs access tokens, and, unless the application asks for another algorithm, ID tokens and responses as JWTs. The name of an algorithm: signs those of the applications that ask for it (idTokenSignedResponseAlg, authorizationSignedResponseAlg, introspectionSignedResponseAlg). Each chain has a Current key',
  }),
  status: OneOf(['Next', 'Current', 'Previous'], {
    description: 'Next: published, not signing yet. Previous: verifies only',
  }),
  effectiveAt: EpochMilliseconds,
})

export const KeyRotation = Type.Object({
  signingKeyAlgorithm: Type.Optional(OneOf(['RSA', 'EC'], { description: 'RSA means RS256, EC means ES256' })),
  algorithm: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description: 'Takes precedence over signingKeyAlgorithm. Default: that of the current key',
    }),
  ),
  rotationGracePeriod: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_592_000,
      description:
        'Seconds for which the new key is published before it signs, so that verifiers know it by then. Default 600',
    }),
  ),
})

export const signingKeyRoutes = routes({
  listSigningKeys: {
    method: 'GET',
    path: '/configs/oidc/private-keys',
    permission: 'read:configs',
    summary: 'List the signing keys, newest first',
    status: 200,
    response: Type.Array(SigningKey),
  },
  rotateSigningKeys: {
    method: 'POST',
    path: '/configs/oidc/private-keys/rotate',
    permission: 'write:configs',
    summary: 'Create a new signing key in every chain',
    description:
      'The algorithm applies to the chain main; the others keep theirs. The key is Next until the grace period is over, then Current; the previous key becomes Previous and still verifies. A key that is still Next is replaced.',
    body: KeyRotation,
    status: 200,
    response: Type.Array(SigningKey),
  },
  deleteSigningKey: {
    method: 'DELETE',
    path: '/configs/oidc/private-keys/:keyId',
    permission: 'write:configs',
    summary: 'Delete a signing key in the state Previous; tokens that it signed are refused from now on',
    params: Type.Object({ keyId: Type.String({ minLength: 1, maxLength: 64 }) }),
    status: 204,
    errors: ['oidc.key_not_found', 'oidc.only_previous_key_can_be_deleted'],
  },
})
