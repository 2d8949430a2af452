/**
 * The form `["algorithm", ["argument", …, "@"], "hash"]` for hashes without a standard encoding; `@` stands for the
 * password.
 *
 * - a digest (`sha256`, `md5`, …): the arguments are concatenated in order; hash in hex
 * - `pbkdf2`: salt (text, or `hex:` and bytes), iterations, length, digest; hash in hex
 * - `scrypt`: salt (the same), N, r, p, length; hash in hex
 * - `firebase-scrypt`: salt, signer key, salt separator, rounds, memory cost, in Firebase's export format; hash in
 *   base64
 */
import { createCipheriv, hash, pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { ApiError } from '../../kernel/api-error.ts'

const DIGESTS =
  /^(md5|sha1|sha224|sha256|sha384|sha512|sha512-256|sha3-(224|256|384|512)|blake2b512|blake2s256|ripemd160)$/
const MOST = { iterations: 5_000_000, length: 512, scryptBytes: 134_217_728, scryptLanes: 16 } as const

const derivePbkdf2 = promisify(pbkdf2)
const deriveScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

export interface Legacy {
  readonly expected: Buffer
  readonly derive: (password: string) => Promise<Buffer>
}

const malformed = (): ApiError => new ApiError('password.invalid_legacy_password_format')

const number = (text: string | undefined, most: number): number => {
  const value = Number(text)
  if (!/^[1-9]\d{0,9}$/.test(text ?? '') || value > most) throw malformed()
  return value
}

const saltOf = (text = ''): Buffer => {
  if (!text.startsWith('hex:')) return Buffer.from(text)
  if (!/^hex:([0-9a-f]{2})*$/i.test(text)) throw malformed()
  return Buffer.from(text.slice(4), 'hex')
}

const hex = (text: string): Buffer => {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw malformed()
  return Buffer.from(text, 'hex')
}

/** A hash of another length could never match; a very short one would match too easily. */
const ofLength = (expected: Buffer, length: number): Buffer => {
  if (expected.length !== length || length < 16) throw malformed()
  return expected
}

/** Firebase's tools use both alphabets. */
const base64 = (text = ''): Buffer => {
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw malformed()
  return Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
}

const scryptOptions = (N: number, r: number, p: number): ScryptOptions => {
  const memory = 128 * N * r
  if (N < 2 || (N & (N - 1)) !== 0 || memory > MOST.scryptBytes) throw malformed()
  return { N, r, p, maxmem: 2 * MOST.scryptBytes }
}

const READERS: Readonly<Record<string, (args: readonly string[], hashed: string) => Legacy>> = {
  pbkdf2([salt, iterations, length, digest = ''], hashed) {
    const bytes = saltOf(salt)
    const [rounds, size] = [number(iterations, MOST.iterations), number(length, MOST.length)]
    if (!DIGESTS.test(digest)) throw new ApiError('password.unsupported_legacy_hash_algorithm', { algorithm: digest })
    return {
      expected: ofLength(hex(hashed), size),
      derive: (password) => derivePbkdf2(password, bytes, rounds, size, digest),
    }
  },
  scrypt([salt, N, r, p, length], hashed) {
    const bytes = saltOf(salt)
    const options = scryptOptions(number(N, 1 << 20), number(r, 64), number(p, MOST.scryptLanes))
    const size = number(length, MOST.length)
    return { expected: ofLength(hex(hashed), size), derive: (password) => deriveScrypt(password, bytes, size, options) }
  },
  'firebase-scrypt'([salt, signerKey, separator, rounds, memoryCost], hashed) {
    const bytes = Buffer.concat([base64(salt), base64(separator)])
    const signer = base64(signerKey)
    const options = scryptOptions(2 ** number(memoryCost, 20), number(rounds, 64), 1)
    const derive = async (password: string): Promise<Buffer> => {
      const key = await deriveScrypt(password, bytes, 32, options)
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
      return Buffer.concat([cipher.update(signer), cipher.final()])
    }
    return { expected: ofLength(base64(hashed), signer.length), derive }
  },
}

const digest = (algorithm: string, args: readonly string[], hashed: string): Legacy => ({
  expected: ofLength(hex(hashed), hash(algorithm, '', 'buffer').length),
  derive: async (password) => hash(algorithm, args.map((arg) => (arg === '@' ? password : arg)).join(''), 'buffer'),
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed()
  }
}

/** Parses the form. Throws 400 for anything else, an unknown algorithm, or too high a cost. */
export const parseLegacy = (text: string): Legacy => {
  const value = parsed(text)
  if (!Array.isArray(value) || value.length !== 3) throw malformed()
  const [algorithm, args, hashed] = value as unknown[]
  const isText = (each: unknown): each is string => typeof each === 'string'
  if (!isText(algorithm) || !isText(hashed) || !Array.isArray(args) || !args.every(isText)) throw malformed()
  if (!args.includes('@')) throw malformed()
  const reader = Object.hasOwn(READERS, algorithm) ? READERS[algorithm] : undefined
  if (reader) return reader(args, hashed)
  if (!DIGESTS.test(algorithm)) throw new ApiError('password.unsupported_legacy_hash_algorithm', { algorithm })
  return digest(algorithm, args, hashed)
}

export const matchesLegacy = async ({ expected, derive }: Legacy, password: string): Promise<boolean> => {
  const actual = await derive(password)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
