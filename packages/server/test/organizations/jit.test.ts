/** Just-in-time provisioning (DECISIONS E5, SPEC 6.3): by the domain of an address that was proved, once, with roles. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { begin, createApp, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { createOrganization, createOrganizationRole, join } from './token-arrange.ts'

let server: TestServer
let mail: MailServer
let configuration: client.Configuration
const signUp = (verify: boolean) => ({ signUp: { identifiers: ['email'], password: true, verify } })
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '1000' })
  mail = await connectMailServer(server)
  configuration = (await createApp(server)).configuration
  const methods = [{ identifier: 'email', password: true, verificationCode: false, isPasswordPrimary: true }]
  await server.api('PATCH', '/sign-in-exp', { signIn: { methods }, ...signUp(true) })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

let count = 0
/** An organization that a domain belongs to, which no one else has. */
const organizationOf = async (domain: string, roleIds: string[] = []) => {
  const id = await createOrganization(server)
  const jit = (what: string, body: object) => server.api('POST', `/organizations/${id}/jit/${what}`, body)
  expect((await jit('email-domains', { emailDomain: domain })).status).toBe(201)
  if (roleIds.length > 0) expect((await jit('roles', { organizationRoleIds: roleIds })).status).toBe(201)
  return id
}
const freshDomain = () => {
  count += 1
  return `company${count}.example`
}

const mailedCode = async (before: number): Promise<string> => {
  await mail.got(before + 1)
  return codeIn(mail)
}
const follow = async (browser: Browser, id: string, text: string) => {
  const [, link = ''] = new RegExp(`id="${id}" href="([^"]+)"`).exec(text) ?? []
  return browser.open(new URL(link, server.baseUrl))
}
const register = async (email: string) => {
  const before = mail.mails.length
  const browser = newBrowser()
  const page = await browser.open((await begin(configuration)).url)
  const form = await follow(browser, 'register', page.text)
  const sent = await browser.submit(form, { identifier: email, password: PASSWORD })
  const back = sent.url.searchParams.has('code') ? sent : await browser.submit(sent, { code: await mailedCode(before) })
  expect(back.url.searchParams.get('code')).toMatch(/^cs_ac_/)
}
const resetPassword = async (email: string, password: string) => {
  const before = mail.mails.length
  const browser = newBrowser()
  const page = await browser.open((await begin(configuration)).url)
  const form = await follow(browser, 'forgot-password', page.text)
  const sent = await browser.submit(form, { identifier: email })
  const done = await browser.submit(sent, { code: await mailedCode(before), password })
  expect(done.text).toContain('Your password was changed')
}
/** What happened while something was done: events, without those of other tests. */
const eventsOf = async (work: () => Promise<unknown>) => {
  const { cursor } = await readAll(server.api, '')
  await work()
  return (await readAll(server.api, cursor)).events
}
const membersOf = async (organizationId: string) => {
  const { body } = await server.api('GET', `/organizations/${organizationId}/users`)
  return body.map(
    ({ primaryEmail, organizationRoles }: { primaryEmail: string; organizationRoles: { id: string }[] }) => [
      primaryEmail,
      organizationRoles.map(({ id }) => id),
    ],
  )
}

