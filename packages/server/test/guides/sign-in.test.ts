/** The commands of the guide, run as they are printed, and the applications that it starts. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Guide, openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Browser } from '../sign-in/browser.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

let server: TestServer
let guide: Guide
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  guide = await openGuide('sign-in', server)
})
afterAll(async () => {
  await guide.close()
  await server.close()
})

test('the commands register two applications and a user, and the printed programs start with them', async () => {
  expect(guide.blocks).toHaveLength(3)
  const programs = [...guide.text.matchAll(/^npx node (examples\/\S+) (.+)$/gm)]
  expect(programs).toHaveLength(2)
  expect((await guide.all()).join('')).toContain('"username":"ada"')
  const [app = '', secret = '', spa = ''] = (await guide.type('echo "$APP $SECRET $SPA"')).trim().split(' ')
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
    expect(guide.text).toContain(`Open ${address}`)
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
