/**
 * The email domains that organizations say are theirs, and prove by a TXT record (DECISIONS P21): only those lead to the SSO connectors of
 * an organization.
 */
import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { emailDomainKey } from '../credentials/email-domain.ts'
import { SSO_CONNECTORS_TAG } from '../federation/enterprise/connectors.ts'
import { ssoDomains } from '../federation/enterprise/domains.ts'
import { holdDomains } from '../federation/enterprise/organization-domains.ts'
import { lockOrganization } from './rows.ts'

export type OrganizationDomainRow = Selectable<Tables['organization_domains']>

/** Of one organization. */
const MOST_DOMAINS = 50

/** The TXT record that proves a domain: below it, so that it is beside no other record of the domain. */
const recordOf = ({ domain, challenge }: OrganizationDomainRow) => ({
  name: `_countersign-challenge.${domain}`,
  value: `countersign-domain=${challenge}`,
})

/** A domain as it is shown. */
export const shownDomain = (row: OrganizationDomainRow) => ({
  organizationId: row.organization_id,
  domain: row.domain,
  verifiedAt: row.verified_at?.getTime() ?? null,
  record: recordOf(row),
  createdAt: row.created_at.getTime(),
})

const domainsOf = (db: Unit['tx'], tenantId: string, organizationId: string) =>
  db
    .selectFrom('organization_domains')
    .selectAll()
    .where(inTenant(tenantId))
    .where('organization_id', '=', organizationId)

/** Those of an organization, by name, at most fifty. Does not check that the organization exists. */
export const listOrganizationDomains = (
  { database: { kysely } }: Store,
  tenant: Tenant,
  organizationId: string,
): Promise<OrganizationDomainRow[]> => domainsOf(kysely, tenant.id, organizationId).orderBy('domain').execute()

/** Throws 422 `single_sign_on.domain_in_use` for a domain of another organization, or of a connector of the tenant. */
const assertFree = async ({ tx, tenant }: Unit, organizationId: string, domain: string): Promise<void> => {
  const { rows } = await sql`
    SELECT FROM organization_domains
    WHERE tenant_id = ${tenant.id} AND domain = ${domain} AND organization_id <> ${organizationId} AND verified_at IS NOT NULL
    UNION ALL SELECT FROM sso_connector_domains d
    JOIN sso_connectors c ON c.tenant_id = d.tenant_id AND c.id = d.connector_id
    WHERE d.tenant_id = ${tenant.id} AND d.domain = ${domain} AND c.organization_id IS NULL`.execute(tx)
  if (rows.length > 0) throw new ApiError('single_sign_on.domain_in_use', { domains: [domain] })
}

/**
 * Adds a domain; returns it with its challenge. Throws 404 without the organization, 422 for what is no domain, at which everyone can have
 * an address, which the organization has already, that belongs to others, or beyond fifty.
 * @param isVerified whether the caller vouches for it, so that it needs no proof
 */
export const addOrganizationDomain = operation(
  [],
  async (unit, organizationId: string, text: string, isVerified: boolean): Promise<OrganizationDomainRow> => {
    const { tx, tenant, now } = unit
    const [domain = ''] = ssoDomains([text])
    await lockOrganization(unit, organizationId)
    await holdDomains(unit)
    await assertFree(unit, organizationId, domain)
    const present = await domainsOf(tx, tenant.id, organizationId).execute()
    if (present.length >= MOST_DOMAINS) throw new ApiError('single_sign_on.reach_limit', { limit: MOST_DOMAINS })
    const row = await tx
      .insertInto('organization_domains')
      .values({
        tenant_id: tenant.id,
        organization_id: organizationId,
        domain,
        challenge: newId(),
        created_at: now,
        verified_at: isVerified ? now : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('organization', organizationId)
    unit.note({ domain, isVerified })
    return row
  },
)

/** Takes a domain away, also from the connectors of the organization. Throws 404. */
export const removeOrganizationDomain = operation(
  [],
  async (unit, organizationId: string, text: string): Promise<void> => {
    const { tx, tenant } = unit
    const domain = emailDomainKey(text) ?? ''
    await lockOrganization(unit, organizationId)
    await holdDomains(unit)
    const removed = await tx
      .deleteFrom('organization_domains')
      .where(inTenant(tenant.id))
      .where('organization_id', '=', organizationId)
      .where('domain', '=', domain)
      .returning('domain')
      .execute()
    if (removed.length === 0) throw notFound('domain', text)
    await sql`
      DELETE FROM sso_connector_domains d USING sso_connectors c
      WHERE d.tenant_id = ${tenant.id} AND d.domain = ${domain} AND c.tenant_id = d.tenant_id AND c.id = d.connector_id
        AND c.organization_id = ${organizationId}`.execute(tx)
    unit.concerns('organization', organizationId)
    unit.note({ domain })
    unit.changed(SSO_CONNECTORS_TAG)
  },
)

const verified = operation(
  [],
  async (
    unit,
    { organization_id: organizationId, domain, challenge }: OrganizationDomainRow,
  ): Promise<OrganizationDomainRow> => {
    const { tx, tenant, now } = unit
    await lockOrganization(unit, organizationId)
    await holdDomains(unit)
    await assertFree(unit, organizationId, domain)
    const row = await tx
      .updateTable('organization_domains')
      .set({ verified_at: now })
      .where(inTenant(tenant.id))
      .where('organization_id', '=', organizationId)
      .where('domain', '=', domain)
      // it may have been removed and added again while the name servers were asked
      .where('challenge', '=', challenge)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('domain', domain)
    unit.concerns('organization', organizationId)
    unit.note({ domain })
    return row
  },
)

/**
 * Asks the name servers whether the record of a domain is there; then the domain belongs to the organization. One that is verified stays
 * so, and is not asked for again. Throws 404, 422 `single_sign_on.domain_record_not_found` saying why, 422 for one that belongs to others.
 */
export const proveOrganizationDomain = async (
  work: Work,
  organizationId: string,
  text: string,
): Promise<OrganizationDomainRow> => {
  const { store, tenant } = work
  const row = await domainsOf(store.database.kysely, tenant.id, organizationId)
    .where('domain', '=', emailDomainKey(text) ?? '')
    .executeTakeFirst()
  if (!row) throw notFound('domain', text)
  if (row.verified_at !== null) return row
  const record = recordOf(row)
  const found = await store.domainRecords.txt(record.name)
  const values = typeof found === 'string' ? [] : found
  if (!values.includes(record.value)) {
    const reason = typeof found === 'string' ? found : found.length === 0 ? 'there is none' : 'it has another value'
    throw new ApiError('single_sign_on.domain_record_not_found', { ...record, reason })
  }
  return perform(work, verified, row)
}
