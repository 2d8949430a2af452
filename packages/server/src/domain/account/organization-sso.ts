/**
 * The single sign-on of an organization in the hands of its members (DECISIONS P22): those whose organization roles have the permission
 * `manage:sso`, where the settings of the tenant open it. What an organization may do at all is said where its domains and connectors are.
 */
import type { SsoConnectorUpdate, TenantSsoConnector } from '@countersign/contract/sso-connectors.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { operation, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { checkSsoConnector } from '../federation/enterprise/check.ts'
import {
  createSsoConnector,
  deleteSsoConnector,
  type SsoConnector,
  ssoConnectorsOf,
  updateSsoConnector,
} from '../federation/enterprise/connectors.ts'
import type { ProviderCheck } from '../federation/provider-findings.ts'
import {
  addOrganizationDomain,
  listOrganizationDomains,
  type OrganizationDomainRow,
  proveOrganizationDomain,
  removeOrganizationDomain,
} from '../organizations/domains.ts'
import { lockOrganization } from '../organizations/rows.ts'
import { beginChange } from './changes.ts'
import { assertEditable, assertShown, isShown } from './field-policy.ts'
import type { AccountHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'

/** The permission of organizations that it takes: one of the operator's template, as any other. */
const MANAGE_SSO = 'manage:sso'
/** Of one organization. */
const MOST_CONNECTORS = 10

/** Whether a member, the row `m`, has the permission. */
const MANAGES = sql<boolean>`EXISTS (
  SELECT FROM organization_user_roles ur
  JOIN organization_roles_scopes rs ON rs.tenant_id = ur.tenant_id AND rs.organization_role_id = ur.organization_role_id
  JOIN organization_scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.organization_scope_id
  WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id AND s.name = ${MANAGE_SSO})`

/** The organizations, by id, whose single sign-on the user may look after; none where the settings do not show it. */
export const organizationsManaged = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  userId: string,
  { center }: AccountRules,
): Promise<ReadonlySet<string>> => {
  if (!isShown(center, 'organizationSso')) return new Set()
  const { rows } = await sql<{ id: string }>`
    SELECT m.organization_id AS id FROM organization_users m
    WHERE m.tenant_id = ${tenant.id} AND m.user_id = ${userId} AND ${MANAGES}`.execute(store.database.kysely)
  return new Set(rows.map(({ id }) => id))
}

/** Throws 404 for an organization that the user is not in, as for one that does not exist, 403 without the permission there. */
const assertManages = async (
  db: Db,
  { id: tenantId }: Pick<Tenant, 'id'>,
  userId: string,
  organizationId: string,
): Promise<void> => {
  const { rows } = await sql<{ manages: boolean }>`
    SELECT ${MANAGES} AS manages FROM organization_users m
    WHERE m.tenant_id = ${tenantId} AND m.organization_id = ${organizationId} AND m.user_id = ${userId}`.execute(db)
  const [member] = rows
  if (!member) throw notFound('organization', organizationId)
  if (!member.manages) throw new ApiError('auth.forbidden', { permission: MANAGE_SSO })
}

/** Throws as assertManages, 400 `account_center.field_not_enabled`. */
const assertReads = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  { userId }: AccountHolder,
  { center }: AccountRules,
  organizationId: string,
): Promise<void> => {
  assertShown(center, 'organizationSso')
  await assertManages(store.database.kysely, tenant, userId, organizationId)
}

/** Locks the organization and the user, and uses the proof up. Throws as assertManages and beginChange. */
export const beginManaging = async (
  unit: Unit,
  holder: AccountHolder,
  rules: AccountRules,
  organizationId: string,
): Promise<void> => {
  assertEditable(rules.center, 'organizationSso')
  // in the order in which whatever changes members locks them: from here on the membership stays
  await lockOrganization(unit, organizationId)
  await assertManages(unit.tx, unit.tenant, holder.userId, organizationId)
  await beginChange(unit, holder, rules, 'organizationSso')
}

/** Throws as assertReads. */
export const domainsManaged = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  organizationId: string,
): Promise<OrganizationDomainRow[]> => {
  await assertReads(work, holder, rules, organizationId)
  return listOrganizationDomains(work.store, work.tenant, organizationId)
}

/** Throws as beginManaging and addOrganizationDomain. */
export const addManagedDomain = operation(
  [],
  async (unit, holder: AccountHolder, rules: AccountRules, organizationId: string, domain: string) => {
    await beginManaging(unit, holder, rules, organizationId)
    return addOrganizationDomain.run(unit, organizationId, domain, false)
  },
)

/** Counts a request that a member has this server send (DECISIONS P22). Throws 429 `request.rate_limited`. */
const countCheck = ({ store, tenant }: Work, organizationId: string): void => {
  const admitted = store.addressLimits.memberChecks.admit(`${tenant.id} ${organizationId}`, store.clock.now())
  if (!admitted.isAdmitted) throw new ApiError('request.rate_limited', { retryAfter: admitted.retryAfter })
}

