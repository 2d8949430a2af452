/** The organizations in which a user lets a third-party application act; they end with the membership. */

import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { rowsById } from '../../storage/rows-by-id.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { type ApplicationRow, getApplication, lockApplication } from '../applications/rows.ts'
import { getUser } from '../users/rows.ts'
import { holdMembershipsOf } from './membership.ts'
import type { OrganizationRow } from './rows.ts'

const assertThirdParty = ({ is_third_party }: ApplicationRow): void => {
  if (!is_third_party) throw new ApiError('application.third_party_application_only')
}

/** Throws 404, 422 for an application that is not third-party. */
export const listConsentOrganizations = async (
  store: Store,
  tenant: Tenant,
  applicationId: string,
  userId: string,
  request: PageRequest,
): Promise<Page<OrganizationRow>> => {
  assertThirdParty(await getApplication(store, tenant, applicationId))
  await getUser(store, tenant, userId)
  const db = store.database.kysely
  const query = db
    .selectFrom('applications_consent_organizations as c')
    .select(['c.created_at as created_at', 'c.organization_id as id'])
    .where(inTenant(tenant.id, 'c'))
    .where('c.application_id', '=', applicationId)
    .where('c.user_id', '=', userId)
  const page = await paginate(db, query, request, { createdAt: 'c.created_at', id: 'c.organization_id' })
  return {
    ...page,
    items: await rowsById(
      store,
      tenant,
      'organizations',
      page.items.map(({ id }) => id),
    ),
  }
}

/** Throws 404, 422. */
const lockConsents = async (unit: Unit, applicationId: string, userId: string): Promise<void> => {
  assertThirdParty(await lockApplication(unit, applicationId))
  const user = await unit.tx
    .selectFrom('users')
    .select('id')
    .where(inTenant(unit.tenant.id))
    .where('id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  if (!user) throw notFound('user', userId)
}

const insert = ({ tx, tenant, now }: Unit, applicationId: string, userId: string, ids: readonly string[]) =>
  sql`
    INSERT INTO applications_consent_organizations (tenant_id, application_id, user_id, organization_id, created_at)
    SELECT ${tenant.id}, ${applicationId}, ${userId}, o.id, ${now} FROM unnest(${ids}::text[]) AS o (id)
    ON CONFLICT DO NOTHING`.execute(tx)

/** Adds organizations; existing ones stay. Throws 404, 422 also if the user is not a member. */
export const addConsentOrganizations = operation(
  [],
  async (unit, applicationId: string, userId: string, ids: readonly string[]): Promise<void> => {
    const organizationIds = [...new Set(ids)]
    await lockConsents(unit, applicationId, userId)
    await holdMembershipsOf(unit, userId, organizationIds)
    await insert(unit, applicationId, userId, organizationIds)
  },
)

/** Replaces the organizations with these. Throws 404, 422 also if the user is not a member. */
export const replaceConsentOrganizations = operation(
  [],
  async (unit, applicationId: string, userId: string, ids: readonly string[]): Promise<void> => {
    const organizationIds = [...new Set(ids)]
    const { tx, tenant } = unit
    await lockConsents(unit, applicationId, userId)
    await holdMembershipsOf(unit, userId, organizationIds)
    await sql`
      DELETE FROM applications_consent_organizations
      WHERE tenant_id = ${tenant.id} AND application_id = ${applicationId} AND user_id = ${userId}
        AND organization_id <> ALL(${organizationIds}::text[])`.execute(tx)
    await insert(unit, applicationId, userId, organizationIds)
  },
)

/** Throws 404 also when it is not among them, 422 for an application that is not third-party. */
export const removeConsentOrganization = operation(
  [],
  async (unit, applicationId: string, userId: string, organizationId: string): Promise<void> => {
    await lockConsents(unit, applicationId, userId)
    const removed = await unit.tx
      .deleteFrom('applications_consent_organizations')
      .where(inTenant(unit.tenant.id))
      .where('application_id', '=', applicationId)
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .returning('organization_id')
      .execute()
    if (removed.length === 0) throw notFound('organization', organizationId)
  },
)
