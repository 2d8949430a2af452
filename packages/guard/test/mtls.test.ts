import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, request } from 'node:https'
import express from 'express'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { certify } from '../../server/test/mtls/certificates.ts'
import { expressGuard } from '../src/adapters/express.ts'
import { accessTokenVerifier, type MutualTlsOptions } from '../src/index.ts'
import { bearerRequest, startIssuer } from './issuer.ts'
import { baseUrl, boundRequest, proofClient } from './proofs.ts'
import { refusedWith } from './refused-with.ts'

const thumbprint = (der: Uint8Array) => createHash('sha256').update(der).digest('base64url')
const HEADER = 'x-client-cert'
const fromHeader = (headers: (name: string) => readonly string[]) => {
  const [value] = headers(HEADER)
  return value === undefined ? undefined : decodeURIComponent(value)
}

const setUp = async (options: MutualTlsOptions = { certificate: fromHeader }) => {
  const issuer = await startIssuer()
  const { pem, der } = certify()
  const verify = accessTokenVerifier({ ...issuer.expected, mtls: options })
  const token = await issuer.sign({ cnf: { 'x5t#S256': thumbprint(der) } })
  const withCertificate = (bearer: string, value: string | undefined) =>
    new Request(baseUrl, {
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(value === undefined ? {} : { [HEADER]: encodeURIComponent(value) }),
      },
    })
  return { issuer, pem, verify, token, withCertificate }
}

describe('a token that is bound to a certificate (RFC 8705 §3)', () => {
  test('passes with it, from a header as DER or PEM, and with no other', async () => {
    const { verify, token, pem, withCertificate, issuer } = await setUp()
    expect((await verify(withCertificate(token, pem))).subject).toBe('user-1')
    for (const wrong of [certify().pem, undefined, 'nothing', '%'])
      await refusedWith('certificate_mismatch', verify(withCertificate(token, wrong)))
    await refusedWith('certificate_mismatch', verify(token))
    const bytes = { certificate: () => new Uint8Array(Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64')) }
    const byBytes = accessTokenVerifier({ ...issuer.expected, mtls: bytes })
    expect((await byBytes(withCertificate(token, undefined))).subject).toBe('user-1')
  })

  test('is refused by an API that takes none; an unbound one only where it must be bound', async () => {
    const { issuer, token, pem, withCertificate, verify } = await setUp()
    await refusedWith('token_bound', accessTokenVerifier(issuer.expected)(withCertificate(token, pem)))
    const bearer = await issuer.sign()
    expect((await verify(bearerRequest(`Bearer ${bearer}`))).subject).toBe('user-1')
    const strict = accessTokenVerifier({ ...issuer.expected, mtls: { required: true, certificate: fromHeader } })
    await refusedWith('certificate_missing', strict(withCertificate(bearer, pem)))
    expect((await strict(withCertificate(token, pem))).subject).toBe('user-1')
    await refusedWith('token_bound', verify(withCertificate(await issuer.sign({ cnf: { jkt: 'x' } }), pem)))
  })

  test('with a key beside it needs both', async () => {
    const issuer = await startIssuer()
    const client = await proofClient(issuer)
    const { pem, der } = certify()
    const token = await issuer.sign({ cnf: { ...client.cnf, 'x5t#S256': thumbprint(der) } })
    const both = accessTokenVerifier({ ...issuer.expected, dpop: { baseUrl }, mtls: { certificate: () => pem } })
    expect((await both(boundRequest(token, [await client.proof(token)]))).subject).toBe('user-1')
    await refusedWith('token_bound', both(bearerRequest(`Bearer ${token}`)))
    const other = accessTokenVerifier({
      ...issuer.expected,
      dpop: { baseUrl },
      mtls: { certificate: () => certify().pem },
    })
    await refusedWith('certificate_mismatch', other(boundRequest(token, [await client.proof(token)])))
  })

  test('whatever a header holds, nothing but the certificate passes', async () => {
    const { verify, token, withCertificate } = await setUp()
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        await refusedWith('certificate_mismatch', verify(withCertificate(token, text)))
      }),
      { numRuns: 50 },
    )
  })
})

test('Express reads the certificate of its TLS connection', async () => {
  const issuer = await startIssuer()
  const app = express()
  app.use(expressGuard({ ...issuer.expected, mtls: {} })(), (_request, response) => void response.send('in'))
  const own = certify()
  const server = createServer({ cert: own.pem, key: own.keyPem, requestCert: true, rejectUnauthorized: false }, app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as { port: number }).port
  const token = await issuer.sign({ cnf: { 'x5t#S256': own.thumbprint } })
  const ask = (client: { cert?: string; key?: string }) =>
    new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      request({ port, host: '127.0.0.1', headers, rejectUnauthorized: false, agent: false, ...client }, (response) => {
        response.resume()
        resolve([response.statusCode, response.headers['www-authenticate']])
      })
        .on('error', reject)
        .end()
    })
  const other = certify({
    keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    subject: [['CN', randomBytes(4).toString('hex')]],
  })
  expect(await ask({ cert: own.pem, key: own.keyPem })).toEqual([200, undefined])
  for (const client of [{}, { cert: other.pem, key: other.keyPem }])
    expect(await ask(client)).toEqual([401, expect.stringMatching(/^Bearer error="invalid_token"/)])
  server.close()
})
