/** What ID tokens and userinfo tell of organizations (DECISIONS E3), and which claims only userinfo has. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { fresh } from '../protocol/arrange.ts'
import { begin, createApp, createUser } from '../sign-in/arrange.ts'
import {
  agree,
  authorized,
  createOrganization,
  createOrganizationRole,
  join,
  mayAsk,
  ORGANIZATION_ROLES,
  ORGANIZATIONS,
  refresh,
} from './token-arrange.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
let [first, second, role, other] = ['', '', '', '']
let [roleName, otherName] = ['', '']
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
beforeEach(async () => {
  app = await createApp(server, 'SPA')
  user = await createUser(server)
  first = await createOrganization(server, 'First', 'the oldest')
  second = await createOrganization(server, 'Second')
  ;[roleName, otherName] = [fresh('billing'), fresh('admin')]
  role = await createOrganizationRole(server, {}, { name: roleName })
  other = await createOrganizationRole(server, {}, { name: otherName })
  await join(server, first, user.id, [role, other])
  server.clock.advance(1)
  await join(server, second, user.id, [role])
})
afterAll(() => server.close())

type Claims = Readonly<Record<string, unknown>>
const told = async (scope: string) => {
  const tokens = await authorized(app, await begin(app.configuration, { scope }), user.username)
  const userinfo: Claims = await client.fetchUserInfo(app.configuration, tokens.access_token, user.id)
  const idToken: Claims = tokens.claims() ?? {}
  return { tokens, idToken, userinfo }
}
const data = () => [
  { id: first, name: 'First', description: 'the oldest' },
  { id: second, name: 'Second', description: null },
]
const roles = () => [...[otherName, roleName].sort().map((name) => `${first}:${name}`), `${second}:${roleName}`]

describe('claims by scope', () => {
  test.each([ORGANIZATIONS, 'urn:countersign:scope:organizations'])('%s: ids, and at userinfo names', async (scope) => {
    const { idToken, userinfo } = await told(`openid ${scope}`)
    expect(idToken.organizations).toEqual([first, second])
    expect(userinfo.organizations).toEqual([first, second])
    expect(userinfo.organization_data).toEqual(data())
    expect(idToken).not.toHaveProperty('organization_data')
    for (const claims of [idToken, userinfo]) expect(claims).not.toHaveProperty('organization_roles')
  })

  test(`${ORGANIZATION_ROLES}: roles by organization`, async () => {
    const { idToken, userinfo } = await told(`openid ${ORGANIZATION_ROLES}`)
    for (const claims of [idToken, userinfo]) {
      expect(claims.organization_roles).toEqual(roles())
      expect(claims).not.toHaveProperty('organizations')
    }
  })

  test('absent without the scopes; empty lists for a user without organizations', async () => {
    const without = await told('openid profile')
    for (const claims of [without.idToken, without.userinfo])
      expect(Object.keys(claims).filter((name) => name.startsWith('organization'))).toEqual([])
    user = await createUser(server)
    const { idToken, userinfo } = await told(`openid ${ORGANIZATIONS} ${ORGANIZATION_ROLES}`)
    expect(idToken).toMatchObject({ organizations: [], organization_roles: [] })
    expect(userinfo).toMatchObject({ organizations: [], organization_roles: [], organization_data: [] })
  })

  test('custom data and identities are for userinfo; roles are in both', async () => {
    const { idToken, userinfo } = await told('openid custom_data identities roles')
    expect(userinfo).toMatchObject({ custom_data: {}, identities: {}, roles: [] })
    expect(idToken).toMatchObject({ roles: [] })
    for (const name of ['custom_data', 'identities']) expect(idToken).not.toHaveProperty(name)
  })

  test('R-13 the ID token of a refresh, and userinfo, have the current values', async () => {
    const { tokens } = await told(`openid offline_access ${ORGANIZATIONS} ${ORGANIZATION_ROLES}`)
    await server.api('DELETE', `/organizations/${first}/users/${user.id}`)
    const { tokens: next } = await refresh(app, tokens.refresh_token)
    expect(next?.claims()).toMatchObject({ organizations: [second], organization_roles: [`${second}:${roleName}`] })
    expect(await client.fetchUserInfo(app.configuration, tokens.access_token, user.id)).toMatchObject({
      organizations: [second],
      organization_data: [{ id: second, name: 'Second', description: null }],
    })
  })

  test('a third-party application gets the organizations that the user consented to on the page', async () => {
    app = await createApp(server, 'SPA', { isThirdParty: true })
    await mayAsk(server, app.id, { userScopes: [ORGANIZATIONS, ORGANIZATION_ROLES] })
    const scope = `openid ${ORGANIZATIONS} ${ORGANIZATION_ROLES}`
    expect((await told(scope)).idToken).toMatchObject({ organizations: [], organization_roles: [] })
    await agree(server, app.id, user.id, second)
    const { idToken, userinfo } = await told(scope)
    for (const claims of [idToken, userinfo])
      expect(claims).toMatchObject({ organizations: [second], organization_roles: [`${second}:${roleName}`] })
  })
})
