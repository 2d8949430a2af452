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

test('custom claims, step by step', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/custom-claims.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const script = ['set -e', ...blocks.flatMap((block, index) => [`echo; echo "== ${index}"`, block])].join('\n')
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  const run = promisify(execFile)
  // the only thing that differs from the page: where the server is
  const { stdout } = await run('bash', ['-c', script.replaceAll('http://localhost:3001', server.baseUrl)], {
    cwd: directory,
  })
  const [, made, tried, kept, denied, failed] = stdout.split(/^== \d+$/m)
  expect(made).toContain('"team":"billing"')
  expect(tried).toContain('"claims":{"team":"billing","region":"eu"}')
  expect(tried).toContain('{"level":"info","text":"team billing"}')
  expect(kept).toContain('"team":"billing","region":"eu","iss":')
  expect(denied).toContain('"error":"access_denied","error_description":"this application belongs to no team"')
  expect(failed).toContain('"error":"invalid_request"')
  expect(failed).toContain('custom claims: threw: Error: not today')
  expect(stdout).not.toContain('"code":')
})
