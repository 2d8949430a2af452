/**
 * Protection of secrets at rest. Values that are only compared are stored hashed; values that must be read back are
 * sealed under the master key. Both are for values of full entropy: passwords are handled elsewhere.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, timingSafeEqual } from 'node:crypto'
import { newBytes } from './ids.ts'

/** SHA-256 of a secret that has at least 128 bits of entropy. Not for passwords. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Whether the secret has this hash, in constant time (SECURITY R-35). */
export const matchesHash = (secret: string, expected: Uint8Array): boolean => {
  const actual = hashSecret(secret)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const VERSION = 1
const NONCE = 12
const TAG = 16

/** Seals values under the master key. */
export interface Vault {
  /**
   * AES-256-GCM under a key derived from the master key.
   * @param purpose the kind and the owner of the value, such as `signing-key/<tenant>/<id>`; a sealed value opens only
   *   under the same purpose, so that a copied row is useless elsewhere
   */
  seal(text: string, purpose: string): Buffer
  /**
   * Returns the plain text. Throws when the value was changed, has another purpose, or was sealed under another master
   * key.
   */
  unseal(sealed: Uint8Array, purpose: string): string
  /**
   * HMAC-SHA256 of a text under a key derived from the master key for this purpose: 32 bytes that only this server can
   * make.
   */
  authenticate(text: string, purpose: string): Buffer
}

/** @param masterKey 32 bytes: the `SECRET_KEY` of the installation */
export const createVault = (masterKey: Uint8Array): Vault => {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, '', `countersign/${purpose}/v1`, 32))
  const key = derive('seal')
  const macKeys = new Map<string, Buffer>()
  return {
    seal(text, purpose) {
      const nonce = newBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body])
    },
    unseal(sealed, purpose) {
      const bytes = Buffer.from(sealed)
      if (bytes[0] !== VERSION || bytes.length < 1 + NONCE + TAG)
        throw new Error('A sealed value has an unknown format')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + NONCE))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(1 + NONCE, 1 + NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE + TAG)), decipher.final()]).toString('utf8')
    },
    authenticate(text, purpose) {
      const macKey = macKeys.get(purpose) ?? derive(`mac/${purpose}`)
      macKeys.set(purpose, macKey)
      return createHmac('sha256', macKey).update(text).digest()
    },
  }
}
