/** `/scim-directories`. */
import { scimDirectoryRoutes } from '@countersign/contract/scim-directories.ts'
import { holds } from '../domain/permissions/management-access.ts'
import {
  createDirectory,
  type DirectoryRow,
  deleteDirectory,
  getDirectory,
  listDirectories,
  updateDirectory,
} from '../domain/provisioning/directories.ts'
import { replaceGroupRoles } from '../domain/provisioning/group-roles.ts'
import { listMappedGroups, type MappedGroup } from '../domain/provisioning/groups.ts'
import {
  createScimToken,
  deleteScimToken,
  type ScimTokenRow,
  tokensOfDirectory,
} from '../domain/provisioning/tokens.ts'
import { bind, type Call } from '../http/api.ts'
import { FIRST_PAGE } from '../http/pagination.ts'
import { ApiError, notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { mapPage } from '../storage/page.ts'

const toDirectory = (tenant: Tenant) => (row: DirectoryRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  organizationId: row.organization_id,
  isEnabled: row.is_enabled,
  emailDomains: row.email_domains,
  linksUsers: row.links_users,
  deletesUsers: row.deletes_users,
  restrictsDomains: row.restricts_domains,
  baseUrl: `${tenant.baseUrl}/scim/v2/${row.id}`,
  createdAt: row.created_at.getTime(),
})

const toToken = (row: ScimTokenRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at?.getTime() ?? null,
  lastUsedAt: row.last_used_at?.getTime() ?? null,
})

const toGroup = (row: MappedGroup) => ({
  tenantId: row.tenant_id,
  id: row.id,
  displayName: row.display_name,
  externalId: row.external_id,
  memberCount: row.member_count,
  roleIds: [...row.role_ids],
  createdAt: row.created_at.getTime(),
})

/** A directory of an organization adds members to it and gives them roles in it. */
const assertMayProvision = ({ caller }: Call, organizationId: string | null | undefined): void => {
  if (organizationId != null && !holds(caller, 'write:organizations'))
    throw new ApiError('auth.forbidden', { permission: 'write:organizations' })
}

const directoryOf = async (call: Call, id: string): Promise<DirectoryRow> => {
  const directory = await getDirectory(call.store.database.kysely, call.tenant, id)
  assertMayProvision(call, directory.organization_id)
  return directory
}

export const scimDirectoryHandlers = bind(scimDirectoryRoutes, {
  async listScimDirectories({ query }, { store, tenant, page }) {
    return mapPage(await listDirectories(store, tenant, { ...page, ...query }), toDirectory(tenant))
  },
  async createScimDirectory({ body }, call) {
    assertMayProvision(call, body.organizationId)
    return toDirectory(call.tenant)(await call.perform(createDirectory, body))
  },
  async getScimDirectory({ params }, { store, tenant }) {
    return toDirectory(tenant)(await getDirectory(store.database.kysely, tenant, params.id))
  },
  async updateScimDirectory({ params, body }, call) {
    await directoryOf(call, params.id)
    return toDirectory(call.tenant)(await call.perform(updateDirectory, params.id, body))
  },
  async deleteScimDirectory({ params }, { perform }) {
    await perform(deleteDirectory, params.id)
  },
  async listScimTokens({ params }, { store, tenant }) {
    return (await tokensOfDirectory(store, tenant, params.id)).map(toToken)
  },
  async createScimToken({ params, body }, call) {
    await directoryOf(call, params.id)
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt)
    const { row, value } = await call.perform(createScimToken, params.id, body.name, expiresAt)
    return { ...toToken(row), value }
  },
  async deleteScimToken({ params }, { perform }) {
    await perform(deleteScimToken, params.id, params.scimTokenId)
  },
  async listScimGroups({ params }, { store, tenant, page }) {
    const directory = await getDirectory(store.database.kysely, tenant, params.id)
    return mapPage(await listMappedGroups(store, directory, page), toGroup)
  },
  async replaceScimGroupRoles({ params, body }, call) {
    const directory = await directoryOf(call, params.id)
    await call.perform(replaceGroupRoles, directory, params.scimGroupId, body.roleIds)
    const { items } = await listMappedGroups(call.store, directory, FIRST_PAGE, params.scimGroupId)
    const [group] = items
    if (!group) throw notFound('Group', params.scimGroupId)
    return toGroup(group)
  },
})
