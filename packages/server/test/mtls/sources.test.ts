/** Where a certificate may come from, and where the server is found with one. */
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:tls'
import { freePort } from '@countersign/harness/free-port.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { readConfiguration } from '@countersign/server/configuration.ts'
import { diagnose } from '@countersign/server/doctor.ts'
import { startServer } from '@countersign/server/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, eventually, FORM, form, type Reply, send } from '../protocol/arrange.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { certify, type Identity, jwkOf } from './certificates.ts'
import { secureSend, serverIdentity, startTlsServer, type TlsServer } from './tls.ts'

const selfSigned = (server: TestServer, own: Identity) =>
  arrange(server, {
    metadata: { tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks: { keys: [jwkOf(own)] } },
  })

const parametersOf = ({ client: { clientId }, resource: { indicator } }: Arranged) =>
  form({ grant_type: 'client_credentials', client_id: clientId, resource: indicator })
/** A token request to the plain port. */
const ask = (server: TestServer, machine: Arranged, headers: Record<string, string | string[]>) =>
  send(`${server.issuer}/token`, { headers: { 'content-type': FORM, ...headers }, body: parametersOf(machine) })
const outcome = ({ status, body }: Reply) => (status === 200 ? 'a token' : `${status} ${body.error}`)
const base64 = ({ der }: Identity) => der.toString('base64')

describe('the header of a proxy', () => {
  const own = certify()
  const ca = certify()
  const pem = encodeURIComponent(own.pem)
  const FORMATS: Readonly<Record<string, { header: string; right: string[]; none: string[]; wrong: string[] }>> = {
    rfc9440: {
      header: 'Client-Cert',
      right: [`:${base64(own)}:`],
      none: [''],
      wrong: [base64(own), `:${base64(own)}`, `:${base64(own)}:, :${base64(ca)}:`, ':AAAA:', '::', pem],
    },
    pem: {
      header: 'X-SSL-Client-Cert',
      right: [pem, `${pem}${encodeURIComponent(ca.pem)}`, base64(own), `${base64(own)},${base64(ca)}`],
      none: ['', ' '],
      wrong: ['%', 'AAAA', `${pem}x`, `x${pem}`, `${base64(own)},`, `:${base64(own)}:`, pem.slice(0, 200)],
    },
    xfcc: {
      header: 'X-Forwarded-Client-Cert',
      right: [
        `By=spiffe://a;Hash=00;Cert="${pem}"`,
        `Hash=00;Subject="CN=\\"a, b\\";O=c";URI=spiffe://x?a=b;cert="${pem}";Chain="${pem}${encodeURIComponent(ca.pem)}"`,
      ],
      none: ['', 'By=spiffe://a;Hash=00', 'Cert='],
      wrong: [`Cert="${pem}",Cert="${pem}"`, `Cert="${pem}";Cert="${pem}"`, `Cert="${pem}`, 'x', `${pem}`, 'Cert="x"'],
    },
  }

  test.each(Object.keys(FORMATS))('%s', async (format) => {
    const { header, right, none, wrong } = FORMATS[format] ?? { header: '', right: [], none: [], wrong: [] }
    const server = await startTestServer(inject('cluster'), {
      TRUSTED_PROXIES: '127.0.0.1',
      CLIENT_CERTIFICATE_HEADER: header,
      CLIENT_CERTIFICATE_FORMAT: format,
      MTLS_ADDRESS: 'https://mtls.{host}',
    })
    try {
      const machine = await selfSigned(server, own)
      for (const value of right) expect(outcome(await ask(server, machine, { [header]: value })), value).toBe('a token')
      for (const value of none)
        expect(outcome(await ask(server, machine, { [header]: value })), value).toBe('401 invalid_client')
      for (const value of wrong)
        expect(outcome(await ask(server, machine, { [header]: value })), value).toBe('400 invalid_request')
      const [first = ''] = right
      expect(outcome(await ask(server, machine, { [header]: [first, first] }))).toBe('400 invalid_request')
      expect(outcome(await ask(server, machine, {}))).toBe('401 invalid_client')
      // whatever a proxy says, it is answered, and authenticates no one
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
            fc.nat({ max: first.length }).map((at) => first.slice(0, at)),
            fc
              .tuple(fc.nat({ max: first.length - 1 }), fc.constantFrom('A', '%', ';', '"', ':', ','))
              .map(([at, other]) => (first[at] === other ? '' : first.slice(0, at) + other + first.slice(at + 1))),
            fc
              .uint8Array({ minLength: 1, maxLength: 300 })
              .map((bytes) => `:${Buffer.from(bytes).toString('base64')}:`),
          ),
          async (value) => {
            const { status } = await ask(server, machine, { [header]: value.replaceAll(/[^\x20-\x7e]/g, '') })
            // a changed bit of a self-signed certificate outside of its key leaves its key as it is: the proxy has checked the handshake
            expect([200, 400, 401]).toContain(status)
          },
        ),
        { numRuns: 60 },
      )
      const { body } = await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })
      expect(body.mtls_endpoint_aliases.token_endpoint).toBe('https://mtls.localhost/oidc/token')
      expect(body.token_endpoint_auth_methods_supported).toContain('tls_client_auth')
      // there is nothing for browsers
      const at = async (path: string) =>
        (await send(`${server.baseUrl}${path}`, { method: 'GET', headers: { host: 'mtls.localhost' } })).status
      expect(await Promise.all(['/oidc/me', '/api/roles', '/console', '/oidc/auth', '/oidc/jwks'].map(at))).toEqual([
        ...[401, 401, 404, 404, 404],
      ])
    } finally {
      await server.close()
    }
  })

  test('is read from a trusted address alone, only where it is configured, and never on a TLS connection', async () => {
    const own = certify()
    const header = { 'client-cert': `:${base64(own)}:` }
    const elsewhere = { TRUSTED_PROXIES: '10.0.0.0/8', CLIENT_CERTIFICATE_HEADER: 'Client-Cert' }
    const server = await startTlsServer(inject('cluster'), elsewhere)
    try {
      const machine = await selfSigned(server, own)
      expect(outcome(await ask(server, machine, { ...header, 'x-forwarded-for': '10.0.0.1' }))).toBe(
        '401 invalid_client',
      )
      const trusted = { ...elsewhere, TRUSTED_PROXIES: '127.0.0.0/8,::1' }
      const node = await server.startNode({ ...trusted, MTLS_PORT: String(await freePort()) })
      const url = `${node.url}/oidc/token`
      const body = parametersOf(machine)
      const sent = { headers: { 'content-type': FORM, ...header }, body }
      expect(outcome(await send(url, sent))).toBe('a token')
      await node.close()
      const off = await server.startNode({
        TRUSTED_PROXIES: '127.0.0.1',
        CLIENT_CERTIFICATE_HEADER: '',
        MTLS_PORT: String(await freePort()),
      })
      expect(outcome(await send(`${off.url}/oidc/token`, sent))).toBe('401 invalid_client')
      await off.close()
      const tls = await startTlsServer(inject('cluster'), { ...trusted })
      const there = await selfSigned(tls, own)
      const secure = { headers: { 'content-type': FORM, ...header }, body: parametersOf(there) }
      expect(outcome(await secureSend(`${tls.secureUrl}/oidc/token`, undefined, secure))).toBe('401 invalid_client')
      expect(outcome(await secureSend(`${tls.secureUrl}/oidc/token`, { own }, secure))).toBe('a token')
      await tls.close()
    } finally {
      await server.close()
    }
  })
})

