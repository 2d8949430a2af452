/** The Account API of two tenants on one server: nothing of one counts in the other (DECISIONS A7). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
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
