/** Messages of PostgreSQL's extended query protocol that execute a prepared statement, as one piece of bytes. */

/** A value of a statement: text, bytes, or null. */
export type WireValue = string | Buffer | null

/** Execute of the unnamed portal, and Sync. */
export const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1')
/** The same after Describe, which asks for the columns. */
export const DESCRIBE = Buffer.concat([Buffer.from('D\0\0\0\x06P\0', 'latin1'), EXECUTE])

/** From here on JavaScript and PostgreSQL write a year differently. */
const YEAR_10000 = Date.UTC(10_000, 0)

/** As an array of PostgreSQL. */
const arrayText = (values: readonly string[]): string =>
  `{${values.map((each) => `"${each.replace(/["\\]/g, '\\$&')}"`).join()}}`

/** A value on the wire; undefined for one of a kind that is left to the driver. */
const wireValue = (value: unknown): WireValue | undefined => {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) {
    return value.getTime() >= 0 && value.getTime() < YEAR_10000 ? value.toISOString() : undefined
  }
  if (Buffer.isBuffer(value)) return value
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? arrayText(value) : undefined
}

/** All values on the wire; undefined if one of them is left to the driver. */
export const wireValues = (values: readonly unknown[]): readonly WireValue[] | undefined => {
  const written: WireValue[] = []
  for (const value of values) {
    const each = wireValue(value)
    if (each === undefined) return undefined
    written.push(each)
  }
  return written
}

/** Bytes of a length and a count. */
const [INT16, INT32] = [2, 4]

/**
 * Bind of the unnamed portal to a prepared statement; results are asked for as text.
 * @param name in ASCII @param then the messages that follow
 */
export const bindMessage = (name: string, values: readonly WireValue[], then: Buffer): Buffer => {
  const lengths = values.map((value) => (value === null ? 0 : Buffer.byteLength(value)))
  const content = lengths.reduce((sum, length) => sum + INT32 + length, 0)
  // its own length, the empty name of the portal, the name, formats and number of the values, the values, no formats of results
  const length = INT32 + 1 + name.length + 1 + INT16 + INT16 * values.length + INT16 + content + INT16
  const bytes = Buffer.allocUnsafe(1 + length + then.length)
  let at = bytes.write('B', 'latin1')
  at = bytes.writeInt32BE(length, at)
  at = bytes.writeInt8(0, at)
  at += bytes.write(name, at, 'latin1')
  at = bytes.writeInt8(0, at)
  at = bytes.writeUInt16BE(values.length, at)
  for (const value of values) at = bytes.writeInt16BE(Buffer.isBuffer(value) ? 1 : 0, at)
  at = bytes.writeUInt16BE(values.length, at)
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(value === null ? -1 : (lengths[index] ?? 0), at)
    if (typeof value === 'string') at += bytes.write(value, at)
    else if (value !== null) at += value.copy(bytes, at)
  }
  at = bytes.writeInt16BE(0, at)
  then.copy(bytes, at)
  return bytes
}
