/** The explanation of a token is what the token endpoint does: each case is simulated, then done. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  type Api,
  authorize,
  createApi,
  createRole,
  redeemCode,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { fresh } from './arrange.ts'

let server: TestServer
let api: Api
let known: SignedIn
let roleName: string
let organizationId: string
let elsewhereId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  api = await createApi(server)
  known = await signedInUser(server)
  const roleId = await createRole(server, [api.scopeIds.read])
  roleName = (await server.api('GET', `/roles/${roleId}`)).body.name
  await server.api('POST', `/users/${known.user.id}/roles`, { roleIds: [roleId] })
  const created = async (path: string, body: object) => (await server.api('POST', path, body)).body.id as string
  organizationId = await created('/organizations', { name: fresh('organization') })
  elsewhereId = await created('/organizations', { name: fresh('organization') })
  const invite = await created('/organization-scopes', { name: 'invite' })
  const organizationRoleId = await created('/organization-roles', {
    ...{ name: 'Editor', organizationScopeIds: [invite], resourceScopeIds: [api.scopeIds.write] },
  })
  const members = `/organizations/${organizationId}/users`
  await server.api('POST', members, { userIds: [known.user.id] })
  await server.api('POST', `${members}/${known.user.id}/roles`, { organizationRoleIds: [organizationRoleId] })
})
afterAll(() => server.close())

const simulated = async (query: Readonly<Record<string, string>>, applicationId = known.app.id) => {
  const path = `/users/${known.user.id}/applications/${applicationId}/simulated-token?${new URLSearchParams(query)}`
  const { status, body } = await server.api('GET', path)
  expect(status).toBe(200)
  return body
}
const grantedIn = ({ scopes }: { scopes: { name: string; isGranted: boolean }[] }) =>
  scopes.filter(({ isGranted }) => isGranted).map(({ name }) => name)

const ORGANIZATIONS = 'urn:logto:scope:organizations'
const CASES: Readonly<Record<string, () => { scope: string; resource?: string; organizationId?: string }>> = {
  'an API': () => ({ scope: 'read write unknown', resource: api.indicator }),
  'an API and OpenID Connect': () => ({ scope: 'openid profile read', resource: api.indicator }),
  'userinfo, which has no permissions': () => ({ scope: 'openid read' }),
  'no API where there is no default one': () => ({ scope: 'read' }),
  'an organization': () => ({ scope: `invite other ${ORGANIZATIONS}`, organizationId }),
  'an API in an organization': () => ({
    scope: `read write ${ORGANIZATIONS}`,
    resource: api.indicator,
    organizationId,
  }),
  'an organization of others': () => ({ scope: `read ${ORGANIZATIONS}`, organizationId: elsewhereId }),
}

test.each(Object.entries(CASES))('a token for %s is as explained', async (_what, query) => {
  const asked = query()
  const explained = await simulated(asked)
  const code = await authorize(known, asked.scope, asked.resource === undefined ? [] : [asked.resource])
  server.clock.advance(1)
  const answer = await redeemCode(server, known, code, {
    ...(asked.resource === undefined ? {} : { resource: asked.resource }),
    ...(asked.organizationId === undefined ? {} : { organization_id: asked.organizationId }),
  })
  if (explained.refusal) {
    expect(answer.body.error).toBe(explained.refusal.error)
    expect(answer.body.error_description).toBe(explained.refusal.description)
    return
  }
  const { access_token: token, scope, expires_in } = answer.body
  const isOpaque = token.startsWith('cs_at_')
  expect(explained.kind).toBe(isOpaque ? 'opaque' : 'jwt')
  if (!isOpaque) expect([explained.audience, explained.expiresIn]).toEqual([decodeJwt(token).aud, expires_in])
  expect(grantedIn(explained)).toEqual(scope.split(' ').filter(Boolean))
  const { body: entries } = await server.api('GET', `/logs?logKey=ExchangeTokenBy.AuthorizationCode&page_size=1`)
  expect(entries[0].payload.tokenKind).toBe(explained.why)
})

test('it names the roles that hold a permission, and says why another is missing', async () => {
  const { scopes } = await simulated({ resource: api.indicator })
  expect(scopes).toMatchObject([
    { name: 'read', isGranted: true, why: null, paths: [{ type: 'role', name: roleName }] },
    { name: 'write', isGranted: false, why: expect.stringContaining('no role'), paths: [] },
  ])
  const there = await simulated({ resource: api.indicator, organizationId })
  expect(there.scopes).toMatchObject([
    { name: 'read', isGranted: true, paths: [{ type: 'role', name: roleName }] },
    { name: 'write', isGranted: true, paths: [{ type: 'organizationRole', name: 'Editor' }] },
  ])
  expect((await simulated({ organizationId })).scopes).toMatchObject([
    { name: 'invite', isGranted: true, paths: [{ type: 'organizationRole', name: 'Editor' }] },
  ])
})

test('a third-party application, a machine, a suspended user and unknown ids', async () => {
  const { body: third } = await server.api('POST', '/applications', { name: 'Third', type: 'SPA', isThirdParty: true })
  await server.api('POST', `/applications/${third.id}/user-consent-scopes`, { resourceScopes: [api.scopeIds.write] })
  expect((await simulated({ resource: api.indicator }, third.id)).scopes).toMatchObject([
    { name: 'read', isGranted: false, why: expect.stringContaining('third party'), paths: [{ name: roleName }] },
    { name: 'write', isGranted: false, why: expect.stringContaining('no role') },
  ])
  expect((await simulated({}, server.credentials.clientId)).refusal.error).toBe('unauthorized_client')
  const path = `/users/${known.user.id}/applications`
  expect((await server.api('GET', `${path}/console/simulated-token`)).status).toBe(404)
  expect((await server.api('GET', `/users/000000000000/applications/${third.id}/simulated-token`)).status).toBe(404)
  await server.api('PATCH', `/users/${known.user.id}/is-suspended`, { isSuspended: true })
  const { refusal } = await simulated({ resource: api.indicator })
  expect(refusal).toMatchObject({ error: 'invalid_grant', reason: 'the user is deleted or suspended' })
})
