/**
 * The house rules that can be checked automatically: direction of imports, no cycles, short files (ARCHITECTURE.md).
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_ERRORS } from '@countersign/contract/errors.ts'
import { EVENT_TYPES, NOT_CAUSED_YET } from '@countersign/contract/events.ts'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = join(root, 'packages/server/src')

/** What every module may import; kernel imports none of these. */
const EVERYWHERE: readonly string[] = ['kernel', 'languages']

/** What each module may import in addition to those and itself. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  languages: [],
  storage: [],
  domain: ['storage'],
  tokens: ['domain', 'storage'],
  http: ['storage'],
  presentation: ['http', 'domain', 'storage'],
  protocol: ['presentation', 'http', 'tokens', 'domain', 'storage'],
  management: ['http', 'tokens', 'domain', 'storage'],
  'api-reference': ['http', 'storage'],
  console: ['http'],
  pages: ['presentation', 'http', 'tokens', 'domain', 'storage'],
  experience: ['http', 'tokens', 'domain', 'storage'],
  account: ['http', 'tokens', 'domain', 'storage'],
  scim: ['http', 'domain', 'storage'],
  saml: ['presentation', 'http', 'tokens', 'domain', 'storage'],
  assets: ['http', 'storage'],
  events: ['tokens', 'domain', 'storage'],
  declaration: ['domain', 'storage'],
  // files directly in src are the composition root: they know every module
  root: [
    'storage',
    'domain',
    'tokens',
    'http',
    'presentation',
    'protocol',
    'management',
    'api-reference',
    'console',
    'pages',
    'assets',
    'experience',
    'account',
    'saml',
    'scim',
    'events',
    'declaration',
  ],
  cli: ['root'],
}

/** The rooms of the domain, from the lowest to the highest: a room imports only rooms that stand before it. */
const ROOMS: readonly string[] = [
  'tenants',
  'permissions',
  'administrators',
  'applications',
  'credentials',
  'federation',
  'delivery',
  'webhooks',
  'sessions',
  'users',
  'uploads',
  'factors',
  'organizations',
  'access',
  'registered-clients',
  'provisioning',
  'issued',
  'sign-in',
  'signals',
  'account',
  'setup',
]

const LONGEST = 400

interface SourceFile {
  readonly path: string
  readonly module: string
  readonly text: string
  readonly imports: readonly string[]
}

const moduleOf = (path: string): string => {
  const [folder = '', rest] = relative(source, path).split('/')
  return rest === undefined ? 'root' : folder
}

const importsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|import\('([^']+)'\)/gms)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )

const files: SourceFile[] = globSync('**/*.ts', { cwd: source }).map((name) => {
  const path = join(source, name)
  const text = readFileSync(path, 'utf8')
  return { path, module: moduleOf(path), text, imports: importsOf(text) }
})

const local = ({ path, imports }: SourceFile): string[] =>
  imports
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => normalize(join(dirname(path), name)))

describe('the arrows', () => {
  test('every folder is listed in ARCHITECTURE.md', () => {
    expect([...new Set(files.map(({ module }) => module))].filter((module) => !(module in ARROWS))).toEqual([])
  })

  test('a module imports only what it may', () => {
    const forbidden = files.flatMap((file) =>
      local(file)
        .map((target) => ({ from: file.module, to: moduleOf(target), file: relative(source, file.path), target }))
        .filter(
          ({ from, to }) =>
            to !== from && !(EVERYWHERE.includes(to) && from !== 'kernel') && !ARROWS[from]?.includes(to),
        )
        .map(({ file: name, to }) => `${name} → ${to}`),
    )
    expect(forbidden).toEqual([])
  })

  test('the domain has no file outside a room, and a room imports only rooms below it', () => {
    const domain = join(source, 'domain')
    const roomOf = (path: string) => ROOMS.indexOf(relative(domain, path).split('/')[0] ?? '')
    const inDomain = files.filter(({ module }) => module === 'domain')
    expect(inDomain.filter(({ path }) => roomOf(path) === -1).map(({ path }) => relative(source, path))).toEqual([])
    const upward = inDomain.flatMap((file) =>
      local(file)
        .filter((target) => moduleOf(target) === 'domain' && roomOf(target) > roomOf(file.path))
        .map((target) => `${relative(source, file.path)} → ${relative(source, target)}`),
    )
    expect(upward).toEqual([])
  })

  test('ARCHITECTURE.md describes the rooms of the domain in their order', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const [, table = ''] = /## The rooms of the domain\n([\s\S]*?)\n## /.exec(text) ?? []
    expect([...table.matchAll(/^\| `([a-z-]+)` \| .{20,} \|$/gm)].map(([, name]) => name)).toEqual(ROOMS)
  })

  test('the web framework is imported by one file, the database driver by storage only', () => {
    const naming = (library: string) =>
      files.filter(({ imports }) => imports.includes(library)).map(({ path }) => relative(source, path))
    expect(naming('fastify')).toEqual(['http/shell.ts'])
    expect(naming('pg').filter((name) => !name.startsWith('storage/'))).toEqual([])
  })

  test('no lost connection can end the process, neither here nor in the tests', () => {
    const opens = /new (pg\.)?(Client|Pool)\(/
    const opening = globSync(['packages/*/{src,test}/**/*.ts', 'bench/**/*.ts', 'examples/*/*.ts'], { cwd: root })
      .filter((name) => opens.test(readFileSync(join(root, name), 'utf8')))
      .map((name) => name.replace('packages/server/src/', ''))
    expect(opening.sort()).toEqual(['storage/client.ts', 'storage/database.ts', 'storage/embedded/cluster.ts'])
  })

  test('the contract imports nothing else of this repository', () => {
    const contract = join(root, 'packages/contract/src')
    const imports = globSync('*.ts', { cwd: contract }).flatMap((name) =>
      importsOf(readFileSync(join(contract, name), 'utf8')),
    )
    expect([...new Set(imports.filter((name) => !name.startsWith('./')))].sort()).toEqual(['typebox'])
  })
})

