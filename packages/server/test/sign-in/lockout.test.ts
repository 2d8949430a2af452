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

  test('a success begins the count anew', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('guesses at once are counted once each, and lock once', async () => {
    const { username } = await createUser(server)
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await attempt(username, 'wrong')).status),
    )
    expect(statuses.filter((status) => status === 422).length).toBeGreaterThanOrEqual(10)
    expect((await attempt(username, PASSWORD)).status).toBe(429)
    expect(await lockouts(username)).toBe(1)
  })

  test('a suspended user is told nothing that a stranger is not', async () => {
    const user = await createUser(server)
    await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    expect((await attempt(user.username, PASSWORD)).status).toBe(422)
  })
})
