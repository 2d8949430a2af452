import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, askToken, authorization, FORM, form, post, send } from './arrange.ts'
import { ASSERTION_TYPE } from './assertions.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  // the first call gets a token, whose entry would have the same time as another
  await latest()
})
afterAll(() => server.close())
// entries of the same time have no order
beforeEach(() => server.clock.advance(1))

const LARGE = 'x'.repeat(7_000)
const latest = async () => (await server.api('GET', '/logs?page_size=1')).body[0]
const segment = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('R-35 what an unauthenticated caller sends is neither repeated nor stored at length', () => {
  test.each<[string, Record<string, string | string[]>]>([
    ['a client id', { client_id: LARGE }],
    ['a client id with a secret', { client_id: LARGE, client_secret: 'x' }],
    ['a secret', { client_id: 'x', client_secret: LARGE }],
    ['an assertion', { client_assertion_type: ASSERTION_TYPE, client_assertion: LARGE }],
    ['an assertion type', { client_assertion_type: LARGE, client_assertion: 'x' }],
    ['a repeated name', { [LARGE]: ['1', '2'] }],
    ['a name', { [LARGE]: '1' }],
    ['a grant type', { grant_type: LARGE }],
  ])('R-35 %s of 7 KB', async (_what, parameters) => {
    const reply = await post(server, '/token', { grant_type: 'client_credentials', ...parameters })
    expect([400, 401]).toContain(reply.status)
    expect(reply.text.length).toBeLessThan(500)
    const entry = await latest()
    expect(entry.payload.requestId).toBe(reply.headers['x-request-id'])
    expect(JSON.stringify(entry).length).toBeLessThan(1000)
  })

  test('R-35 nor is the scope of an authenticated client', async () => {
    const { resource, client } = arranged
    const reply = await askToken(server, client, { resource: resource.indicator, scope: `read:orders ${LARGE}` })
    expect(reply.body.scope).toBe('read:orders')
    expect(JSON.stringify(await latest()).length).toBeLessThan(1500)
  })

  test('R-37 an error_description holds only what RFC 6749 section 5.2 allows, whatever it repeats', async () => {
    for (const name of ['"\\', '\n', 'é', '<script>', ' ', "'", '__proto__', '']) {
      const reply = await send(`${server.issuer}/token`, {
        headers: { 'content-type': FORM },
        body: form({ [name]: ['1', '2'] }),
      })
      expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 400, error: 'invalid_request' })
      expect(reply.body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(reply.body.error_description).not.toContain('script')
    }
  })

  test('R-37 NUL and unpaired surrogates in an assertion do not prevent the audit entry', async () => {
    for (const sub of ['a\0b', '\ud800', '\udfff\0']) {
      const client_assertion = `${segment({ alg: 'ES256', kid: sub })}.${segment({ sub, iss: sub })}.AAAA`
      const parameters = { client_assertion_type: ASSERTION_TYPE, client_assertion }
      const reply = await post(server, '/token', { grant_type: 'client_credentials', ...parameters })
      expect(reply.status).toBe(401)
      server.clock.advance(1)
    }
    const after = await askToken(server, arranged.client, { resource: arranged.resource.indicator })
    expect(after.status).toBe(200)
    expect((await latest()).payload.requestId).toBe(after.headers['x-request-id'])
  })

  test('R-35 the secret is compared in full, whatever its length', async () => {
    const { clientId, clientSecret } = arranged.client
    for (const secret of [
      '',
      clientSecret.slice(1),
      clientSecret + clientSecret,
      'x'.repeat(8000),
      '\u00e9'.repeat(32),
    ]) {
      const encoded = { clientId, clientSecret: encodeURIComponent(secret).slice(0, 8000) }
      const reply = await post(server, '/token', { grant_type: 'client_credentials' }, authorization(encoded))
      expect(reply.status).toBe(401)
    }
  })
})
