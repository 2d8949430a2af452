import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0', TRUSTED_PROXIES: '127.0.0.1' })
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const attempt = async (username: string, password: string) =>
  signIn(newBrowser(), await begin(configuration), username, password)

const lockoutEvents = async (value: string) => {
  const { body } = await server.api('GET', '/events?event=Identifier.Lockout&limit=100')
  return body.events.filter((event: { value: string }) => event.value === value)
}
const lockouts = async (value: string) => (await lockoutEvents(value)).length

/** A user with a username and an address, both of which sign in. */
const person = async () => {
  const user = await createUser(server)
  const email = `${user.username}@example.com`
  await server.api('PATCH', `/users/${user.id}`, { primaryEmail: email })
  const method = { password: true, verificationCode: false, isPasswordPrimary: true }
  const methods = ['username', 'email'].map((identifier) => ({ identifier, ...method }))
  await server.api('PATCH', '/sign-in-exp', { signIn: { methods } })
  return { ...user, email }
}

describe('R-28 lockout', () => {
  test('ten wrong passwords in a row lock a name for 15 minutes, with one event, also for the correct one', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 10; count += 1) expect((await attempt(username, 'wrong')).status).toBe(422)
    expect((await attempt(username, PASSWORD)).status).toBe(429)
    // another way of writing the name is the same name
    expect((await attempt(username.toUpperCase(), PASSWORD)).status).toBe(429)
    expect(await lockouts(username)).toBe(1)
    server.clock.advance(15 * 60 + 1)
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('an unknown name is locked as a known one is, with the same answers', async () => {
    const first = await attempt('nobody_has_this', 'wrong')
    const { username } = await createUser(server)
    const real = await attempt(username, 'wrong')
    const plain = (text: string) => text.replace(/value="[^"]*"/g, '').replace(/\/register\/\w+/g, '')
    expect(plain(first.text)).toBe(plain(real.text))
    for (let count = 1; count < 10; count += 1) await attempt('nobody_has_this', 'wrong')
    expect((await attempt('nobody_has_this', 'wrong')).status).toBe(429)
  })

  test('an administrator unlocks one name, however it is written; the count is reset', async () => {
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

  test('a lock applies to every identifier of the account; under the others it reads as a wrong password', async () => {
    const { id, username, email } = await person()
    for (let count = 0; count < 10; count += 1) await attempt(username, 'wrong')
    expect((await lockoutEvents(username)).map(({ userId }: { userId: string }) => userId)).toEqual([id])
    const plain = ({ status, text }: { status: number; text: string }) => [
      status,
      text.replace(/value="[^"]*"/g, '').replace(/\/register\/\w+/g, ''),
    ]
    // neither the right password nor the count of failures tells the address from one that no account has
    for (let count = 0; count < 10; count += 1)
      expect(plain(await attempt(email, PASSWORD))).toEqual(plain(await attempt(`not.${email}`, PASSWORD)))
    expect([(await attempt(email, PASSWORD)).status, (await attempt(`not.${email}`, PASSWORD)).status]).toEqual([
      429, 429,
    ])
    expect([await lockouts(email), await lockouts(`not.${email}`)]).toEqual([0, 1])
    server.clock.advance(15 * 60 + 1)
    expect((await attempt(email, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('failures under all identifiers of an account add up to one event, and a success resets them', async () => {
    const { id, username, email } = await person()
    const five = async (name: string) => {
      for (let count = 0; count < 5; count += 1) expect((await attempt(name, 'wrong')).status).toBe(422)
    }
    await five(username)
    await five(email)
    expect((await attempt(username, PASSWORD)).status).toBe(422)
    expect((await lockoutEvents(email)).map(({ userId }: { userId: string }) => userId)).toEqual([id])
    server.clock.advance(15 * 60 + 1)
    expect((await attempt(email, PASSWORD)).url.searchParams.has('code')).toBe(true)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
    expect([await lockouts(username), await lockouts(email)]).toEqual([0, 1])
  })

  test('of concurrent guesses at two identifiers, no more than the limit are answered', async () => {
    const { username, email } = await person()
    const names = Array.from({ length: 15 }, () => username)
    const wrong = await Promise.all(names.map((name) => attempt(name, 'wrong')))
    const [late] = await Promise.all([attempt(email, PASSWORD), ...names.map((name) => attempt(name, 'wrong'))])
    expect(wrong.filter(({ status }) => status === 422)).toHaveLength(10)
    expect(late?.status).toBe(422)
    expect(await lockouts(username)).toBe(1)
  })

  test('an address of a locked account unlocks the account', async () => {
    const { username, email } = await person()
    for (let count = 0; count < 10; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).status).toBe(429)
    await server.api('POST', '/sentinel-activities/delete', { targetType: 'User', targets: [email.toUpperCase()] })
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('for names without an account, one address causes at most three events in ten minutes', async () => {
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 1, lockoutDuration: 1 } })
    const guessFrom = async (address: string, name: string) => {
      const page = await openPage(server, configuration)
      await page.start('SignIn')
      const body = { identifier: { type: 'username', value: name }, password: 'wrong' }
      expect((await page.call('POST', '/verification/password', body, { 'x-forwarded-for': address })).status).toBe(422)
      return lockouts(name)
    }
    const told = []
    for (let index = 0; index < 6; index += 1) told.push(await guessFrom('192.0.2.1', `made_up_${index}`))
    expect(told).toEqual([1, 1, 1, 0, 0, 0])
    expect(await guessFrom('192.0.2.2', 'made_up_elsewhere')).toBe(1)
    // of an account each lock is told, whatever the address has caused
    expect(await guessFrom('192.0.2.1', (await createUser(server)).username)).toBe(1)
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
  })

  test('a success resets the count', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
    for (let count = 0; count < 9; count += 1) await attempt(username, 'wrong')
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('of concurrent guesses ten are answered and lock once; the correct one among the others gets the same answer', async () => {
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

  test('a suspended user gets the same answer as a stranger', async () => {
    const user = await createUser(server)
    await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    expect((await attempt(user.username, PASSWORD)).status).toBe(422)
  })

  // last: after an hour the tests' token has expired
  test('a success resets the length of lockouts', async () => {
    const { username } = await createUser(server)
    for (const minutes of [15, 30]) {
      for (let count = 0; count < 10; count += 1) await attempt(username, 'wrong')
      server.clock.advance(minutes * 60 + 1)
    }
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
    for (let count = 0; count < 10; count += 1) await attempt(username, 'wrong')
    server.clock.advance(15 * 60 + 1)
    expect((await attempt(username, PASSWORD)).url.searchParams.has('code')).toBe(true)
  })

  test('locks grow to a day, for accounts and for unknown names, and do not end early', async () => {
    const names = [(await createUser(server)).username, 'nobody_grows']
    for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      for (const name of names)
        for (let count = 0; count < 10; count += 1) expect((await attempt(name, 'wrong')).status).toBe(422)
      server.clock.advance(minutes * 60 - 30)
      for (const name of names) expect((await attempt(name, 'wrong')).status).toBe(429)
      server.clock.advance(31)
    }
  })
})
