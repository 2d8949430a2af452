/** Invitations to organizations (DECISIONS E4): states that are final, one member at most, and the message. */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { fresh } from '../management/arrange.ts'
import { configOf, type MailServer, startMailServer } from '../management/mail.ts'
import { createUser, idsOf, refusal } from '../users/arrange.ts'
import { createOrganization, createRole, named } from './api-arrange.ts'

let server: TestServer
let mail: MailServer
let organizationId: string
let roleId: string
let invitee: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mail = await startMailServer()
})
afterAll(async () => {
  await server.close()
  await mail.close()
})
beforeEach(async () => {
  organizationId = await createOrganization(server, { name: 'Acme' })
  roleId = await createRole(server)
  invitee = `${fresh('Ann')}@example.com`
})

const inSeconds = (seconds: number) => server.clock.now().getTime() + seconds * 1000
const invite = (fields: object = {}) =>
  server.api('POST', '/organization-invitations', {
    ...{ organizationId, invitee, expiresAt: inSeconds(3600), organizationRoleIds: [roleId] },
    ...fields,
  })
const pathOf = (id: string) => `/organization-invitations/${id}`
const accept = (id: string, acceptedUserId: unknown) =>
  server.api('PUT', `${pathOf(id)}/status`, { status: 'Accepted', acceptedUserId })
const revoke = (id: string) => server.api('PUT', `${pathOf(id)}/status`, { status: 'Revoked' })
const statusOf = async (id: string) => (await server.api('GET', pathOf(id))).body.status
const membersOf = async () => idsOf(await server.api('GET', `/organizations/${organizationId}/users`))
const notPending = (status: string) => [422, 'organization.invitation_not_pending', { status }]

