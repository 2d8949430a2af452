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

test('a sign-in page of one’s own, step by step', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/own-sign-in-page.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(4)
  const script = ['set -e', ...blocks.flatMap((block, index) => [`echo; echo "== ${index}"`, block])].join('\n')
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  // the only thing that differs from the page: where the server is
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', script.replaceAll('http://localhost:3001', server.baseUrl)],
    {
      cwd: directory,
    },
  )
  const [, begun = '', registered = '', signedIn = '', refused = ''] = stdout.split(/^== \d+$/m)
  expect(begun).toMatch(/\/sign-in\/[0-9a-z]{21}/)
  expect(registered).toMatch(/^http:\/\/localhost:4000\/callback\?code=/m)
  expect(signedIn).toContain('"interactionEvent":"SignIn"')
  expect(signedIn).toContain('"id_token"')
  expect(refused).toContain('"code":"session.invalid_credentials"')
  expect(begun + registered + signedIn).not.toMatch(/"code":|"error":/)
  expect((await server.api('GET', '/users?search.username=grace')).body).toMatchObject([{ name: 'Grace Hopper' }])
})
