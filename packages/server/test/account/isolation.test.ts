/** The Account API of two tenants on one server: nothing of one counts in the other (DECISIONS A7). */
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { exampleOf } from '@countersign/server/api-reference/example.ts'
import type { Schema } from '@countersign/server/api-reference/schema-words.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Reply } from '../protocol/arrange.ts'
import { CALLBACK, createApp } from '../sign-in/arrange.ts'
import { type OnHost, withSecondTenant } from '../tenants/second-tenant.ts'
import { EVERY_FIELD, newUser, PASSWORD, proved, ROUTES, type SignedIn, signedIn, type User } from './arrange.ts'

let server: TestServer
let a: OnHost
let b: OnHost
let ofA: User
let ofB: SignedIn
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  ;({ a, b } = await withSecondTenant(server, 'second', 'http://second.example:8080'))
  const [tokenOfA, tokenOfB] = [await a.token(), await b.token()].map(({ body }) => body.access_token)
  const body = { enabled: true, fields: EVERY_FIELD }
  for (const [host, token] of [
    [a, tokenOfA],
    [b, tokenOfB],
  ] as const)
    expect((await host.request('PATCH', '/api/account-center', { token, body })).status).toBe(200)
  ofA = await newUser(server, (await createApp(server, 'SPA')).id)
  const made = async (path: string, fields: object) =>
    (await b.request('POST', `/api${path}`, { token: tokenOfB, body: fields })).body.id
  const oidcClientMetadata = { redirectUris: [CALLBACK], postLogoutRedirectUris: [] }
  const application = await made('/applications', { name: 'Notes', type: 'SPA', oidcClientMetadata })
  const user = await made('/users', { username: 'second', password: PASSWORD })
  ofB = await signedIn(server, user, application, undefined, 'second')
})
afterAll(() => server.close())

const refusal = ({ status, body }: Reply): unknown[] => [status, body?.code]
/** A request of the user of the second tenant. */
const asB = (method: string, path: string, body?: unknown, proof?: string) =>
  b.request(method, `/api${path}`, {
    token: ofB.token,
    ...(body === undefined ? {} : { body }),
    ...(proof === undefined ? {} : { headers: { 'logto-verification-id': proof } }),
  })
const provedB = async (): Promise<string> =>
  (await asB('POST', '/verifications/password', { password: PASSWORD })).body.verificationRecordId

test.each(ROUTES)('R-33: %s takes no token of another tenant', async (_title, { method, path }) => {
  const at = `/api${path.replaceAll(/:\w+/g, 'x')}`
  for (const [host, token] of [
    [a, ofB.token],
    [b, ofA.token],
  ] as const)
    expect(refusal(await host.request(method, at, { token }))).toEqual([401, 'auth.unauthorized'])
})

/** What the user of the first tenant has, by the name that a path has for it. */
const belongings = async (): Promise<Record<string, string>> => {
  const { userId, sessionId, grantId } = ofA
  const made = async (path: string, body: object) => (await server.api('POST', path, body)).body.id as string
  const primaryEmail = 'owner@isolated.example'
  await server.api('PATCH', `/users/${userId}`, { primaryEmail })
  await server.api('PUT', `/users/${userId}/identities/acme`, { userId: 'linked' })
  await made(`/users/${userId}/mfa-verifications`, { type: 'Totp' })
  const { body: factors } = await server.api('GET', `/users/${userId}/mfa-verifications`)
  const organizationId = await made('/organizations', { name: 'Isolated' })
  const invitation = { organizationId, invitee: primaryEmail, expiresAt: server.clock.now().getTime() + 86_400_000 }
  await server.store.database.pool.query(
    `INSERT INTO trusted_devices (tenant_id, id, user_id, secret_hash, created_at, last_used_at, expires_at)
     VALUES ('default', 'device-of-a', $1, '\\x01', now(), now(), now() + interval '30 days')`,
    [userId],
  )
  const connectorId = await made('/sso-connectors', { providerName: 'SAML', connectorName: 'Company' })
  return {
    ...{ sessionId, grantId, target: 'acme', trustedDeviceId: 'device-of-a' },
    verificationId: factors[0].id,
    ...{ organizationId, domain: 'isolated.example' },
    id: await made('/organization-invitations', invitation),
    connectorId,
    keyId: await made(`/sso-connectors/${connectorId}/signing-keys`, { active: false }),
  }
}

/** What must stay as it is. */
const kept = async () => {
  const rows = async (table: string, columns: string) =>
    (await server.store.database.pool.query(`SELECT ${columns} FROM ${table} WHERE tenant_id = 'default' ORDER BY 1`))
      .rows
  return [
    await rows('sessions', 'id'),
    await rows('grants', 'id'),
    await rows('factors', 'id, type, name'),
    await rows('trusted_devices', 'id'),
    await rows('user_identities', 'target, identity_id'),
    await rows('organization_invitations', 'id, status'),
  ]
}

