/** What the tests of the Management API of organizations arrange over and over. */
import type { ApiAnswer } from '@countersign/harness/management-client.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { fresh } from '../management/arrange.ts'
import type { BodyOf } from '../protocol/arrange.ts'
import { createUser } from '../users/arrange.ts'

export const createOrganization = async (
  { client }: TestServer,
  fields: Partial<BodyOf<'createOrganization'>> = {},
): Promise<string> => (await client.createOrganization({ body: { name: fresh('organization'), ...fields } })).id
export const createScope = async (
  { client }: TestServer,
  fields: Partial<BodyOf<'createOrganizationScope'>> = {},
): Promise<string> => (await client.createOrganizationScope({ body: { name: fresh('scope'), ...fields } })).id
export const createRole = async (
  { client }: TestServer,
  fields: Partial<BodyOf<'createOrganizationRole'>> = {},
): Promise<string> => (await client.createOrganizationRole({ body: { name: fresh('role'), ...fields } })).id
export const createMachine = async ({ client }: TestServer): Promise<string> =>
  (await client.createApplication({ body: { name: 'Worker', type: 'MachineToMachine' } })).id

/** A user who is a member, and the organization. */
export const createMember = async (server: TestServer): Promise<{ organizationId: string; userId: string }> => {
  const [organizationId, userId] = [await createOrganization(server), await createUser(server)]
  await server.client.addOrganizationUsers({ params: { id: organizationId }, body: { userIds: [userId] } })
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