/**
 * Asks the name servers. Throws as assertReads and proveOrganizationDomain, 400 `account_center.field_not_editable`, 429
 * `request.rate_limited`.
 */
export const proveManagedDomain = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  organizationId: string,
  domain: string,
): Promise<OrganizationDomainRow> => {
  assertEditable(rules.center, 'organizationSso')
  await assertReads(work, holder, rules, organizationId)
  countCheck(work, organizationId)
  return proveOrganizationDomain(work, organizationId, domain)
}

/** Throws as beginManaging and removeOrganizationDomain. */
export const removeManagedDomain = operation(
  [],
  async (unit, holder: AccountHolder, rules: AccountRules, organizationId: string, domain: string): Promise<void> => {
    await beginManaging(unit, holder, rules, organizationId)
    await removeOrganizationDomain.run(unit, organizationId, domain)
  },
)

/** The connectors that belong to the organization, by name. Throws as assertReads. */
export const connectorsManaged = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  organizationId: string,
): Promise<SsoConnector[]> => {
  await assertReads(work, holder, rules, organizationId)
  const { store, tenant } = work
  return ssoConnectorsOf({ tx: store.database.kysely, vault: store.vault, tenant }, organizationId)
}

/** Throws as beginManaging and createSsoConnector, 422 `single_sign_on.reach_limit` beyond ten. */
export const createManagedConnector = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    rules: AccountRules,
    organizationId: string,
    { enableTokenStorage: _, ...input }: Static<typeof TenantSsoConnector>,
  ): Promise<SsoConnector> => {
    await beginManaging(unit, holder, rules, organizationId)
    const present = await ssoConnectorsOf(unit, organizationId)
    if (present.length >= MOST_CONNECTORS) throw new ApiError('single_sign_on.reach_limit', { limit: MOST_CONNECTORS })
    unit.concerns('organization', organizationId)
    return createSsoConnector.run(unit, { ...input, organizationId })
  },
)

/** A connector of an organization, as an address names it. */
export interface ManagedConnector {
  readonly organizationId: string
  readonly connectorId: string
}

/** Throws 404 for a connector that does not belong to the organization. */
export const managed = async (
  unit: Pick<Unit, 'tx' | 'vault' | 'tenant'>,
  { organizationId, connectorId }: ManagedConnector,
): Promise<SsoConnector> => {
  const connector = (await ssoConnectorsOf(unit, organizationId)).find(({ id }) => id === connectorId)
  if (!connector) throw notFound('SSO connector', connectorId)
  return connector
}

/** One of them. Throws as assertReads, 404. */
export const connectorManaged = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  of: ManagedConnector,
): Promise<SsoConnector> => {
  await assertReads(work, holder, rules, of.organizationId)
  const { store, tenant } = work
  return managed({ tx: store.database.kysely, vault: store.vault, tenant }, of)
}

/**
 * Asks the identity provider of a connector, as checkProvider. Throws as connectorManaged, 400 `account_center.field_not_editable`, 429
 * `request.rate_limited`.
 */
export const checkManagedConnector = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  of: ManagedConnector,
): Promise<ProviderCheck> => {
  assertEditable(rules.center, 'organizationSso')
  const connector = await connectorManaged(work, holder, rules, of)
  countCheck(work, of.organizationId)
  return checkSsoConnector(work, connector)
}

/** A configuration without a client secret keeps the present one, for the same issuer. */
const withSecret = (
  { config: { issuer, clientSecret } }: SsoConnector,
  config: NonNullable<Static<typeof SsoConnectorUpdate>['config']>,
) =>
  clientSecret !== undefined && config.clientSecret === undefined && config.issuer === issuer
    ? { ...config, clientSecret }
    : config

/** Throws as beginManaging and updateSsoConnector. */
export const updateManagedConnector = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    rules: AccountRules,
    of: ManagedConnector,
    { enableTokenStorage: _, config, ...change }: Static<typeof SsoConnectorUpdate>,
  ): Promise<SsoConnector> => {
    await beginManaging(unit, holder, rules, of.organizationId)
    const before = await managed(unit, of)
    unit.concerns('organization', of.organizationId)
    const whole = config ? { ...change, config: withSecret(before, config) } : change
    return updateSsoConnector.run(unit, of.connectorId, whole)
  },
)

/** Throws as beginManaging, 404. */
export const deleteManagedConnector = operation(
  [],
  async (unit, holder: AccountHolder, rules: AccountRules, of: ManagedConnector): Promise<void> => {
    await beginManaging(unit, holder, rules, of.organizationId)
    await managed(unit, of)
    unit.concerns('organization', of.organizationId)
    await deleteSsoConnector.run(unit, of.connectorId)
  },
)
