/** The files of the built console, compressed once each. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const DIST = fileURLToPath(new URL('../../../console/dist/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
const COMPRESSED: ReadonlySet<string> = new Set(['.css', '.html', '.js', '.json', '.svg', '.webmanifest'])

export interface ConsoleFile {
  readonly type: string
  readonly body: Buffer
  /** Of Content-Encoding; undefined: as it is. */
  readonly encoding: 'br' | 'gzip' | undefined
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** @param accepts the Accept-Encoding header */
const encodingFor = (accepts: string): ConsoleFile['encoding'] => {
  if (/\bbr\b/.test(accepts)) return 'br'
  return /\bgzip\b/.test(accepts) ? 'gzip' : undefined
}

const compress = (body: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }) : gzipped(body)

const read = async (
  folder: string,
  name: string,
  encoding: ConsoleFile['encoding'],
  change = (file: Buffer): Buffer => file,
): Promise<ConsoleFile | undefined> => {
  const names = await readdir(join(DIST, folder)).catch((): string[] => [])
  const type = TYPES[extname(name)]
  if (!names.includes(name) || type === undefined) return undefined
  const body = change(await readFile(join(DIST, folder, name)))
  return { type, body: encoding === undefined ? body : await compress(body, encoding), encoding }
}

/** Files of `assets` that were asked for, by encoding and name: what has a name there never changes. */
const known = new Map<string, Promise<ConsoleFile | undefined>>()

/**
 * A file of the console; undefined if there is none of this name, so that no name leads out of the folder.
 * @param folder below `dist`: the root, or `assets`, whose files never change under one name
 * @param change what is done to a file of the root before it is sent
 */
export const consoleFile = async (
  folder: '' | 'assets',
  name: string,
  accepts: string,
  change?: (file: Buffer) => Buffer,
): Promise<ConsoleFile | undefined> => {
  const encoding = COMPRESSED.has(extname(name)) ? encodingFor(accepts) : undefined
  if (folder === '') return read(folder, name, encoding, change)
  const key = `${encoding} ${name}`
  const reading = known.get(key) ?? read(folder, name, encoding)
  known.set(key, reading)
  const file = await reading.catch((error: unknown) => {
    known.delete(key)
    throw error
  })
  // names that are not there are without number
  if (!file) known.delete(key)
  return file
}
