/**
 * Rows that wait to be written together, as the bytes of one JSON array. Bytes, because the garbage collector would
 * move waiting strings or objects twice, and they would then fill the heap until its next full collection (30 MB).
 */
export class RowBuffer {
  // enough for a batch, so that it is hardly ever reallocated; untouched memory costs nothing
  #bytes = Buffer.allocUnsafe(1024 * 1024)
  #length = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** @param json a row as JSON */
  append(json: string): void {
    // a unit of UTF-16 is at most three bytes of UTF-8; and a bracket or comma before it, and a bracket at the end
    const needed = this.#length + 3 * json.length + 2
    if (needed > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], Math.max(needed, 2 * this.#bytes.length))
    this.#length += this.#bytes.write(this.#count === 0 ? '[' : ',', this.#length)
    this.#length += this.#bytes.write(json, this.#length)
    this.#count += 1
  }

  /** Discards the rows and keeps the memory. */
  clear(): void {
    this.#length = 0
    this.#count = 0
  }

  /** The JSON array; of at least one row. */
  toArray(): Buffer {
    this.#bytes.write(']', this.#length)
    return this.#bytes.subarray(0, this.#length + 1)
  }
}
