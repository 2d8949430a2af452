/** Keys that an application publishes (`jwksUri`): used, rotated, and never a way to have this server ask others at will. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Arranged, arrange, post, send } from './arrange.ts'
import { askWith, assertionOf, type KeyPair, makeKey, nowOf } from './assertions.ts'

let server: TestServer
let keys: readonly KeyPair[]
/** What the address answers with, and how often it was asked. */
let answer: { status: number; body: string; type?: string }
let asked = 0
const site = createServer((_request, response) => {
  asked += 1
  response.writeHead(answer.status, { 'content-type': answer.type ?? 'application/json' }).end(answer.body)
})
const published = (...pairs: KeyPair[]) => ({
  status: 200,
  body: JSON.stringify({ keys: pairs.map(({ jwk }) => jwk) }),
})
let address: string

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  keys = await Promise.all(['one', 'two', 'three'].map((kid) => makeKey('ES256', { kid })))
})
afterAll(async () => {
  await server.close()
  site.close()
})

/** An application whose keys are at an address that was not asked yet. */
let sites = 0
const newClient = async (more: Record<string, unknown> = {}): Promise<Arranged & { id: string; jwksUri: string }> => {
  sites += 1
  const jwksUri = `${address}/${sites}`
  // the token of the harness lives for an hour
  const renewed = { ...server, api: managementClient(server.baseUrl, server.credentials) }
  const metadata = { tokenEndpointAuthMethod: 'private_key_jwt' as const, jwksUri, ...more }
  const arranged = await arrange(renewed, { metadata })
  asked = 0
  return { ...arranged, id: arranged.client.clientId, jwksUri }
}
type Made = Awaited<ReturnType<typeof newClient>>
const key = (index: number): KeyPair => keys[index] as KeyPair
const askAs = async (client: Made, pair: KeyPair, kid = pair.jwk.kid) =>
  (await askWith(server, client, await assertionOf(server, client, pair, { header: { kid } }))).status

test('they are fetched once for many requests at a time, and kept for five minutes', async () => {
  answer = published(key(0))
  const client = await newClient()
  expect(await Promise.all(Array.from({ length: 10 }, () => askAs(client, key(0))))).toEqual(Array(10).fill(200))
  server.clock.advance(299)
  expect([await askAs(client, key(0)), asked]).toEqual([200, 1])
  server.clock.advance(2)
  expect([await askAs(client, key(0)), asked]).toEqual([200, 2])
})

test('a key that is new is fetched when it is used, at most every half minute; one that is gone ends within five minutes', async () => {
  answer = published(key(0))
  const client = await newClient()
  expect(await askAs(client, key(0))).toBe(200)
  answer = published(key(1))
  expect([await askAs(client, key(1)), asked]).toEqual([401, 1])
  server.clock.advance(30)
  expect([await askAs(client, key(1)), asked]).toEqual([200, 2])
  expect(await askAs(client, key(0))).toBe(401)
  for (let hostile = 0; hostile < 20; hostile += 1) expect(await askAs(client, key(2), `hostile-${hostile}`)).toBe(401)
  expect(asked).toBe(2)
})

test('while the address does not answer, known keys are used for an hour and no longer', async () => {
  answer = published(key(0))
  const client = await newClient()
  expect(await askAs(client, key(0))).toBe(200)
  answer = { status: 500, body: '' }
  server.clock.advance(301)
  expect([await askAs(client, key(0)), await askAs(client, key(0)), asked]).toEqual([200, 200, 2])
  server.clock.advance(3300)
  expect(await askAs(client, key(0))).toBe(401)
  answer = published(key(0))
  expect(await askAs(client, key(0))).toBe(401)
  server.clock.advance(30)
  expect(await askAs(client, key(0))).toBe(200)
})

test('an answer that is no key set is refused, whatever it is; private, short and unusable keys are passed over', async () => {
  const { privateKey: _, jwk } = key(0)
  const ANSWERS = [
    { status: 200, body: '<!doctype html><title>Sign in</title>', type: 'text/html' },
    { status: 302, body: '' },
    { status: 404, body: '{"keys":[]}' },
    { status: 200, body: 'null' },
    { status: 200, body: '{"keys":{}}' },
    { status: 200, body: JSON.stringify({ keys: [jwk], padding: 'x'.repeat(70_000) }) },
    { status: 200, body: JSON.stringify({ keys: [null, 1, {}, { kty: 'oct', k: 'AA' }, { ...jwk, d: 'AA' }] }) },
    {
      status: 200,
      body: JSON.stringify({
        keys: [
          { ...jwk, use: 'enc' },
          { kty: 'RSA', n: 'AA', e: 'AQAB' },
        ],
      }),
    },
  ]
  for (const each of ANSWERS) {
    answer = each
    const client = await newClient()
    expect([await askAs(client, key(0)), asked], each.body.slice(0, 80)).toEqual([401, 1])
  }
})

test('they verify request objects too; without an answer the application is told', async () => {
  answer = published(key(0))
  const client = await newClient({ requireSignedRequestObject: true })
  await server.api('PATCH', `/applications/${client.id}`, {
    oidcClientMetadata: { redirectUris: ['https://app.example/callback'] },
  })
  const object = (pair: KeyPair) =>
    new SignJWT({
      ...{ iss: client.id, aud: server.issuer, client_id: client.id, exp: nowOf(server) + 60 },
      ...{ response_type: 'code', scope: 'openid', redirect_uri: 'https://app.example/callback' },
    })
      .setProtectedHeader({ alg: 'ES256', kid: String(pair.jwk.kid) })
      .sign(pair.privateKey)
  const pushed = async (pair: KeyPair) =>
    post(server, '/request', {
      client_id: client.id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertionOf(server, client, key(0)),
      request: await object(pair),
    })
  // a machine has no requests of users: what is looked at here is the object
  expect((await pushed(key(1))).body).toMatchObject({ error: 'invalid_request_object' })
  expect((await pushed(key(0))).body.error).not.toBe('invalid_request_object')
})

test('an address that is not https, or stands beside jwks, is refused; what nobody uses is never fetched', async () => {
  const renewed = managementClient(server.baseUrl, server.credentials)
  const refused = async (customClientMetadata: object) =>
    (await renewed('POST', '/applications', { name: 'x', type: 'Traditional', customClientMetadata })).status
  expect(await refused({ jwksUri: 'http://keys.example/' })).toBe(400)
  expect(await refused({ jwksUri: 'javascript:1' })).toBe(400)
  expect(await refused({ jwksUri: address, jwks: { keys: [key(0).jwk] } })).toBe(400)
  asked = 0
  const client = await arrange({ ...server, api: renewed }, { metadata: { jwksUri: `${address}/never` } })
  const { clientId, clientSecret } = client.client
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const form = { grant_type: 'client_credentials', resource: client.resource.indicator }
  expect((await post(server, '/token', form, { authorization })).status).toBe(200)
  expect((await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })).status).toBe(200)
  expect(asked).toBe(0)
})
