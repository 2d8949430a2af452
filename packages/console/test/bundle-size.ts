/** What the first screen of the built console needs before it is shown. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
/** Of the first screen, beside what the document names. */
const SCREEN = /^home-/
/** Of each language. */
const PHRASES = /^first-(?!screen)/

/** The files with everything that they import at once. */
const withImports = (names: readonly string[], found = new Set<string>()): Set<string> => {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const text = name.endsWith('.js') ? readFileSync(join(DIST, 'assets', name), 'utf8') : ''
    const imports = text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    withImports(
      [...imports].map(([, each]) => each ?? ''),
      found,
    )
  }
  return found
}

const bytesOf = (names: Iterable<string>): number =>
  [...names]
    .map((name) => readFileSync(join(DIST, 'assets', name)))
    .map((body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).byteLength)
    .reduce((sum, bytes) => sum + bytes, 0)

/** Bytes of the first screen in the longest of the languages, compressed as the server compresses. */
export const firstScreenBytes = (): number => {
  const assets = readdirSync(join(DIST, 'assets'))
  const named = readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/\/console\/assets\/([\w.-]+)/g)
  const code = [...[...named].map(([, name]) => name ?? ''), ...assets.filter((name) => SCREEN.test(name))]
  const phrases = assets.filter((name) => PHRASES.test(name)).map((name) => bytesOf(withImports([name])))
  return bytesOf(withImports(code)) + Math.max(...phrases)
}
