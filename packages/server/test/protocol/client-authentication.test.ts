import { randomUUID } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  arrange,
  askToken,
  authorization,
  type BodyOf,
  FORM,
  form,
  post,
  registerApplication,
  send,
} from './arrange.ts'
import { BASIC_FORMS, type Kind, METHODS, type Subject } from './client-authentication.table.ts'

let server: TestServer
let subjects: Record<Kind, Subject>
const DEFAULT_API = 'https://default.example'

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await server.api('POST', '/resources', { name: 'Default', indicator: DEFAULT_API, isDefault: true })
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwks = { keys: [{ ...(await exportJWK(publicKey)) }] }
  const assertionOf = (id: string) => () =>
    new SignJWT({ iss: id, sub: id, aud: server.issuer, jti: randomUUID() })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime(new Date(server.clock.now().getTime() + 60_000))
      .sign(privateKey)
  const other = await registerApplication(server)
  const subject = async (type: BodyOf<'createApplication'>['type'], metadata = {}): Promise<Subject> => {
    const { clientId: id, clientSecret: secret } = await registerApplication(server, type, metadata)
    return { id, secret, other: { id: other.clientId, secret: other.clientSecret }, assertion: assertionOf(id) }
  }
  subjects = {
    basic: await subject('MachineToMachine'),
    post: await subject('MachineToMachine', { tokenEndpointAuthMethod: 'client_secret_post' }),
    jwt: await subject('MachineToMachine', { tokenEndpointAuthMethod: 'private_key_jwt', jwks }),
    spa: await subject('SPA'),
    native: await subject('Native'),
    web: await subject('Traditional'),
  }
})
afterAll(() => server.close())

describe('client authentication (DECISIONS C1, C2, SPEC 7)', () => {
  test.each(METHODS)('$kind: $guarantee', async ({ kind, attempt, expect: wanted }) => {
    const { headers = {}, parameters = {} } = await attempt(subjects[kind])
    const {
      status,
      body,
      headers: answered,
    } = await post(server, '/token', { grant_type: 'client_credentials', ...parameters }, headers)
    expect({ status, error: body.error }).toEqual({ status: wanted.status, error: wanted.error })
    expect(answered['www-authenticate']).toBe(wanted.challenge && 'Basic realm="oidc", charset="UTF-8"')
    expect(typeof body.access_token).toBe(wanted.status === 200 ? 'string' : 'undefined')
    expect(answered['cache-control']).toBe('no-store')
  })

  test.each(BASIC_FORMS)('R-37 Basic with $form: accepted is $accepted', async ({ of, accepted }) => {
    const { id, secret } = subjects.basic
    const reply = await post(server, '/token', { grant_type: 'client_credentials' }, { authorization: of(id, secret) })
    expect(reply.status).toBe(accepted ? 200 : 401)
    expect(reply.body.error).toBe(accepted ? undefined : 'invalid_client')
    expect(reply.headers['www-authenticate']).toBe(accepted ? undefined : 'Basic realm="oidc", charset="UTF-8"')
  })

  test('several Authorization headers are refused even if all are right', async () => {
    const { id, secret } = subjects.basic
    const { authorization: right } = authorization({ clientId: id, clientSecret: secret })
    const reply = await send(`${server.issuer}/token`, {
      headers: { 'content-type': FORM, authorization: [right, right] },
      body: form({ grant_type: 'client_credentials' }),
    })
    expect(reply.status).toBe(400)
    expect(reply.body.error).toBe('invalid_request')
  })

  test('credentials in the query string authenticate no one', async () => {
    const { id, secret } = subjects.post
    const query = form({ client_id: id, client_secret: secret })
    const reply = await send(`${server.issuer}/token?${query}`, {
      headers: { 'content-type': FORM },
      body: form({ grant_type: 'client_credentials' }),
    })
    expect(reply.status).toBe(401)
  })

  test('the response is the same for an unknown client and for a wrong secret', async () => {
    const unknown = await askToken(server, { clientId: 'z'.repeat(21), clientSecret: 'x' })
    const wrong = await askToken(server, { clientId: subjects.basic.id, clientSecret: 'x' })
    const seen = ({ status, body: { request_id: _, ...body } }: typeof wrong) => ({ status, body })
    expect(seen(unknown)).toEqual(seen(wrong))
  })
})

describe('secrets of a confidential client', () => {
  test('a second secret works alongside the first, and each works until it is deleted', async () => {
    const { client } = await arrange(server)
    const path = `/applications/${client.clientId}/secrets`
    const { body: second } = await server.api('POST', path, { name: 'second' })
    const asSecond = { ...client, clientSecret: second.value as string }
    expect((await askToken(server, client)).status).toBe(200)
    expect((await askToken(server, asSecond)).status).toBe(200)
    await server.api('DELETE', `${path}/${encodeURIComponent('Default secret')}`)
    expect((await askToken(server, client)).status).toBe(401)
    expect((await askToken(server, asSecond)).status).toBe(200)
  })

  test('a secret is refused from the millisecond of its expiry', async () => {
    const { client } = await arrange(server)
    const expiresAt = server.clock.now().getTime() + 60_000
    const { body } = await server.api('POST', `/applications/${client.clientId}/secrets`, { name: 'short', expiresAt })
    const short = { ...client, clientSecret: body.value as string }
    server.clock.advance(59.999)
    expect((await askToken(server, short)).status).toBe(200)
    server.clock.advance(0.001)
    const { status, body: answer } = await askToken(server, short)
    expect({ status, error: answer.error }).toEqual({ status: 401, error: 'invalid_client' })
    expect((await askToken(server, client)).status).toBe(200)
  })

  test('a renamed secret keeps its value, and the audit log shows its current name', async () => {
    const { client } = await arrange(server)
    const path = `/applications/${client.clientId}`
    await server.api('PATCH', `${path}/secrets/${encodeURIComponent('Default secret')}`, { name: 'blue' })
    expect((await askToken(server, client)).status).toBe(200)
    const { body: logs } = await server.api('GET', `/logs?applicationId=${client.clientId}`)
    expect(logs[0].payload).toMatchObject({ result: 'Success', secretName: 'blue' })
  })

  test('a change of the setting takes effect with the next request', async () => {
    const { client } = await arrange(server)
    expect((await askToken(server, client)).status).toBe(200)
    await server.api('PATCH', `/applications/${client.clientId}`, {
      customClientMetadata: { tokenEndpointAuthMethod: 'client_secret_post' },
    })
    expect((await askToken(server, client)).status).toBe(401)
    const parameters = {
      grant_type: 'client_credentials',
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }
    expect((await post(server, '/token', parameters)).status).toBe(200)
  })
})
