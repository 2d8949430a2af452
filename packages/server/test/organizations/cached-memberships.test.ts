/** memberships of applications are cached; every change through the Management API counts at the next token. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { askToken, registerApplication } from '../protocol/arrange.ts'
import { createOrganization, createRole, createScope } from './api-arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const arranged = async () => {
  const { api } = server
  const names = [fresh('one'), fresh('two')]
  const [first = '', second = ''] = await Promise.all(names.map((name) => createScope(server, { name })))
  const type = 'MachineToMachine'
  const role = await createRole(server, { type, organizationScopeIds: [first] })
  const other = await createRole(server, { type, organizationScopeIds: [second] })
  const client = await registerApplication(server)
  const organizationId = await createOrganization(server)
  const applications = `/organizations/${organizationId}/applications`
  await api('POST', applications, { applicationIds: [client.clientId] })
  await api('POST', `${applications}/${client.clientId}/roles`, { organizationRoleIds: [role] })
  const granted = async (): Promise<string> => {
    const scope = [...names, `${names[0]}-renamed`].join(' ')
    const { status, body } = await askToken(server, client, { organization_id: organizationId, scope })
    return status === 200 ? body.scope : `${status} ${body.error}`
  }
  return { names, first, second, role, other, client, organizationId, applications, granted }
}
type Arranged = Awaited<ReturnType<typeof arranged>>
const REFUSED = '403 access_denied'

const CHANGES: readonly (readonly [string, (it: Arranged) => Promise<unknown>, (it: Arranged) => string])[] = [
  [
    'a permission is renamed',
    ({ first, names }) => server.api('PATCH', `/organization-scopes/${first}`, { name: `${names[0]}-renamed` }),
    ({ names }) => `${names[0]}-renamed`,
  ],
  ['a permission is deleted', ({ first }) => server.api('DELETE', `/organization-scopes/${first}`), () => ''],
  [
    'a permission is removed from the role',
    ({ role, first }) => server.api('DELETE', `/organization-roles/${role}/scopes/${first}`),
    () => '',
  ],
  [
    'the permissions of the role are replaced',
    ({ role, second }) => server.api('PUT', `/organization-roles/${role}/scopes`, { organizationScopeIds: [second] }),
    ({ names }) => names[1] ?? '',
  ],
  ['the role is deleted', ({ role }) => server.api('DELETE', `/organization-roles/${role}`), () => ''],
  [
    'the roles of the member are replaced',
    ({ applications, client, other }) =>
      server.api('PUT', `${applications}/${client.clientId}/roles`, { organizationRoleIds: [other] }),
    ({ names }) => names[1] ?? '',
  ],
  [
    'a role is assigned together with others',
    ({ applications, client, other }) =>
      server.api('POST', `${applications}/roles`, {
        applicationIds: [client.clientId],
        organizationRoleIds: [other],
      }),
    ({ names }) => names.join(' '),
  ],
  [
    'the member is removed by a replacement',
    ({ applications }) => server.api('PUT', applications, { applicationIds: [] }),
    () => REFUSED,
  ],
  [
    'the organization is deleted',
    ({ organizationId }) => server.api('DELETE', `/organizations/${organizationId}`),
    () => REFUSED,
  ],
]

test.each(CHANGES)('R-13 %s', async (_, change, after) => {
  const it = await arranged()
  expect(await it.granted()).toBe(it.names[0])
  expect(((await change(it)) as { status: number }).status).toBeLessThan(300)
  expect(await it.granted()).toBe(after(it))
})

test('R-13 a new member is also known immediately', async () => {
  const it = await arranged()
  await server.api('DELETE', `${it.applications}/${it.client.clientId}`)
  expect(await it.granted()).toBe(REFUSED)
  await server.api('POST', it.applications, { applicationIds: [it.client.clientId] })
  expect(await it.granted()).toBe('')
})
