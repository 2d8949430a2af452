/** The settings of an application that need keys of it, each with what it needs. */
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { assertClientKeys, encryptionKeyFor } from './client-keys.ts'
import { httpUriObjection } from './redirect-uris.ts'
import type { ClientMetadata } from './rows.ts'

type Member = keyof ClientMetadata

const refuse = (member: Member, reason: string, code?: InputIssueCode): ApiError =>
  new ApiError('guard.invalid_input', {
    reason: `${member} ${reason}`,
    issues: [{ path: `/customClientMetadata/${member}`, reason, ...(code === undefined ? {} : { code }) }],
  })

const ENCRYPTED = [
  ['idTokenEncryptedResponseAlg', 'idTokenEncryptedResponseEnc'],
  ['userinfoEncryptedResponseAlg', 'userinfoEncryptedResponseEnc'],
] as const

/** What is encrypted needs a key that fits; of published keys that is only known at use. */
const assertEncryption = (metadata: ClientMetadata): void => {
  const { jwks, jwksUri } = metadata
  for (const [alg, enc] of ENCRYPTED) {
    const algorithm = metadata[alg]
    if (metadata[enc] !== undefined && algorithm === undefined) throw refuse(enc, `needs ${alg}`)
    const isServed = jwksUri !== undefined || encryptionKeyFor(jwks?.keys ?? [], algorithm ?? 'ECDH-ES') !== undefined
    if (algorithm !== undefined && !isServed)
      throw refuse(alg, `needs a key for ${algorithm} of the application in jwks, or jwksUri`, 'keys_missing')
  }
}

/** Refuses keys that cannot be used, and settings that have no keys to use; 400. Fetches nothing. */
export const assertKeySettings = async (metadata: ClientMetadata): Promise<void> => {
  const { jwks, jwksUri, tokenEndpointAuthMethod, requireSignedRequestObject } = metadata
  const hasKeys = jwks !== undefined || jwksUri !== undefined
  // RFC 7591 section 2
  if (jwks && jwksUri !== undefined) throw refuse('jwksUri', 'and jwks cannot both be set', 'keys_twice')
  const objection = jwksUri === undefined ? undefined : httpUriObjection(jwksUri)
  if (objection !== undefined) throw refuse('jwksUri', objection.reason, objection.code)
  if (tokenEndpointAuthMethod === 'private_key_jwt' && !hasKeys)
    throw new ApiError('guard.invalid_input', {
      reason: 'private_key_jwt needs the public keys of the application in jwks, or jwksUri',
      issues: [{ path: '/customClientMetadata/jwks', reason: 'is needed for private_key_jwt', code: 'keys_missing' }],
    })
  if (requireSignedRequestObject && !hasKeys)
    throw refuse(
      'requireSignedRequestObject',
      'needs the public keys of the application in jwks, or jwksUri',
      'keys_missing',
    )
  if (metadata.backchannelAuthenticationRequestSigningAlg !== undefined && !hasKeys)
    throw refuse(
      'backchannelAuthenticationRequestSigningAlg',
      'needs the public keys of the application in jwks, or jwksUri',
      'keys_missing',
    )
  if (jwks) await assertClientKeys(jwks.keys)
  assertEncryption(metadata)
}
