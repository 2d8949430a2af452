/** Adaptive MFA: what makes a sign-in unusual, what follows from it, and who is notified. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runHere } from '../cli/in-process.ts'
import { eventsSince, OwnPage, openPage } from '../experience/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { codeOf, told, useFactors, verifyCode } from './arrange.ts'
import { place, placeFile } from './place-file.ts'

const [BERLIN, POTSDAM, TOKYO, NOWHERE] = ['10.0.0.1', '11.0.0.1', '20.0.0.1', '30.0.0.1']
const POLICY = 'PromptOnlyAtSignInMandatory'
const ASKED = [403, 'session.mfa.require_mfa_verification']
const DAY = 86_400

let server: TestServer
let configuration: client.Configuration
let directory: string
let file: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'places-'))
  file = join(directory, 'city.mmdb')
  const places = { 10: place('DE', 'Berlin', 52.5, 13.4), 11: place('DE', 'Potsdam', 52.4, 13.1) }
  await writeFile(file, placeFile({ ...places, 20: place('JP', 'Tokyo', 35.7, 139.7) }))
  server = await startTestServer(inject('cluster'), { GEOIP_FILE: file, TRUSTED_PROXIES: '127.0.0.1' })
  configuration = (await createApp(server)).configuration
  await useFactors(server, ['Totp'], POLICY)
  const { body } = await server.api('PATCH', '/sign-in-exp', { adaptiveMfa: { enabled: true } })
  expect(body.adaptiveMfa).toEqual({ enabled: true })
})
afterAll(async () => {
  await server?.close()
  await rm(directory, { recursive: true })
})

/** Advances the clock; a token of the Management API expires sooner. */
const advance = (seconds: number): void => {
  server.clock.advance(seconds)
  server = { ...server, api: managementClient(server.baseUrl, server.credentials) }
}
const from = (ip: string) => ({ 'x-forwarded-for': ip })

/** A request that demands a sign-in even if a user is signed in already. */
const toSignIn = () => begin(configuration, { prompt: 'login' })

/** A verified password, and the page that can submit. */
const identified = async (username: string, browser: Browser): Promise<OwnPage> => {
  const begun = await toSignIn()
  const page = new OwnPage(server, browser, begun, await browser.open(begun.url))
  await page.start('SignIn')
  const { body } = await page.verify(username)
  expect((await page.call('POST', '/identification', body)).status).toBe(204)
  return page
}
const submit = (page: OwnPage, ip: string) => page.call('POST', '/submit', undefined, from(ip))
const attempt = async (username: string, browser: Browser, ip = BERLIN) =>
  submit(await identified(username, browser), ip)

/** A user with an app who has signed in from a place with a browser. */
const createPerson = async (ip = BERLIN) => {
  const { id, username } = await createUser(server)
  const { body } = await server.api('POST', `/users/${id}/mfa-verifications`, { type: 'Totp' })
  const browser = newBrowser()
  const page = await identified(username, browser)
  expect(told(await submit(page, ip))).toEqual(ASKED)
  expect((await verifyCode(page, codeOf(server, body.secret))).status).toBe(200)
  expect((await submit(page, ip)).status).toBe(200)
  advance(60)
  return { id, username, browser, secret: body.secret as string }
}

// biome-ignore lint/suspicious/noExplicitAny: events of every type are read here
const triggered = async (work: () => Promise<unknown>): Promise<any[]> => {
  const { cursor } = await eventsSince(server)
  await work()
  const { events } = await eventsSince(server, cursor)
  return events.filter(({ event }) => event === 'PostSignInAdaptiveMfaTriggered')
}
// biome-ignore lint/suspicious/noExplicitAny: events of every type are read here
const rulesOf = (events: any[]) =>
  events.flatMap(({ adaptiveMfaResult: { triggeredRules } }) =>
    triggeredRules.map(({ rule }: { rule: string }) => rule),
  )

describe('the settings', () => {
  test.each<[string, object, string]>([
    ['no factors', { mfa: { factors: [], policy: POLICY } }, 'adaptive_mfa_requires_mfa'],
    ...['Mandatory', 'NoPrompt', 'PromptAtSignInAndSignUp'].map((policy): [string, object, string] => [
      policy,
      { mfa: { factors: ['Totp'], policy } },
      'adaptive_mfa_requires_non_skippable_policy',
    ]),
  ])('refuse it with %s', async (_title, body, code) => {
    const answer = await server.api('PATCH', '/sign-in-exp', body)
    expect(told(answer)).toEqual([422, `sign_in_experiences.${code}`])
  })
})

test('an ordinary sign-in is not asked for a factor, whatever the policy says', async () => {
  const { username, browser } = await createPerson()
  const events = await triggered(async () => expect((await attempt(username, browser)).status).toBe(200))
  expect(events).toEqual([])
  // through the pages too
  const back = await signIn(browser, await toSignIn(), username)
  expect(back.url.searchParams.has('code')).toBe(true)
})

test('a user without a factor is asked to set one up, and no event is emitted', async () => {
  const { username } = await createUser(server)
  const events = await triggered(async () =>
    expect(told(await attempt(username, newBrowser()))).toEqual([422, 'user.missing_mfa']),
  )
  expect(events).toEqual([])
})

