/** The commands of the guide, run as they are printed, with a person in between. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'

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

test('a device signs in, step by step', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/device.md', import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(4)
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  const run = async (...lines: string[]) => {
    // the only thing that differs from the page: where the server is
    const script = ['set -e', ...lines].join('\n').replaceAll('http://localhost:3001', server.baseUrl)
    return (await promisify(execFile)('bash', ['-c', script], { cwd: directory })).stdout
  }
  // the shell of the page goes on after the person; this one leaves behind what it knows
  const before = await run(...blocks.slice(0, 3), 'declare -p BASE APP DEVICE_CODE > known.sh')
  const [userCode = '', address = '', polled = ''] = before.split('\n')
  expect(userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
  expect(JSON.parse(polled)).toMatchObject({ error: 'authorization_pending' })

  const { username } = await createUser(server)
  const browser = newBrowser()
  const entry = await browser.open(address)
  const signIn = await browser.submit(entry, { user_code: userCode })
  const confirmation = await browser.submit(signIn, { identifier: username, password: PASSWORD })
  expect(confirmation.text).toContain('Connect Living room?')
  expect((await browser.submit(confirmation, { answer: 'allow' })).url.pathname).toBe('/device/done')

  const after = JSON.parse(await run('source ./known.sh', blocks[3] ?? ''))
  expect(after).toMatchObject({ token_type: 'Bearer', scope: 'openid profile offline_access' })
  expect(after.refresh_token).toMatch(/^cs_rt_/)
  expect(after.id_token.split('.')).toHaveLength(3)
})
