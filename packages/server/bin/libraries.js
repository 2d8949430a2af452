// Libraries that consist of hundreds of small files, each of which costs memory and time to load: an installation with its
// development packages bundles them (scripts/bundle-libraries.mjs), and the server then loads the bundles in their place. Without
// bundles, or with those of other versions, it loads the files (docs/decisions/0017).
//
// Plain JavaScript, as countersign.js.
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'

const packages = new URL('../../../node_modules/', import.meta.url)
/** Where the bundles are, beside the packages. */
export const BUNDLES = new URL('.cache/libraries/', packages)

/** Library → the names that it is imported by, and the files that these stand for. */
export const BUNDLED = {
  '@opentelemetry/api': { '@opentelemetry/api': 'dist/index.mjs' },
  fastify: { fastify: 'fastify.js' },
  jose: { jose: 'dist/webapi/index.js' },
  kysely: { kysely: 'dist/index.js' },
  pg: { pg: 'lib/index.js' },
  'prom-client': { 'prom-client': 'index.js' },
  typebox: {
    typebox: 'build/index.mjs',
    'typebox/compile': 'build/compile/index.mjs',
    'typebox/schema': 'build/schema/index.mjs',
  },
}

export const COMMON_JS = new Set(['fastify', 'pg', 'prom-client'])

const readJson = (url) => JSON.parse(readFileSync(url, 'utf8'))

/** What the bundles are made of: the version of the library of each name. */
export const installedVersions = () =>
  Object.fromEntries(
    Object.entries(BUNDLED).flatMap(([library, names]) => {
      const { version } = readJson(new URL(`${library}/package.json`, packages))
      return Object.keys(names).map((name) => [name, version])
    }),
  )

/** Whether there are bundles of the installed versions. */
export const hasBundles = () => {
  try {
    return JSON.stringify(readJson(new URL('versions.json', BUNDLES))) === JSON.stringify(installedVersions())
  } catch {
    return false
  }
}

/** The file that stands for a name in the bundles. */
export const bundleOf = (name) => `${name.replace('@', '').replace('/', '-')}.mjs`

/** From now on an import of a library loads its bundle, if there is one. */
export const useBundles = () => {
  if (!hasBundles()) return
  const names = Object.values(BUNDLED).flatMap((names) => Object.keys(names))
  const urls = new Map(names.map((name) => [name, new URL(bundleOf(name), BUNDLES).href]))
  nodeModule.registerHooks({
    resolve(name, context, next) {
      const url = urls.get(name)
      return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true }
    },
  })
}
