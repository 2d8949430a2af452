/**
 * What is encrypted for an application (OpenID Connect Core section 10.2, RFC 7516): an ID token, which is signed first, or
 * userinfo, with a key that the application has registered or publishes.
 */
import type { CONTENT_ENCRYPTIONS, KEY_ENCRYPTIONS } from '@countersign/contract/encryption.ts'
import { encryptionKeyFor } from '../domain/applications/client-keys.ts'
import type { Client } from '../domain/applications/clients.ts'
import { keysOfClient } from '../domain/applications/keys-of-client.ts'
import { KeysUnavailable } from '../domain/applications/remote-keys.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'

export interface Encryption {
  readonly alg: (typeof KEY_ENCRYPTIONS)[number]
  readonly enc: (typeof CONTENT_ENCRYPTIONS)[number]
}

const DEFAULT_ENC = 'A128CBC-HS256'

/** How the ID tokens of a client are encrypted; undefined: they are not. */
export const idTokenEncryption = ({ metadata }: Pick<Client, 'metadata'>): Encryption | undefined => {
  const { idTokenEncryptedResponseAlg: alg, idTokenEncryptedResponseEnc: enc = DEFAULT_ENC } = metadata
  return alg && { alg, enc }
}

/** How userinfo is encrypted for a client; undefined: it is not. */
export const userinfoEncryption = ({ metadata }: Pick<Client, 'metadata'>): Encryption | undefined => {
  const { userinfoEncryptedResponseAlg: alg, userinfoEncryptedResponseEnc: enc = DEFAULT_ENC } = metadata
  return alg && { alg, enc }
}

/**
 * Finds the key of a client for an encryption, which may ask its `jwksUri`: outside a transaction, so that a later use finds it in memory.
 * Throws OAuthError `invalid_request` if there is none.
 */
export const encryptionKey = async (store: Store, client: Client, { alg }: Encryption) => {
  const isEnough = (keys: Client['keys']) => encryptionKeyFor(keys, alg) !== undefined
  const keys = await keysOfClient(store, client, isEnough).catch((error: unknown) => {
    if (!(error instanceof KeysUnavailable)) throw error
    throw new OAuthError('invalid_request', `the keys at the jwks_uri of the client are not known: ${error.message}`)
  })
  const key = encryptionKeyFor(keys, alg)
  if (!key) throw new OAuthError('invalid_request', `the client has no key for ${alg}`)
  return key
}

/**
 * Encrypts something for a client. Throws OAuthError as encryptionKey.
 * @param content a JWT, or claims as JSON
 */
export const encryptedFor = async (
  store: Store,
  client: Client,
  encryption: Encryption,
  content: string,
): Promise<string> => {
  const { CompactEncrypt, importJWK } = await import('jose')
  const jwk = await encryptionKey(store, client, encryption)
  const { alg, enc } = encryption
  const isJwt = !content.startsWith('{')
  const header = { alg, enc, ...(jwk.kid === undefined ? {} : { kid: jwk.kid }), ...(isJwt ? { cty: 'JWT' } : {}) }
  return new CompactEncrypt(Buffer.from(content)).setProtectedHeader(header).encrypt(await importJWK(jwk, alg))
}
