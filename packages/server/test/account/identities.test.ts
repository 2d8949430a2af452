/** The Account API: accounts of one's own at social providers, the tokens of these, and the picture (DECISIONS T10). */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { connect, connectSso, newPerson, startProvider } from '../federation/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import { drawing } from '../uploads/images.ts'
import { call, EVERY_FIELD, newHolder, openAccountCenter, proved, refusal, type SignedIn, signedIn } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let appId: string
let connectorId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  appId = (await createApp(server, 'SPA')).id
  connectorId = await connect(server, 'oidc', provider.config, { target: 'acme', enableTokenStorage: true })
})
beforeEach(async () => void (await openAccountCenter(server)))
afterAll(async () => {
  await provider.close()
  await server.close()
})

const PATH = '/my-account/identities'
const DENIED = [401, 'verification_record.permission_denied']
const NOT_VERIFIED = [400, 'verification_record.not_found']
const ask = ({ token }: Pick<SignedIn, 'token'>, method: string, path: string, body?: unknown, proof?: string) =>
  call(server, token, method, path, body, proof)
const holder = () => newHolder(server, appId)
let count = 0
const begin = (by: SignedIn, id = connectorId) => {
  const state = `state-${++count}-at-random`
  const redirectUri = `https://app.example/callback/${id}`
  return ask(by, 'POST', '/verifications/social', { connectorId: id, state, redirectUri })
}
const bring = (by: SignedIn, verificationRecordId: string, connectorData: object) =>
  ask(by, 'POST', '/verifications/social/verify', { verificationRecordId, connectorData })
/** There and back again: the verification of a person's account. */
const verified = async (by: SignedIn, person: Person): Promise<string> => {
  const { body } = await begin(by)
  const { status } = await bring(by, body.verificationRecordId, provider.signIn(body.authorizationUri, person))
  expect(status).toBe(200)
  return body.verificationRecordId
}
const add = (by: SignedIn, newIdentifierVerificationRecordId: string, proof?: string, method = 'POST') =>
  ask(by, method, PATH, { newIdentifierVerificationRecordId }, proof)
/** Signed in, with the account of a person. */
const linked = async (person = newPerson()) => {
  const mine = await holder()
  expect((await add(mine, await verified(mine, person), await proved(server, mine.token))).status).toBe(204)
  return mine
}
const identityOf = async ({ userId }: SignedIn) => (await server.api('GET', `/users/${userId}`)).body.identities.acme

test('an account at a provider is added with a proof, once it is verified; no verification counts twice', async () => {
  const [mine, person] = [await holder(), newPerson()]
  const { status, body } = await begin(mine)
  expect([status, body.expiresAt]).toEqual([201, new Date(server.clock.now().getTime() + 600_000).toISOString()])
  const proof = await proved(server, mine.token)
  expect(refusal(await add(mine, body.verificationRecordId, proof))).toEqual(NOT_VERIFIED)
  const verification = await verified(mine, person)
  expect(refusal(await add(mine, verification))).toEqual(DENIED)
  expect(refusal(await add(mine, verification, verification))).toEqual(DENIED)
  const other = await holder()
  expect(refusal(await add(other, verification, await proved(server, other.token)))).toEqual(NOT_VERIFIED)
  expect((await add(mine, verification, proof)).status).toBe(204)
  expect(await identityOf(mine)).toMatchObject({ userId: person.sub, details: { name: person.name } })
  expect((await ask(mine, 'GET', '/my-account')).body.identities.acme.userId).toBe(person.sub)
})

test('R-27, R-29: what came back is for the verification of this user in this grant, once', async () => {
  const [mine, other] = [await holder(), await holder()]
  const { body } = await begin(mine)
  const data = provider.signIn(body.authorizationUri, newPerson())
  for (const stranger of [other, await signedIn(server, mine.userId, appId)])
    expect(refusal(await bring(stranger, body.verificationRecordId, data))).toEqual([
      404,
      'verification_record.not_found',
    ])
  const another = await begin(mine)
  expect(refusal(await bring(mine, another.body.verificationRecordId, data))).toEqual([
    400,
    'session.connector_session_not_found',
  ])
  expect((await bring(mine, body.verificationRecordId, data)).status).toBe(200)
  expect((await bring(mine, body.verificationRecordId, data)).status).toBe(404)
})

test('the account of another user stays theirs, and a second of one provider has to replace the first', async () => {
  const taken = newPerson()
  await linked(taken)
  const mine = await linked()
  const put = async (person: Person, method: string) =>
    refusal(await add(mine, await verified(mine, person), await proved(server, mine.token), method))
  expect(await put(newPerson(), 'POST')).toEqual([422, 'user.social_account_exists_in_profile'])
  expect(await put(taken, 'PUT')).toEqual([422, 'user.identity_already_in_use'])
  const second = newPerson()
  expect((await put(second, 'PUT'))[0]).toBe(204)
  expect(await identityOf(mine)).toMatchObject({ userId: second.sub })
})

