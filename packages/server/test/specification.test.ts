/** References to docs/specification resolve, and texts for users contain none. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (name: string) => readFileSync(join(root, name), 'utf8')

const anchorsOf = (page: string): Set<string> =>
  new Set([...read(`docs/specification/${page}`).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id))

/** How a page is referenced: its mark followed by numbers (`DECISIONS H1, H3`). */
const PAGES = [
  { page: 'product.md', mark: /\bSPEC ((?:\d+(?:\.\d+)*)(?:(?:, | and )\d+\.\d+)*)/g },
  { page: 'readings.md', mark: /\bDECISIONS ((?:[A-Z]\d*)(?:(?:, | and )[A-Z]\d+)*)\b/g },
  { page: 'security.md', mark: /\b(R-\d+)/g },
  { page: 'wire.md', mark: /\bWIRE (W\d+(?:(?:, | and )W\d+)*)/g },
]

/** Everything written by hand, except migrations, which are never edited. */
const written = globSync(
  [
    'packages/*/{src,test}/**/*.{ts,md}',
    'packages/*/*.md',
    'bench/**/*.ts',
    'examples/**/*.{ts,md}',
    'docs/**/*.md',
    '*.md',
  ],
  { cwd: root, exclude: ['**/node_modules/**', 'docs/reference/**'] },
).filter((name) => !name.endsWith('test/specification.test.ts'))

describe('references to the specification', () => {
  test.each(PAGES)('every referenced number of $page exists', ({ page, mark }) => {
    const anchors = anchorsOf(page)
    const named = written.flatMap((name) =>
      [...read(name).matchAll(mark)].flatMap(([, numbers = '']) =>
        numbers.split(/, | and /).map((number) => ({ name, number })),
      ),
    )
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter(({ number }) => !anchors.has(number))).toEqual([])
  })

  test('nothing refers to notes outside the repository', () => {
    const elsewhere =
      /field[- ]notes|\breadings? \d|\b0015[-,] ?\d|(?<![-\w/])reference\/(?!configuration|errors|events|openapi|permissions|tenant-file|experience-api|management-api)[a-z-]+/
    expect(written.filter((name) => elsewhere.test(read(name)))).toEqual([])
  })

  test('links between the pages lead to existing anchors', () => {
    const broken = globSync('docs/specification/*.md', { cwd: root }).flatMap((name) =>
      [...read(name).matchAll(/\]\(([a-z]+\.md)#([^)]+)\)/g)]
        .filter(([, page = '', id = '']) => !anchorsOf(page).has(id))
        .map(([link]) => `${name}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})

test('texts for users contain no numbers of the specification', () => {
  const shown = [
    ...globSync(['docs/reference/*', 'docs/guides/*.md', 'packages/guard/{src/**/*.ts,README.md}'], { cwd: root }),
    'README.md',
    'CHANGELOG.md',
  ]
  const number = /\b(SPEC|DECISIONS|SECURITY|WIRE) [A-Z]?\d|\bR-\d/
  expect(shown.filter((name) => number.test(read(name)))).toEqual([])
})

test('no string of the contract or the server names a number of the specification', () => {
  const quoted = /^(?!\s*(?:\*|\/\/|\/\*))[^'`\n]*['`][^'`\n]*\b(?:SPEC|DECISIONS|WIRE) [A-Z]?\d.*$/gm
  const sources = globSync('packages/{contract,server}/src/**/*.ts', { cwd: root })
  expect(sources.flatMap((name) => [...read(name).matchAll(quoted)].map(([line]) => `${name}: ${line}`))).toEqual([])
})
