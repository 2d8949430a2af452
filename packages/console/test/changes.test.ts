/** Each change that the console can make has its kind in the table of the README. */
import { readdirSync, readFileSync } from 'node:fs'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { expect, test } from 'vitest'

const CONSOLE = new URL('../', import.meta.url)
const writes: ReadonlySet<string> = new Set(API_ROUTES.filter(({ method }) => method !== 'GET').map(({ id }) => id))

/** Operations that a screen calls, by name: `useChange('x')`, `callOnce('x')`, `client.x(`. */
const changesOf = (source: string): string[] =>
  [...source.matchAll(/(?:useChange|callOnce)\(([^)]*)\)|\bclient\s*\.(\w+)\(/g)].flatMap(([, quoted = '', called]) =>
    called === undefined ? [...quoted.matchAll(/'(\w+)'/g)].map(([, id = '']) => id) : [called],
  )

test('every change of the console is in the table of undo and confirmation, and nothing else is', () => {
  const made = new Set(
    readdirSync(new URL('src/', CONSOLE), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx') || path.endsWith('.ts'))
      .flatMap((path) => changesOf(readFileSync(new URL(`src/${path}`, CONSOLE), 'utf8')))
      .filter((id) => writes.has(id)),
  )
  const [, section = ''] = readFileSync(new URL('README.md', CONSOLE), 'utf8').split('## Undo and confirmation')
  const listed = new Set([...(section.split('\n## ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, id = '']) => id))
  expect([...listed].sort()).toEqual([...made].sort())
})
