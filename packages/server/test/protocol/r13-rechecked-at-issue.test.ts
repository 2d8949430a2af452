import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, askToken, fresh } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const ask = async ({ client, resource }: Arranged) => {
  const { status, body } = await askToken(server, client, {
    resource: resource.indicator,
    scope: 'read:orders write:orders',
  })
  return status === 200 ? body.scope : body.error
}

type Change = readonly [what: string, change: (arranged: Arranged) => Promise<unknown>, after: string]
const path = ({ client }: Arranged) => `/applications/${client.clientId}`

const CHANGES: readonly Change[] = [
  ['the role is removed from the application', (a) => server.api('DELETE', `${path(a)}/roles/${a.roleId}`), ''],
  [
    'the roles of the application are replaced by an empty list',
    (a) => server.api('PUT', `${path(a)}/roles`, { roleIds: [] }),
    '',
  ],
  [
    'the application is removed from the role',
    (a) => server.api('DELETE', `/roles/${a.roleId}/applications/${a.client.clientId}`),
    '',
  ],
  ['the role is deleted', (a) => server.api('DELETE', `/roles/${a.roleId}`), ''],
  [
    'the permission is removed from the role',
    (a) => server.api('DELETE', `/roles/${a.roleId}/scopes/${a.scopeIds['read:orders']}`),
    '',
  ],
  [
    'the permission is deleted',
    (a) => server.api('DELETE', `/resources/${a.resource.id}/scopes/${a.scopeIds['read:orders']}`),
    '',
  ],
  [
    'the permission is renamed',
    (a) =>
      server.api('PATCH', `/resources/${a.resource.id}/scopes/${a.scopeIds['read:orders']}`, { name: 'view:orders' }),
    '',
  ],
  ['the API is deleted', (a) => server.api('DELETE', `/resources/${a.resource.id}`), 'invalid_target'],
  ['the application is deleted', (a) => server.api('DELETE', path(a)), 'invalid_client'],
  [
    'the secret is deleted',
    (a) => server.api('DELETE', `${path(a)}/secrets/${encodeURIComponent('Default secret')}`),
    'invalid_client',
  ],
  [
    'the role gains a permission',
    (a) => server.api('POST', `/roles/${a.roleId}/scopes`, { scopeIds: [a.scopeIds['write:orders']] }),
    'read:orders write:orders',
  ],
  [
    'the application gains a role',
    async (a) => {
      const scopeIds = [a.scopeIds['write:orders']]
      const { body } = await server.api('POST', '/roles', { name: fresh('more'), type: 'MachineToMachine', scopeIds })
      await server.api('POST', `${path(a)}/roles`, { roleIds: [body.id] })
    },
    'read:orders write:orders',
  ],
  [
    'a role gains the application',
    async (a) => {
      const scopeIds = [a.scopeIds['write:orders']]
      const { body } = await server.api('POST', '/roles', { name: fresh('more'), type: 'MachineToMachine', scopeIds })
      await server.api('POST', `/roles/${body.id}/applications`, { applicationIds: [a.client.clientId] })
    },
    'read:orders write:orders',
  ],
  [
    'a permission is renamed to a requested one',
    async (a) => {
      await server.api('DELETE', `/resources/${a.resource.id}/scopes/${a.scopeIds['write:orders']}`)
      await server.api('PATCH', `/resources/${a.resource.id}/scopes/${a.scopeIds['read:orders']}`, {
        name: 'write:orders',
      })
    },
    'write:orders',
  ],
]

describe('R-13 the next token on the same node reflects a change', () => {
  test.each(CHANGES)('R-13 %s', async (_what, change, after) => {
    const arranged = await arrange(server)
    expect(await ask(arranged)).toBe('read:orders')
    expect(await ask(arranged)).toBe('read:orders')
    await change(arranged)
    expect(await ask(arranged)).toBe(after)
  })

  test('R-13 even under constant load: no token requested after the response has the permission', async () => {
    for (let round = 0; round < 5; round += 1) {
      const arranged = await arrange(server)
      let stop = false
      const storm = Promise.all(
        Array.from({ length: 8 }, async () => {
          while (!stop) await ask(arranged)
        }),
      )
      const change = async () => {
        await server.api('DELETE', `/applications/${arranged.client.clientId}/roles/${arranged.roleId}`)
        return Promise.all(Array.from({ length: 8 }, () => ask(arranged)))
      }
      const changed = change().finally(() => {
        stop = true
      })
      const [after] = await Promise.all([changed, storm])
      expect(after).toEqual(Array(8).fill(''))
      expect(await ask(arranged)).toBe('')
    }
  })

  test('R-13 a Management API token of a deleted application is refused immediately', async () => {
    const { api, credentials } = server
    const client = await arrange(server)
    const { body: roles } = await api('GET', `/applications/${credentials.clientId}/roles`)
    await api('POST', `/applications/${client.client.clientId}/roles`, { roleIds: [roles[0].id] })
    const { body } = await askToken(server, client.client, { resource: credentials.resource, scope: 'all' })
    const token = body.access_token
    expect((await api('GET', '/roles', undefined, { token })).status).toBe(200)
    await api('DELETE', `/applications/${client.client.clientId}`)
    expect((await api('GET', '/roles', undefined, { token })).status).toBe(401)
  })
})