describe('an invitation', () => {
  test('is created with 201, and found by each of its filters; addresses in any case', async () => {
    const inviterId = await createUser(server)
    const { status, body } = await invite({ inviterId, organizationRoleIds: [roleId, roleId] })
    expect([status, body]).toEqual([
      201,
      {
        ...{ tenantId: 'default', id: expect.stringMatching(/^[0-9a-z]{21}$/), inviterId, invitee, organizationId },
        ...{ status: 'Pending', acceptedUserId: null, expiresAt: inSeconds(3600) },
        ...{ createdAt: inSeconds(0), updatedAt: inSeconds(0) },
        organizationRoles: [{ id: roleId, name: expect.any(String) }],
      },
    ])
    expect((await server.api('GET', pathOf(body.id))).body).toEqual(body)
    const find = async (query: string) => idsOf(await server.api('GET', `/organization-invitations?${query}`))
    expect(await find(`organizationId=${organizationId}`)).toEqual([body.id])
    expect(await find(`inviterId=${inviterId}`)).toEqual([body.id])
    expect(await find(`invitee=${invitee.toUpperCase()}`)).toEqual([body.id])
    expect(await find(`organizationId=${organizationId}&invitee=nobody@example.com`)).toEqual([])
    expect(await find('invitee=no-address')).toEqual([])
  })

  test('gives membership and roles when it is accepted, and is final then', async () => {
    const userId = await createUser(server, { primaryEmail: invitee.toLowerCase() })
    const { body } = await invite()
    server.clock.advance(1)
    const answer = await accept(body.id, userId)
    const accepted = { ...body, status: 'Accepted', acceptedUserId: userId, updatedAt: inSeconds(0) }
    expect([answer.status, answer.body]).toEqual([200, accepted])
    const { body: members } = await server.api('GET', `/organizations/${organizationId}/users`)
    expect(members).toMatchObject([{ id: userId, organizationRoles: [{ id: roleId }] }])
    expect((await server.api('GET', `/users/${userId}/organization-role-origins`)).body.origins).toEqual([
      {
        ...{ organizationId, organizationRoleId: roleId, givenAt: inSeconds(0) },
        ...{ origin: 'invitation', originId: body.id, groups: [] },
      },
    ])
    expect(named(await accept(body.id, userId))).toEqual(notPending('Accepted'))
    expect(named(await revoke(body.id))).toEqual(notPending('Accepted'))
    expect(await statusOf(body.id)).toBe('Accepted')
    expect((await server.api('DELETE', pathOf(body.id))).status).toBe(204)
    expect(await membersOf()).toEqual([userId])
  })

  test('is final when it is revoked, and another can follow', async () => {
    const userId = await createUser(server, { primaryEmail: invitee })
    const { body } = await invite()
    expect(await revoke(body.id)).toMatchObject({ status: 200, body: { status: 'Revoked', acceptedUserId: null } })
    expect(named(await revoke(body.id))).toEqual(notPending('Revoked'))
    expect(named(await accept(body.id, userId))).toEqual(notPending('Revoked'))
    expect((await invite()).status).toBe(201)
    expect(await membersOf()).toEqual([])
  })

  test('expires by itself at its time, and another can follow', async () => {
    const userId = await createUser(server, { primaryEmail: invitee })
    const { body } = await invite({ expiresAt: inSeconds(10) })
    server.clock.advance(9)
    expect(await statusOf(body.id)).toBe('Pending')
    server.clock.advance(1)
    expect(await statusOf(body.id)).toBe('Expired')
    expect(named(await accept(body.id, userId))).toEqual(notPending('Expired'))
    expect(named(await revoke(body.id))).toEqual(notPending('Expired'))
    expect((await invite()).status).toBe(201)
  })

  test('is for the user with the address: 422 for another user, for none, and for an unknown one', async () => {
    const other = await createUser(server, { primaryEmail: `other-${invitee}` })
    const { body } = await invite()
    const wrong = [422, 'organization.invitation_wrong_user']
    expect(refusal(await accept(body.id, other))).toEqual(wrong)
    for (const nobody of [undefined, null, '']) expect(refusal(await accept(body.id, nobody))).toEqual(wrong)
    expect(named(await accept(body.id, 'x'))).toEqual([
      422,
      'entity.relation_foreign_key_not_found',
      { acceptedUserId: ['x'] },
    ])
    expect(await statusOf(body.id)).toBe('Pending')
    expect(await membersOf()).toEqual([])
  })

  test('accepted concurrently is accepted once, with one event', async () => {
    const userId = await createUser(server, { primaryEmail: invitee })
    const { body } = await invite()
    const { cursor } = await readAll(server.api)
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(body.id, userId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)])
    const { events } = await readAll(server.api, cursor)
    expect(events).toMatchObject([{ event: 'Organization.Membership.Updated', organizationId, addedUserIds: [userId] }])
  })

  test('accepted and revoked concurrently ends in one state', async () => {
    const userId = await createUser(server, { primaryEmail: invitee })
    const { body } = await invite()
    const answers = await Promise.all([accept(body.id, userId), revoke(body.id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await membersOf()).toEqual((await statusOf(body.id)) === 'Accepted' ? [userId] : [])
  })

  test('of a user who became a member in the meantime still gives the roles; the event has no delta', async () => {
    const userId = await createUser(server, { primaryEmail: invitee })
    const { body } = await invite()
    await server.api('POST', `/organizations/${organizationId}/users`, { userIds: [userId] })
    const { cursor } = await readAll(server.api)
    expect((await accept(body.id, userId)).status).toBe(200)
    const { events } = await readAll(server.api, cursor)
    expect(events.map(({ event, addedUserIds }) => [event, addedUserIds])).toEqual([
      ['Organization.Membership.Updated', undefined],
    ])
    const roles = await server.api('GET', `/organizations/${organizationId}/users/${userId}/roles`)
    expect(idsOf(roles)).toEqual([roleId])
  })

  test('outlives its inviter and deleted roles', async () => {
    const inviterId = await createUser(server)
    const { body } = await invite({ inviterId })
    await server.api('DELETE', `/users/${inviterId}`)
    await server.api('DELETE', `/organization-roles/${roleId}`)
    expect((await server.api('GET', pathOf(body.id))).body).toMatchObject({ inviterId: null, organizationRoles: [] })
  })
})

