/** Software statements (RFC 7591 section 2.3): whose are trusted, and what they change. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type KeyPair, makeKey, nowOf } from '../protocol/assertions.ts'
import { allow, CALLBACK, manage, newToken, register } from './arrange.ts'

const TRUSTED = 'https://directory.example'
const PUBLISHING = 'https://publishing.example'
let server: TestServer
let inline: KeyPair
let published: KeyPair
let stranger: KeyPair
/** Registers with any number of statements. */
let token: string
const site = createServer((_request, response) => response.end(JSON.stringify({ keys: [published.jwk] })))

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  ;[inline, published, stranger] = (await Promise.all(['a', 'b', 'c'].map((kid) => makeKey('ES256', { kid })))) as [
    KeyPair,
    KeyPair,
    KeyPair,
  ]
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  await allow(server, {
    mode: 'initial-access-token',
    softwareStatementIssuers: [
      { issuer: TRUSTED, jwks: { keys: [inline.jwk] } },
      { issuer: PUBLISHING, jwksUri: `http://127.0.0.1:${(site.address() as AddressInfo).port}/` },
    ],
  })
  const policy = { softwareStatement: 'required', redirectHosts: ['app.example'] }
  token = (await newToken(server, { maxRegistrations: null, policy })).value
})
afterAll(async () => {
  await server.close()
  site.close()
})

const statementOf = (claims: JWTPayload, key = inline, header = {}) =>
  new SignJWT({ iss: TRUSTED, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: String(key.jwk.kid), ...header })
    .sign(key.privateKey)
const registerWith = (statement: unknown, metadata: object = {}) =>
  register(server, { ...metadata, software_statement: statement }, token)

test('what it says wins over the request, and is kept with it', async () => {
  const statement = await statementOf({ client_name: 'Vouched for', redirect_uris: [CALLBACK], software_id: 'notes' })
  const reply = await registerWith(statement, {
    client_name: 'Mine',
    redirect_uris: ['https://evil.example/'],
    contacts: ['a@b.example'],
  })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toMatchObject({
    ...{ client_name: 'Vouched for', redirect_uris: [CALLBACK], software_id: 'notes', contacts: ['a@b.example'] },
    software_statement: statement,
  })
  const change = { client_id: reply.body.client_id, redirect_uris: [CALLBACK] }
  expect((await manage('PUT', reply.body, reply.body.registration_access_token, change)).body.error).toBe(
    'invalid_software_statement',
  )
  const again = { ...change, software_statement: statement }
  expect((await manage('PUT', reply.body, reply.body.registration_access_token, again)).status).toBe(200)
})

test('the keys of an issuer may be published', async () => {
  const statement = await statementOf({ iss: PUBLISHING, redirect_uris: [CALLBACK], aud: server.issuer }, published)
  expect((await registerWith(statement)).status).toBe(201)
})

test('it is held to the policy as everything else', async () => {
  const statement = await statementOf({ redirect_uris: ['https://elsewhere.example/'] })
  expect((await registerWith(statement)).body.error).toBe('invalid_redirect_uri')
})

test('one that is missing, not signed by its issuer, expired, for another server or of a stranger is refused', async () => {
  const claims = { redirect_uris: [CALLBACK] }
  const now = nowOf(server)
  const [unapproved, invalid] = ['unapproved_software_statement', 'invalid_software_statement']
  const REFUSED: readonly [error: string, statement: unknown][] = [
    [invalid, undefined],
    [invalid, 1],
    [invalid, 'a.b.c'],
    [invalid, 'x'.repeat(9000)],
    [invalid, await statementOf(claims, stranger)],
    [invalid, await statementOf({ ...claims, iss: PUBLISHING }, inline)],
    [invalid, await statementOf({ ...claims, exp: now - 60 })],
    [invalid, await statementOf({ ...claims, nbf: now + 600 })],
    [invalid, await statementOf({ ...claims, aud: 'https://other.example' })],
    [invalid, new UnsecuredJWT({ ...claims, iss: TRUSTED }).encode()],
    [unapproved, await statementOf({ ...claims, iss: 'https://stranger.example' }, stranger)],
    [unapproved, await statementOf({ ...claims, iss: undefined })],
  ]
  for (const [error, statement] of REFUSED) {
    const { status, body } = await registerWith(statement, claims)
    expect([status, body.error], String(statement).slice(0, 40)).toEqual([400, error])
  }
})

test('one with any other letter in it is refused', async () => {
  const statement = await statementOf({ redirect_uris: [CALLBACK] })
  await fc.assert(
    fc.asyncProperty(fc.nat(statement.length - 1), fc.constantFrom('A', 'b', '-', '.', '='), async (at, letter) => {
      // the last letter of a part may have bits that mean nothing
      fc.pre(statement[at] !== letter && !/[.]|^$/.test(statement[at + 1] ?? ''))
      const forged = statement.slice(0, at) + letter + statement.slice(at + 1)
      const { status } = await registerWith(forged)
      expect(status).toBe(400)
    }),
    { numRuns: 60 },
  )
})

test('issuers without usable keys are refused when they are set', async () => {
  const refused = async (issuer: object) =>
    (await server.api('PATCH', '/configs/client-registration', { softwareStatementIssuers: [issuer] })).status
  const jwks = { keys: [inline.jwk] }
  expect(await refused({ issuer: TRUSTED })).toBe(400)
  expect(await refused({ issuer: TRUSTED, jwks, jwksUri: 'https://a.example/' })).toBe(400)
  expect(await refused({ issuer: TRUSTED, jwksUri: 'http://a.example/' })).toBe(400)
  expect(await refused({ issuer: TRUSTED, jwks: { keys: [{ kty: 'oct', k: 'AA' }] } })).toBe(400)
  const twice = [
    { issuer: TRUSTED, jwks },
    { issuer: TRUSTED, jwks },
  ]
  expect((await server.api('PATCH', '/configs/client-registration', { softwareStatementIssuers: twice })).status).toBe(
    400,
  )
})
