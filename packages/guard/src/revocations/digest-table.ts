// The set of digests that a feed has announced: a hash table in one typed array, 20 bytes for a slot and 27 to 40 for an entry, which
// the garbage collector does not look into.

/** Three words of the digest, the expiry, and up to when the tokens were issued that are meant. */
const WORDS = 5
const SMALLEST = 1024
const FULL = 0.75
const AFTER_GROWTH = 0.5
/** All tokens are meant, whenever they were issued. */
const ALL = 0xffff_ffff

export class DigestTable {
  #slots = new Uint32Array(SMALLEST * WORDS)
  #count = 0
  readonly #most: number

  /** @param most the most entries that are kept */
  constructor(most: number) {
    this.#most = most
  }

  /** Entries, including those that have expired since the table last grew. */
  get size(): number {
    return this.#count
  }

  /** The memory that they take. */
  get bytes(): number {
    return this.#slots.byteLength
  }

  /**
   * Adds an entry, or extends the one of the same digest. Returns whether there was room for it.
   * @param expiry numeric date: whole seconds, more than 0 @param issuedUntil numeric date; undefined: all tokens @param now numeric date
   */
  add(digest: Buffer, expiry: number, issuedUntil: number | undefined, now: number): boolean {
    const at = this.#find(digest)
    const until = issuedUntil ?? ALL
    const slots = this.#slots
    if (slots[at + 3] !== 0) {
      slots[at + 3] = Math.max(slots[at + 3] ?? 0, expiry)
      slots[at + 4] = Math.max(slots[at + 4] ?? 0, until)
      return true
    }
    if (this.#count >= this.#most || (this.#count + 1) * WORDS > slots.length * FULL) {
      this.#dropExpired(now)
      if (this.#count >= this.#most) return false
      this.#put(digest, expiry, until)
    } else this.#put(digest, expiry, until, at)
    return true
  }

  /** Whether a token with this digest, which was issued then, is revoked. @param issuedAt numeric date */
  has(digest: Buffer, issuedAt: number): boolean {
    const at = this.#find(digest)
    return this.#slots[at + 3] !== 0 && issuedAt <= (this.#slots[at + 4] ?? 0)
  }

  /** Where the digest is, or where it belongs. */
  #find(digest: Buffer): number {
    const slots = this.#slots
    const [a, b, c] = [digest.readUInt32LE(0), digest.readUInt32LE(4), digest.readUInt32LE(8)]
    const count = slots.length / WORDS
    // digests are spread evenly, so their first word needs no further mixing
    for (let slot = a % count; ; slot = slot + 1 === count ? 0 : slot + 1) {
      const at = slot * WORDS
      if (slots[at + 3] === 0 || (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c)) return at
    }
  }

  #put(digest: Buffer, expiry: number, until: number, at = this.#find(digest)): void {
    const slots = this.#slots
    slots[at] = digest.readUInt32LE(0)
    slots[at + 1] = digest.readUInt32LE(4)
    slots[at + 2] = digest.readUInt32LE(8)
    slots[at + 3] = expiry
    slots[at + 4] = until
    this.#count += 1
  }

  /** Moves what has not expired to a table with room for more, which is a smaller one after many have expired. */
  #dropExpired(now: number): void {
    const before = this.#slots
    let live = 0
    for (let at = 0; at < before.length; at += WORDS) if ((before[at + 3] ?? 0) > now) live += 1
    this.#slots = new Uint32Array(Math.max(SMALLEST, Math.ceil((live + 1) / AFTER_GROWTH)) * WORDS)
    this.#count = 0
    const digest = Buffer.alloc(12)
    for (let at = 0; at < before.length; at += WORDS) {
      const [a = 0, b = 0, c = 0, expiry = 0, until = 0] = before.subarray(at, at + WORDS)
      if (expiry <= now) continue
      digest.writeUInt32LE(a, 0)
      digest.writeUInt32LE(b, 4)
      digest.writeUInt32LE(c, 8)
      this.#put(digest, expiry, until)
    }
  }
}
