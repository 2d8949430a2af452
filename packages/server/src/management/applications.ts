/** `/applications`: applications, their secrets and their roles. */
import { type ApplicationUpdate, applicationRoutes } from '@countersign/contract/applications.ts'
import type { OidcClientMetadata } from '@countersign/contract/client-metadata.ts'
import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import type { Static } from 'typebox'
import { permissionsOfApplication } from '../domain/access/access.ts'
import {
  addApplicationRoles,
  listApplicationRoles,
  removeApplicationRole,
  replaceApplicationRoles,
  updateWithAdmin,
} from '../domain/access/application-roles.ts'
import { createApplication, listApplications, mergeCustomData } from '../domain/applications/applications.ts'
import { type ApplicationRow, getApplication } from '../domain/applications/rows.ts'
import {
  createSecret,
  deleteSecret,
  listSecrets,
  renameSecret,
  type SecretRow,
} from '../domain/applications/secrets.ts'
import { assertSectorDocument } from '../domain/applications/sector-identifiers.ts'
import { deleteApplication } from '../domain/organizations/deletions.ts'
import { findResource } from '../domain/permissions/resources.ts'
import { bind } from '../http/api.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { mapPage } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'
import { toRole } from './role-shape.ts'

export const toApplication = (row: ApplicationRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  oidcClientMetadata: row.oidc_client_metadata as Static<typeof OidcClientMetadata>,
  customClientMetadata: row.custom_client_metadata,
  customData: row.custom_data,
  isThirdParty: row.is_third_party,
  appLevelAccessControlEnabled: row.has_access_control,
  registration: row.registration,
  protectedAppMetadata: null,
  createdAt: row.created_at.getTime(),
})

/** What a change says of the sector of an application. */
const sectorChange = ({ oidcClientMetadata, customClientMetadata }: Static<typeof ApplicationUpdate>) => ({
  redirectUris: oidcClientMetadata?.redirectUris,
  metadata: customClientMetadata,
})

const toSecret = (row: SecretRow) => ({
  tenantId: row.tenant_id,
  applicationId: row.application_id,
  name: row.name,
  value: row.value,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at?.getTime() ?? null,
})

const isAdmin = async (store: Store, tenant: Tenant, applicationId: string): Promise<boolean> => {
  const api = await findResource(store, tenant, tenant.managementApi)
  return api !== undefined && (await permissionsOfApplication(store, tenant, applicationId, api.id)).has(ALL_PERMISSION)
}

export const applicationHandlers = bind(applicationRoutes, {
  async listApplications({ query }, { store, tenant, page }) {
    const { types, isThirdParty, ...rest } = query
    const filter = {
      types: types === undefined ? undefined : [types].flat(),
      isThirdParty: isThirdParty === undefined ? undefined : isThirdParty === 'true',
    }
    return mapPage(await listApplications(store, tenant, { ...page, ...rest, ...filter }), toApplication)
  },
  async createApplication({ body }, { store, tenant, perform }) {
    await assertSectorDocument(store, tenant, undefined, sectorChange(body))
    return toApplication(await perform(createApplication, body))
  },
  async getApplication({ params }, { store, tenant }) {
    const row = await getApplication(store, tenant, params.id)
    return { ...toApplication(row), isAdmin: await isAdmin(store, tenant, row.id) }
  },
  async updateApplication({ params, body: { isAdmin: admin, ...change } }, { store, tenant, perform }) {
    await assertSectorDocument(store, tenant, params.id, sectorChange(change))
    return toApplication(await perform(updateWithAdmin, params.id, change, admin))
  },
  async deleteApplication({ params }, { perform }) {
    await perform(deleteApplication, params.id)
  },
  async updateApplicationCustomData({ params, body }, { perform }) {
    return perform(mergeCustomData, params.applicationId, body)
  },
  async listApplicationSecrets({ params }, { store, tenant, caller }) {
    return (await listSecrets(store, tenant, caller, params.id)).map(toSecret)
  },
  async createApplicationSecret({ params, body }, { perform }) {
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt)
    return toSecret(await perform(createSecret, params.id, body.name, expiresAt))
  },
  async renameApplicationSecret({ params, body }, { perform }) {
    return toSecret(await perform(renameSecret, params.id, params.name, body.name))
  },
  async deleteApplicationSecret({ params }, { perform }) {
    await perform(deleteSecret, params.id, params.name)
  },
  async listApplicationRoles({ params, query }, { store, tenant, page }) {
    const roles = await listApplicationRoles(store, tenant, params.applicationId, { ...page, search: query.search })
    return mapPage(roles, toRole)
  },
  async addApplicationRoles({ params, body }, { perform }) {
    const addedRoleIds = await perform(addApplicationRoles, params.applicationId, body.roleIds)
    return { roleIds: body.roleIds, addedRoleIds }
  },
  async replaceApplicationRoles({ params, body }, { perform }) {
    await perform(replaceApplicationRoles, params.applicationId, body.roleIds)
  },
  async removeApplicationRole({ params }, { perform }) {
    await perform(removeApplicationRole, params.applicationId, params.roleId)
  },
})
