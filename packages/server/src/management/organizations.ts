/** `/organizations`, and the organizations of a user and of an application. */
import type { Organization } from '@countersign/contract/organization-entities.ts'
import { organizationRoutes } from '@countersign/contract/organizations.ts'
import type { Static } from 'typebox'
import { getApplication } from '../domain/applications/rows.ts'
import { listOrganizationsOf } from '../domain/organizations/member-lists.ts'
import {
  createOrganization,
  deleteOrganization,
  featuredUsersOf,
  listOrganizations,
  updateOrganization,
} from '../domain/organizations/organizations.ts'
import { getOrganization, type OrganizationRow } from '../domain/organizations/rows.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { getUser } from '../domain/users/rows.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

export const toOrganization = (row: OrganizationRow): Static<typeof Organization> => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
  customData: row.custom_data,
  isMfaRequired: row.is_mfa_required,
  isTrustedDeviceAllowed: row.is_trusted_device_allowed,
  color: row.color,
  branding: row.branding,
  customCss: row.custom_css,
  createdAt: row.created_at.getTime(),
})

type Joined = Awaited<ReturnType<typeof listOrganizationsOf>>['items'][number]
const toJoined = ({ row, organizationRoles }: Joined) => ({ ...toOrganization(row), organizationRoles })

export const organizationHandlers = bind(organizationRoutes, {
  async listOrganizations({ query }, { store, tenant, caller, page }) {
    const organizations = await listOrganizations(store, tenant, { ...page, q: query.q })
    if (!['true', '1'].includes(query.showFeatured ?? '')) return mapPage(organizations, toOrganization)
    const featured = await featuredUsersOf(
      store,
      tenant,
      organizations.items.map(({ id }) => id),
    )
    return mapPage(organizations, (row) => ({
      ...toOrganization(row),
      usersCount: featured.get(row.id)?.usersCount ?? 0,
      featuredUsers: (holds(caller, 'read:users') && featured.get(row.id)?.featuredUsers) || [],
    }))
  },
  async createOrganization({ body }, { perform }) {
    return toOrganization(await perform(createOrganization, body))
  },
  async getOrganization({ params }, { store, tenant }) {
    return toOrganization(await getOrganization(store, tenant, params.id))
  },
  async updateOrganization({ params, body }, { perform }) {
    return toOrganization(await perform(updateOrganization, params.id, body))
  },
  async deleteOrganization({ params }, { perform }) {
    await perform(deleteOrganization, params.id)
  },
  async listUserOrganizations({ params }, { store, tenant, page }) {
    await getUser(store, tenant, params.userId)
    return mapPage(await listOrganizationsOf(store, tenant, 'user', params.userId, page), toJoined)
  },
  async listApplicationOrganizations({ params }, { store, tenant, page }) {
    await getApplication(store, tenant, params.id)
    return mapPage(await listOrganizationsOf(store, tenant, 'application', params.id, page), toJoined)
  },
})
