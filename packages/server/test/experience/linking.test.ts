/** A user who signs in adds an address to their account (SPEC 6.3): proved by a code, one per account, bound to them. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { createOrganization, createOrganizationRole } from '../organizations/token-arrange.ts'
import { createApp, createUser } from '../sign-in/arrange.ts'
import { eventsSince, type OwnPage, openPage } from './arrange.ts'

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
  mail = await connectMailServer(server)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
let count = 0
const freshAddress = () => {
  count += 1
  return `person${count}@company${count}.example`
}

const add = (page: OwnPage, verificationId: string) => page.call('POST', '/profile', { type: 'email', verificationId })

/** A user without an address whose password was proved. */
const identified = async () => {
  const user = await createUser(server)
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  const { body } = await page.verify(user.username)
  expect((await page.call('POST', '/identification', body)).status).toBe(204)
  return { user, page }
}
/** Sends a code to the address and brings it back; returns the id of the record. */
const proved = async (page: OwnPage, address: string, interactionEvent?: string): Promise<string> => {
  const before = mail.mails.length
  const { status, body } = await page.sendCode(address, interactionEvent)
  expect(status).toBe(200)
  await mail.got(before + 1)
  const code = codeIn(mail)
  expect((await page.bringCode(address, body.verificationId, code)).status).toBe(200)
  return body.verificationId
}
const userOf = async (id: string) => (await server.api('GET', `/users/${id}`)).body

describe('adding an email address', () => {
  test('happens when the sign-in is submitted, with the organizations of its domain', async () => {
    const address = freshAddress()
    const roleId = await createOrganizationRole(server)
    const organizationId = await createOrganization(server)
    const jit = `/organizations/${organizationId}/jit`
    await server.api('POST', `${jit}/email-domains`, { emailDomain: address.split('@')[1] })
    await server.api('POST', `${jit}/roles`, { organizationRoleIds: [roleId] })
    const { user, page } = await identified()
    const { cursor } = await eventsSince(server)
    const verificationId = await proved(page, address)
    expect(mail.mails.at(-1)?.subject).toBe('Your code to add this address')
    expect((await page.call('GET', '/interaction')).body.verificationRecords).toContainEqual({
      ...{ id: verificationId, type: 'EmailVerificationCode', verified: true, templateType: 'BindNewIdentifier' },
      identifier: { type: 'email', value: address },
    })
    expect((await add(page, verificationId)).status).toBe(204)
    expect((await userOf(user.id)).primaryEmail).toBeNull()
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect((await userOf(user.id)).primaryEmail).toBe(address)
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual([
      'User.Data.Updated',
      'Organization.Membership.Updated',
      'PostSignIn',
    ])
    expect(events[0]).toMatchObject({ data: { id: user.id, primaryEmail: address } })
    expect(events[1]).toMatchObject({ organizationId, addedUserIds: [user.id] })
    const { body: roles } = await server.api('GET', `/organizations/${organizationId}/users/${user.id}/roles`)
    expect(roles).toMatchObject([{ id: roleId }])
    const { rows } = await server.store.database.pool.query('SELECT email_verified_at FROM users WHERE id = $1', [
      user.id,
    ])
    expect(rows).toEqual([{ email_verified_at: server.clock.now() }])
  })

  test('needs an identified user', async () => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const before = mail.mails.length
    expect(told(await page.sendCode(freshAddress()))).toEqual([422, 'user.sign_in_method_not_enabled'])
    expect(mail.mails).toHaveLength(before)
  })

  test('is refused if the account has one', async () => {
    const { user, page } = await identified()
    const verificationId = await proved(page, freshAddress())
    await server.api('PATCH', `/users/${user.id}`, { primaryEmail: freshAddress() })
    expect(told(await page.sendCode(freshAddress()))).toEqual([422, 'user.email_exists_in_profile'])
    expect(told(await add(page, verificationId))).toEqual([422, 'user.email_exists_in_profile'])
  })

  test('does not replace one that was added in the meantime', async () => {
    const { user, page } = await identified()
    expect((await add(page, await proved(page, freshAddress()))).status).toBe(204)
    const other = freshAddress()
    await server.api('PATCH', `/users/${user.id}`, { primaryEmail: other })
    const { cursor } = await eventsSince(server)
    expect(told(await page.call('POST', '/submit'))).toEqual([422, 'user.email_exists_in_profile'])
    expect((await userOf(user.id)).primaryEmail).toBe(other)
    expect((await eventsSince(server, cursor)).events).toEqual([])
  })

  test('that another account has is refused only after its ownership was proved', async () => {
    const address = freshAddress()
    await server.api('POST', '/users', { primaryEmail: address })
    const { page } = await identified()
    expect(told(await add(page, await proved(page, address.toUpperCase())))).toEqual([422, 'user.email_already_in_use'])
  })

  test('that two users add concurrently goes to one; the other’s sign-in reports it', async () => {
    const address = freshAddress()
    const both = [await identified(), await identified()]
    for (const { page } of both) expect((await add(page, await proved(page, address))).status).toBe(204)
    const answers = await Promise.all(both.map(({ page }) => page.call('POST', '/submit')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused.map(told)).toEqual([[422, 'user.email_already_in_use']])
    const users = await Promise.all(both.map(({ user }) => userOf(user.id)))
    expect(users.filter(({ primaryEmail }) => primaryEmail === address)).toHaveLength(1)
  })
})

describe('R-27 the code', () => {
  test('to add an address signs no user in, and resets no password', async () => {
    const address = freshAddress()
    const { page } = await identified()
    const verificationId = await proved(page, address)
    expect(told(await page.call('POST', '/identification', { verificationId }))).toEqual([
      400,
      'session.verification_failed',
    ])
    await page.start('ForgotPassword')
    expect(told(await page.call('POST', '/identification', { verificationId }))).toEqual([
      404,
      'session.verification_session_not_found',
    ])
  })

  test('to set a new password adds no address', async () => {
    const owner = await createUser(server)
    const address = freshAddress()
    await server.api('PATCH', `/users/${owner.id}`, { primaryEmail: address })
    const page = await openPage(server, configuration)
    await page.start('ForgotPassword')
    const verificationId = await proved(page, address, 'ForgotPassword')
    expect(told(await add(page, verificationId))).toEqual([400, 'session.not_supported_for_forgot_password'])
  })

  test('of another interaction is not accepted', async () => {
    const [one, other] = [await identified(), await identified()]
    const verificationId = await proved(one.page, freshAddress())
    expect(told(await add(other.page, verificationId))).toEqual([404, 'session.verification_session_not_found'])
  })

  test('of one user adds nothing to another user who signs in instead', async () => {
    const { page } = await identified()
    const verificationId = await proved(page, freshAddress())
    const other = await createUser(server)
    await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    await page.call('PUT', '/interaction-event', { interactionEvent: 'SignIn' })
    const { body } = await page.verify(other.username)
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    expect(told(await add(page, verificationId))).toEqual([400, 'session.verification_failed'])
  })

  test('that was not entered adds nothing', async () => {
    const { page } = await identified()
    const { body } = await page.sendCode(freshAddress())
    expect(told(await add(page, body.verificationId))).toEqual([400, 'session.verification_failed'])
  })
})
