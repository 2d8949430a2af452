import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, askToken, authorization, FORM, post, registerApplication, send } from './arrange.ts'
import {
  CONTENT_ROWS,
  FORM_ROWS,
  GRANT_ROWS,
  RESOURCE_ROWS,
  type RequestRow,
  SCOPE_ROWS,
} from './token-request.table.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
})
afterAll(() => server.close())

const place = (body: string | Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(body).toString('latin1').replaceAll('%R', encodeURIComponent(arranged.resource.indicator)),
    'latin1',
  )

const holds = async ({ body, contentType = FORM, expect: wanted }: RequestRow) => {
  const reply = await send(`${server.issuer}/token`, {
    headers: { ...authorization(arranged.client), ...(contentType === null ? {} : { 'content-type': contentType }) },
    body: place(body),
  })
  const { status, body: answer } = reply
  expect({ status, error: answer.error, scope: answer.scope }).toEqual({
    status: wanted.status,
    error: wanted.error,
    scope: wanted.scope,
  })
  if (wanted.status === 200) expect(decodeJwt(answer.access_token).scope ?? '').toBe(wanted.scope)
  else {
    expect(Object.keys(answer)).toEqual(['error', 'error_description', 'code', 'message', 'request_id'])
    expect(answer.request_id).toBe(reply.headers['x-request-id'])
    expect(answer.error_description).toMatch(/^[a-zA-Z].{5,}/)
  }
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
}

describe('a token request', () => {
  test.each(GRANT_ROWS)('$guarantee', holds)
})
describe('the scope of a token request (SPEC 2.2, DECISIONS D7)', () => {
  test.each(SCOPE_ROWS)('$guarantee', holds)
})
describe('the resource of a token request (DECISIONS D4)', () => {
  test.each(RESOURCE_ROWS)('$guarantee', holds)
})
describe('the form of a token request', () => {
  test.each(FORM_ROWS)('$guarantee', holds)
})
describe('the content type of a token request', () => {
  test.each(CONTENT_ROWS)('$guarantee', holds)
})

describe('what a client may do', () => {
  test.each(['Traditional', 'SPA', 'Native'] as const)(
    '%s: client_credentials is refused with unauthorized_client',
    async (type) => {
      const client = await registerApplication(server, type)
      const parameters = { grant_type: 'client_credentials', resource: arranged.resource.indicator }
      const reply =
        type === 'Traditional'
          ? await askToken(server, client, parameters)
          : await post(server, '/token', { ...parameters, client_id: client.clientId })
      expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 400, error: 'unauthorized_client' })
    },
  )

  test.each([
    ['refresh_token', { refresh_token: 'x' }],
    ['authorization_code', { code: 'x', redirect_uri: 'https://app.example/' }],
    ['urn:ietf:params:oauth:grant-type:device_code', { device_code: 'x' }],
  ])('MachineToMachine: %s is answered unauthorized_client', async (grant_type, parameters) => {
    const { status, body } = await askToken(server, arranged.client, { ...parameters, grant_type })
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'unauthorized_client' })
  })

  test('the client is authenticated before its request is checked', async () => {
    const reply = await askToken(server, { ...arranged.client, clientSecret: 'x' }, { grant_type: 'magic' })
    expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 401, error: 'invalid_client' })
  })
})

describe('R-35 sizes', () => {
  const tooMuch = 'x'.repeat(10 * 1024 * 1024)

  test('a secret of 10 MB in the body is answered 413, and the server keeps running', async () => {
    const body = `grant_type=client_credentials&client_id=x&client_secret=${tooMuch}`
    const reply = await fetch(`${server.issuer}/token`, { method: 'POST', headers: { 'content-type': FORM }, body })
    expect(reply.status).toBe(413)
    expect(await reply.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('16384'),
    })
    expect((await askToken(server, arranged.client, { resource: arranged.resource.indicator })).status).toBe(200)
  })

  test('a secret of 10 MB in the header is answered 431, and the server keeps running', async () => {
    const outcome = await askToken(server, { ...arranged.client, clientSecret: tooMuch }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    )
    expect([431, 'ECONNRESET', 'EPIPE']).toContain(outcome)
    expect((await askToken(server, arranged.client, { resource: arranged.resource.indicator })).status).toBe(200)
  })

  test('a chunked body without a length is subject to the same limit', async () => {
    const pieces = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 20; i += 1) controller.enqueue(Buffer.alloc(32 * 1024, 'x'))
        controller.close()
      },
    })
    const init = { method: 'POST', headers: { 'content-type': FORM }, body: pieces, duplex: 'half' }
    expect((await fetch(`${server.issuer}/token`, init as RequestInit)).status).toBe(413)
  })

  test('a token that would be longer than 8 KiB is refused, and the response says so', async () => {
    const held = Array.from({ length: 40 }, (_, i) => `${'p'.repeat(240)}${i}`)
    const { client, resource } = await arrange(server, { held })
    const reply = await askToken(server, client, { resource: resource.indicator, scope: held.join(' ') })
    expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 400, error: 'invalid_scope' })
    expect(reply.body.error_description).toContain('8192')
  })
})