/** A body that the route takes, with what it says of verifications replaced by this one. */
const bodyNaming = (route: Route, verification: string): unknown => {
  const identifier = { type: 'email', value: 'stranger@isolated.example' }
  const example = exampleOf(route.body as Schema) as Record<string, unknown>
  const passkey = { type: 'WebAuthn', newIdentifierVerificationRecordId: verification }
  const named = Object.keys(example).filter((name) => RECORDS.has(name))
  return route.id === 'createMyFactor'
    ? passkey
    : {
        ...example,
        ...('identifier' in example ? { identifier } : {}),
        ...Object.fromEntries(named.map((name) => [name, verification])),
      }
}
const RECORDS: ReadonlySet<string> = new Set([
  'verificationRecordId',
  'verificationId',
  'newIdentifierVerificationRecordId',
])

test('R-33: no route acts on what another user has, in the same tenant or another, nor takes their verifications', async () => {
  const ids = await belongings()
  const stranger = await newUser(server, (await createApp(server, 'SPA')).id)
  const mfa = { factors: ['Totp', 'WebAuthn'], policy: 'NoPrompt' }
  const access = (await b.token()).body.access_token
  const changed = await b.request('PATCH', '/api/sign-in-exp', { token: access, body: { mfa } })
  expect([(await server.api('PATCH', '/sign-in-exp', { mfa })).status, changed.status]).toEqual([200, 200])
  const callers = [
    (method: string, path: string, body: unknown) => stranger.change(method, path, body),
    async (method: string, path: string, body: unknown) => asB(method, path, body, await provedB()),
  ]
  const before = await kept()
  const withIds = ROUTES.filter(([, { path }]) => path.includes(':'))
  const unknown = withIds.flatMap(([, { path }]) =>
    [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name).filter((name) => ids[name] === undefined),
  )
  expect(unknown).toEqual([])
  for (const [title, route] of withIds)
    for (const ask of callers) {
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
      const body = route.body ? exampleOf(route.body as Schema) : undefined
      const { status } = await ask(route.method, path, body)
      expect([title, status === 404 || status === 400]).toEqual([title, true])
    }
  const naming = ROUTES.filter(
    ([, route]) =>
      route.id === 'createMyFactor' ||
      [...RECORDS].some((name) => name in ((route.body as Schema | undefined)?.properties ?? {})),
  )
  expect(naming.length).toBeGreaterThan(8)
  for (const [title, route] of naming)
    for (const ask of callers) {
      const verification = await proved(server, ofA.token)
      const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
      const { status, body } = await ask(route.method, path, bodyNaming(route, verification))
      expect([title, status, body?.code]).toEqual([title, expect.any(Number), 'verification_record.not_found'])
    }
  expect(await kept()).toEqual(before)
})

test('R-27, R-33: a verification of another tenant proves nothing, and still counts in its own', async () => {
  expect((await asB('GET', '/my-account')).body.id).toBe(ofB.userId)
  const proof = await proved(server, ofA.token)
  const denied = [401, 'verification_record.permission_denied']
  expect(refusal(await asB('PATCH', '/my-account', { username: 'renamed' }, proof))).toEqual(denied)
  expect(refusal(await asB('DELETE', '/my-account', undefined, proof))).toEqual(denied)
  expect((await ofA.ask('PATCH', '/my-account', { username: 'renamed_here' }, proof)).status).toBe(200)
})

test('R-33: sessions, grants and tokens of another tenant are unknown, and stay', async () => {
  await ofA.change('POST', '/my-account/personal-access-tokens', { name: 'theirs' })
  for (const [path, code] of [
    [`/my-account/sessions/${ofA.sessionId}`, 'oidc.session_not_found'],
    [`/my-account/grants/${ofA.grantId}`, 'entity.not_exists_with_id'],
    ['/my-account/personal-access-tokens/theirs', undefined],
    ['/my-account/trusted-devices/theirs', undefined],
  ] as const) {
    const { status, body } = await asB('DELETE', path, undefined, await provedB())
    expect([path, status, body.code]).toEqual([path, 404, code ?? body.code])
  }
  expect((await asB('DELETE', '/my-account/sessions', undefined, await provedB())).status).toBe(204)
  const seen = async (path: string) => JSON.stringify((await asB('GET', path)).body)
  for (const path of ['sessions', 'grants', 'personal-access-tokens', 'logs'])
    for (const id of [ofA.userId, ofA.sessionId, ofA.grantId, 'theirs'])
      expect(await seen(`/my-account/${path}`)).not.toContain(id)
  expect((await ofA.ask('GET', '/my-account/sessions')).body.sessions).toMatchObject([
    { payload: { jti: ofA.sessionId } },
  ])
  expect((await ofA.ask('GET', '/my-account/personal-access-tokens')).body).toMatchObject([{ name: 'theirs' }])
})
