/** R-13 for tokens of users: what was read together with the code or refresh token is what holds at that moment. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

let server: TestServer
let arranged: Arranged
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
let roleId: string
let count = 0
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
beforeEach(async () => {
  arranged = await arrange(server)
  app = await createApp(server, 'SPA')
  user = await createUser(server)
  count += 1
  const scopeIds = Object.values(arranged.scopeIds)
  roleId = (await server.api('POST', '/roles', { name: `buyers ${count}`, scopeIds })).body.id
  await server.api('POST', `/users/${user.id}/roles`, { roleIds: [roleId] })
})
afterAll(() => server.close())

const resource = () => ({ resource: arranged.resource.indicator })
const authorized = async () => {
  const scope = 'openid profile roles offline_access read:orders write:orders'
  const begun = await begin(app.configuration, { scope, ...resource() })
  return { begun, back: await signIn(newBrowser(), begun, user.username) }
}

/** Both ways to a token of the API: its scope and ID token, or the error. */
const WAYS = {
  'a code': async () => {
    const { begun, back } = await authorized()
    return () => redeem(app.configuration, back, begun, resource())
  },
  'a refresh token': async () => {
    const { begun, back } = await authorized()
    const { refresh_token } = await redeem(app.configuration, back, begun)
    return () => client.refreshTokenGrant(app.configuration, refresh_token ?? '', resource())
  },
}
const outcomeOf = async (ask: () => Promise<client.TokenEndpointResponse & client.TokenEndpointResponseHelpers>) => {
  try {
    const tokens = await ask()
    return { scope: tokens.scope, roles: tokens.claims()?.roles, name: tokens.claims()?.name }
  } catch (error) {
    if (error instanceof client.ResponseBodyError) return { error: error.error }
    if (error instanceof client.WWWAuthenticateChallengeError) return { error: 'invalid_client' }
    throw error
  }
}

describe.each(Object.entries(WAYS))('R-13 %s', (_way, prepare) => {
  test.each<[string, () => Promise<unknown>, object]>([
    ['nothing changed', async () => undefined, { scope: 'read:orders write:orders' }],
    [
      'the user was suspended',
      () => server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true }),
      { error: 'invalid_grant' },
    ],
    ['the user was deleted', () => server.api('DELETE', `/users/${user.id}`), { error: 'invalid_grant' }],
    ['the application was deleted', () => server.api('DELETE', `/applications/${app.id}`), { error: 'invalid_client' }],
    [
      'the API was deleted',
      () => server.api('DELETE', `/resources/${arranged.resource.id}`),
      { error: 'invalid_target' },
    ],
    [
      'the grant was revoked',
      async () => {
        const { body } = await server.api('GET', `/users/${user.id}/grants`)
        await server.api('DELETE', `/users/${user.id}/grants/${body.grants[0].id}`)
      },
      { error: 'invalid_grant' },
    ],
    [
      'the role was removed from the user',
      () => server.api('DELETE', `/users/${user.id}/roles/${roleId}`),
      { scope: '', roles: [] },
    ],
    [
      'a permission was removed from the role',
      () => server.api('DELETE', `/roles/${roleId}/scopes/${arranged.scopeIds['write:orders']}`),
      { scope: 'read:orders' },
    ],
    [
      'a permission was deleted',
      () => server.api('DELETE', `/resources/${arranged.resource.id}/scopes/${arranged.scopeIds['read:orders']}`),
      { scope: 'write:orders' },
    ],
    ['the user has another name', () => server.api('PATCH', `/users/${user.id}`, { name: 'Ann' }), { name: 'Ann' }],
  ])('R-13 when %s', async (_what, change, expected) => {
    const ask = await prepare()
    await change()
    expect(await outcomeOf(ask)).toMatchObject(expected)
  })
})
