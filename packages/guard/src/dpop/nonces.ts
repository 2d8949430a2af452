import { base64url } from 'jose'
import { misconfigured } from '../errors/misconfigured.ts'

/** Nonces of the API (RFC 9449 §9): proofs must carry one, so that none can be made in advance. */
export interface NonceSource {
  /** The nonce that clients should use now. */
  current(): string | Promise<string>
  /** Whether a proof with this nonce is accepted. */
  accepts(nonce: string): boolean | Promise<boolean>
}

const STEP_MS = 60_000
const LENGTH = 22

/**
 * Nonces from the time and a secret of at least 32 bytes, which all processes of the API share: nothing is stored. A new one every
 * minute; each is accepted for one to two minutes.
 */
export function rotatingNonces(secret: Uint8Array, now: () => Date = () => new Date()): NonceSource {
  if (secret.length < 32) throw misconfigured('The secret of the nonces needs at least 32 bytes')
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = crypto.subtle.importKey('raw', Uint8Array.from(secret), algorithm, false, ['sign'])
  const step = () => Math.floor(now().getTime() / STEP_MS)
  const nonceOf = async (number: number): Promise<string> => {
    const mac = await crypto.subtle.sign('HMAC', await key, new TextEncoder().encode(`dpop-nonce/${number}`))
    return base64url.encode(new Uint8Array(mac)).slice(0, LENGTH)
  }
  return {
    current: () => nonceOf(step()),
    async accepts(nonce) {
      const accepted = await Promise.all([0, -1, 1].map((distance) => nonceOf(step() + distance)))
      return accepted.includes(nonce)
    },
  }
}
