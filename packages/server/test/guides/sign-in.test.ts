/** The commands of the guide, run as they are printed, and the applications that it starts. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Browser } from '../sign-in/browser.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

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

const guide = () => readFile(join(root, 'docs/guides/sign-in.md'), 'utf8')

test('the commands register two applications and a user, and the printed programs start with them', async () => {
  const text = await guide()
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  expect(blocks).toHaveLength(3)
  const programs = [...text.matchAll(/^npx node (examples\/\S+) (.+)$/gm)]
  expect(programs).toHaveLength(2)
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  const script = ['set -e', ...blocks, 'echo; echo "$APP $SECRET $SPA"'].join('\n')
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', script.replaceAll('http://localhost:3001', server.baseUrl)],
    { cwd: directory },
  )
  expect(stdout).toContain('"username":"ada"')
  const [app = '', secret = '', spa = ''] = stdout.trim().split('\n').at(-1)?.split(' ') ?? []
  expect([app, spa].every((id) => /^[0-9a-z]{21}$/.test(id))).toBe(true)

  const values: Record<string, string> = { APP: app, SECRET: secret, SPA: spa }
  for (const [, file = '', given = ''] of programs) {
    const parameters = [...given.matchAll(/"\$(\w+)"/g)].map(([, name = '']) => values[name] ?? '')
    const child = spawn(process.execPath, [file, ...parameters], {
      cwd: root,
      env: { ...process.env, ISSUER: server.issuer },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout, 'data')
    const [address = ''] = /http:\S+/.exec(String(line)) ?? []
    expect(text).toContain(`Open ${address}`)
    expect((await fetch(address)).status).toBe(200)
    child.kill()
    await once(child, 'exit')
  }

  // the user of the guide signs in to the first of them
  const url = new URL(`${server.issuer}/auth`)
  url.search = new URLSearchParams({
    client_id: app,
    redirect_uri: 'http://localhost:4000/callback',
    response_type: 'code',
    scope: 'openid',
  }).toString()
  const browser = new Browser('http://localhost:4000/')
  const back = await browser.submit(await browser.open(url), { identifier: 'ada', password: 'a long enough phrase' })
  expect(back.url.searchParams.get('code')).toMatch(/^cs_ac_/)
})
