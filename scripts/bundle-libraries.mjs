// Bundles the libraries of hundreds of files, which the server then loads as one file each (docs/decisions/0017): run by
// `scripts/ensure-installed.mjs`. What it writes is read by `packages/server/bin/libraries.js`.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { BUNDLED, BUNDLES, bundleOf, installedVersions } from '../packages/server/bin/libraries.js'

const installed = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url))

const input = Object.fromEntries(
  Object.entries(BUNDLED).flatMap(([library, names]) =>
    Object.entries(names).map(([name, file]) => [bundleOf(name), installed(`${library}/${file}`)]),
  ),
)
const directory = fileURLToPath(BUNDLES)
await mkdir(directory, { recursive: true })
const bundle = await rolldown({ input, platform: 'node', logLevel: 'warn' })
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
