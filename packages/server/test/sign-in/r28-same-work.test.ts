/**
 * R-28, DECISIONS L2, L24: what is done before an answer is the same whether or not an account has an identifier: the same statements,
 * which write as many rows, and as many hashes of passwords. That takes the same time; no time is measured here.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { connectMessages, type Messages } from '../management/texts.ts'
import { type CountingProxy, countingProxy } from '../protocol/database-proxy.ts'
import { begin, createApp, newBrowser, PASSWORD } from './arrange.ts'

let proxy: CountingProxy
let server: TestServer
let messages: Messages
let configuration: client.Configuration
const way = (identifier: string) => ({
  ...{ identifier, password: true, verificationCode: identifier !== 'username', isPasswordPrimary: true },
})
beforeAll(async () => {
  proxy = await countingProxy(inject('cluster'))
  const unlimited = { ADDRESS_FAILURES: '0', ADDRESS_SENDS: '0', ADDRESS_REGISTRATIONS: '0' }
  // messages stay in the queue: what reaches the database is what the requests ask of it
  server = await startTestServer(proxy.address, { WORKERS: 'off', ...unlimited })
  configuration = (await createApp(server)).configuration
  messages = await connectMessages(server)
  const settings = { signIn: { methods: ['username', 'email', 'phone'].map(way) }, passkeySignIn: { enabled: true } }
  expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
})
afterAll(async () => {
  await server.close()
  await proxy.close()
  await messages.close()
})

type Type = 'username' | 'email' | 'phone'
type Owner = 'a user' | 'a suspended user' | 'a user without a password' | 'no account'

let count = 0
/** An identifier that no other attempt has touched, of such an owner. */
const identifierOf = async (type: Type, owner: Owner): Promise<string> => {
  count += 1
  const [username, primaryEmail] = [`person_${count}`, `person${count}@example.com`]
  const primaryPhone = `4930231${25000 + count}`
  const value = { username, email: primaryEmail, phone: primaryPhone }[type]
  if (owner === 'no account') return value
  const password = owner === 'a user without a password' ? {} : { password: PASSWORD }
  const { status, body } = await server.api('POST', '/users', { username, primaryEmail, primaryPhone, ...password })
  expect(status).toBe(200)
  if (owner === 'a suspended user')
    expect((await server.api('PATCH', `/users/${body.id}/is-suspended`, { isSuspended: true })).status).toBe(200)
  return value
}

/** What the server does on its own account, on no request's path. */
const BACKGROUND = /event_sequences|FROM outbox|^LISTEN |^SELECT 1$|^\s*INSERT INTO audit_log|^SET /
const hashes = async () => {
  const text = await server.store.metrics.registry.getSingleMetricAsString('countersign_password_hashes')
  return Number(/^countersign_password_hashes (\d+)$/m.exec(text)?.[1])
}

/** Prepares an attempt with an identifier; the attempt itself is what is compared. */
type Attempt = (value: string, type: Type) => Promise<() => Promise<{ status: number }>>

const workFor = async (attempt: Attempt, type: Type, owner: Owner) => {
  const act = await attempt(await identifierOf(type, owner), type)
  const before = await hashes()
  let status = 0
  const effects = await proxy.effects(async () => {
    status = (await act()).status
  })
  // what is sent at the same moment arrives in either order
  const statements = effects.filter((each) => !BACKGROUND.test(each)).sort()
  return { status, hashes: (await hashes()) - before, statements }
}

/**
 * Compares each owner with a user. Now and then more is done than was asked for, such as to read configuration again that a late
 * notice has dropped: a difference that is there each time is one.
 */
const compare = async (attempt: Attempt, type: Type, owners: readonly Owner[] = ['no account', 'a suspended user']) => {
  let known = await workFor(attempt, type, 'a user')
  for (const owner of owners) {
    let other = await workFor(attempt, type, owner)
    for (let left = 5; left > 0 && JSON.stringify(other) !== JSON.stringify(known); left -= 1) {
      known = await workFor(attempt, type, 'a user')
      other = await workFor(attempt, type, owner)
    }
    expect(other, `${type} of ${owner}`).toEqual(known)
  }
  return known
}

const through =
  (
    event: 'SignIn' | 'Register' | 'ForgotPassword',
    path: `/${string}`,
    body: (value: string, type: Type) => object,
  ): Attempt =>
  async (value, type) => {
    const page = await openPage(server, configuration)
    await page.start(event)
    return () => page.call('POST', path, body(value, type))
  }
