import { requestToken } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** An API with two permissions, an application, and a role of it that holds the first. */
const arrange = async (indicator: string) => {
  const { api } = server
  const { body: resource } = await api('POST', '/resources', { name: 'Orders', indicator, accessTokenTtl: 120 })
  const { body: read } = await api('POST', `/resources/${resource.id}/scopes`, { name: 'read:orders' })
  await api('POST', `/resources/${resource.id}/scopes`, { name: 'write:orders' })
  const role = { name: `reader of ${indicator}`, description: '', type: 'MachineToMachine', scopeIds: [read.id] }
  const { body: createdRole } = await api('POST', '/roles', role)
  const { body: application } = await api('POST', '/applications', { name: 'Worker', type: 'MachineToMachine' })
  await api('POST', `/applications/${application.id}/roles`, { roleIds: [createdRole.id] })
  const { body: secrets } = await api('GET', `/applications/${application.id}/secrets`)
  return { resource, role: createdRole, credentials: { clientId: application.id, clientSecret: secrets[0].value } }
}

describe('client_credentials', () => {
  test('gives a JWT for the resource with the requested permissions that the application holds', async () => {
    const { credentials } = await arrange('https://orders.example/api')
    const answer = await requestToken(server.baseUrl, credentials, {
      resource: 'https://orders.example/api',
      scope: 'read:orders write:orders read',
    })
    expect(answer.status).toBe(200)
    const body = await answer.json()
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 120,
      scope: 'read:orders',
    })
    const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`))
    const { payload, protectedHeader } = await jwtVerify(body.access_token, keys, {
      issuer: server.issuer,
      audience: 'https://orders.example/api',
      currentDate: server.clock.now(),
    })
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(payload).toMatchObject({ sub: credentials.clientId, client_id: credentials.clientId, scope: 'read:orders' })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(120)
  })
})
