/** Acting as a user from the console (DECISIONS U9): for a reason, for ten minutes, and never with more than the user has. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../management/arrange.ts'
import { authorization, post } from '../protocol/arrange.ts'
import {
  ACCESS_TOKEN,
  type Caller,
  createExchanger,
  createExchangeWorld,
  exchange,
  ORDERS,
} from '../token-exchange/arrange.ts'
import { type Administrator, consoleToken, createAdministrator, outcome } from './arrange.ts'

let server: TestServer
let owner: Administrator
let token: string
let backend: Caller
let person: () => Promise<{ readonly id: string }>
let resourceId: string
let managementId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  owner = await createAdministrator(server, ['owner'])
  token = await consoleToken(server, owner)
  ;({ backend, person } = await createExchangeWorld(server))
  const { body: resources } = await server.api('GET', '/resources')
  const idOf = (indicator: string) => resources.find((each: { indicator: string }) => each.indicator === indicator).id
  resourceId = idOf(ORDERS)
  managementId = idOf(server.credentials.resource)
})
afterAll(() => server.close())

const act = async (body: object, by = token) =>
  call(server, 'POST', '/impersonations', {
    token: by,
    body: { reason: 'Ticket 4711', applicationId: backend.id, resourceId, ...body },
  })
const isActive = async (accessToken: string) =>
  (
    await post(
      server,
      '/token/introspection',
      { token: accessToken },
      authorization({ clientId: backend.id, clientSecret: backend.secret ?? '' }),
    )
  ).body.active

test('a token as the user, with the administrator in it, is listed until it is ended and then refused', async () => {
  const user = await person()
  const { status, body } = await act({ userId: user.id })
  expect(status).toBe(201)
  const { accessToken, tokenType, expiresIn, ...shown } = body
  expect([tokenType, expiresIn]).toEqual(['Bearer', 600])
  expect(shown).toMatchObject({
    ...{ userId: user.id, actor: { type: 'user', id: owner.id }, applicationId: backend.id, resourceId },
    ...{ organizationId: null, scope: 'read:orders', reason: 'Ticket 4711' },
  })
  const claims = decodeJwt(accessToken)
  expect(claims).toMatchObject({ sub: user.id, act: { sub: owner.id }, aud: ORDERS, client_id: backend.id })
  expect(claims).toMatchObject({ scope: 'read:orders', exp: Number(claims.iat) + 600 })
  expect(shown.expiresAt).toBe(Number(claims.exp) * 1000)
  expect(await isActive(accessToken)).toBe(true)

  const listed = async (query = `?actorId=${owner.id}`) =>
    (await call(server, 'GET', `/impersonations${query}`, { token })).body
  expect(await listed()).toEqual([shown])
  expect(await listed(`?userId=${owner.id}`)).toEqual([])

  // what is exchanged for it would outlast its end
  const exchanged = await exchange(server.baseUrl, backend, {
    ...{ subject_token: accessToken, subject_token_type: ACCESS_TOKEN, resource: ORDERS, scope: 'read:orders' },
  })
  expect([exchanged.status, exchanged.body.error]).toEqual([400, 'invalid_grant'])

  expect(await outcome(server, token, 'DELETE', `/impersonations/${shown.id}`)).toBe('204')
  expect(await isActive(accessToken)).toBe(false)
  expect(await listed()).toEqual([])
  expect(await outcome(server, token, 'DELETE', `/impersonations/${shown.id}`)).toBe('404 entity.not_exists_with_id')
  const { body: logs } = await server.api('GET', `/logs?userId=${user.id}`)
  for (const key of ['createImpersonation', 'deleteImpersonation'])
    expect(logs.find((each: { key: string }) => each.key === `ManagementApi.${key}`).payload).toMatchObject({
      ...{ result: 'Success', userId: user.id, reason: 'Ticket 4711', actor: { type: 'user', id: owner.id } },
    })
  expect(JSON.stringify(logs)).not.toContain(accessToken)
})

test('it is over after ten minutes, and with a shorter lifetime of the API earlier', async () => {
  const user = await person()
  await server.api('PATCH', `/resources/${resourceId}`, { accessTokenTtl: 60 })
  const { body: short } = await act({ userId: user.id, scope: 'read:orders' })
  await server.api('PATCH', `/resources/${resourceId}`, { accessTokenTtl: 3600 })
  const { body: long } = await act({ userId: user.id, scope: 'write:orders' })
  expect([short.expiresIn, long.expiresIn, long.scope]).toEqual([60, 600, ''])
  const listed = async () =>
    (await server.api('GET', `/impersonations?userId=${user.id}`)).body.map(({ id }: { id: string }) => id)
  server.clock.advance(61)
  expect(await listed()).toEqual([long.id])
  server.clock.advance(540)
  expect(await listed()).toEqual([])
  expect((await server.api('DELETE', `/impersonations/${long.id}`)).status).toBe(404)
  token = await consoleToken(server, owner, { prompt: 'login' })
})

test('a support agent ends what another began; an auditor only sees it', async () => {
  const user = await person()
  const { body } = await act({ userId: user.id })
  const auditor = await consoleToken(server, await createAdministrator(server, ['auditor']))
  const support = await consoleToken(server, await createAdministrator(server, ['support']))
  expect(await outcome(server, auditor, 'GET', '/impersonations')).toBe('200')
  expect(await outcome(server, auditor, 'DELETE', `/impersonations/${body.id}`)).toBe('403 auth.forbidden')
  expect((await act({ userId: user.id }, auditor)).status).toBe(403)
  expect((await act({ userId: user.id }, support)).status).toBe(201)
  expect((await act({ userId: owner.id }, support)).body.code).toBe('auth.forbidden')
  expect(await outcome(server, support, 'DELETE', `/impersonations/${body.id}`)).toBe('204')
})

describe('refuses', () => {
  test.each<[what: string, body: () => Promise<object>, expected: string]>([
    ['no reason', async () => ({ reason: ' ' }), '400 guard.invalid_input'],
    ['a user who does not exist', async () => ({ userId: 'unknown' }), '404 entity.not_exists_with_id'],
    ['an API that does not exist', async () => ({ resourceId: 'unknown' }), '404 entity.not_exists_with_id'],
    ['the Management API', async () => ({ resourceId: managementId }), '422 impersonation.refused'],
    ['the console', async () => ({ applicationId: 'console' }), '404 entity.not_exists_with_id'],
    [
      'an application without exchange',
      async () => ({ applicationId: (await createExchanger(server, 'SPA', { allowTokenExchange: false })).id }),
      '422 impersonation.refused',
    ],
    ['an organization of others', async () => ({ organizationId: 'unknown' }), '422 impersonation.refused'],
    [
      'a suspended user',
      async () => {
        const { id: userId } = await person()
        await server.api('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true })
        return { userId }
      },
      '422 subject_token.user_suspended',
    ],
  ])('%s', async (_what, body, expected) => {
    const { id: userId } = await person()
    const { status, body: answer } = await act({ userId, ...(await body()) })
    expect(`${status} ${answer.code}`).toBe(expected)
    expect((await server.api('GET', `/impersonations?userId=${userId}`)).body).toEqual([])
  })

  test('an administrator who signed in too long ago; a machine is the actor itself', async () => {
    const { id: userId } = await person()
    server.clock.advance(660)
    const stale = await consoleToken(server, owner, { prompt: 'none' })
    expect((await act({ userId }, stale)).body.code).toBe('auth.step_up_required')
    const { body } = await server.api('POST', '/impersonations', {
      ...{ userId, reason: 'Ticket 4712', applicationId: backend.id, resourceId },
    })
    expect(body.actor.type).toBe('application')
    expect(decodeJwt(body.accessToken).act).toEqual({ sub: body.actor.id })
  })
})
