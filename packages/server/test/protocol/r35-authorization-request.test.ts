import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp } from '../sign-in/arrange.ts'
import { FORM, form, post, send } from './arrange.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  app = await createApp(server, 'SPA')
})
afterAll(() => server.close())

/** Characters (DECISIONS M). */
const LONGEST = {
  state: 8192,
  nonce: 2048,
  acr_values: 1024,
  login_hint: 1024,
  ui_locales: 1024,
  first_screen: 256,
  interaction_mode: 256,
  direct_sign_in: 256,
}
const REFUSED = { ...LONGEST, prompt: 1024, claims: 4096 }
const long = (length: number) => 'openid '.padEnd(length, 'x')

/** As a browser with cookies sends it: with a form, whose length limit none of these reaches. */
const authorize = async (change: Record<string, string>) => {
  const { url } = await begin(app.configuration)
  const parameters = { ...Object.fromEntries(url.searchParams), ...change }
  const headers = { 'content-type': FORM, cookie: `countersign-browser=cs_br_${'A'.repeat(43)}` }
  const reply = await send(`${server.issuer}/auth`, { headers, body: form(parameters) })
  return { ...reply, parameters, location: new URL(String(reply.headers.location ?? 'none:')) }
}
const push = async (change: Record<string, string>) => {
  const { url } = await begin(app.configuration)
  return post(server, '/request', { ...Object.fromEntries(url.searchParams), ...change })
}

describe.each(Object.entries(LONGEST))('R-35 %s of %i characters', (name, length) => {
  test('is accepted, pushed or not', async () => {
    const { status, location } = await authorize({ [name]: long(length) })
    expect(status).toBe(303)
    expect(location.origin).toBe(server.baseUrl)
    expect((await push({ [name]: long(length) })).status).toBe(201)
  })
})

describe.each(Object.entries(REFUSED))('R-35 %s of more than %i characters', (name, length) => {
  const description = `the parameter ${name} is longer than ${length} characters`

  test('is refused, and nothing is stored', async () => {
    const { status, location, text, headers, parameters } = await authorize({ [name]: long(length + 1) })
    expect(headers).not.toHaveProperty('set-cookie')
    if (name === 'state') {
      // the response would repeat it
      expect(status).toBe(400)
      expect(text).toContain(description)
      return
    }
    expect(status).toBe(303)
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining(description),
      state: parameters.state,
    })
  })

  test('cannot be pushed', async () => {
    const { status, body } = await push({ [name]: long(length + 1) })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.error_description).toContain(description)
  })
})

test('R-35 nor can a repeated state, or one in a request object', async () => {
  const state = long(8193)
  const body = form({ client_id: app.id, redirect_uri: 'https://app.example/callback', state: ['a', state] })
  const twice = await send(`${server.issuer}/auth?${body}`, { method: 'GET' })
  expect([twice.status, twice.headers.location]).toEqual([400, undefined])
  const claims = Buffer.from(JSON.stringify({ state })).toString('base64url')
  expect((await authorize({ state: '', request: `e30.${claims}.` })).status).toBe(303)
  const url = new URLSearchParams({ client_id: app.id, redirect_uri: 'https://app.example/callback' })
  url.set('request', `e30.${claims}.`)
  const object = await send(`${server.issuer}/auth?${url}`, { method: 'GET' })
  expect([object.status, object.headers.location]).toEqual([400, undefined])
})

test('R-35 a pushed request stores only what is read later', async () => {
  const { status } = await push({ unknown: 'x'.repeat(10_000), claims: '{}', nonce: 'kept' })
  expect(status).toBe(201)
  const { rows } = await server.store.database.pool.query(
    `SELECT parameters FROM pushed_requests WHERE parameters @> '{"nonce": ["kept"]}'`,
  )
  expect(Object.keys(rows[0].parameters).sort()).toEqual([
    'claims',
    'client_id',
    'code_challenge',
    'code_challenge_method',
    'nonce',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
  ])
})