describe('an invitation is refused', () => {
  test('while another of the address is pending, also for concurrent requests', async () => {
    const answers = await Promise.all([invite(), invite({ invitee: invitee.toUpperCase() })])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(refusal(await invite())).toEqual([422, 'entity.unique_integrity_violation'])
    expect((await invite({ organizationId: await createOrganization(server) })).status).toBe(201)
  })

  test('if the user with the address is a member', async () => {
    const userId = await createUser(server, { primaryEmail: invitee })
    await server.api('POST', `/organizations/${organizationId}/users`, { userIds: [userId] })
    expect(refusal(await invite())).toEqual([422, 'organization.invitee_is_member'])
  })

  test.each<[string, () => object | Promise<object>, number, string]>([
    ['an invalid address', () => ({ invitee: 'ann' }), 400, 'user.invalid_email'],
    ['an expiry in the past', () => ({ expiresAt: inSeconds(0) }), 400, 'guard.invalid_input'],
    ['an expiry beyond any date', () => ({ expiresAt: 8.7e15 }), 400, 'guard.invalid_input'],
    ['an unknown organization', () => ({ organizationId: 'x' }), 422, 'entity.relation_foreign_key_not_found'],
    ['an unknown inviter', () => ({ inviterId: 'x' }), 422, 'entity.relation_foreign_key_not_found'],
    ['an unknown role', () => ({ organizationRoleIds: ['x'] }), 422, 'entity.relation_foreign_key_not_found'],
    [
      'a role of machines',
      async () => ({ organizationRoleIds: [await createRole(server, { type: 'MachineToMachine' })] }),
      422,
      'user.invalid_role_type',
    ],
    ['a message that is true', () => ({ messagePayload: true }), 400, 'guard.invalid_input'],
    ['a message without a mail connector', () => ({ messagePayload: {} }), 501, 'connector.not_found'],
  ])('with %s, and none is left behind', async (_, fields, status, code) => {
    expect(refusal(await invite(await fields()))).toEqual([status, code])
    expect((await server.api('GET', `/organization-invitations?organizationId=${organizationId}`)).body).toEqual([])
  })
})

describe('the message', () => {
  beforeEach(async () => {
    const { status } = await server.api('POST', '/connectors', { connectorId: SMTP, config: configOf(mail) })
    expect(status).toBe(200)
  })
  const link = () => `${server.baseUrl}/invitation?id=1`

  test('is sent to the address on request, also repeatedly', async () => {
    const before = mail.mails.length
    const { body } = await invite({ messagePayload: { link: link(), code: '4711' } })
    await mail.got(before + 1)
    const sent = mail.mails.at(-1)
    expect(sent?.recipients).toEqual([invitee])
    for (const part of ['Acme', link(), '4711']) expect(sent?.text).toContain(part)
    expect((await server.api('POST', `${pathOf(body.id)}/message`, { link: link() })).status).toBe(204)
    await mail.got(before + 2)
    await revoke(body.id)
    expect(named(await server.api('POST', `${pathOf(body.id)}/message`, {}))).toEqual(notPending('Revoked'))
  })

  test('is not sent for false, nor for nothing', async () => {
    const before = mail.mails.length
    await invite({ messagePayload: false })
    await revoke((await server.api('GET', `/organization-invitations?organizationId=${organizationId}`)).body[0].id)
    await invite()
    const { body } = await invite({ invitee: `last-${invitee}`, messagePayload: {} })
    await mail.got(before + 1)
    expect(mail.mails.at(-1)?.recipients).toEqual([body.invitee])
  })

  test('leads to any https address: that of the application of the operator', async () => {
    const before = mail.mails.length
    const application = 'https://app.example/join?invitation=1'
    expect((await invite({ messagePayload: { link: application } })).status).toBe(201)
    await mail.got(before + 1)
    expect(mail.mails.at(-1)?.text).toContain(application)
  })

  test.each(['http://app.example/', '//app.example', 'javascript:alert(1)', 'https://ann@app.example/', ''])(
    'R-25 never holds a link that is not https: %s',
    async (link) => {
      expect(refusal(await invite({ messagePayload: { link } }))).toEqual([400, 'guard.invalid_input'])
    },
  )

  test('is limited to ten for one address in ten minutes: 429, and no event says so', async () => {
    const { body } = await invite()
    const elsewhere = { organizationId: await createOrganization(server), messagePayload: {} }
    const { cursor } = await readAll(server.api)
    const send = () => server.api('POST', `${pathOf(body.id)}/message`, {})
    const answers = await Promise.all(Array.from({ length: 12 }, send))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(204), 429, 429])
    expect(refusal(await send())).toEqual([429, 'request.message_rate_limited'])
    expect(refusal(await invite(elsewhere))).toEqual([429, 'request.message_rate_limited'])
    expect((await readAll(server.api, cursor)).events).toEqual([])
    server.clock.advance(601)
    expect((await send()).status).toBe(204)
  })
})
