/** The SSO connectors whose users become members of an organization (DECISIONS E5). */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Page, PageRequest } from '../../storage/page.ts'
import { heldBy, type Pairs, takeHeld, takeOthers } from '../../storage/pairs.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { listSsoConnectors, type SsoConnector } from '../federation/enterprise/connectors.ts'
import { getOrganization, lockOrganization } from './rows.ts'

const CONNECTORS = {
  table: 'organization_jit_sso_connectors',
  holder: 'organization_id',
  held: 'sso_connector_id',
  kind: 'SSO connector',
} as const satisfies Pairs

/** Throws 404. */
export const listJitSsoConnectors = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest,
): Promise<Page<SsoConnector>> => {
  await getOrganization(store, tenant, organizationId)
  return listSsoConnectors(store, tenant, request, heldBy(CONNECTORS, tenant.id, organizationId, 'c'))
}

/** Throws 422 for connectors that belong to another organization: their users become members of that one only. */
const assertNotOfOthers = async (
  { tx, tenant }: Unit,
  organizationId: string,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) return
  const rows = await tx
    .selectFrom('sso_connectors')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', 'in', [...ids])
    .where('organization_id', '<>', organizationId)
    .execute()
  if (rows.length > 0) throw new ApiError('single_sign_on.connector_of_organization', { ids: rows.map(({ id }) => id) })
}

const insert = ({ tx, tenant }: Unit, organizationId: string, connectorIds: readonly string[]) =>
  sql`
    INSERT INTO organization_jit_sso_connectors (tenant_id, organization_id, sso_connector_id)
    SELECT ${tenant.id}, ${organizationId}, unnest(${connectorIds}::text[]) ON CONFLICT DO NOTHING`.execute(tx)

/** Adds connectors; existing ones stay. Throws 404, 422. */
export const addJitSsoConnectors = operation(
  [],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const connectorIds = [...new Set(ids)]
    await lockOrganization(unit, organizationId)
    await holdReferencedRows(unit, 'sso_connectors', connectorIds, 'ssoConnectorIds')
    await assertNotOfOthers(unit, organizationId, connectorIds)
    await insert(unit, organizationId, connectorIds)
  },
)

/** Replaces the connectors with these. Throws 404, 422. */
export const replaceJitSsoConnectors = operation(
  [],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const connectorIds = [...new Set(ids)]
    await lockOrganization(unit, organizationId)
    await holdReferencedRows(unit, 'sso_connectors', connectorIds, 'ssoConnectorIds')
    await assertNotOfOthers(unit, organizationId, connectorIds)
    await takeOthers(unit, CONNECTORS, organizationId, connectorIds)
    await insert(unit, organizationId, connectorIds)
  },
)

/** Throws 404 also when the connector is not among them. */
export const removeJitSsoConnector = operation(
  [],
  async (unit, organizationId: string, connectorId: string): Promise<void> => {
    await lockOrganization(unit, organizationId)
    await takeHeld(unit, CONNECTORS, organizationId, connectorId)
  },
)
