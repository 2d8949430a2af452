/**
 * Trusted devices (DECISIONS L5, O3, SPEC 6.1): trusted once a factor was verified; ended by the user, the operator, a
 * password change or expiry.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { eventsSince, openPage } from '../experience/arrange.ts'
import { begin, createApp, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { codeOf, createTotpUser, identifyBy, told, useFactors, verifyCode } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())
beforeEach(async () => {
  await useFactors(server, ['Totp', 'BackupCode'])
  await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: true, durationDays: 7 } })
})

type User = Awaited<ReturnType<typeof createTotpUser>>
const devicesOf = async (userId: string) => (await server.api('GET', `/users/${userId}/trusted-devices`)).body

/** Signs in on the pages, and trusts the device if `trust` says so. */
const trusting = async (
  { username, secret }: User,
  browser = newBrowser(),
  fields: Record<string, string> = { trust: '1' },
) => {
  const begun = await begin(configuration, { prompt: 'login' })
  const page = await browser.submit(await browser.open(begun.url), { identifier: username, password: PASSWORD })
  expect(page.text).toContain('name="trust"')
  const end = await browser.submit(page, { code: codeOf(server, secret), ...fields })
  await redeem(configuration, end, begun)
  server.clock.advance(60)
  return browser
}
/** Whether a sign-in with this browser requires the second factor. */
const isAsked = async ({ username }: User, browser: Browser) => {
  const begun = await begin(configuration, { prompt: 'login' })
  const page = await browser.submit(await browser.open(begun.url), { identifier: username, password: PASSWORD })
  return page.url.pathname.startsWith('/second-factor/')
}

test('a trusted device is not asked, and its event is in the transaction of the sign-in', async () => {
  const user = await createTotpUser(server, configuration)
  const { cursor } = await eventsSince(server)
  const browser = await trusting(user)
  const { events } = await eventsSince(server, cursor)
  expect(events.map(({ event }) => event)).toEqual(['TrustedDevice.Created', 'PostSignIn'])
  const [device] = await devicesOf(user.id)
  const expiresAt = new Date(device.expiresAt).toISOString()
  expect(events[0].data).toEqual({ id: device.id, userId: user.id, expiresAt })
  expect(device.expiresAt - device.createdAt).toBe(7 * 86_400_000)
  expect(JSON.stringify(events)).not.toContain(browser.cookie('countersign-device'))
  expect(await isAsked(user, browser)).toBe(false)
  const [used] = await devicesOf(user.id)
  expect(used.lastUsedAt - used.createdAt).toBe(60_000)
  // use emits no event
  const after = await eventsSince(server, cursor)
  expect(after.events.map(({ event }) => event)).toEqual(['TrustedDevice.Created', 'PostSignIn', 'PostSignIn'])
  expect(await isAsked(user, newBrowser())).toBe(true)
  const other = await createTotpUser(server, configuration)
  expect(await isAsked(other, browser)).toBe(true)
  // what the application demands is verified now
  const begun = await begin(configuration, { acr_values: 'urn:countersign:acr:mfa' })
  const page = await browser.submit(await browser.open(begun.url), { identifier: user.username, password: PASSWORD })
  expect(page.url.pathname).toMatch(/^\/second-factor\//)
  server.clock.advance(60)
  const aged = await begin(configuration, { max_age: '30' })
  const again = await browser.submit(await browser.open(aged.url), { identifier: user.username, password: PASSWORD })
  expect(again.url.pathname).toMatch(/^\/second-factor\//)
})

test('a device is not trusted unless the user asks for it, nor after a backup code', async () => {
  const user = await createTotpUser(server, configuration)
  expect(await isAsked(user, await trusting(user, newBrowser(), {}))).toBe(true)
  const page = await openPage(server, configuration)
  await identifyBy(page, user.username)
  const refused = [403, 'session.mfa.require_mfa_verification']
  expect(told(await page.call('POST', '/profile/mfa/trusted-device'))).toEqual(refused)
  await page.call('POST', '/verification/backup-code/verify', { code: user.codes[0] })
  expect((await page.call('GET', '/interaction')).body.trustedDevice).toEqual({ canCreate: false, durationDays: 7 })
  expect(told(await page.call('POST', '/profile/mfa/trusted-device'))).toEqual(refused)
  expect(await devicesOf(user.id)).toEqual([])
})

test('the Experience API trusts devices as the pages do', async () => {
  const user = await createTotpUser(server, configuration)
  const page = await openPage(server, configuration)
  await identifyBy(page, user.username)
  await verifyCode(page, codeOf(server, user.secret))
  expect((await page.call('POST', '/profile/mfa/trusted-device')).status).toBe(204)
  expect((await page.call('POST', '/submit')).status).toBe(200)
  expect(await isAsked(user, page.browser)).toBe(false)
})

test('trust ended by the operator emits an event; expired trust emits none', async () => {
  const user = await createTotpUser(server, configuration)
  const browser = await trusting(user)
  const { cursor } = await eventsSince(server)
  const [{ id }] = await devicesOf(user.id)
  const foreign = await createTotpUser(server, configuration)
  expect((await server.api('DELETE', `/users/${foreign.id}/trusted-devices/${id}`)).status).toBe(404)
  expect((await server.api('DELETE', `/users/${user.id}/trusted-devices/${id}`)).status).toBe(204)
  expect((await server.api('DELETE', `/users/${user.id}/trusted-devices/${id}`)).status).toBe(404)
  const { events } = await eventsSince(server, cursor)
  expect(events.filter(({ event }) => event === 'TrustedDevice.Deleted')).toMatchObject([{ data: { id } }])
  expect(await isAsked(user, browser)).toBe(true)
  const again = await trusting(user)
  const later = await eventsSince(server, cursor)
  await server.store.database.pool.query('UPDATE trusted_devices SET expires_at = $1', [server.clock.now()])
  expect(await isAsked(user, again)).toBe(true)
  expect(await devicesOf(user.id)).toEqual([])
  const last = await eventsSince(server, later.cursor)
  expect(last.events.filter(({ event }) => event.startsWith('TrustedDevice'))).toEqual([])
})

test('trust ends with the last factor, and where the tenant or an organization forbids it', async () => {
  const user = await createTotpUser(server, configuration)
  const browser = await trusting(user)
  const { body: organization } = await server.api('POST', '/organizations', {
    name: 'A',
    isTrustedDeviceAllowed: false,
  })
  await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [user.id] })
  expect(await isAsked(user, browser)).toBe(true)
  await server.api('DELETE', `/organizations/${organization.id}`)
  expect(await isAsked(user, browser)).toBe(false)
  await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: false } })
  expect(await isAsked(user, browser)).toBe(true)
  await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: true } })
  const { body: factors } = await server.api('GET', `/users/${user.id}/mfa-verifications`)
  const totp = factors.find(({ type }: { type: string }) => type === 'Totp')
  await server.api('DELETE', `/users/${user.id}/mfa-verifications/${totp.id}`)
  expect(await devicesOf(user.id)).toEqual([])
})

test('after an operator resets the password no device is trusted', async () => {
  const user = await createTotpUser(server, configuration)
  const browser = await trusting(user)
  await server.api('PATCH', `/users/${user.id}/password`, { password: PASSWORD })
  expect(await isAsked(user, browser)).toBe(true)
})
