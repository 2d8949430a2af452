/** Organizations (DECISIONS E2): created, changed, deleted. Their members are in members.ts. */

import type { OrganizationCreate, OrganizationUpdate } from '@countersign/contract/organizations.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { newOrganizationId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { keptTotal, type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { soundCss } from '../applications/look.ts'
import { SSO_CONNECTORS_TAG } from '../federation/enterprise/connectors.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { containing } from '../permissions/scopes.ts'
import { lockOrganization, type OrganizationRow } from './rows.ts'

/** The tag of everything cached that was built within this organization. */
export const organizationTag = (id: string) => `organization:${id}`
/** How many there are. */
const TOTAL_TAG = 'organizations'

/** An organization as events represent it. */
const organizationEntity = (row: OrganizationRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  customData: row.custom_data,
  isMfaRequired: row.is_mfa_required,
  isTrustedDeviceAllowed: row.is_trusted_device_allowed,
  color: row.color,
  branding: row.branding,
  customCss: row.custom_css,
  createdAt: row.created_at.toISOString(),
})

export const listOrganizations = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & { q?: string | undefined },
): Promise<Page<OrganizationRow>> => {
  const db = store.database.kysely
  const all = db.selectFrom('organizations').selectAll().where(inTenant(tenantId))
  const { q } = request
  if (!q) return paginate(db, all, request, { total: keptTotal(store, tenantId, TOTAL_TAG) })
  const query = all.where(({ or, eb }) => or([eb('name', 'ilike', containing(q)), eb('id', '=', q)]))
  return paginate(db, query, request)
}

/** Counting the users of an organization stops here, so that no request waits for a count of a million. */
const USERS_COUNTED = 10_000

interface Featured {
  readonly organizationId: string
  readonly usersCount: number
  readonly featuredUsers: { id: string; name: string | null; avatar: string | null }[]
}

/** How many users each organization has, and the three most recent members. */
export const featuredUsersOf = async (
  store: Store,
  { id: tenantId }: Tenant,
  organizationIds: readonly string[],
): Promise<Map<string, Featured>> => {
  const { rows } = await sql<Featured>`
    SELECT o.id AS "organizationId",
      (SELECT count(*) FROM (
        SELECT FROM organization_users ou WHERE ou.tenant_id = ${tenantId} AND ou.organization_id = o.id
        LIMIT ${USERS_COUNTED}) AS counted) AS "usersCount",
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT u.id, u.name, u.avatar FROM organization_users ou
        JOIN users u ON u.tenant_id = ou.tenant_id AND u.id = ou.user_id
        WHERE ou.tenant_id = ${tenantId} AND ou.organization_id = o.id
        ORDER BY ou.created_at DESC, ou.user_id DESC LIMIT 3) f) AS "featuredUsers"
    FROM unnest(${organizationIds}::text[]) AS o (id)`.execute(store.database.kysely)
  return new Map(rows.map((row) => [row.organizationId, row]))
}

/** Pages show and link to these: only http and https (SECURITY R-23). */
const assertBranding = (branding: Static<typeof OrganizationUpdate>['branding']): void => {
  for (const [name, address] of Object.entries(branding ?? {})) {
    const url = URL.parse(address)
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
      throw new ApiError('guard.invalid_input', {
        reason: `branding.${name} must be an http or https address`,
        issues: [{ path: `/branding/${name}`, reason: 'must be an http or https address', code: 'url' }],
      })
  }
}

export const createOrganization = operation(
  ['Organization.Created'],
  async (unit, input: Static<typeof OrganizationCreate>): Promise<OrganizationRow> => {
    const { tx, tenant, now, emit, changed } = unit
    assertBranding(input.branding)
    const row = await tx
      .insertInto('organizations')
      .values({
        tenant_id: tenant.id,
        id: newOrganizationId(),
        name: input.name,
        description: input.description ?? null,
        custom_data: JSON.stringify(input.customData ?? {}),
        is_mfa_required: input.isMfaRequired ?? false,
        is_trusted_device_allowed: input.isTrustedDeviceAllowed ?? true,
        color: JSON.stringify(input.color ?? {}),
        branding: JSON.stringify(input.branding ?? {}),
        custom_css: soundCss(input.customCss ?? null),
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    emit('Organization.Created', { data: organizationEntity(row) })
    unit.concerns('organization', row.id, { after: organizationEntity(row) })
    changed(TOTAL_TAG)
    return row
  },
)

/** Changes an organization; customData, color and branding are replaced. Throws 404. */
export const updateOrganization = operation(
  ['Organization.Data.Updated'],
  async (unit, id: string, change: Static<typeof OrganizationUpdate>): Promise<OrganizationRow> => {
    assertBranding(change.branding)
    const before = await lockOrganization(unit, id)
    const row = await unit.tx
      .updateTable('organizations')
      .set({
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : change.description,
        custom_data: JSON.stringify(change.customData ?? before.custom_data),
        is_mfa_required: change.isMfaRequired ?? before.is_mfa_required,
        is_trusted_device_allowed: change.isTrustedDeviceAllowed ?? before.is_trusted_device_allowed,
        color: JSON.stringify(change.color ?? before.color),
        branding: JSON.stringify(change.branding ?? before.branding),
        custom_css: change.customCss === undefined ? before.custom_css : soundCss(change.customCss),
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('Organization.Data.Updated', { data: organizationEntity(row) })
    unit.concerns('organization', id, { before: organizationEntity(before), after: organizationEntity(row) })
    unit.changed(organizationTag(id))
    return row
  },
)

/** Deletes an organization; memberships, invitations and provisioning go with it (DECISIONS E6). Throws 404. */
export const deleteOrganization = operation(['Organization.Deleted'], async (unit, id: string): Promise<void> => {
  const row = await lockOrganization(unit, id)
  await assertHolds(unit, 'organizations', [id])
  await unit.tx.deleteFrom('organizations').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.emit('Organization.Deleted', { data: organizationEntity(row) })
  unit.concerns('organization', id, { before: organizationEntity(row) })
  unit.changed(organizationTag(id), TOTAL_TAG, SSO_CONNECTORS_TAG)
})
