import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { ask as askAsDevice, createDevice, enter } from '../sign-in/device.ts'
import {
  type Api,
  authorize,
  createApi,
  createRole,
  redeemCode,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { authorization, post, registerApplication } from './arrange.ts'
import { type Change, PERMISSION_ROWS } from './permission-changes.table.ts'

let server: TestServer
let api: Api
let other: Api
let known: SignedIn
let roleId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())
beforeEach(async () => {
  api = await createApi(server, ['read', 'write', 'delete'])
  other = await createApi(server, ['read', 'write'])
  known = await signedInUser(server)
})

const SCOPE = 'openid offline_access read write'
const resource = () => ({ resource: api.indicator })

const give = async (scopeIds: readonly (string | undefined)[]): Promise<string> => {
  const id = await createRole(server, scopeIds)
  await server.api('POST', `/users/${known.user.id}/roles`, { roleIds: [id] })
  return id
}
const takeRole = () => server.api('DELETE', `/users/${known.user.id}/roles/${roleId}`)
const scopesPath = () => `/resources/${api.id}/scopes`

const CHANGES: Readonly<Record<Change, (permission: string) => Promise<unknown>>> = {
  'a role with the permission is given to the user': (name) => give([api.scopeIds[name]]),
  'the permission is added to a role of the user': (name) =>
    server.api('POST', `/roles/${roleId}/scopes`, { scopeIds: [api.scopeIds[name]] }),
  'the role is taken from the user': takeRole,
  'the permission is removed from the role': (name) =>
    server.api('DELETE', `/roles/${roleId}/scopes/${api.scopeIds[name]}`),
  'the permission is deleted': (name) => server.api('DELETE', `${scopesPath()}/${api.scopeIds[name]}`),
  'the role is deleted': () => server.api('DELETE', `/roles/${roleId}`),
  'the permission is deleted and made again': async (name) => {
    await server.api('DELETE', `${scopesPath()}/${api.scopeIds[name]}`)
    const { body } = await server.api('POST', scopesPath(), { name })
    await server.api('POST', `/roles/${roleId}/scopes`, { scopeIds: [body.id] })
  },
  'the permission is taken from the role and given back': async (name) => {
    await server.api('DELETE', `/roles/${roleId}/scopes/${api.scopeIds[name]}`)
    await server.api('POST', `/roles/${roleId}/scopes`, { scopeIds: [api.scopeIds[name]] })
  },
  'the permission of the same name of another API is given to the user': (name) => give([other.scopeIds[name]]),
  'another role with the permission is given, and the role is taken from the user': async (name) => {
    await give([api.scopeIds[name]])
    await takeRole()
  },
}

const authorized = (scope = SCOPE) => authorize(known, scope, [api.indicator, other.indicator])

/** A device that the user has authorized. */
const device = async () => {
  const app = await createDevice(server)
  const { body: codes } = await askAsDevice(server, app.id, [
    ['scope', SCOPE],
    ['resource', api.indicator],
  ])
  const page = await enter(server, known.browser, codes.user_code)
  await known.browser.submit(page, { answer: 'allow' })
  const poll = (more = {}) =>
    post(server, '/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: app.id,
      device_code: codes.device_code,
      ...more,
    })
  return { app, poll }
}

/** What is prepared before the change, and how a token is obtained from it afterwards. */
const OLD = {
  'a code': async () => {
    const made = await authorized()
    return () => redeemCode(server, known, made, resource())
  },
  'a refresh token': async () => {
    const { body } = await redeemCode(server, known, await authorized())
    return () => refresh(server, known, body.refresh_token, resource())
  },
  'the third refresh token': async () => {
    const { body } = await redeemCode(server, known, await authorized())
    return async () => {
      const second = await refresh(server, known, body.refresh_token)
      const third = await refresh(server, known, second.body.refresh_token, resource())
      return refresh(server, known, third.body.refresh_token, resource())
    }
  },
  'a device code': async () => {
    const { poll } = await device()
    return () => poll(resource())
  },
  'the refresh token of a device': async () => {
    const { app, poll } = await device()
    const { body } = await poll()
    return () => refresh(server, { app }, body.refresh_token, resource())
  },
}

describe.each(Object.entries(OLD))('SPEC 3 by %s', (_way, prepare) => {
  test.each(PERMISSION_ROWS)('$of, with $held held: $change: $old', async ({ change, of, held, old, silent }) => {
    roleId = await give(held.map((name) => api.scopeIds[name]))
    const ask = await prepare()
    await CHANGES[change](of)
    const reply = await ask()
    expect([reply.status, reply.body.scope]).toEqual([200, old])
    expect(decodeJwt(reply.body.access_token).scope).toBe(old === '' ? undefined : old)
    // a new authorization, without prompts because the session is alive, grants what is held now
    const renewed = await redeemCode(server, known, await authorized(), resource())
    expect(renewed.body.scope).toBe(silent)
  })
})

test('SPEC 3 each API has its own grant: what was granted for one is not granted for the other', async () => {
  roleId = await give([api.scopeIds.read, other.scopeIds.write])
  const { body } = await redeemCode(server, known, await authorized())
  await give([api.scopeIds.write, other.scopeIds.read])
  const first = await refresh(server, known, body.refresh_token, resource())
  expect(first.body.scope).toBe('read')
  const second = await refresh(server, known, first.body.refresh_token, { resource: other.indicator })
  expect(second.body.scope).toBe('write')
})

test('DECISIONS D5 the audit log says why a held permission was not granted', async () => {
  roleId = await give([api.scopeIds.read])
  const { body } = await redeemCode(server, known, await authorized())
  await give([api.scopeIds.write])
  server.clock.advance(1)
  await refresh(server, known, body.refresh_token, resource())
  const { body: entries } = await server.api('GET', `/logs?applicationId=${known.app.id}`)
  expect(entries[0].payload).toMatchObject({
    scope: 'read',
    dropped: [{ scope: 'write', why: expect.stringContaining('a new authorization grants it') }],
  })
})

// this comes last: it lets the test's own token of the Management API expire
test('SPEC 3 a JWT keeps its scopes until it expires', async () => {
  roleId = await give([api.scopeIds.read, api.scopeIds.write])
  const { body } = await redeemCode(server, known, await authorized(), resource())
  await takeRole()
  const auditor = await registerApplication(server, 'Traditional', { introspectionAudiences: [api.indicator] })
  const introspect = async () =>
    (await post(server, '/token/introspection', { token: body.access_token }, authorization(auditor))).body
  expect(await introspect()).toMatchObject({ active: true, scope: 'read write' })
  server.clock.advance(3599)
  expect(await introspect()).toMatchObject({ active: true, scope: 'read write' })
  server.clock.advance(1)
  expect(await introspect()).toEqual({ active: false })
})
