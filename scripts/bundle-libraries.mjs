// Bundles the libraries of hundreds of files, which the server then loads as one file each (docs/decisions/0017): run by
// `scripts/ensure-installed.mjs`. What it writes is read by `packages/server/bin/libraries.js`.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { BUNDLED, BUNDLES, bundleOf, COMMON_JS, installedVersions } from '../packages/server/bin/libraries.js'

const installed = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

/** Stay as they are: loaded only where they are needed, or also by others, who must get the same. */
const external = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  'pg-native',
  'pino',
]

const FRONT = 'front of '
/** What CommonJS exports is known only when it has run: a file in front of it names that. */
const fronts = {
  name: 'fronts',
  resolveId: (id) => (id.startsWith(FRONT) ? id : undefined),
  load(id) {
    if (!id.startsWith(FRONT)) return undefined
    const file = id.slice(FRONT.length)
    const names = Object.keys(createRequire(import.meta.url)(file)).filter((name) =>
      /^(?!default$)[a-z_]\w*$/i.test(name),
    )
    return `import library from ${JSON.stringify(file)}
export default library
export const { ${names.join(', ')} } = library`
  },
}

const input = Object.fromEntries(
  Object.entries(BUNDLED).flatMap(([library, names]) =>
    Object.entries(names).map(([name, file]) => {
      const path = installed(`${library}/${file}`)
      return [bundleOf(name), COMMON_JS.has(library) ? FRONT + path : path]
    }),
  ),
)
const directory = fileURLToPath(BUNDLES)
await mkdir(directory, { recursive: true })
const bundle = await rolldown({ input, platform: 'node', logLevel: 'warn', external, plugins: [fronts] })
await bundle.write({
  dir: directory,
  format: 'esm',
  entryFileNames: '[name]',
  chunkFileNames: 'shared-[hash].mjs',
  // names stay, for stack traces; white space and comments would be kept in memory
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
})
await bundle.close()
// at last, and at once: bundles without it, or of other versions, are not used
const versions = new URL('versions.json', BUNDLES)
const draft = new URL(`versions.${process.pid}.json`, BUNDLES)
await writeFile(draft, JSON.stringify(installedVersions()))
await rename(draft, versions)
