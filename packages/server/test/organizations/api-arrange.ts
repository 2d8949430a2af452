/** What the tests of the Management API of organizations arrange over and over. */
import type { ApiAnswer } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { fresh } from '../management/arrange.ts'
import { createUser } from '../users/arrange.ts'

const created = async ({ api }: TestServer, path: string, body: object): Promise<string> =>
  (await api('POST', path, body)).body.id

export const createOrganization = (server: TestServer, fields: object = {}): Promise<string> =>
  created(server, '/organizations', { name: fresh('organization'), ...fields })
export const createScope = (server: TestServer, fields: object = {}): Promise<string> =>
  created(server, '/organization-scopes', { name: fresh('scope'), ...fields })
export const createRole = (server: TestServer, fields: object = {}): Promise<string> =>
  created(server, '/organization-roles', { name: fresh('role'), ...fields })
export const createMachine = (server: TestServer): Promise<string> =>
  created(server, '/applications', { name: 'Worker', type: 'MachineToMachine' })

/** A user who is a member, and the organization. */
export const createMember = async (server: TestServer): Promise<{ organizationId: string; userId: string }> => {
  const [organizationId, userId] = [await createOrganization(server), await createUser(server)]
  await server.api('POST', `/organizations/${organizationId}/users`, { userIds: [userId] })
  return { organizationId, userId }
}

/** The id of the permission `all` of the Management API. */
export const managementScopeId = async ({ api, credentials }: TestServer): Promise<string> => {
  const { body } = await api('GET', '/resources?includeScopes=true&page_size=100')
  const management = body.find(({ indicator }: { indicator: string }) => indicator === credentials.resource)
  return management.scopes.find(({ name }: { name: string }) => name === 'all').id
}

/** The code and what it names. */
export const named = ({ status, body }: ApiAnswer): unknown[] => [status, body?.code, body?.data]
