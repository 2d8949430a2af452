/**
 * A local copy of the published list of breached passwords: lines of an upper-case SHA-1 hash, a colon and a count, sorted by
 * hash. It has tens of gigabytes, so that it is searched where it lies.
 */
import { type FileHandle, open } from 'node:fs/promises'

/** Characters of a SHA-1 hash in hexadecimal. */
const HASH = 40
/** Longer than any line, so that a window of twice as many bytes holds a whole one. */
const LONGEST_LINE = 64
/** Bytes that are read at once where the search ends. */
const WINDOW = 4096

const read = async (file: FileHandle, position: number, length: number): Promise<string> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.toString('latin1', 0, bytesRead)
}

/** The first hash that begins after this position; undefined after the last one. */
const hashAfter = async (file: FileHandle, position: number): Promise<string | undefined> => {
  const text = await read(file, position, 2 * LONGEST_LINE)
  const begin = text.indexOf('\n') + 1
  return begin > 0 && text.length >= begin + HASH ? text.slice(begin, begin + HASH) : undefined
}

/**
 * Whether the hash has a line in the file: a binary search by bytes, of some thirty reads in the largest file. Throws what the
 * file system throws. Does not check that the file is sorted.
 * @param hash SHA-1 in upper-case hexadecimal
 */
export const isInFile = async (path: string, hash: string): Promise<boolean> => {
  const file = await open(path)
  try {
    let low = 0
    let high = (await file.stat()).size
    // a line with the hash, if there is one, begins within low and high
    while (high - low > WINDOW) {
      const middle = Math.floor((low + high) / 2)
      const found = await hashAfter(file, middle)
      if (found === hash) return true
      if (found === undefined || found > hash) high = middle + 1
      else low = middle
    }
    const lines = await read(file, low, high - low + LONGEST_LINE)
    return lines.split('\n').some((line) => line.startsWith(`${hash}:`))
  } finally {
    await file.close()
  }
}
