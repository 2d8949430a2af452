/** DECISIONS L2: what one address may do, over pages and API, no matter who it does it to: wrong guesses, and codes that it has sent. */
import { SMTP } from '@countersign/contract/connectors.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createSlidingLimit } from '@countersign/server/kernel/sliding-limit.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { openPage } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), {
    ADDRESS_FAILURES: '6',
    ADDRESS_SENDS: '3',
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
  test('are refused with 429 and Retry-After, here and on the page, and other addresses are not', async () => {
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

  test('right passwords are not counted', async () => {
    const { username } = await createUser(server)
    for (let count = 0; count < 8; count += 1) expect((await verify('192.0.2.2', username, PASSWORD)).status).toBe(200)
  })

  test('many at once do not pass the limit', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => verify('192.0.2.3', `at_once${index}`)))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6)
  })

  test('addresses of one IPv6 network are one', async () => {
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

  test('are refused with 429 and Retry-After, no matter whose they are; other addresses are not', async () => {
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

describe('the counter', () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

  test('forgets after the window, and never before', () => {
    const limit = createSlidingLimit({ most: 2, windowSeconds: 100, capacity: 10 })
    limit.admit('a', at(0))
    limit.admit('a', at(50))
    expect(limit.admit('a', at(89))).toEqual({ isAdmitted: false, retryAfter: 11 })
    expect(limit.admit('a', at(100)).isAdmitted).toBe(true)
    expect(limit.admit('a', at(101)).isAdmitted).toBe(false)
  })

  test('holds no more keys than it may, and none that were taken back', () => {
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
