import { createHmac, createPrivateKey, createSign, type KeyObject, sign } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { setUpTenant } from '@countersign/server/domain/setup/tenant-setup.ts'
import { signingKeys } from '@countersign/server/domain/tenants/signing-keys.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { tenantAt } from '@countersign/server/kernel/tenant.ts'
import { perform } from '@countersign/server/storage/unit-of-work.ts'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrange, askToken, FORM, form, issue, send } from '../protocol/arrange.ts'

let server: TestServer
let good: string
/** The server's own signing key: what a forger has who has everything but the rules. */
let key: { id: string; privateKey: KeyObject; publicJwk: JWK }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const { credentials } = server
  good = (await issue(server, { client: credentials, resource: { id: '', indicator: credentials.resource } }, 'all'))
    .token
  const tenant = tenantAt('default', '', server.baseUrl)
  const [newest] = await signingKeys(server.store, tenant)
  if (!newest) throw new Error('the tenant has no signing key')
  key = newest
})
afterAll(() => server.close())

const call = (authorization: string | readonly string[] | undefined, path = '/applications') =>
  send(`${server.baseUrl}/api${path}`, { method: 'GET', headers: authorization === undefined ? {} : { authorization } })
const refused = async (token: string) => {
  const { status, headers, body } = await call(`Bearer ${token}`)
  expect({ status, code: body.code, challenge: headers['www-authenticate'] }).toEqual({
    status: 401,
    code: 'auth.unauthorized',
    challenge: expect.stringMatching(/^Bearer error="invalid_token", resource_metadata="[^"]+"$/),
  })
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (segment = '') => JSON.parse(Buffer.from(segment, 'base64url').toString())
const header = () => decode(good.split('.')[0])
const claims = () => decode(good.split('.')[1])

/** Signs whatever it is given with the server's own key. */
const forged = (head: object, payload: unknown): string => {
  const signed = `${encode(head)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

describe('R-15 the Management API refuses a token', () => {
  test('R-15 the forged token is accepted if unchanged', async () => {
    expect((await call(`Bearer ${forged(header(), claims())}`)).status).toBe(200)
  })

  test.each(['none', 'None', 'NONE', '', null, ['ES256'], 'ES384', 'RS256', 'HS256', 'es256'])(
    'R-15 whose alg is %j, with a signature that would fit, with another and with none',
    async (alg) => {
      const token = forged({ ...header(), alg }, claims())
      const [head, body] = token.split('.')
      await refused(token)
      await refused(`${head}.${body}.`)
      await refused(`${head}.${body}.AAAA`)
    },
  )

  test('R-15 that is signed by HS256 with the public key as the secret', async () => {
    const publicKey = (await importJWK(key.publicJwk, 'ES256')) as CryptoKey
    const pem = await exportSPKI(publicKey)
    const der = Buffer.from(pem.replace(/-----.*-----|\s/g, ''), 'base64')
    for (const secret of [pem, pem.trim(), der, JSON.stringify(key.publicJwk), key.id, '']) {
      for (const alg of ['HS256', 'ES256']) {
        const signed = `${encode({ ...header(), alg })}.${encode(claims())}`
        await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`)
      }
    }
  })

  test('R-15 whose signature is DER instead of the two numbers of JWS', async () => {
    const signed = good.split('.').slice(0, 2).join('.')
    await refused(
      `${signed}.${createSign('sha256')
        .update(signed)
        .sign(createPrivateKey(key.privateKey.export({ type: 'pkcs8', format: 'pem' })), 'base64url')}`,
    )
    await refused(`${signed}.${Buffer.alloc(64).toString('base64url')}`)
  })

  test("R-15 that contains its own key, under the server's kid or another", async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const own = createPrivateKey({ key: (await exportJWK(privateKey)) as object, format: 'jwk' } as never)
    for (const more of [{}, { jwk }, { jku: 'https://evil.example' }, { x5c: ['AAAA'] }, { kid: 'mine', jwk }]) {
      const signed = `${encode({ ...header(), ...more })}.${encode(claims())}`
      const signature = sign('sha256', Buffer.from(signed), { key: own, dsaEncoding: 'ieee-p1363' })
      await refused(`${signed}.${signature.toString('base64url')}`)
    }
  })

  test.each([undefined, 'unknown', '', null, 0, [], '../../etc/passwd', "' OR 1=1"])(
    'R-15 whose kid is %j',
    async (kid) => {
      await refused(forged({ ...header(), kid }, claims()))
    },
  )

  test.each([{ crit: ['exp'] }, { crit: [] }, { crit: ['b64'], b64: false }, { b64: true }, { b64: false }])(
    'R-15 with %j in its header',
    async (more) => {
      await refused(forged({ ...header(), ...more }, claims()))
    },
  )

  test.each([undefined, 'JWT', 'jwt', 'logout+jwt', 'application/at+jwt', 'AT+JWT', null, ['at+jwt']])(
    'R-15 whose typ is %j, as an ID token might have it',
    async (typ) => {
      await refused(forged({ ...header(), typ }, claims()))
    },
  )

  test.each<[string, (now: number) => object]>([
    ['is over', (now) => ({ exp: now })],
    ['expired long ago', () => ({ exp: 1 })],
    ['is missing', () => ({ exp: undefined })],
    ['is text', (now) => ({ exp: String(now + 60) })],
    ['is not an integer', (now) => ({ exp: now + 60.5 })],
  ])('whose expiry %s', async (_what, change) => {
    await refused(forged(header(), { ...claims(), ...change(Math.floor(server.clock.now().getTime() / 1000)) }))
  })

  test.each<[string, () => object]>([
    ['another audience', () => ({ aud: 'https://api.example' })],
    ['an audience with a slash', () => ({ aud: `${claims().aud}/` })],
    ['several audiences, ours among them', () => ({ aud: [claims().aud, 'https://api.example'] })],
    ['our audience in a list', () => ({ aud: [claims().aud] })],
    ['no audience', () => ({ aud: undefined })],
    ['another issuer', () => ({ iss: 'https://evil.example/oidc' })],
    ['no issuer', () => ({ iss: undefined })],
    ['a user as its subject', () => ({ sub: 'abcdefghijkl' })],
    ['another application as its subject', () => ({ sub: 'z'.repeat(21) })],
    ['an unknown application', () => ({ sub: 'z'.repeat(21), client_id: 'z'.repeat(21) })],
    ['no jti', () => ({ jti: undefined })],
    ['an empty jti', () => ({ jti: '' })],
    ['no iat', () => ({ iat: undefined })],
    ['an iat that is text', () => ({ iat: String(claims().iat) })],
    ['no client_id', () => ({ client_id: undefined })],
    ['a scope that is a list', () => ({ scope: ['all'] })],
  ])('with %s', async (_what, change) => {
    await refused(forged(header(), { ...claims(), ...change() }))
  })

  test('of another API of the same server', async () => {
    await refused((await issue(server, await arrange(server))).token)
  })

  test('R-37 of 1, 2, 4 or 5 segments, or of three that are not what they should be', async () => {
    const [head = '', body = '', tail = ''] = good.split('.')
    const shapes = [
      head,
      `${head}.${body}`,
      `${good}.`,
      `${good}.x`,
      `.${good}`,
      `${good}.${body}.${tail}`,
      '..',
      '...',
    ]
    const odd = [`${head}=.${body}.${tail}`, `${head}.${body}.${tail}=`, `${head}..${tail}`, `.${body}.${tail}`]
    const json = [`${encode([])}.${body}.${tail}`, `${encode('x')}.${body}.${tail}`, `${head}.${encode(null)}.${tail}`]
    for (const token of [...shapes, ...odd, ...json, 'x'.repeat(8000)]) await refused(token)
    const claimsWithProto = Buffer.from(
      `{"__proto__":{"scope":"all"},${JSON.stringify({ ...claims(), scope: undefined }).slice(1)}`,
    )
    const signed = `${encode(header())}.${claimsWithProto.toString('base64url')}`
    const signature = sign('sha256', Buffer.from(signed), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
    expect((await call(`Bearer ${signed}.${signature.toString('base64url')}`)).status).toBe(403)
  })
})

