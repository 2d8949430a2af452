/**
 * Module hooks of the process that runs the tests, and of its worker threads: `node --import` this file. Every run of a test
 * file reloads all modules of the server, with the one file that the mutant changes; the exports of `vitest` come from
 * test-api.ts. So code that runs when a module is loaded is also mutated, and no state of a module outlives a mutant.
 */
import { existsSync, readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { installProbes } from './probes.ts'

/** The replacement of a file of the repository. */
export interface Substitute {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

/** How modules are loaded from now on; passed to worker threads that start later. */
export interface Loading {
  readonly substitute?: Substitute
  /** A folder of instrumented files by their paths in the repository. */
  readonly instrumented?: string
}

const KEY = 'countersign.mutation'
const root = fileURLToPath(new URL('../../', import.meta.url))
const rootUrl = pathToFileURL(root).href
const TEST_API = new URL('./test-api.ts', import.meta.url).href
/** Knows nothing of the server, so it need not be reloaded; neither need installed packages. */
const LASTING = /\/(node_modules|packages\/contract|scripts)\//

let loading: Loading = {}
const texts = new Map<string, string>()
const places = new Map<string, string>()

const apply = (next: Loading): void => {
  loading = next
  if (next.instrumented) installProbes(join(next.instrumented, 'threads.txt'))
}

/** Sets how modules are loaded from now on. */
export const load = (next: Loading): void => {
  setEnvironmentData(KEY, JSON.stringify(next))
  if (next.instrumented !== loading.instrumented) texts.clear()
  apply(next)
}

const inherited = getEnvironmentData(KEY)
if (typeof inherited === 'string') apply(JSON.parse(inherited))

const readSource = (path: string): string => {
  const copy = loading.instrumented && join(loading.instrumented, relative(root, path))
  return readFileSync(copy && existsSync(copy) ? copy : path, 'utf8')
}

/** The JavaScript of a file; cached for files that do not change. */
const javascriptOf = (path: string): string => {
  if (loading.substitute?.path === path) return stripTypeScriptTypes(loading.substitute.text)
  const known = texts.get(path) ?? stripTypeScriptTypes(readSource(path))
  texts.set(path, known)
  return known
}

/** Distinguishes the modules of one run from those of another. */
const RUN = /\?run=\d+$/

const isSource = (url: string): boolean =>
  url.startsWith(rootUrl) && url.endsWith('.ts') && !url.includes('/node_modules/')

registerHooks({
  resolve(specifier, context, nextResolve) {
    const parent = context.parentURL ?? ''
    const isOurs = parent.startsWith(rootUrl) && !parent.includes('/node_modules/')
    if (specifier === 'vitest' && isOurs && !parent.startsWith(TEST_API)) return nextResolve(TEST_API, context)
    if (!isOurs || specifier.startsWith('node:')) return nextResolve(specifier, context)
    const [generation = ''] = RUN.exec(specifier) ?? RUN.exec(parent) ?? []
    const key = `${specifier.startsWith('.') ? parent.slice(0, parent.lastIndexOf('/')) : ''} ${specifier}`
    const known = places.get(key)
    const url = known ?? nextResolve(specifier, context).url
    const bare = url.replace(RUN, '')
    if (!isSource(bare)) return nextResolve(specifier, context)
    places.set(key, bare)
    return { url: LASTING.test(bare) ? bare : bare + generation, format: 'module', shortCircuit: true }
  },
  load(url, context, nextLoad) {
    const [bare = url] = url.split('?')
    if (!isSource(bare)) return nextLoad(url, context)
    return { format: 'module', source: javascriptOf(fileURLToPath(bare)), shortCircuit: true }
  },
})
