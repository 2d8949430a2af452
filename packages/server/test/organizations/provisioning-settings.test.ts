/** What just-in-time provisioning is configured with: email domains and roles (DECISIONS E5). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { idsOf, refusal } from '../users/arrange.ts'
import { createOrganization, createRole, named } from './api-arrange.ts'

let server: TestServer
let organizationId: string
let path: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())
beforeEach(async () => {
  organizationId = await createOrganization(server)
  path = `/organizations/${organizationId}/jit`
})

describe('/jit/email-domains', () => {
  const domains = async () =>
    (await server.api('GET', `${path}/email-domains`)).body.map(
      ({ emailDomain }: { emailDomain: string }) => emailDomain,
    )
  const add = (emailDomain: string) => server.api('POST', `${path}/email-domains`, { emailDomain })

  test.each([
    ['example.com', 'example.com'],
    ['EXAMPLE.Com', 'example.com'],
    [' example.com ', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BU\u0308CHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a.b-c.example', 'a.b-c.example'],
  ])('%s is kept as %s', async (written, emailDomain) => {
    const { status, body } = await add(written)
    expect([status, body]).toEqual([201, { tenantId: 'default', organizationId, emailDomain }])
    expect(await domains()).toEqual([emailDomain])
    expect(refusal(await add(emailDomain.toUpperCase()))).toEqual([422, 'entity.unique_integrity_violation'])
    expect((await server.api('DELETE', `${path}/email-domains/${encodeURIComponent(written)}`)).status).toBe(204)
    expect(await domains()).toEqual([])
  })

  test.each([
    'example',
    'com.',
    '.com',
    'a..b',
    '-a.example',
    'a b.example',
    '@example.com',
    'ann@example.com',
    'http://example.com',
    'example.com/x',
    'example.com?x',
    'example.com#x',
    'example.com\\x',
    'exa\tmple.com',
    'example.com\u200b.x',
    'example.com:25',
    '127.0.0.1',
    '[::1]',
    '*.example.com',
    '%',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(100)}example`,
  ])('%s is no domain: 400', async (written) => {
    expect(refusal(await add(written))).toEqual([400, 'guard.invalid_input'])
    const many = await server.api('PUT', `${path}/email-domains`, { emailDomains: ['good.example', written] })
    expect(refusal(many)).toEqual([400, 'guard.invalid_input'])
    expect((await server.api('DELETE', `${path}/email-domains/${encodeURIComponent(written)}`)).status).toBe(404)
    expect(await domains()).toEqual([])
  })

  test('PUT sets exactly these, and pages continue after the last', async () => {
    await add('old.example')
    const emailDomains = ['c.example', 'B.example', 'a.example', 'b.example']
    expect((await server.api('PUT', `${path}/email-domains`, { emailDomains })).status).toBe(204)
    expect(await domains()).toEqual(['c.example', 'b.example', 'a.example'])
    const first = await server.api('GET', `${path}/email-domains?page_size=2`)
    expect(first.headers.get('total-number')).toBe('3')
    const after = first.headers.get('next-cursor')
    const { body } = await server.api('GET', `${path}/email-domains?page_size=2&after=${after}`)
    expect(body).toEqual([{ tenantId: 'default', organizationId, emailDomain: 'a.example' }])
    expect((await server.api('PUT', `${path}/email-domains`, { emailDomains: [] })).status).toBe(204)
    expect(await domains()).toEqual([])
  })

  test('10,000 are accepted in one request, and 10,001 are not', async () => {
    const emailDomains = Array.from({ length: 10_000 }, (_, i) => `d${i}.example`)
    expect((await server.api('PUT', `${path}/email-domains`, { emailDomains })).status).toBe(204)
    const more = { emailDomains: [...emailDomains, 'one.example'] }
    expect((await server.api('PUT', `${path}/email-domains`, more)).status).toBe(400)
    expect((await server.api('GET', `${path}/email-domains`)).headers.get('total-number')).toBe('10000')
  })

  test('a domain can belong to several organizations', async () => {
    await add('shared.example')
    path = `/organizations/${await createOrganization(server)}/jit`
    expect((await add('shared.example')).status).toBe(201)
  })
})

describe('/jit/roles', () => {
  test('POST adds, PUT replaces, DELETE takes one; machines have none', async () => {
    const { api } = server
    const [a, b] = [await createRole(server), await createRole(server)]
    const machine = await createRole(server, { type: 'MachineToMachine' })
    const held = async () => idsOf(await api('GET', `${path}/roles`)).sort()
    expect((await api('POST', `${path}/roles`, { organizationRoleIds: [a, a] })).status).toBe(201)
    expect((await api('POST', `${path}/roles`, { organizationRoleIds: [a, b] })).status).toBe(201)
    expect(await held()).toEqual([a, b].sort())
    expect((await api('PUT', `${path}/roles`, { organizationRoleIds: [b] })).status).toBe(204)
    for (const method of ['POST', 'PUT'] as const) {
      const wrong = await api(method, `${path}/roles`, { organizationRoleIds: [a, machine] })
      expect(refusal(wrong)).toEqual([422, 'user.invalid_role_type'])
      const unknown = await api(method, `${path}/roles`, { organizationRoleIds: [a, 'x'] })
      expect(named(unknown)).toEqual([422, 'entity.relation_foreign_key_not_found', { organizationRoleIds: ['x'] }])
    }
    expect(await held()).toEqual([b])
    expect((await api('DELETE', `${path}/roles/${b}`)).status).toBe(204)
    expect((await api('DELETE', `${path}/roles/${b}`)).status).toBe(404)
  })
})

test('/jit/sso-connectors: connectors are added, replaced and removed', async () => {
  const { api } = server
  const list = async () =>
    (await api('GET', `${path}/sso-connectors`)).body.map(
      ({ connectorName }: { connectorName: string }) => connectorName,
    )
  const made = async (connectorName: string): Promise<string> =>
    (await api('POST', '/sso-connectors', { providerName: 'Okta', connectorName })).body.id
  const [acme, other] = [await made('Acme'), await made('Other')]
  expect((await api('POST', `${path}/sso-connectors`, { ssoConnectorIds: [acme, acme] })).status).toBe(201)
  expect(await list()).toEqual(['Acme'])
  expect((await api('PUT', `${path}/sso-connectors`, { ssoConnectorIds: [other] })).status).toBe(204)
  expect(await list()).toEqual(['Other'])
  const unknown = await api('POST', `${path}/sso-connectors`, { ssoConnectorIds: [acme, 'x'] })
  expect([unknown.status, unknown.body.code]).toEqual([422, 'entity.relation_foreign_key_not_found'])
  const removals = [other, acme].map(async (id) => (await api('DELETE', `${path}/sso-connectors/${id}`)).status)
  expect(await Promise.all(removals)).toEqual([204, 404])
  expect(await list()).toEqual([])
})
