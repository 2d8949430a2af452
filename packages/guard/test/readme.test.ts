import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { answers } from '../src/errors/codes.ts'
import { GuardError, type GuardErrorCode, toResponse } from '../src/index.ts'
import { parseChallenge } from './parse-challenge.ts'

const root = join(import.meta.dirname, '..')
const workspace = join(root, '..', '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('the table of errors matches the responses', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| (\d+) +\| (?:`(\w+)`|(none|no challenge)) +\|/gm)]
  expect(rows.map((row) => row[1])).toEqual(Object.keys(answers))
  for (const [, code, status, error, other] of rows) {
    const response = toResponse(new GuardError(code as GuardErrorCode))
    expect(response.status, code).toBe(Number(status))
    const header = response.headers.get('www-authenticate')
    expect(header === null, code).toBe(other === 'no challenge')
    expect(header === null ? undefined : parseChallenge(header).attributes.error, code).toBe(error)
  }
})

test('the examples type-check', () => {
  const directory = mkdtempSync(join(tmpdir(), 'guard-readme-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  symlinkSync(join(workspace, 'node_modules'), join(directory, 'node_modules'))
  const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => block[1] ?? '')
  expect(examples.length).toBeGreaterThanOrEqual(5)
  for (const [index, example] of examples.entries()) writeFileSync(join(directory, `${index}.ts`), example)
  const config = { extends: join(workspace, 'tsconfig.json'), include: ['*.ts'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  const tsc = join(workspace, 'node_modules', '.bin', 'tsc')
  const run = () => execFileSync(tsc, ['-p', directory], { encoding: 'utf8', stdio: 'pipe' })
  expect(run()).toBe('')
})
