/** What a tenant puts into ID tokens (`/configs/id-token`, DECISIONS G16): extended claims, and those of scopes at all. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

let server: TestServer
let user: Awaited<ReturnType<typeof createUser>>
const browser = newBrowser()
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  user = await createUser(server)
  await server.api('PATCH', `/users/${user.id}`, { customData: { seat: 7 }, name: 'Ada' })
  const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
  await server.api('POST', `/organizations/${organization.id}/users`, { userIds: [user.id] })
  await signIn(browser, await begin((await createApp(server)).configuration), user.username)
})
afterAll(() => server.close())

const SCOPE =
  'openid profile roles custom_data identities urn:logto:scope:organizations urn:logto:scope:organization_roles'
const EXTENDED = ['custom_data', 'identities', 'organization_data', 'organization_roles', 'organizations', 'roles']
const put = async (settings: object) => {
  const { status, body } = await server.api('PUT', '/configs/id-token', settings)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const saidTo = async ({ configuration }: Awaited<ReturnType<typeof createApp>>, more: Record<string, string> = {}) => {
  const begun = await begin(configuration, { scope: SCOPE, prompt: 'none', ...more })
  const tokens = await redeem(configuration, await browser.open(begun.url), begun)
  const claims = decodeJwt(tokens.id_token ?? '')
  const extended = Object.keys(claims).filter((name) => EXTENDED.includes(name))
  return {
    claims,
    extended: extended.toSorted(),
    userinfo: await client.fetchUserInfo(configuration, tokens.access_token, user.id),
  }
}

test('extended claims are in ID tokens as the tenant says, at once, and in userinfo always', async () => {
  const app = await createApp(server)
  expect((await server.api('GET', '/configs/id-token')).body).toEqual({
    enabledExtendedClaims: ['roles', 'organizations', 'organization_roles'],
    claims: 'scopes',
  })
  expect((await saidTo(app)).extended).toEqual(['organization_roles', 'organizations', 'roles'])
  await put({ enabledExtendedClaims: ['custom_data', 'organization_data', 'custom_data'] })
  const { extended, claims, userinfo } = await saidTo(app)
  expect(extended).toEqual(['custom_data', 'organization_data'])
  expect(claims).toMatchObject({ name: 'Ada', custom_data: { seat: 7 }, organization_data: [{ name: 'Acme' }] })
  expect(
    Object.keys(userinfo)
      .filter((name) => EXTENDED.includes(name))
      .toSorted(),
  ).toEqual(EXTENDED)
  await put({ enabledExtendedClaims: [] })
  expect((await saidTo(app)).extended).toEqual([])
  const named = JSON.stringify({ id_token: { custom_data: null } })
  expect((await saidTo(app, { claims: named })).extended).toEqual(['custom_data'])
})

test('claims of scopes are left out as section 5.4 has it, except of applications that choose otherwise', async () => {
  await put({ claims: 'requested', enabledExtendedClaims: EXTENDED })
  const follows = await saidTo(await createApp(server))
  expect([follows.claims.name, follows.extended]).toEqual([undefined, []])
  expect(follows.userinfo.name).toBe('Ada')
  const own = { customClientMetadata: { idTokenClaims: 'scopes' as const } }
  expect((await saidTo(await createApp(server, 'Traditional', own))).claims.name).toBe('Ada')
})

test('what does not exist is refused', async () => {
  for (const settings of [
    { enabledExtendedClaims: ['sso_identities'] },
    { enabledExtendedClaims: 'roles' },
    { claims: 'all' },
  ])
    expect((await server.api('PUT', '/configs/id-token', settings)).status).toBe(400)
})
