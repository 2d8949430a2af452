/** Deletion of an account by its user: at once, or after some days in which a link or a sign-in keeps it (DECISIONS T8). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { deleteDueAccounts } from '@countersign/server/domain/account/deletion.ts'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { queueEmpty } from '../events/receiver.ts'
import { eventsSince } from '../experience/arrange.ts'
import { managementToken } from '../management/arrange.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, newBrowser, signIn } from '../sign-in/arrange.ts'
import { call, EVERY_FIELD, newUser, openAccountCenter, proved, refusal, signedIn } from './arrange.ts'

const DAY = 86_400
let server: TestServer
let mail: MailServer
/** The server, whose token is new for each request: the clock passes hours. */
let management: TestServer
let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const api: TestServer['api'] = async (method, path, body) =>
    server.api(method, path, body, { token: await managementToken(server, 'all') })
  management = { ...server, api }
  app = await createApp(server, 'SPA')
  mail = await connectMailServer(server)
})
beforeEach(async () => void (await openAccountCenter(management, { deletionDelayDays: 14 })))
afterAll(async () => {
  await mail.close()
  await server.close()
})

let users = 0
/** Says when the address of a user was verified. */
const verify = (id: string, when: 'now()' | 'NULL') =>
  server.store.database.pool.query(`UPDATE users SET email_verified_at = ${when} WHERE id = $1`, [id])
const signUp = async () => {
  users += 1
  const username = `leaving${users}`
  const user = await newUser(server, app.id, { username, primaryEmail: `${username}@example.com` })
  await verify(user.userId, 'now()')
  return { username, ...user }
}
const exists = async (id: string) => (await management.api('GET', `/users/${id}`)).status === 200

test('at once, with memberships and an event, where the settings say so', async () => {
  const user = await signUp()
  const { id } = (await management.api('POST', '/organizations', { name: 'Left behind' })).body
  await management.api('POST', `/organizations/${id}/users`, { userIds: [user.userId] })
  await openAccountCenter(management, { deletionDelayDays: 0 })
  expect(refusal(await user.ask('DELETE', '/my-account'))).toEqual([401, 'verification_record.permission_denied'])
  const { cursor } = await eventsSince(management)
  const { status, body } = await user.change('DELETE', '/my-account')
  expect([status, body]).toEqual([200, { deletionAt: null }])
  const { events } = await eventsSince(management, cursor)
  expect(events).toMatchObject([
    { event: 'Organization.Membership.Updated', removedUserIds: [user.userId] },
    { event: 'User.Deleted', data: { id: user.userId }, actor: { type: 'user', id: user.userId } },
  ])
  expect(await exists(user.userId)).toBe(false)
  expect((await user.ask('GET', '/my-account')).status).toBe(401)
})

test('after the days of the settings, signed out everywhere until then; the message says when', async () => {
  const user = await signUp()
  const due = server.clock.now().getTime() + 14 * DAY * 1000
  const { status, body } = await user.change('DELETE', '/my-account')
  expect([status, body]).toEqual([200, { deletionAt: due }])
  expect((await user.ask('GET', '/my-account')).status).toBe(401)
  await mail.got(1)
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(due)
  expect(mail.mails[0]?.subject).toBe('Your account will be deleted')
  expect(mail.mails[0]?.text).toContain(`will be deleted on ${day}`)
  server.clock.advance(14 * DAY - 1)
  await deleteDueAccounts(server.store)
  expect(await exists(user.userId)).toBe(true)
  const { cursor } = await eventsSince(management)
  server.clock.advance(1)
  await deleteDueAccounts(server.store)
  expect(await exists(user.userId)).toBe(false)
  const { events } = await eventsSince(management, cursor)
  expect(events).toMatchObject([{ event: 'User.Deleted', data: { id: user.userId } }])
  const { body: logs } = await management.api('GET', `/logs?entity=${user.userId}&logKey=System.deleteAccount`)
  expect(logs).toMatchObject([{ payload: { result: 'Success' } }])
})

test('the link of the message asks first, and its button keeps the account', async () => {
  const user = await signUp()
  const before = mail.mails.length
  await user.change('DELETE', '/my-account')
  await mail.got(before + 1)
  const link = /http\S+\/account\/keep\?token=\S+/.exec(mail.mails[before]?.text ?? '')?.[0] ?? ''
  const browser = newBrowser()
  const page = await browser.open(link)
  expect(page.status).toBe(200)
  expect(page.text).toContain('Keep your account?')
  // a program that opens links keeps nothing
  server.clock.advance(1)
  const kept = await browser.submit(page, {})
  expect([kept.status, kept.text]).toEqual([200, expect.stringContaining('Your account stays')])
  for (const gone of [await browser.open(link), await browser.submit(page, {})]) expect(gone.status).toBe(400)
  expect((await browser.open(`${server.baseUrl}/account/keep`)).status).toBe(400)
  server.clock.advance(15 * DAY)
  await deleteDueAccounts(server.store)
  expect(await exists(user.userId)).toBe(true)
})

test('a sign-in keeps the account, and a later request counts anew', async () => {
  const user = await signUp()
  await user.change('DELETE', '/my-account')
  server.clock.advance(13 * DAY)
  await signIn(newBrowser(), await begin(app.configuration), user.username)
  server.clock.advance(2 * DAY)
  await deleteDueAccounts(server.store)
  expect(await exists(user.userId)).toBe(true)
  const again = await signedIn(server, user.userId, app.id)
  const proof = await proved(server, again.token)
  expect((await call(server, again.token, 'DELETE', '/my-account', undefined, proof)).status).toBe(200)
  server.clock.advance(14 * DAY)
  await deleteDueAccounts(server.store)
  expect(await exists(user.userId)).toBe(false)
})

test('a suspension calls it off; the message goes to verified addresses only', async () => {
  const user = await signUp()
  await verify(user.userId, 'NULL')
  expect((await user.change('DELETE', '/my-account')).status).toBe(200)
  await queueEmpty(server.store)
  expect(mail.mails.flatMap(({ recipients }) => recipients)).not.toContain(`${user.username}@example.com`)
  for (const isSuspended of [true, false])
    await management.api('PATCH', `/users/${user.userId}/is-suspended`, { isSuspended })
  server.clock.advance(15 * DAY)
  await deleteDueAccounts(server.store)
  expect(await exists(user.userId)).toBe(true)
})

test('is for users whose settings open it', async () => {
  const user = await signUp()
  await openAccountCenter(management, { fields: { ...EVERY_FIELD, deletion: 'Off' } })
  expect(refusal(await user.change('DELETE', '/my-account'))).toEqual([400, 'account_center.field_not_enabled'])
  expect(await exists(user.userId)).toBe(true)
})