describe('without a port or a header', () => {
  test('no certificate authenticates, and discovery does not say that one would', async () => {
    const own = certify()
    const server = await startTestServer(inject('cluster'), { TRUSTED_PROXIES: '127.0.0.1' })
    const { body } = await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })
    for (const member of ['mtls_endpoint_aliases', 'tls_client_certificate_bound_access_tokens'])
      expect(body).not.toHaveProperty(member)
    expect(JSON.stringify(body)).not.toContain('tls_client_auth')
    const machine = await selfSigned(server, own)
    expect(outcome(await ask(server, machine, { 'client-cert': `:${base64(own)}:` }))).toBe('401 invalid_client')
    await server.close()
  })

  const MTLS = { MTLS_PORT: '8443', MTLS_CERT_FILE: '/nowhere/cert.pem', MTLS_KEY_FILE: '/nowhere/key.pem' }
  test.each<[env: NodeJS.ProcessEnv, message: RegExp]>([
    [{ MTLS_PORT: '8443' }, /^MTLS_PORT needs MTLS_CERT_FILE/],
    [{ MTLS_ADDRESS: 'https://mtls.{host}' }, /^MTLS_ADDRESS needs/],
    [{ MTLS_ADDRESS: 'http://mtls.{host}' }, /^MTLS_ADDRESS must be an https URL/],
    [{ CLIENT_CERTIFICATE_HEADER: 'Client-Cert' }, /^CLIENT_CERTIFICATE_HEADER needs TRUSTED_PROXIES/],
    [{ CLIENT_CERTIFICATE_HEADER: 'a b' }, /^CLIENT_CERTIFICATE_HEADER must be/],
    [{ CLIENT_CERTIFICATE_FORMAT: 'x' }, /^CLIENT_CERTIFICATE_FORMAT must be one of/],
    [MTLS, /^MTLS_CERT_FILE: \/nowhere\/cert.pem cannot be read/],
  ])('%o is refused', async (env, message) => {
    const { databaseUrl, environment, close } = await startTestServer(inject('cluster'))
    const start = async () => {
      const configuration = readConfiguration({
        ...environment,
        DATABASE_URL: databaseUrl,
        PORT: '0',
        LOG_LEVEL: 'silent',
        ...env,
      })
      await (await startServer(configuration)).close()
    }
    await expect(start()).rejects.toThrow(message)
    await close()
  })
})

