/** DECISIONS L2: what one address may do, over pages and API, no matter who it does it to: wrong guesses, and codes that it has sent. */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createSlidingLimit } from '@countersign/server/kernel/sliding-limit.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newUser, openAccountCenter, refusal } from '../account/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { openPage } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), {
    ADDRESS_FAILURES: '6',
    ADDRESS_SENDS: '3',
    ADDRESS_REGISTRATIONS: '4',
    TRUSTED_PROXIES: '127.0.0.1',
  })
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const from = (address: string) => ({ 'x-forwarded-for': address })
const verify = async (address: string, value: string, password = 'wrong') => {
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  const identifier = { type: 'username', value }
  return page.call('POST', '/verification/password', { identifier, password }, from(address))
}

describe('R-28 too many failures from one address', () => {
  test('are refused with 429 and Retry-After by the API and by the page; other addresses are not affected', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 3; count += 1) expect((await verify('127.0.0.1', `guess${count}`)).status).toBe(422)
    for (let count = 3; count < 6; count += 1)
      expect((await signIn(newBrowser(), await begin(configuration), `guess${count}`, 'wrong')).status).toBe(422)
    const refused = await verify('127.0.0.1', username, PASSWORD)
    expect([refused.status, refused.body.code]).toEqual([429, 'request.rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    const page = await signIn(newBrowser(), await begin(configuration), username)
    expect([page.status, page.text.includes('from your network')]).toEqual([429, true])
    expect((await verify('192.0.2.1', username, PASSWORD)).status).toBe(200)
    server.clock.advance(661)
    expect((await verify('127.0.0.1', username, PASSWORD)).status).toBe(200)
  })

  test('correct passwords are not counted', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 8; count += 1) expect((await verify('192.0.2.2', username, PASSWORD)).status).toBe(200)
  })

  test('concurrent attempts cannot exceed the limit', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => verify('192.0.2.3', `at_once${index}`)))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  test('addresses of one IPv6 network count as one', async () => {
    for (let count = 0; count < 6; count += 1) await verify(`2001:db8:1:2::${count + 1}`, `six${count}`)
    expect((await verify('2001:0db8:1:2:ffff::9', 'six')).status).toBe(429)
    expect((await verify('2001:db8:1:3::1', 'six')).status).toBe(422)
  })
})

