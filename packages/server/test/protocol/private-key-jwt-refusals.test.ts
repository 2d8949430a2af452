import { createHmac } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { type CryptoKey, exportSPKI, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { askWith, assertionOf, type KeyClient, type KeyPair, makeKey, nowOf, registerKeyClient } from './assertions.ts'

let server: TestServer
let key: KeyPair
let rsa: KeyPair
let stranger: KeyPair
let client: KeyClient
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  key = await makeKey('ES256', { kid: 'ours' })
  rsa = await makeKey('RS256', { kid: 'rsa' })
  stranger = await makeKey('ES256')
  client = await registerKeyClient(server, [key, rsa])
})
afterAll(() => server.close())

const outcome = async (assertion: string) => {
  const { status, body } = await askWith(server, client, assertion)
  return { status, error: body.error }
}
const refused = { status: 401, error: 'invalid_client' }
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const payload = () => {
  const now = nowOf(server)
  return { iss: client.id, sub: client.id, aud: server.issuer, jti: `j${Math.random()}`, iat: now, exp: now + 60 }
}

type Claims = Record<string, unknown>
const CLAIMS: readonly (readonly [string, (now: number) => Claims])[] = [
  ['another issuer', () => ({ iss: 'somebody' })],
  ['no issuer', () => ({ iss: undefined })],
  ['another audience', () => ({ aud: 'https://elsewhere.example' })],
  ['the base URL as its audience', () => ({ aud: server.baseUrl })],
  ['the issuer with a slash as its audience', () => ({ aud: `${server.issuer}/` })],
  ['no audience', () => ({ aud: undefined })],
  ['several audiences, ours among them', () => ({ aud: [server.issuer, 'https://elsewhere.example'] })],
  ['our audience twice', () => ({ aud: [server.issuer, `${server.issuer}/token`] })],
  ['an empty list of audiences', () => ({ aud: [] })],
  ['an expiry in the past', (now) => ({ exp: now - 60 })],
  ['no expiry', () => ({ exp: undefined })],
  ['an expiry that is text', (now) => ({ exp: String(now + 60) })],
  ['an expiry years ahead', (now) => ({ exp: now + 315_360_000 })],
  ['an expiry beyond any date', () => ({ exp: 1e300 })],
  ['a beginning in the future', (now) => ({ nbf: now + 600 })],
  ['no jti', () => ({ jti: undefined })],
  ['an empty jti', () => ({ jti: '' })],
  ['a jti that is a number', () => ({ jti: 7 })],
  ['a jti of 257 characters', () => ({ jti: 'x'.repeat(257) })],
]

describe('a client assertion is refused', () => {
  test.each(CLAIMS)('with %s', async (_what, replaced) => {
    const claims = replaced(nowOf(server))
    expect(await outcome(await assertionOf(server, client, key, { claims }))).toEqual(refused)
  })

  test('with an unknown subject, and without one', async () => {
    for (const sub of ['nobody', '', undefined, 'x'.repeat(5000)]) {
      const assertion = await assertionOf(server, client, key, { claims: { sub: sub as string, jti: 'j' } })
      expect(await outcome(assertion)).toEqual(refused)
    }
  })

  test('signed by another application', async () => {
    expect(await outcome(await assertionOf(server, client, stranger))).toEqual(refused)
    expect(await outcome(await assertionOf(server, client, stranger, { header: { kid: 'ours' } }))).toEqual(refused)
    const other = await registerKeyClient(server, [stranger])
    const claims = { iss: client.id, sub: client.id }
    expect(await outcome(await assertionOf(server, other, stranger, { claims }))).toEqual(refused)
  })

  test('with an unknown kid', async () => {
    expect(await outcome(await assertionOf(server, client, key, { header: { kid: 'unknown' } }))).toEqual(refused)
    const numeric = `${encode({ alg: 'ES256', kid: 7 })}.${encode(payload())}.AAAA`
    expect(await outcome(numeric)).toEqual(refused)
  })

  test('R-15 with alg none in any spelling, with and without a signature', async () => {
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
      for (const signature of ['', 'AAAA']) {
        expect(await outcome(`${encode({ alg })}.${encode(payload())}.${signature}`)).toEqual(refused)
      }
    }
  })

  test('R-15 with HS256 and the public key as the secret, in any form', async () => {
    const publicKey = (await importJWK(rsa.jwk, 'RS256')) as CryptoKey
    const pem = await exportSPKI(publicKey)
    const { n = '' } = rsa.jwk
    const secrets = [pem, pem.trim(), JSON.stringify(rsa.jwk), n, Buffer.from(n, 'base64url'), '']
    for (const secret of secrets) {
      for (const header of [{ alg: 'HS256' }, { alg: 'HS256', kid: 'rsa' }]) {
        const signed = `${encode(header)}.${encode(payload())}`
        const signature = createHmac('sha256', secret).update(signed).digest('base64url')
        expect(await outcome(`${signed}.${signature}`)).toEqual(refused)
      }
    }
  })

  test('R-15 with the key in its own header', async () => {
    const embedded = { jwk: stranger.jwk, x5c: ['AAAA'], jku: 'https://evil.example/jwks', x5u: 'https://evil.example' }
    expect(await outcome(await assertionOf(server, client, stranger, { header: embedded }))).toEqual(refused)
  })

  test('R-15 with an algorithm of the same key type other than the registered one', async () => {
    for (const algorithm of ['PS256', 'RS384', 'RS512']) {
      const pair = await makeKey(algorithm, { kid: 'mine' })
      const other = await registerKeyClient(server, [pair])
      const { status } = await askWith(server, other, await assertionOf(server, other, pair))
      expect(status).toBe(401)
    }
  })

  test('R-15 with crit', async () => {
    const header = { crit: ['exp'], exp: 1 }
    const signed = `${encode({ alg: 'ES256', ...header })}.${encode(payload())}`
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      key.privateKey,
      new TextEncoder().encode(signed),
    )
    expect(await outcome(`${signed}.${Buffer.from(signature).toString('base64url')}`)).toEqual(refused)
    const sound = `${encode({ alg: 'ES256' })}.${encode(payload())}`
    const right = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      key.privateKey,
      new TextEncoder().encode(sound),
    )
    expect((await outcome(`${sound}.${Buffer.from(right).toString('base64url')}`)).status).toBe(200)
  })

  test('R-37 that is not a JWT', async () => {
    const good = await assertionOf(server, client, key)
    const [head = '', body = '', signature = ''] = good.split('.')
    const broken = ['x', '.', '..', '...', `${head}.${body}`, `${head}.${body}.`, `${good}.`, `${good}.${signature}`]
    const padded = [`${head}=.${body}.${signature}`, `${head}.${body}.${signature}=`, ` ${good}`, `${good}\n`]
    const odd = [
      `${head}.${encode([])}.${signature}`,
      `${head}.${encode('x')}.${signature}`,
      `${head}.bnVsbA.${signature}`,
    ]
    for (const assertion of [...broken, ...padded, ...odd, 'ey'.repeat(5000)]) {
      expect(await outcome(assertion), assertion.slice(0, 40)).toEqual(refused)
    }
    expect((await outcome(good)).status).toBe(200)
  })
})
