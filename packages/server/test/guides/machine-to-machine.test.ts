/** The commands of the guide, run as they are printed. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let directory: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await mkdtemp(join(tmpdir(), 'countersign-guide-'))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

test('tokens for machines, step by step', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/machine-to-machine.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(4)
  const script = ['set -e', ...blocks.flatMap((block, index) => [`echo; echo "== ${index}"`, block])].join('\n')
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  const run = promisify(execFile)
  // the only thing that differs from the page: where the server is
  const { stdout } = await run('bash', ['-c', script.replaceAll('http://localhost:3001', server.baseUrl)], {
    cwd: directory,
  })
  const answers = stdout.split(/^== \d+$/m)
  expect(answers[4]).toContain('"scope":"read:orders"')
  expect(answers[5]).toContain('no role of the subject holds a permission')
  expect(answers[6]).toContain('"access_token"')
  expect(answers[6]).not.toContain('"scope"')
  expect(stdout).not.toMatch(/"code":|"error":/)
})
