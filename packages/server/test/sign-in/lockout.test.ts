import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const attempt = async (username: string, password: string) =>
  signIn(newBrowser(), await begin(configuration), username, password)

const lockouts = async (value: string) => {
  const { body } = await server.api('GET', '/events?event=Identifier.Lockout')
  return body.events.filter((event: { value: string }) => event.value === value).length
}

describe('R-28 lock-out', () => {
  test('ten wrong passwords in a row lock a name for 15 minutes, with one event, also against the right one', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 10; count += 1) expect((await attempt(username, 'wrong')).status).toBe(422)
    expect((await attempt(username, PASSWORD)).status).toBe(429)
    // another way of writing the name is the same name
    expect((await attempt(username.toUpperCase(), PASSWORD)).status).toBe(429)
    expect(await lockouts(username)).toBe(1)
    server.clock.advance(15 * 60 + 1)
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('a name that nobody has locks as one that somebody has, and reads the same', async () => {
    const first = await attempt('nobody_has_this', 'wrong')
    const { username } = await createUser(server)
    const real = await attempt(username, 'wrong')
    const plain = (text: string) => text.replace(/value="[^"]*"/g, '').replace(/\/register\/\w+/g, '')
    expect(plain(first.text)).toBe(plain(real.text))
    for (let count = 1; count < 10; count += 1) await attempt('nobody_has_this', 'wrong')
    expect((await attempt('nobody_has_this', 'wrong')).status).toBe(429)
  })

  test('an administrator unlocks a name, however it is written, and no other; the count begins anew', async () => {
    const [ann, bob] = [await createUser(server), await createUser(server)]
    const lock = async ({ username }: { username: string }) => {
      for (let count = 0; count < 10; count += 1) await attempt(username, 'wrong')
      expect((await attempt(username, PASSWORD)).status).toBe(429)
    }
    await lock(ann)
    await lock(bob)
    const unlock = (targetType: string, ...targets: string[]) =>
      server.api('POST', '/sentinel-activities/delete', { targetType, targets })
    expect((await unlock('App', ann.username)).status).toBe(204)
    expect((await attempt(ann.username, PASSWORD)).status).toBe(429)
    expect((await unlock('User', ann.username.toUpperCase(), 'nobody@example.com', '\u{1F600}')).status).toBe(204)
    expect((await attempt(bob.username, PASSWORD)).status).toBe(429)
    for (let count = 0; count < 9; count += 1) expect((await attempt(ann.username, 'wrong')).status).toBe(422)
    expect((await attempt(ann.username, PASSWORD)).url.searchParams.has('code')).toBe(true)
    for (const body of [
      { targetType: 'Tenant', targets: [] },
      { targetType: 'User' },
      { targetType: 'User', targets: [''] },
    ])
      expect((await server.api('POST', '/sentinel-activities/delete', body)).status).toBe(400)
    // the log says how many there were, not which
    const { body: logs } = await server.api('GET', '/logs?logKey=ManagementApi.deleteSentinelActivities')
    expect(logs.map(({ payload }: { payload: { unlocked?: number } }) => payload.unlocked)).toContain(1)
    expect(JSON.stringify(logs)).not.toContain(ann.username.toUpperCase())
  })

  test('a success begins the count anew', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('of guesses at once ten are answered and lock once; the right one among the others reads as they do', async () => {
    const { username } = await createUser(server)
    const pages = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const browser = newBrowser()
        return { browser, page: await browser.open((await begin(configuration)).url) }
      }),
    )
    const statuses = await Promise.all(
      pages.map(async ({ browser, page }, index) => {
        const password = index === 29 ? PASSWORD : 'wrong'
        return (await browser.submit(page, { identifier: username, password })).status
      }),
    )
    expect(statuses.filter((status) => status === 422)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect((await attempt(username, PASSWORD)).status).toBe(429)
    expect(await lockouts(username)).toBe(1)
  })

  test('a suspended user is told nothing that a stranger is not', async () => {
    const user = await createUser(server)
    await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    expect((await attempt(user.username, PASSWORD)).status).toBe(422)
  })
})
