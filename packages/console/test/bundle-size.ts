/** What the first screen of the built console needs before it is shown. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))
/** The chunk of the first screen, beside what the document names; the menu and the notices of the shell come after it. */
const SCREEN = /^home-/

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

/** Bytes of the first screen, compressed as the server compresses. */
export const firstScreenBytes = (): number => {
  const named = readFileSync(join(DIST, 'index.html'), 'utf8').matchAll(/\/console\/assets\/([\w.-]+)/g)
  const screen = readdirSync(join(DIST, 'assets')).filter((name) => SCREEN.test(name))
  return [...withImports([...[...named].map(([, name]) => name ?? ''), ...screen])]
    .map((name) => readFileSync(join(DIST, 'assets', name)))
    .map((body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).byteLength)
    .reduce((sum, bytes) => sum + bytes, 0)
}