describe('where a Management API token is accepted', () => {
  test('only in the header, not in the query or the body', async () => {
    const { status, body } = await call(undefined, `/applications?access_token=${good}`)
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'auth.authorization_header_missing' })
    const posted = await send(`${server.baseUrl}/api/applications`, {
      headers: { 'content-type': FORM },
      body: form({ access_token: good }),
    })
    expect(posted.status).toBe(401)
  })

  test('not in several Authorization headers, even equal ones', async () => {
    for (const headers of [
      [`Bearer ${good}`, `Bearer ${good}`],
      [`Bearer ${good}`, 'Basic eDp5'],
    ]) {
      expect((await call(headers)).status).toBe(401)
    }
  })

  test.each([
    ['bearer', 200],
    ['BEARER', 200],
    ['Bearer ', 200],
    ['Basic', 401],
    ['DPoP', 401],
    ['Token', 401],
    ['BearerX', 401],
    ['', 401],
  ])('after the scheme %j: %i', async (scheme, status) => {
    expect((await call(`${scheme} ${good}`.trim())).status).toBe(status)
  })

  test.each(['Bearer', 'Bearer  ', 'Bearer a b', ''])('a header %j without one token is refused', async (value) => {
    expect((await call(value)).status).toBe(401)
  })

  test('a token of the other tenant is refused, though its id and API have the same form', async () => {
    const baseUrl = 'http://other.example:3001'
    const other = tenantAt('other', 'Other', baseUrl)
    const { store } = server
    const credentials = await perform({ store, tenant: other, caller: systemCaller('setUpTenant') }, setUpTenant)
    const here = new URL(server.baseUrl).host
    const callAt = (host: string, token: string) =>
      send(`${server.baseUrl}/api/applications`, { method: 'GET', headers: { host, authorization: `Bearer ${token}` } })
    const reply = await askToken(
      server,
      credentials,
      { resource: credentials.resource, scope: 'all' },
      { host: 'other.example:3001' },
    )
    expect(reply.status).toBe(200)
    const theirs = reply.body.access_token
    expect((await callAt('other.example:3001', theirs)).status).toBe(200)
    expect((await callAt(here, theirs)).status).toBe(401)
    expect((await callAt('other.example:3001', good)).status).toBe(401)
    expect((await callAt('nobody.example', good)).status).toBe(421)
    expect((await askToken(server, credentials, { resource: credentials.resource })).status).toBe(401)
    const mixed = { clientId: server.credentials.clientId, clientSecret: server.credentials.clientSecret }
    expect((await askToken(server, mixed, {}, { host: 'other.example:3001' })).status).toBe(401)
    expect((await callAt('OTHER.example:3001', theirs)).status).toBe(200)
  })
})
