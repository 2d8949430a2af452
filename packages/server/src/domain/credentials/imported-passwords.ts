/**
 * Password hashes that other systems made. They are checked when they are imported, so that no hash is stored that could
 * never match or whose cost would stop the server, and verified once: then the password is rehashed (DECISIONS L4).
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../kernel/api-error.ts'
import { matchesLegacy, parseLegacy } from './legacy-passwords.ts'

// native code, loaded at its first use
const nodeArgon2 = () => import('@node-rs/argon2')
const nodeBcrypt = () => import('@node-rs/bcrypt')

/** The maximum cost of an imported hash: a few seconds of one thread, a quarter of a GiB. */
const MOST = { bcryptCost: 15, argonKib: 262_144, argonWork: 1_048_576, argonLanes: 16 } as const

const unsound = (reason: string): ApiError =>
  new ApiError('guard.invalid_input', { reason: `passwordDigest ${reason}` })

interface Kind {
  /** Throws 400 when the string is not such a hash or costs too much. */
  readonly assert: (digest: string) => Promise<void>
  readonly matches: (digest: string, password: string) => Promise<boolean>
}

const argon2 = (variant: string): Kind => ({
  async assert(digest) {
    const { parseOptions } = await nodeArgon2()
    if (!digest.startsWith(`$${variant}$`)) throw unsound(`does not begin with $${variant}$`)
    let cost: ReturnType<typeof parseOptions>
    try {
      cost = parseOptions(digest)
    } catch (error) {
      throw Object.assign(unsound('is not an encoded argon2 hash'), { cause: error })
    }
    const { memoryCost, timeCost, parallelism } = cost
    if (memoryCost > MOST.argonKib || memoryCost * timeCost > MOST.argonWork || parallelism > MOST.argonLanes) {
      throw unsound('costs too much to verify')
    }
  },
  matches: async (digest, password) => (await nodeArgon2()).verify(digest, password),
})

const bcrypt: Kind = {
  async assert(digest) {
    const { parseOptions } = await nodeBcrypt()
    if (!/^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/.test(digest)) throw unsound('is not a bcrypt hash')
    const cost = Number(digest.slice(4, 6))
    if (cost < 4 || cost > MOST.bcryptCost) throw unsound(`must have a cost from 4 to ${MOST.bcryptCost}`)
    try {
      parseOptions(digest)
    } catch (error) {
      // well-formed, but with trailing bits in the salt or hash that bcrypt never sets
      throw Object.assign(unsound('is not a bcrypt hash'), { cause: error })
    }
  },
  matches: async (digest, password) => (await nodeBcrypt()).verify(password, digest),
}

const plain = (algorithm: string, bytes: number): Kind => ({
  async assert(digest) {
    if (!new RegExp(`^[0-9a-f]{${bytes * 2}}$`, 'i').test(digest)) throw unsound(`must be ${bytes * 2} hex digits`)
  },
  matches: async (digest, password) => timingSafeEqual(hash(algorithm, password, 'buffer'), Buffer.from(digest, 'hex')),
})

const KINDS: Readonly<Record<string, Kind>> = {
  Argon2i: argon2('argon2i'),
  Argon2id: argon2('argon2id'),
  Argon2d: argon2('argon2d'),
  Bcrypt: bcrypt,
  SHA1: plain('sha1', 20),
  SHA256: plain('sha256', 32),
  MD5: plain('md5', 16),
  Legacy: {
    assert: async (digest) => void parseLegacy(digest),
    matches: (digest, password) => matchesLegacy(parseLegacy(digest), password),
  },
}

const kindOf = (algorithm: string): Kind => {
  const kind = KINDS[algorithm]
  if (!kind) throw new ApiError('password.unsupported_encryption_method', { name: algorithm })
  return kind
}

/** Throws 400 unless the digest can be verified at an acceptable cost. */
export const assertImportable = async (algorithm: string, digest: string): Promise<void> =>
  kindOf(algorithm).assert(digest)

/** Whether the password has this hash. Does not hide timing: the caller does. */
export const matchesImported = (algorithm: string, digest: string, password: string): Promise<boolean> =>
  kindOf(algorithm).matches(digest, password)
