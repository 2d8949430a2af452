/** The management of a registration by the client itself (RFC 7592). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { basic, post } from '../protocol/arrange.ts'
import { makeKey } from '../protocol/assertions.ts'
import { allow, CALLBACK, manage, register } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await allow(server, { mode: 'open' })
})
afterAll(() => server.close())

const registered = async (more: object = {}) => {
  const { status, body } = await register(server, { redirect_uris: [CALLBACK], client_name: 'Notes', ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

test('it reads what it registered, without the secret', async () => {
  const made = await registered({ software_id: 'notes' })
  const { client_secret: _, client_secret_expires_at: __, ...known } = made
  const read = await manage('GET', made, made.registration_access_token)
  expect([read.status, read.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(read.body).toEqual(known)
})

test('it replaces all of it, with a new token; what an operator set beside that stays', async () => {
  const made = await registered({
    software_id: 'notes',
    contacts: ['a@app.example'],
    logo_uri: 'https://app.example/logo.png',
  })
  const { customClientMetadata } = (await server.api('GET', `/applications/${made.client_id}`)).body
  await server.api('PATCH', `/applications/${made.client_id}`, {
    customClientMetadata: { ...customClientMetadata, requirePkce: true },
  })
  const change = {
    client_id: made.client_id,
    client_secret: made.client_secret,
    redirect_uris: ['https://app.example/new'],
    client_name: 'New notes',
    token_endpoint_auth_method: 'client_secret_post',
  }
  const replaced = await manage('PUT', made, made.registration_access_token, change)
  expect(replaced.status, replaced.text).toBe(200)
  expect(replaced.body).toMatchObject({
    redirect_uris: ['https://app.example/new'],
    token_endpoint_auth_method: 'client_secret_post',
  })
  for (const gone of ['software_id', 'contacts', 'logo_uri', 'client_secret'])
    expect(replaced.body).not.toHaveProperty(gone)
  expect(replaced.body.registration_access_token).not.toBe(made.registration_access_token)
  expect((await manage('GET', made, made.registration_access_token)).status).toBe(401)
  expect((await manage('GET', made, replaced.body.registration_access_token)).status).toBe(200)
  const { body: application } = await server.api('GET', `/applications/${made.client_id}`)
  expect(application).toMatchObject({ name: 'New notes', customClientMetadata: { requirePkce: true } })
})

test('a token is good for one change at a time', async () => {
  const made = await registered()
  const change = { client_id: made.client_id, redirect_uris: [CALLBACK] }
  const replies = await Promise.all([1, 2, 3, 4].map(() => manage('PUT', made, made.registration_access_token, change)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401])
})

test('what is not for it to change is refused, and its token stays', async () => {
  const made = await registered()
  const own = { client_id: made.client_id, redirect_uris: [CALLBACK] }
  const refused = [
    { ...own, client_id: 'another' },
    { redirect_uris: [CALLBACK] },
    { ...own, client_secret: 'of my choice' },
    { ...own, registration_access_token: made.registration_access_token },
    { ...own, client_id_issued_at: 1 },
    { ...own, redirect_uris: ['http://app.example/'] },
    { ...own, token_endpoint_auth_method: 'none' },
    { ...own, grant_types: ['client_credentials'] },
  ]
  for (const change of refused)
    expect((await manage('PUT', made, made.registration_access_token, change)).status, JSON.stringify(change)).toBe(400)
  expect((await manage('GET', made, made.registration_access_token)).status).toBe(200)
})

test('a client that turns from keys to a secret is shown one', async () => {
  const { jwk } = await makeKey('ES256')
  const made = await registered({ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } })
  expect(made).not.toHaveProperty('client_secret')
  const change = { client_id: made.client_id, redirect_uris: [CALLBACK] }
  const { body } = await manage('PUT', made, made.registration_access_token, change)
  expect(body).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic', client_secret_expires_at: 0 })
  const headers = { authorization: basic(body.client_id, body.client_secret) }
  expect((await post(server, '/token/introspection', { token: 'x' }, headers)).status).toBe(200)
})

test('it deletes itself: its secret and its token are refused from then on', async () => {
  const made = await registered()
  const headers = { authorization: basic(made.client_id, made.client_secret) }
  const { cursor } = await readAll(server.api, '')
  expect((await manage('DELETE', made, made.registration_access_token)).status).toBe(204)
  expect((await readAll(server.api, cursor)).events).toMatchObject([
    { event: 'Application.Unregistered', reason: 'client', data: { id: made.client_id } },
  ])
  expect((await post(server, '/token/introspection', { token: 'x' }, headers)).status).toBe(401)
  for (const method of ['GET', 'DELETE'] as const)
    expect((await manage(method, made, made.registration_access_token)).status).toBe(401)
})

test('no other token opens it: none, of another client, of an application of the operator, of one that the operator deleted', async () => {
  const made = await registered()
  const other = await registered()
  const { body: own } = await server.api('POST', '/applications', { name: 'Own', type: 'SPA' })
  const at = (id: string) => ({ registration_client_uri: `${server.issuer}/register/${id}` })
  const { registration_access_token: token } = made
  for (const method of ['GET', 'DELETE'] as const) {
    expect((await manage(method, made, undefined)).status).toBe(401)
    expect((await manage(method, made, other.registration_access_token)).status).toBe(401)
    expect((await manage(method, at(own.id), token)).status).toBe(401)
    for (const id of ['%00', '%20', 'x'.repeat(99)]) expect((await manage(method, at(id), token)).status).toBe(401)
  }
  const deleted = await server.api('DELETE', `/applications/${made.client_id}`)
  expect(deleted.status).toBe(204)
  expect(await manage('GET', made, token)).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
})