describe('the console', () => {
  const folder = join(root, 'packages/console/src')
  const modules = globSync('**/*.{ts,tsx}', { cwd: folder }).map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { name, text, imports: importsOf(text) }
  })
  const below = (path: string) => !relative(folder, path).startsWith('..')

  test('of this repository it imports only the contract', () => {
    const forbidden = modules.flatMap(({ name, imports }) =>
      imports
        .filter((each) =>
          each.startsWith('.')
            ? !below(join(folder, dirname(name), each))
            : each.startsWith('@countersign/') && !/^@countersign\/contract(\/|$)/.test(each),
        )
        .map((each) => `${name} → ${each}`),
    )
    expect(modules.length).toBeGreaterThan(0)
    expect(forbidden).toEqual([])
  })

  test('nothing in it keeps a token outside memory, or writes HTML', () => {
    const offenders = modules.filter(({ text }) =>
      /dangerouslySetInnerHTML|innerHTML|Storage\.setItem\([^)]*[tT]oken/.test(text),
    )
    expect(offenders.map(({ name }) => name)).toEqual([])
  })
})

test('no file imports itself through others', () => {
  const graph = new Map(files.map((file) => [file.path, local(file)]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].map((each) => relative(source, each)).join(' → '))
      return
    }
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  expect(cycles).toEqual([])
})

describe('files of all packages', () => {
  const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).map((name) => {
    const text = readFileSync(join(root, name), 'utf8')
    return { name, text, lines: text.split('\n').length - 1 }
  })

  test(`none is longer than ${LONGEST} lines, and half of them are under 100`, () => {
    expect(sources.filter(({ lines }) => lines > LONGEST).map(({ name, lines }) => `${name}: ${lines}`)).toEqual([])
    const sorted = sources.map(({ lines }) => lines).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(100)
  })

  test('each begins with a sentence that says what it owns', () => {
    // a file of the guard is one function, with a sentence of its own
    const silent = sources.filter(
      ({ name, text }) => !name.startsWith('packages/guard/') && !text.replace(/^#!.*\n/, '').startsWith('/**'),
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  test('none has a meaningless name', () => {
    const vague = sources.filter(({ name }) => /\/(utils?|helpers?|common|types|misc|index)\.tsx?$/.test(name))
    // what `import '@countersign/guard'` loads
    expect(vague.map(({ name }) => name)).toEqual(['packages/guard/src/index.ts'])
  })
})

test('a prepared statement names its columns: with * a migration would break every open connection', () => {
  const statements = files.flatMap(({ path, text }) =>
    path.endsWith('storage/prepared.ts')
      ? []
      : [...text.matchAll(/`\/\* prepared \*\/([\s\S]*?)`\.execute/g)].map(([, sql]) => sql),
  )
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.filter((sql) => /[\w.]*\*\s*(,|FROM|$)/.test(sql ?? ''))).toEqual([])
})

/** The quoted names in the text of the server. */
const named = new Set(files.flatMap(({ text }) => [...text.matchAll(/'([\w.]+)'/g)].map(([, name]) => name)))

test('every error of the catalogue is thrown somewhere', () => {
  expect(Object.keys(API_ERRORS).filter((code) => !named.has(code))).toEqual([])
})

test('the events marked as not caused yet are those that no operation names', () => {
  expect(EVENT_TYPES.filter((type) => !named.has(type))).toEqual(NOT_CAUSED_YET)
})

test('the time of the machine is read in kernel only', () => {
  const readers = files.filter(({ module, text }) => module !== 'kernel' && /Date\.now\(\)|new Date\(\)/.test(text))
  expect(readers.map(({ path }) => relative(source, path))).toEqual([])
})

test('conditions on the tenant use inTenant', () => {
  const writers = files.filter(({ text }) => /\.where\('(\w+\.)?tenant_id', '=', [\w.]*[tT]enant/.test(text))
  expect(writers.map(({ path }) => relative(source, path))).toEqual([])
})

test('no file of the repository uses what the house rules forbid', () => {
  const offenders = files
    .filter(({ text }) => /process\.env/.test(text))
    .map(({ path }) => relative(source, path))
    .filter((name) => !name.startsWith('cli/') && !name.startsWith('storage/embedded/'))
  expect(offenders).toEqual([])
})