test('an account that the user has proves who they are; it is removed with a proof, and stays if it is the last way in', async () => {
  const person = newPerson()
  const mine = await linked(person)
  const remove = (proof?: string) => ask(mine, 'DELETE', `${PATH}/acme`, undefined, proof)
  expect(refusal(await remove())).toEqual(DENIED)
  const early = await verified(mine, person)
  expect((await remove(await verified(mine, person))).status).toBe(204)
  expect(await identityOf(mine)).toBeUndefined()
  expect(refusal(await remove(early))).toEqual(DENIED)
  expect(refusal(await remove(await proved(server, mine.token)))).toEqual([404, 'user.identity_not_exist'])
  const { body } = await server.api('POST', '/users', { name: 'Elsewhere' })
  const bare = await signedIn(server, body.id, appId)
  await server.api('PUT', `/users/${body.id}/identities/acme`, { userId: 'elsewhere' })
  const own = await verified(bare, { sub: 'elsewhere' })
  expect(refusal(await ask(bare, 'DELETE', `${PATH}/acme`, undefined, own))).toEqual([
    422,
    'user.last_sign_in_method_required',
  ])
})

test('an account of a company is a way in where single sign-on is enabled', async () => {
  const { body } = await server.api('POST', '/users', { name: 'Employee' })
  const bare = await signedIn(server, body.id, appId)
  await server.api('PUT', `/users/${body.id}/identities/acme`, { userId: 'employee' })
  const connector_id = await connectSso(server, provider.config, { domains: ['acme.example'] })
  const now = server.clock.now()
  await server.store.database.kysely
    .insertInto('user_sso_identities')
    .values({
      ...{ tenant_id: 'default', id: 'employee', user_id: body.id, connector_id, issuer: provider.issuer },
      ...{ identity_id: 'employee', detail: '{}', created_at: now, updated_at: now },
    })
    .execute()
  const own = await verified(bare, { sub: 'employee' })
  const remove = async () => refusal(await ask(bare, 'DELETE', `${PATH}/acme`, undefined, own))
  expect(await remove()).toEqual([422, 'user.last_sign_in_method_required'])
  await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })
  expect((await remove())[0]).toBe(204)
  await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: false })
})

test('R-34: the token of the provider is for the scope and for first-party applications, and can be replaced', async () => {
  const person = newPerson()
  const mine = await linked(person)
  const path = `${PATH}/acme/access-token`
  const { status, body } = await ask(mine, 'GET', path)
  expect([status, body]).toEqual([200, expect.objectContaining({ access_token: expect.any(String) })])
  const weak = await signedIn(server, mine.userId, appId, ['openid', 'profile'])
  expect(refusal(await ask(weak, 'GET', path))).toEqual([403, 'auth.forbidden'])
  const { id } = await createApp(server, 'SPA', { isThirdParty: true })
  const foreign = await signedIn(server, mine.userId, id)
  expect(refusal(await ask(foreign, 'GET', path))).toEqual([403, 'auth.third_party_application_forbidden'])
  const replace = (verificationRecordId: string) => ask(mine, 'PUT', path, { verificationRecordId })
  expect(refusal(await replace(await verified(mine, newPerson())))).toEqual(NOT_VERIFIED)
  expect(refusal(await replace(await proved(server, mine.token)))).toEqual(NOT_VERIFIED)
  const replaced = await replace(await verified(mine, person))
  expect(replaced.status).toBe(200)
  expect(replaced.body.access_token).not.toBe(body.access_token)
  expect(refusal(await ask(await holder(), 'GET', path))).toEqual([
    404,
    'secrets.third_party_token_set.token_not_found',
  ])
})

test('the settings close the accounts elsewhere, and connectors that are not offered are not used', async () => {
  const mine = await holder()
  const { status } = await begin(mine, 'x'.repeat(21))
  expect(status).toBe(404)
  const hidden = await connect(server, 'oidc', provider.config, { target: 'hidden', isOffered: false })
  expect(refusal(await begin(mine, hidden))).toEqual([400, 'connector.not_enabled'])
  await openAccountCenter(server, { fields: { ...EVERY_FIELD, social: 'Off' } })
  expect(refusal(await begin(mine))).toEqual([400, 'account_center.field_not_enabled'])
})

test('an uploaded picture becomes that of the account, where users may change it', async () => {
  const mine = await holder()
  const upload = async () => {
    const form = new FormData()
    const image = await drawing(20, 20).png().toBuffer()
    form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'me.png')
    const headers = { authorization: `Bearer ${mine.token}` }
    const path = `${server.baseUrl}/api/my-account/user-assets/avatar`
    const answer = await fetch(path, { method: 'POST', headers, body: form })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  const { status, body } = await upload()
  expect(status).toBe(200)
  expect((await ask(mine, 'GET', '/my-account')).body.avatar).toBe(body.url)
  expect((await fetch(body.url)).headers.get('content-type')).toMatch(/^image\//)
  await openAccountCenter(server, { fields: { ...EVERY_FIELD, avatar: 'ReadOnly' } })
  expect(refusal(await upload())).toEqual([400, 'account_center.field_not_editable'])
})
