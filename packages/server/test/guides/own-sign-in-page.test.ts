/** The commands of the guide, run as they are printed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Guide, openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let guide: Guide
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  guide = await openGuide('own-sign-in-page', server)
})
afterAll(async () => {
  await guide.close()
  await server.close()
})

test('a sign-in page of one’s own, step by step', async () => {
  expect(guide.blocks).toHaveLength(4)
  const [begun = '', registered = '', signedIn = '', refused = ''] = await guide.all()
  expect(begun).toMatch(/\/sign-in\/[0-9a-z]{21}/)
  expect(registered).toMatch(/^http:\/\/localhost:4000\/callback\?code=/m)
  expect(signedIn).toContain('"interactionEvent":"SignIn"')
  expect(signedIn).toContain('"id_token"')
  expect(refused).toContain('"code":"session.invalid_credentials"')
  expect(begun + registered + signedIn).not.toMatch(/"code":|"error":/)
  expect(existsSync(join(guide.directory, 'jar.txt'))).toBe(false)
  expect((await server.api('GET', '/users?search.username=grace')).body).toMatchObject([{ name: 'Grace Hopper' }])
})
