/** A passkey authenticator in the process of the test: makes a credential and proves it, as a browser would answer. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const USER_PRESENT_AND_VERIFIED = 0x05
const WITH_CREDENTIAL = 0x40

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

interface Options {
  readonly challenge: string
}

export class Authenticator {
  readonly id = randomBytes(16).toString('base64url')
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  #counter = 0

  /** @param baseUrl of the server, which is the relying party */
  constructor(baseUrl: string) {
    this.#origin = new URL(baseUrl).origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey
  }

  #clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #authenticatorData(flags: number): Buffer {
    this.#counter += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    return Buffer.concat([sha256(new URL(this.#origin).hostname), Buffer.from([flags]), counter])
  }

  /** The COSE key (RFC 9052 section 7): ES256 on P-256. */
  #coseKey(): Uint8Array {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    )
  }

  /** The answer of `navigator.credentials.create`. */
  create({ challenge }: Options) {
    const id = Buffer.from(this.id, 'base64url')
    const data = Buffer.concat([
      this.#authenticatorData(USER_PRESENT_AND_VERIFIED | WITH_CREDENTIAL),
      Buffer.alloc(16),
      Buffer.from([0, id.length]),
      id,
      this.#coseKey(),
    ])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(data)],
    ])
    return {
      type: 'WebAuthn',
      id: this.id,
      rawId: this.id,
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      },
      clientExtensionResults: {},
    }
  }

  /** The answer of `navigator.credentials.get`. */
  get({ challenge }: Options) {
    const clientData = this.#clientData('webauthn.get', challenge)
    const data = this.#authenticatorData(USER_PRESENT_AND_VERIFIED)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key)
    return {
      type: 'WebAuthn',
      id: this.id,
      rawId: this.id,
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
      },
      clientExtensionResults: {},
    }
  }
}
