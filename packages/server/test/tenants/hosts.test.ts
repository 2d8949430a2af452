/** Which tenant a request is for: by the host it was sent to, never by a header that a client can set. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type OnHost, onHost, withSecondTenant } from './second-tenant.ts'

let server: TestServer
let a: OnHost
let b: OnHost
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const issuerAt = async (tenant: OnHost, headers: Record<string, string> = {}) =>
  (await tenant.request('GET', '/oidc/.well-known/openid-configuration', { headers })).body?.issuer
const at = (host: string) => onHost(server, host, server.credentials)

test('a single tenant answers at every host name, and its addresses come only from the configuration', async () => {
  expect(await issuerAt(at('anything.example'))).toBe(server.issuer)
})

describe('with two tenants', () => {
  beforeAll(async () => {
    ;({ a, b } = await withSecondTenant(server, 'second', 'https://second.example'))
  })

  test('the host name decides', async () => {
    expect(await issuerAt(a)).toBe(server.issuer)
    expect(await issuerAt(b)).toBe('https://second.example/oidc')
  })

  test.each(['second.example', 'SECOND.example', 'Second.Example:443', 'second.example:443'])(
    'case and the port of the scheme make no difference: %s',
    async (host) => {
      expect(await issuerAt(at(host))).toBe('https://second.example/oidc')
    },
  )

  test.each([
    'third.example',
    'second.example.evil.example',
    'evil-second.example',
    'second.example:8080',
    'second.example:80',
    'localhost',
    '127.0.0.1',
  ])('an unknown host is answered with 421: %s', async (host) => {
    for (const path of ['/api/roles', '/oidc/jwks', '/oidc/.well-known/openid-configuration', '/api/openapi.json']) {
      const { status, body } = await at(host).request('GET', path)
      expect(status).toBe(421)
      expect(JSON.stringify(body)).not.toContain('second.example:443')
    }
    const { body } = await at(host).request('GET', '/api/roles')
    expect(body.code).toBe('request.host_unknown')
  })

  test('readiness is answered at any host, because load balancers connect by address', async () => {
    expect((await at('10.0.0.1').request('GET', '/api/status')).status).toBe(204)
  })

  test.each([
    'x-forwarded-host',
    'forwarded',
    'x-host',
    'x-original-host',
    'x-forwarded-server',
    'x-http-host-override',
  ])('R-25: %s from anyone is ignored', async (name) => {
    const value = name === 'forwarded' ? 'host=second.example' : 'second.example'
    expect(await issuerAt(a, { [name]: value })).toBe(server.issuer)
    expect((await at('third.example').request('GET', '/oidc/jwks', { headers: { [name]: value } })).status).toBe(421)
  })

  test('R-25: a request target with another host does not change the tenant that Host names', async () => {
    const { status, text } = await a.request('GET', '/oidc/.well-known/openid-configuration?host=second.example')
    expect(status).toBe(200)
    expect(text).not.toContain('second.example')
  })
})

describe('behind a trusted proxy', () => {
  let proxied: TestServer
  beforeAll(async () => {
    proxied = await startTestServer(inject('cluster'), {
      TRUSTED_PROXIES: '127.0.0.1,::1',
      CONSOLE: 'https://{tenant}.admin.example',
    })
    await withSecondTenant(proxied, 'second', 'https://second.example')
  })
  afterAll(() => proxied.close())

  test('R-25: X-Forwarded-Host of the proxy decides, and X-Forwarded-For is the client address in the audit log', async () => {
    const inside = onHost(proxied, 'inside.example', proxied.credentials)
    expect(await issuerAt(inside, { 'x-forwarded-host': 'second.example' })).toBe('https://second.example/oidc')
    const own = new URL(proxied.baseUrl).host
    const headers = { 'x-forwarded-host': own, 'x-forwarded-for': '203.0.113.7' }
    expect(await issuerAt(inside, headers)).toBe(proxied.issuer)
    const token = (await onHost(proxied, own, proxied.credentials).token()).body.access_token
    await inside.request('POST', '/api/roles', { token, headers, body: { name: 'from afar' } })
    const { body } = await proxied.api('GET', '/logs?logKey=ManagementApi.createRole')
    expect(body).toMatchObject([{ payload: { ip: '203.0.113.7' } }])
  })

  test('each tenant has its console at its admin host, with the Management API and nothing else', async () => {
    const inside = onHost(proxied, 'inside.example', proxied.credentials)
    const token = (await onHost(proxied, new URL(proxied.baseUrl).host, proxied.credentials).token()).body.access_token
    const statusAt = async (host: string, path: string) =>
      (await inside.request('GET', path, { token, headers: { 'x-forwarded-host': host } })).status
    for (const host of ['default.admin.example', 'Default.Admin.example:443']) {
      expect(await statusAt(host, '/api/roles')).toBe(200)
      expect([200, 404]).toContain(await statusAt(host, '/console'))
      for (const path of [
        '/oidc/jwks',
        '/oidc/auth',
        '/sign-in/x',
        '/scim/v2/Users',
        '/api/docs',
        '/api/experience/x',
        '/unknown',
      ])
        expect.soft([path, await statusAt(host, path)]).toEqual([path, 404])
    }
    // the token is for the API of the other tenant
    expect(await statusAt('second.admin.example', '/api/roles')).toBe(401)
    expect(await statusAt('third.admin.example', '/api/roles')).toBe(421)
    expect(await statusAt('default.admin.example:8443', '/api/roles')).toBe(421)
    expect(await statusAt('second.example', '/console')).toBe(404)
    const page = await inside.request('GET', '/', {
      headers: { accept: 'text/html', 'x-forwarded-host': 'second.admin.example' },
    })
    expect([page.status, page.headers.location]).toEqual([303, '/console'])
    const { body } = await inside.request('GET', '/console', { headers: { 'x-forwarded-host': 'second.example' } })
    expect(body.code).toBe('request.not_found')
  })

  test('a console at the base URL of another tenant is refused at the start', async () => {
    const start = proxied.startNode({ CONSOLE: 'https://second.example' })
    await expect(start).rejects.toThrow(
      'CONSOLE puts the console of the tenant default at the base URL of the tenant second.',
    )
  })

  test('R-25: without the header, Host decides; an unknown host is 421', async () => {
    const second = onHost(proxied, 'second.example', proxied.credentials)
    expect(await issuerAt(second)).toBe('https://second.example/oidc')
    const { status } = await second.request('GET', '/oidc/jwks', { headers: { 'x-forwarded-host': 'third.example' } })
    expect(status).toBe(421)
  })
})

test('R-25: a proxy that is not in TRUSTED_PROXIES is not trusted', async () => {
  const other = await startTestServer(inject('cluster'), { TRUSTED_PROXIES: '192.0.2.0/24' })
  try {
    await withSecondTenant(other, 'second', 'https://second.example')
    const own = onHost(other, new URL(other.baseUrl).host, other.credentials)
    const headers = { 'x-forwarded-host': 'second.example', 'x-forwarded-for': '203.0.113.7' }
    expect(await issuerAt(own, headers)).toBe(other.issuer)
    const token = (await own.token()).body.access_token
    await own.request('POST', '/api/roles', { token, headers, body: { name: 'from here' } })
    const { body } = await other.api('GET', '/logs?logKey=ManagementApi.createRole')
    expect(body).toMatchObject([{ payload: { ip: '127.0.0.1' } }])
  } finally {
    await other.close()
  }
})
