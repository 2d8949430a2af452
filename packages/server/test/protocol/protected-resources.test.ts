import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { arrange, askToken, registerApplication, send } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const insecure = { [oauth.allowInsecureRequests]: true }

describe("the server's own APIs describe themselves (RFC 9728)", () => {
  test.each(['/api', '/api/my-account', '/oidc/me'])(
    'a client finds the issuer of tokens for %s by its address',
    async (path) => {
      const resource = new URL(`${server.baseUrl}${path}`)
      const response = await oauth.resourceDiscoveryRequest(resource, insecure)
      expect(Object.fromEntries(response.headers)).toMatchObject({ 'access-control-allow-origin': '*' })
      const metadata = await oauth.processResourceDiscoveryResponse(resource, response)
      expect(metadata).toMatchObject({
        resource: resource.href,
        authorization_servers: [server.issuer],
        dpop_signing_alg_values_supported: expect.arrayContaining(['ES256']),
      })
      expect(metadata.tls_client_certificate_bound_access_tokens).toBeUndefined()
      const [issuer = ''] = metadata.authorization_servers ?? []
      const found = await oauth.discoveryRequest(new URL(issuer), { ...insecure, algorithm: 'oauth2' })
      expect((await oauth.processDiscoveryResponse(new URL(issuer), found)).token_endpoint).toBe(`${issuer}/token`)
    },
  )

  test('what the document of the Management API says is what a token for it can have', async () => {
    const { body } = await send(`${server.baseUrl}/.well-known/oauth-protected-resource/api`, { method: 'GET' })
    const scopes: string[] = body.scopes_supported
    const { body: issued } = await askToken(server, server.credentials, { resource: body.resource, scope: 'all' })
    const known = await server.client.listResources({ query: { includeScopes: 'true' } })
    const own = known.find(({ indicator }) => indicator === body.resource)
    expect(own?.scopes?.map(({ name }) => name).toSorted()).toEqual(scopes.toSorted())
    expect(decodeJwt(issued.access_token).aud).toBe(body.resource)
  })

  test.each([
    ['GET', '/api/applications', '/api', 'Bearer'],
    ['GET', '/api/my-account', '/api/my-account', 'Bearer'],
    ['GET', '/oidc/me', '/oidc/me', 'Bearer'],
    ['POST', '/oidc/me', '/oidc/me', 'Bearer'],
  ])('the challenge of %s %s names the document', async (method, path, resource, scheme) => {
    const url = `${server.baseUrl}/.well-known/oauth-protected-resource${resource}`
    const options = { method, headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const { status, headers } = await send(`${server.baseUrl}${path}`, options)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe(`${scheme} resource_metadata="${url}"`)
    const wrong = { ...options, headers: { ...options.headers, authorization: 'Bearer x' } }
    const refused = await send(`${server.baseUrl}${path}`, wrong)
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token".*, resource_metadata="/)
    expect(refused.headers['www-authenticate']).toContain(url)
    expect((await send(url, { method: 'GET' })).status).toBe(200)
  })

  test('a refusal for lack of a permission names the permission and the document', async () => {
    const { body } = await askToken(server, server.credentials, {
      resource: server.credentials.resource,
      scope: 'read:users',
    })
    const headers = { authorization: `Bearer ${body.access_token}` }
    const answer = await send(`${server.baseUrl}/api/applications`, { method: 'GET', headers })
    expect(answer.status).toBe(403)
    expect(answer.headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_scope", scope="read:applications", resource_metadata="[^"]+"$/,
    )
  })
})

describe('the indicator of a host without a path (RFC 8707, RFC 3986 section 6.2.3)', () => {
  const register = async (indicator: string) => {
    const { body } = await server.api('POST', '/resources', { name: indicator, indicator })
    return body.id as string
  }
  const audience = async (client: Parameters<typeof askToken>[1], resource: string) => {
    const { status, body } = await askToken(server, client, { resource })
    return status === 200 ? decodeJwt(body.access_token).aud : body.error
  }

  test('is also that with the slash which URL parsers add, and the token is for the one that is registered', async () => {
    const client = await registerApplication(server)
    await register('https://mcp-one.example')
    await register('https://mcp-two.example:8443/')
    expect(await audience(client, 'https://mcp-one.example/')).toBe('https://mcp-one.example')
    expect(await audience(client, 'https://mcp-two.example:8443')).toBe('https://mcp-two.example:8443/')
    for (const other of [
      'https://mcp-one.example//',
      'https://mcp-one.example/?',
      'https://mcp-one.example/mcp',
      'http://mcp-one.example',
    ])
      expect(await audience(client, other)).toBe('invalid_target')
  })

  test('means the one with exactly this form where both are registered, also after the other was asked for', async () => {
    const client = await registerApplication(server)
    await register('https://mcp-three.example')
    expect(await audience(client, 'https://mcp-three.example/')).toBe('https://mcp-three.example')
    await register('https://mcp-three.example/')
    expect(await audience(client, 'https://mcp-three.example/')).toBe('https://mcp-three.example/')
    expect(await audience(client, 'https://mcp-three.example')).toBe('https://mcp-three.example')
  })

  test('with a path the slash is part of the name', async () => {
    const { client, resource } = await arrange(server)
    expect(await audience(client, `${resource.indicator}/`)).toBe('invalid_target')
  })
})