test('a new browser: the factor is required and reported once, until it is verified; then the browser is known', async () => {
  const { id, username, secret } = await createPerson()
  const other = newBrowser()
  const events = await triggered(async () => {
    const page = await identified(username, other)
    expect(told(await submit(page, BERLIN))).toEqual(ASKED)
    expect(told(await submit(page, BERLIN))).toEqual(ASKED)
    await verifyCode(page, codeOf(server, secret))
    expect((await submit(page, BERLIN)).status).toBe(200)
  })
  expect(events).toMatchObject([
    {
      interactionEvent: 'SignIn',
      userId: id,
      userIp: BERLIN,
      user: { id },
      adaptiveMfaResult: { requiresMfa: true, triggeredRules: [{ rule: 'new_device', details: { windowDays: 180 } }] },
    },
  ])
  expect((await attempt(username, other)).status).toBe(200)
  expect(told(await attempt(username, newBrowser()))).toEqual(ASKED)
})

test('the cookie identifies a browser for this user only, until the last factor is removed or the password changes', async () => {
  const [ann, bob] = [await createPerson(), await createPerson()]
  expect(told(await attempt(bob.username, ann.browser))).toEqual(ASKED)
  await server.api('PATCH', `/users/${ann.id}/password`, { password: PASSWORD })
  expect((await attempt(ann.username, ann.browser)).status).toBe(200)
  const { body: factors } = await server.api('GET', `/users/${ann.id}/mfa-verifications`)
  await server.api('DELETE', `/users/${ann.id}/mfa-verifications/${factors[0].id}`)
  await server.api('POST', `/users/${ann.id}/mfa-verifications`, { type: 'Totp' })
  expect(told(await attempt(ann.username, ann.browser))).toEqual(ASKED)
})

test('the pages ask, and say why', async () => {
  const { username, secret } = await createPerson()
  const browser = newBrowser()
  const events = await triggered(async () => {
    const factor = await signIn(browser, await toSignIn(), username)
    expect(factor.url.pathname).toContain('/second-factor/')
    expect(factor.text).toContain('id="unusual"')
    const back = await browser.submit(factor, { code: codeOf(server, secret) })
    expect(back.url.searchParams.has('code')).toBe(true)
  })
  expect(rulesOf(events)).toEqual(['new_device'])
  const again = await signIn(browser, await toSignIn(), username)
  expect(again.url.searchParams.has('code')).toBe(true)
})

test('a trusted device does not replace the factor in an unusual sign-in', async () => {
  await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: true } })
  const { id, username, secret } = await createPerson()
  const browser = newBrowser()
  const page = await identified(username, browser)
  expect((await verifyCode(page, codeOf(server, secret))).status).toBe(200)
  expect((await page.call('POST', '/profile/mfa/trusted-device')).status).toBe(204)
  expect((await submit(page, BERLIN)).status).toBe(200)
  const { body: devices } = await server.api('GET', `/users/${id}/trusted-devices`)
  expect(devices).toMatchObject([{ country: 'DE', city: 'Berlin' }])
  advance(12 * 3600)
  expect((await attempt(username, browser)).status).toBe(200)
  expect(told(await attempt(username, browser, TOKYO))).toEqual(ASKED)
  await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: false } })
})

describe('places', () => {
  test('a new country and impossible travel are reported with the facts; a nearby town is neither', async () => {
    const { username, browser, secret } = await createPerson()
    expect((await attempt(username, browser, POTSDAM)).status).toBe(200)
    expect((await attempt(username, browser, NOWHERE)).status).toBe(200)
    const events = await triggered(async () => {
      const page = await identified(username, browser)
      expect(told(await submit(page, TOKYO))).toEqual(ASKED)
      await verifyCode(page, codeOf(server, secret))
      expect((await submit(page, TOKYO)).status).toBe(200)
    })
    const at = server.clock.now().toISOString()
    expect(events[0].adaptiveMfaResult.triggeredRules).toEqual([
      {
        rule: 'new_country',
        details: { currentCountry: 'JP', windowDays: 180, recentCountries: [{ country: 'DE', lastSignInAt: at }] },
      },
      {
        rule: 'geo_velocity',
        details: {
          previous: { country: { country: 'DE', lastSignInAt: at }, city: 'Potsdam', at },
          current: { country: 'JP', city: 'Tokyo', at },
          distanceKm: expect.closeTo(8930, -2),
          durationHours: 0,
          speedKmh: expect.any(Number),
          thresholdKmh: 900,
        },
      },
    ])
    // a day is long enough to return to a known country
    advance(DAY)
    expect((await attempt(username, browser, BERLIN)).status).toBe(200)
  })

  test('a country and a browser are deleted after 180 days, and are new again', async () => {
    const { username, browser } = await createPerson()
    advance(181 * DAY)
    const rules = rulesOf(await triggered(() => attempt(username, browser)))
    expect(rules).toEqual(['long_inactivity', 'new_device'])
  })

  test('are in the interaction and in the input of custom claims', async () => {
    const { id, username, browser } = await createPerson()
    const page = await identified(username, browser)
    const { body } = await page.call('GET', '/interaction', undefined, from(TOKYO))
    const signInContext = { country: 'JP', city: 'Tokyo', latitude: '35.7', longitude: '139.7' }
    expect(body.signInContext).toEqual(signInContext)
    expect((await page.call('GET', '/interaction', undefined, from(NOWHERE))).body.signInContext).toBeUndefined()
    advance(DAY)
    await submit(page, BERLIN)
    const { rows } = await server.store.database.pool.query(
      `SELECT last_submission->'signInContext'->>'city' AS city FROM sessions WHERE user_id = $1`,
      [id],
    )
    expect(rows).toContainEqual({ city: 'Berlin' })
  })
})