const onPage =
  (link: string | undefined, fields: Record<string, string>): Attempt =>
  async (value) => {
    const browser = newBrowser()
    let page = await browser.open((await begin(configuration)).url)
    if (link !== undefined) {
      const [, href = ''] = new RegExp(`id="${link}" href="([^"]+)"`).exec(page.text) ?? []
      page = await browser.open(new URL(href, server.baseUrl))
    }
    return () => browser.submit(page, { identifier: value, ...fields })
  }

describe('R-28 a wrong password takes the same work', () => {
  const verify = through('SignIn', '/verification/password', (value, type) => ({
    identifier: { type, value },
    password: 'wrong',
  }))
  test.each<Type>(['username', 'email', 'phone'])('in the Experience API, for a %s', async (type) => {
    const {
      status,
      hashes: computed,
      statements,
    } = await compare(verify, type, ['no account', 'a suspended user', 'a user without a password'])
    expect([status, computed]).toEqual([422, 1])
    expect(statements.join()).toContain('INSERT INTO identifier_failures')
  })

  test('on the page', async () => {
    const { status, hashes: computed } = await compare(onPage(undefined, { password: 'wrong' }), 'username')
    expect([status, computed]).toEqual([422, 1])
  })
})

describe('R-28 sending a code takes the same work', () => {
  const sending = (event: 'SignIn' | 'Register' | 'ForgotPassword') =>
    through(event, '/verification/verification-code', (value, type) => ({
      identifier: { type, value },
      interactionEvent: event,
    }))
  test.each<[Type, 'SignIn' | 'Register' | 'ForgotPassword', string]>([
    ['email', 'SignIn', 'SignIn'],
    ['phone', 'SignIn', 'SignIn'],
    ['email', 'ForgotPassword', 'SignInAndRegister'],
    ['phone', 'ForgotPassword', 'SignInAndRegister'],
  ])('by %s for %s, where the mode is %s', async (type, event, signInMode) => {
    await server.api('PATCH', '/sign-in-exp', { signInMode })
    const { status, statements } = await compare(sending(event), type)
    expect(status).toBe(200)
    expect(statements.join()).toContain('INSERT INTO dispatches')
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })
  })

  test.each<[string, Attempt]>([
    ['forgotten passwords', onPage('forgot-password', {})],
    ['sign-in', onPage(undefined, { action: 'code' })],
  ])('on the page of %s', async (_page, attempt) => {
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignIn' })
    const { status, statements } = await compare(attempt, 'email')
    expect(status).toBe(200)
    expect(statements.join()).toContain('INSERT INTO dispatches')
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })
  })

  test('by the Management API', async () => {
    const attempt: Attempt = async (email) => () => server.api('POST', '/verification-codes', { email })
    expect((await compare(attempt, 'email')).status).toBe(204)
  })
})

describe('R-28 other ways to prove who one is take the same work', () => {
  test('a wrong code', async () => {
    const attempt: Attempt = async (value, type) => {
      const page = await openPage(server, configuration)
      await page.start('ForgotPassword')
      const identifier = { type, value }
      const { body } = await page.call('POST', '/verification/verification-code', {
        identifier,
        interactionEvent: 'ForgotPassword',
      })
      const { verificationId } = body
      const code = 'abcdef'
      return () => page.call('POST', '/verification/verification-code/verify', { identifier, verificationId, code })
    }
    expect((await compare(attempt, 'email')).status).toBe(400)
  })

  /** The token of a link to another address. */
  const otherToken = async (): Promise<string> =>
    (await server.api('POST', '/one-time-tokens', { email: 'other@example.com', context: {} })).body.token

  test('the one-time token of another address', async () => {
    const attempt: Attempt = async (value, type) => {
      const [page, token] = [await openPage(server, configuration), await otherToken()]
      await page.start('SignIn')
      return () => page.call('POST', '/verification/one-time-token/verify', { identifier: { type, value }, token })
    }
    const { status, statements } = await compare(attempt, 'email')
    expect(status).toBe(400)
    expect(statements.join()).toContain('INSERT INTO identifier_failures')
  })

  test('the page of a link to another address', async () => {
    const attempt: Attempt = async (login_hint) => {
      const browser = newBrowser()
      const { url } = await begin(configuration, { one_time_token: await otherToken(), login_hint })
      const page = await browser.open(url)
      return () => browser.submit(page, {})
    }
    const { statements } = await compare(attempt, 'email')
    expect(statements.join()).toContain('INSERT INTO identifier_failures')
  })

  test('the options of a passkey', async () => {
    const attempt = through('SignIn', '/verification/sign-in-passkey/authentication', (value, type) => ({
      identifier: { type, value },
    }))
    expect((await compare(attempt, 'username')).status).toBe(200)
  })
})