describe('too many codes from one address', () => {
  const ask = async (ip: string, value: string) => {
    const page = await openPage(server, configuration)
    await page.start('ForgotPassword')
    const request = { identifier: { type: 'email', value }, interactionEvent: 'ForgotPassword' }
    return page.call('POST', '/verification/verification-code', request, from(ip))
  }

  test('are refused with 429 and Retry-After, whatever the recipients; other addresses are not affected', async () => {
    // nothing is mailed: no one has these addresses
    const config = { host: '127.0.0.1', port: 9, fromEmail: 'no-reply@mail.example' }
    await server.api('POST', '/connectors', { connectorId: SMTP, config })
    // for nothing that was sent nothing is counted
    expect((await ask('192.0.2.7', 'not an address')).status).toBe(400)
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) => ask('192.0.2.7', `p${index}@example.com`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    const refused = await ask('192.0.2.7', 'another@example.com')
    expect([refused.status, refused.body.code]).toEqual([429, 'request.rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    expect((await ask('192.0.2.8', 'another@example.com')).status).toBe(200)
    server.clock.advance(661)
    expect((await ask('192.0.2.7', 'another@example.com')).status).toBe(200)
  })
})

describe('too many registrations from one address', () => {
  const choose = async (ip: string, value: string, password = PASSWORD) => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const body = { identifier: { type: 'username', value }, password }
    return page.call('POST', '/verification/new-password-identity', body, from(ip))
  }
  const enter = async (ip: string, value: string) => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    return page.call('POST', '/profile', { type: 'username', value }, from(ip))
  }
  /** Registers as the form of the page does. */
  const register = async (ip: string, identifier: string) => {
    const browser = newBrowser()
    const at = await browser.open((await begin(configuration)).url)
    const form = await browser.open(at.url.href.replace('/sign-in/', '/register/'))
    const token = /name="token" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    const body = new URLSearchParams({ token, identifier, password: PASSWORD })
    return browser.open(form.url, { method: 'POST', body, headers: from(ip) })
  }

  test('are refused with 429 and Retry-After; each check whether a name is free counts', async () => {
    const { username } = await createUser(server)
    // what says nothing about names is not counted
    expect((await choose('192.0.2.20', 'weak', 'x')).status).toBe(422)
    expect((await enter('192.0.2.20', '1st')).status).toBe(400)
    expect((await choose('192.0.2.20', username)).body.code).toBe('user.username_already_in_use')
    expect((await enter('192.0.2.20', username)).body.code).toBe('user.username_already_in_use')
    expect((await enter('192.0.2.20', 'is_it_free')).status).toBe(204)
    expect((await register('192.0.2.20', username)).status).toBe(422)
    for (const refused of [await choose('192.0.2.20', 'is_it_free'), await enter('192.0.2.20', 'is_it_free')]) {
      expect([refused.status, refused.body.code]).toEqual([429, 'request.rate_limited'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
    }
    const page = await register('192.0.2.20', 'is_it_free')
    expect([page.status, page.text.includes('from your network')]).toEqual([429, true])
    expect((await register('192.0.2.21', 'is_it_free')).url.searchParams.has('code')).toBe(true)
  })

  test('accounts count on the page and through the API, also concurrent ones', async () => {
    const pages = await Promise.all(Array.from({ length: 6 }, (_, index) => register('192.0.2.30', `crowd${index}`)))
    expect(pages.filter(({ url }) => url.searchParams.has('code'))).toHaveLength(4)
    expect(pages.filter(({ status }) => status === 429)).toHaveLength(2)
    const page = await openPage(server, configuration)
    await page.start('Register')
    const body = { identifier: { type: 'username', value: 'by_api' }, password: PASSWORD }
    const { body: chosen } = await page.call('POST', '/verification/new-password-identity', body, from('192.0.2.31'))
    await page.call('POST', '/identification', chosen)
    const submitted = await page.call('POST', '/submit', undefined, from('192.0.2.30'))
    expect([submitted.status, submitted.body.code]).toEqual([429, 'request.rate_limited'])
    server.clock.advance(661)
    expect((await page.call('POST', '/submit', undefined, from('192.0.2.30'))).status).toBe(200)
  })
})

test('taken usernames that users ask for in their own account count as those of registrations', async () => {
  await openAccountCenter(server)
  const { username } = await createUser(server)
  const ada = await newUser(server, (await createApp(server)).id)
  const rename = (wanted: string) => ada.change('PATCH', '/my-account', { username: wanted })
  for (let count = 0; count < 4; count += 1)
    expect(refusal(await rename(username))).toEqual([422, 'user.username_already_in_use'])
  const refused = await rename('is_it_free_too')
  expect(refusal(refused)).toEqual([429, 'request.rate_limited'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500)
  server.clock.advance(661)
  expect((await ada.change('PATCH', '/my-account', { username: 'is_it_free_too' })).status).toBe(200)
})

describe('the counter', () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

  test('forgets after the window and not before', () => {
    const limit = createSlidingLimit({ most: 2, windowSeconds: 100, capacity: 10 })
    limit.admit('a', at(0))
    limit.admit('a', at(50))
    expect(limit.admit('a', at(89))).toEqual({ isAdmitted: false, retryAfter: 11 })
    expect(limit.admit('a', at(100)).isAdmitted).toBe(true)
    expect(limit.admit('a', at(101)).isAdmitted).toBe(false)
  })

  test('stays within its number of keys and drops undone ones', () => {
    const limit = createSlidingLimit({ most: 1, windowSeconds: 100, capacity: 3 })
    for (const key of ['a', 'b', 'c', 'd']) limit.admit(key, at(0))
    expect(limit.size).toBe(3)
    expect(limit.admit('b', at(1)).isAdmitted).toBe(false)
    expect(limit.admit('a', at(1)).isAdmitted).toBe(true)
    const free = createSlidingLimit({ most: 1, windowSeconds: 100, capacity: 3 })
    const admitted = free.admit('x', at(0))
    if (admitted.isAdmitted) admitted.takeBack()
    expect(free.size).toBe(0)
  })
})