describe('the port', () => {
  let server: TlsServer
  beforeAll(async () => {
    server = await startTlsServer(inject('cluster'))
  })
  afterAll(() => server.close())

  const servedCertificate = () =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(server.secureUrl)
      const socket = connect({ port: Number(port), host: 'localhost', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
        socket.end()
      })
      socket.on('error', reject)
    })

  test('shows a replaced certificate without a restart, and keeps the previous one if the new one is none', async () => {
    const before = await servedCertificate()
    const cert = await readFile(server.certFile, 'utf8')
    await writeFile(server.certFile, 'nothing')
    const { pem, keyPem } = serverIdentity()
    expect(await servedCertificate()).toBe(before)
    await Promise.all([writeFile(server.certFile, pem), writeFile(server.keyFile, keyPem)])
    expect(pem).not.toBe(cert)
    await eventually('the new certificate is shown', 15_000, async () => (await servedCertificate()) !== before)
  })

  test('doctor says until when its certificate is valid, when it ends soon, and when it cannot be used', async () => {
    const examined = async (env: NodeJS.ProcessEnv = {}) => {
      const files = { MTLS_PORT: '8443', MTLS_CERT_FILE: server.certFile, MTLS_KEY_FILE: server.keyFile }
      const findings = await diagnose(readConfiguration({ ...server.environment, ...files, ...env }))
      return findings.flatMap(({ subject, verdict, text }) => (subject === 'MTLS_PORT' ? [`${verdict}: ${text}`] : []))
    }
    expect(await examined()).toEqual([expect.stringMatching(/^ok: the certificate .* is valid until 20/)])
    const soon = certify({ until: new Date(Date.now() + 3 * 86_400_000) })
    const past = certify({ until: new Date(Date.now() - 3_600_000) })
    for (const [{ pem, keyPem }, finding] of [
      [soon, /^warning: .* replace it/],
      [past, /^problem: .* has expired/],
    ] as const) {
      const [MTLS_CERT_FILE, MTLS_KEY_FILE] = [`${server.certFile}.other`, `${server.keyFile}.other`]
      await Promise.all([writeFile(MTLS_CERT_FILE, pem), writeFile(MTLS_KEY_FILE, keyPem)])
      expect(await examined({ MTLS_CERT_FILE, MTLS_KEY_FILE })).toEqual([expect.stringMatching(finding)])
    }
    expect(await examined({ MTLS_CERT_FILE: '/nowhere' })).toEqual([
      expect.stringMatching(/^problem: .* cannot be read/),
    ])
    expect(await examined({ MTLS_CERT_FILE: '' })).toEqual([expect.stringMatching(/^problem: MTLS_PORT needs/)])
  })

  test('is not for what cannot agree on TLS 1.2 with forward secrecy', async () => {
    const { port } = new URL(server.secureUrl)
    for (const weak of [
      { ciphers: 'AES128-SHA', maxVersion: 'TLSv1.2' as const },
      { minVersion: 'TLSv1.1' as const, maxVersion: 'TLSv1.1' as const, ciphers: 'DEFAULT@SECLEVEL=0' },
    ]) {
      const failed = await new Promise((resolve) => {
        const socket = connect({ port: Number(port), host: 'localhost', rejectUnauthorized: false, ...weak }, () =>
          resolve(false),
        )
        socket.on('error', () => resolve(true))
      })
      expect(failed).toBe(true)
    }
  })

  test('each tenant is at its own host there, with its own CAs and applications', async () => {
    const own = certify()
    const machine = await selfSigned(server, own)
    await withSecondTenant(server, 'second', 'https://second.example')
    const { port, host } = new URL(server.secureUrl)
    const at = async (name: string) =>
      outcome(
        await secureSend(
          `${server.secureUrl}/oidc/token`,
          { own },
          {
            headers: { 'content-type': FORM, host: name },
            body: parametersOf(machine),
          },
        ),
      )
    expect([await at(host), await at(`second.example:${port}`), await at('third.example')]).toEqual([
      ...['a token', '401 invalid_client', '421 invalid_request'],
    ])
    const { body } = await send(`${server.baseUrl}/oidc/.well-known/openid-configuration`, {
      method: 'GET',
      headers: { host: 'second.example' },
    })
    expect(body.mtls_endpoint_aliases.token_endpoint).toBe(`https://second.example:${port}/oidc/token`)
  })
})