test('long inactivity', async () => {
  const { username, browser } = await createPerson()
  advance(29 * DAY)
  expect((await attempt(username, browser)).status).toBe(200)
  const before = server.clock.now().toISOString()
  advance(30 * DAY)
  const [event] = await triggered(() => attempt(username, browser))
  expect(event.adaptiveMfaResult.triggeredRules).toEqual([
    { rule: 'long_inactivity', details: { lastSignInAt: before, inactivityDays: 30, thresholdDays: 30 } },
  ])
})

test('an address with many failures', async () => {
  const { username, browser } = await createPerson()
  const guesser = await openPage(server, configuration)
  await guesser.start('SignIn')
  for (let count = 0; count < 10; count += 1) {
    const identifier = { type: 'username', value: `nobody_${count}` }
    await guesser.call('POST', '/verification/password', { identifier, password: 'wrong' }, from(POTSDAM))
  }
  expect((await attempt(username, browser, BERLIN)).status).toBe(200)
  const [event] = await triggered(() => attempt(username, browser, POTSDAM))
  expect(event.adaptiveMfaResult.triggeredRules).toEqual([
    { rule: 'untrusted_ip', details: { signals: { recentFailures: 10 }, matchedSignals: ['recentFailures'] } },
  ])
})

test('the place of a registration is known', async () => {
  await useFactors(server, ['Totp'], 'PromptAtSignInAndSignUpMandatory')
  const browser = newBrowser()
  const page = await openPage(server, configuration, browser)
  await page.start('Register')
  const identity = { identifier: { type: 'username', value: 'newcomer' }, password: PASSWORD }
  const { body } = await page.call('POST', '/verification/new-password-identity', identity)
  await page.call('POST', '/identification', body)
  const { body: totp } = await page.call('POST', '/verification/totp/secret')
  const { verificationId, secret } = totp
  await page.call('POST', '/verification/totp/verify', { code: codeOf(server, secret), verificationId })
  await page.call('POST', '/profile/mfa', { type: 'Totp', verificationId })
  expect((await submit(page, BERLIN)).status).toBe(200)
  expect((await attempt('newcomer', browser)).status).toBe(200)
  expect(told(await attempt('newcomer', newBrowser()))).toEqual(ASKED)
  await useFactors(server, ['Totp'], POLICY)
})

test('a file of another format prevents the server from starting, with one sentence', async () => {
  const file = join(directory, 'text')
  await writeFile(file, 'no database')
  await expect(server.startNode({ GEOIP_FILE: file })).rejects.toThrow(/^GEOIP_FILE: .* is not a database/)
})

test('when it is switched off, the policy asks at every sign-in again', async () => {
  const { username, browser } = await createPerson()
  await server.api('PATCH', '/sign-in-exp', { adaptiveMfa: { enabled: false } })
  expect(told(await attempt(username, browser))).toEqual(ASKED)
})

test('places are those of the newest file that can be read, while the server runs', async () => {
  const page = await identified((await createUser(server)).username, newBrowser())
  const city = async (ip: string) =>
    (await page.call('GET', '/interaction', undefined, from(ip))).body.signInContext?.city
  const gauge = 'countersign_geoip_file_current'
  const current = () => server.store.metrics.registry.getSingleMetricAsString(gauge)
  const whenCurrentIs = (value: number) => expect.poll(current, { timeout: 60_000 }).toContain(`\n${gauge} ${value}`)
  const env = { ...server.environment, GEOIP_FILE: file }
  const doctor = async () => (await runHere(['doctor'], { env, folder: directory })).out
  await whenCurrentIs(1)
  expect(await city(NOWHERE)).toBeUndefined()
  // half written, as by a program that does not write to another file first
  await writeFile(file, 'half a database')
  await whenCurrentIs(0)
  expect(await city(BERLIN)).toBe('Berlin')
  expect(await doctor()).toContain(`PROBLEM  GEOIP_FILE: ${file} is not a database in MaxMind’s format.`)
  await writeFile(`${file}.new`, placeFile({ 30: place('IS', 'Reykjavik', 64.1, -21.9) }))
  await rename(`${file}.new`, file)
  await whenCurrentIs(1)
  expect([await city(NOWHERE), await city(BERLIN)]).toEqual(['Reykjavik', undefined])
  expect(await doctor()).toContain(`ok       GEOIP_FILE: ${file} is of `)
}, 300_000)
