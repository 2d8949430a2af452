/** What belongs to an account, on the hosted pages: devices, applications, activity, a phone number, invitations, and the end of it all. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { trustDevice } from '@countersign/server/domain/factors/trusted-devices.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectMessages, type Messages } from '../management/texts.ts'
import { createApp, newBrowser } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { call, openAccountCenter, signedIn } from './arrange.ts'
import { change, changeIn, confirm, enter, enterAs, pageAt } from './pages-arrange.ts'

let server: TestServer
let messages: Messages
let appId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  messages = await connectMessages(server)
  await openAccountCenter(server)
  appId = (await createApp(server, 'SPA')).id
})
afterAll(async () => {
  await messages.close()
  await server.close()
})

/** One that is verified. */
const giveAddress = async (id: string, primaryEmail: string) => {
  await server.api('PATCH', `/users/${id}`, { primaryEmail })
  await server.store.database.pool.query('UPDATE users SET email_verified_at = created_at WHERE id = $1', [id])
}

const namesIn = ({ text }: Page) => [...text.matchAll(/<strong>([^<]*)<\/strong>/g)].map(([, name]) => name)

test('trust in a device ends, and access is taken from an application', async () => {
  const { id, browser } = await enter(server, '/sessions')
  const tenant = await getTenant(server.store, 'default')
  const trusting = operation(['TrustedDevice.Created'], (unit) => trustDevice(unit, id, 30, undefined))
  await perform({ store: server.store, tenant, caller: systemCaller('test') }, trusting)
  const { token } = await signedIn(server, id, appId)
  const devices = await browser.open(pageAt(server, '/sessions'))
  const distrusted = await browser.submit(await change(browser, devices, 'remove-device'), {})
  expect([distrusted.url.pathname, distrusted.text.includes('remove-device')]).toEqual(['/account/sessions', false])
  const applications = await browser.open(pageAt(server, '/applications'))
  expect(namesIn(applications)).toEqual(['Notes'])
  expect((await call(server, token, 'GET', '/my-account')).status).toBe(200)
  const revoked = await browser.submit(await change(browser, applications, 'revoke'), {})
  expect([revoked.url.pathname, namesIn(revoked)]).toEqual(['/account/applications', []])
  expect((await call(server, token, 'GET', '/my-account')).status).toBe(401)
})

test('the activity is in words, a page at a time, without what others are and without the steps to a change', async () => {
  const { id, browser, page, username } = await enter(server, '/security')
  const asked = await browser.open(changeIn(page, 'password'))
  server.clock.advance(1)
  await confirm(browser, asked, 'wrong')
  server.clock.advance(1)
  await confirm(browser, asked)
  server.clock.advance(1)
  await server.api('PATCH', `/users/${id}`, { profile: { zoneinfo: 'Asia/Tokyo' } })
  const newest = await browser.open(pageAt(server, '/activity'))
  // the last two happened at the same time
  const names = namesIn(newest)
  expect([...names.slice(0, 3), ...names.slice(3).toSorted()]).toEqual([
    'Change by an administrator',
    'Identity confirmed',
    'Identity confirmed',
    ...['Account created', 'Sign-in'],
  ])
  expect([...newest.text.matchAll(/Not successful/g)]).toHaveLength(1)
  expect(newest.text).toMatch(/GMT\+9/)
  expect(newest.text).not.toContain('rel="next"')
  for (let count = 0; count < 20; count += 1) await server.api('PATCH', `/users/${id}`, { name: `Name ${count}` })
  const first = await browser.open(pageAt(server, '/activity'))
  const linkTo = ({ text }: Page, rel: string) => {
    const [, href = ''] = new RegExp(`rel="${rel}" href="([^"]*)"`).exec(text) ?? []
    return new URL(href.replaceAll('&amp;', '&'), server.baseUrl)
  }
  expect([namesIn(first).length, first.text.includes('rel="prev"')]).toEqual([20, false])
  const second = await browser.open(linkTo(first, 'next'))
  expect(namesIn(second)).toEqual(names)
  expect(namesIn(await browser.open(linkTo(second, 'prev')))).toHaveLength(20)
  const nonsense = await browser.open(pageAt(server, '/activity?after=nonsense'))
  expect([nonsense.url.href, nonsense.status]).toEqual([pageAt(server, '/activity').href, 200])
  await openAccountCenter(server, { fields: { securityLog: 'Off' } })
  const closed = await enterAs(server, username, '/activity')
  expect([closed.page.url.pathname, closed.page.text.includes('to-activity')]).toEqual(['/account/profile', false])
  await openAccountCenter(server)
})

test('a phone number is added, changed and removed, each with its code', async () => {
  const { id, browser, page } = await enter(server)
  const numberOf = async () => (await server.api('GET', `/users/${id}`)).body.primaryPhone
  const enterNumber = async (from: Page, number: string) => {
    const sent = await browser.submit(await change(browser, from, 'phone'), { identifier: `+${number}` })
    return browser.submit(sent, { code: await messages.codeTo(number) })
  }
  const added = await enterNumber(page, '4915112345671')
  expect([added.url.pathname, await numberOf()]).toEqual(['/account/profile', '4915112345671'])
  const changed = await enterNumber(added, '4915112345672')
  expect(await numberOf()).toBe('4915112345672')
  expect((await browser.submit(await change(browser, changed, 'remove-phone'), {})).status).toBe(200)
  expect(await numberOf()).toBeNull()
})

test('an account that is deleted later is kept by the link of its message', async () => {
  const { id, username, browser } = await enter(server, '/data')
  await giveAddress(id, `${username}@example.com`)
  const data = await browser.open(pageAt(server, '/data'))
  const before = messages.mails.length
  const told = await browser.submit(await change(browser, data, 'delete-account'), {})
  expect([told.status, told.text.includes('Your account will be deleted')]).toEqual([200, true])
  expect((await browser.open(pageAt(server, '/profile'))).url.pathname).toMatch(/^\/(sign-in|select-account)\//)
  await expect.poll(() => messages.mails.length, { timeout: 60_000, interval: 10 }).toBe(before + 1)
  const [link = ''] = /http\S+\/account\/keep\?token=\S+/.exec(messages.mails.at(-1)?.text ?? '') ?? []
  const other = newBrowser()
  const kept = await other.submit(await other.open(link), {})
  expect([kept.status, kept.text.includes('Your account stays')]).toEqual([200, true])
  expect((await enterAs(server, username, '/data')).page.url.pathname).toBe('/account/data')
})

test('an invitation is declined, and another answer of it is refused', async () => {
  const { id, browser } = await enter(server, '/organizations')
  const address = `${id}@example.com`
  await giveAddress(id, address)
  const { body: organization } = await server.api('POST', '/organizations', { name: '<b>&\u202eAnalysts' })
  const expiresAt = server.clock.now().getTime() + 86_400_000
  const invitation = { organizationId: organization.id, invitee: address, expiresAt, messagePayload: false }
  const { body: invited } = await server.api('POST', '/organization-invitations', invitation)
  const form = await browser.open(pageAt(server, `/invitation?id=${invited.id}`))
  expect(form.text).toContain('Join &lt;b&gt;&amp;Analysts?')
  const declined = await browser.submit(form, { answer: 'decline' })
  expect([declined.url.pathname, namesIn(declined)]).toEqual(['/account/organizations', []])
  expect((await browser.submit(form, { answer: 'accept' })).status).toBe(400)
  expect((await server.api('GET', `/users/${id}/organizations`)).body).toEqual([])
})