describe('a registration', () => {
  test('SPEC 6.3 joins every organization of the domain, with its roles, and says so once for each', async () => {
    const domain = freshDomain()
    const roleId = await createOrganizationRole(server)
    const [first, second] = [await organizationOf(domain, [roleId]), await organizationOf(domain)]
    const other = await organizationOf(freshDomain())
    const email = `Ann@${domain.toUpperCase()}`
    const events = await eventsOf(() => register(email))
    expect(events.map(({ event }) => event)).toEqual([
      'User.Created',
      'Organization.Membership.Updated',
      'Organization.Membership.Updated',
      'PostRegister',
    ])
    const userId = Object(events[0]?.data).id
    const joined = events.filter(({ event }) => event === 'Organization.Membership.Updated')
    expect(joined.map(({ organizationId, addedUserIds }) => [organizationId, addedUserIds])).toEqual(
      [first, second].sort().map((id) => [id, [userId]]),
    )
    expect(await membersOf(first)).toEqual([[email, [roleId]]])
    expect((await server.api('GET', `/users/${userId}/organization-role-origins`)).body.origins).toMatchObject([
      { organizationId: first, organizationRoleId: roleId, origin: 'justInTime', originId: null, groups: [] },
    ])
    expect(await membersOf(second)).toEqual([[email, []]])
    expect(await membersOf(other)).toEqual([])
  })

  test('compares domains whole, and in the form of IDNA', async () => {
    const domain = freshDomain()
    const [parent, child] = [await organizationOf(domain), await organizationOf(`mail.${domain}`)]
    const unicode = await organizationOf('bücher.example')
    await register(`a@mail.${domain}`)
    await register('b@Bücher.example')
    expect([await membersOf(parent), (await membersOf(child)).length]).toEqual([[], 1])
    expect(await membersOf(unicode)).toEqual([['b@Bücher.example', []]])
  })

  test('E5 with an unverified address joins nothing', async () => {
    const id = await organizationOf(freshDomain())
    const domain = `company${count}.example`
    await server.api('PATCH', '/sign-in-exp', signUp(false))
    const events = await eventsOf(() => register(`eve@${domain}`))
    await server.api('PATCH', '/sign-in-exp', signUp(true))
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
    expect(await membersOf(id)).toEqual([])
  })

  test('of two concurrent users both join', async () => {
    const domain = freshDomain()
    const id = await organizationOf(domain, [await createOrganizationRole(server)])
    const sent = []
    for (const name of ['a', 'b']) {
      const [browser, before] = [newBrowser(), mail.mails.length]
      const page = await browser.open((await begin(configuration)).url)
      const form = await follow(browser, 'register', page.text)
      const next = await browser.submit(form, { identifier: `${name}@${domain}`, password: PASSWORD })
      sent.push({ browser, next, code: await mailedCode(before) })
    }
    await Promise.all(sent.map(({ browser, next, code }) => browser.submit(next, { code })))
    expect((await membersOf(id)).length).toBe(2)
  })
})

describe('an address that is proved later', () => {
  test('by a code for a new password is verified, and its user joins', async () => {
    const domain = freshDomain()
    const roleId = await createOrganizationRole(server)
    const id = await organizationOf(domain, [roleId])
    const email = `old@${domain}`
    const events = await eventsOf(async () => {
      await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD })
    })
    expect(events.map(({ event }) => event)).toEqual(['User.Created'])
    expect(await membersOf(id)).toEqual([])
    const proved = await eventsOf(() => resetPassword(email, 'a wholly different phrase'))
    expect(proved.map(({ event }) => event)).toEqual([
      'User.Data.Updated',
      'Organization.Membership.Updated',
      'PostResetPassword',
    ])
    expect(await membersOf(id)).toEqual([[email, [roleId]]])
    // who was removed stays away: the address was proved before
    const { body } = await server.api('GET', `/organizations/${id}/users`)
    await server.api('DELETE', `/organizations/${id}/users/${body[0].id}`)
    const again = await eventsOf(() => resetPassword(email, 'yet another long phrase'))
    expect(again.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostResetPassword'])
    expect(await membersOf(id)).toEqual([])
  })

  test('changes nothing for members', async () => {
    const domain = freshDomain()
    const id = await organizationOf(domain, [await createOrganizationRole(server)])
    const email = `member@${domain}`
    const { body: user } = await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD })
    await join(server, id, user.id)
    const events = await eventsOf(() => resetPassword(email, 'a wholly different phrase'))
    expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostResetPassword'])
    expect(await membersOf(id)).toEqual([[email, []]])
  })
})

test('organizations of another tenant have no part in it', async () => {
  const domain = freshDomain()
  await withSecondTenant(server, 'second', 'https://second.example')
  const { pool } = server.store.database
  await pool.query(
    `INSERT INTO organizations (tenant_id, id, name, custom_data, color, branding, created_at)
     VALUES ('second', 'aaaaaaaaaaaa', 'Theirs', '{}', '{}', '{}', now())`,
  )
  await pool.query(`INSERT INTO organization_jit_email_domains VALUES ('second', 'aaaaaaaaaaaa', $1)`, [domain])
  const events = await eventsOf(() => register(`x@${domain}`))
  expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
  expect((await pool.query('SELECT FROM organization_users WHERE tenant_id = $1', ['second'])).rowCount).toBe(0)
})
