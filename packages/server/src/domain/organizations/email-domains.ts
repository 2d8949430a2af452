/** The email domains whose users become members of an organization (DECISIONS E5). */

import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { emailDomainKey } from '../credentials/email-domain.ts'
import { getOrganization, lockOrganization } from './rows.ts'

const keep = (text: string): string => {
  const key = emailDomainKey(text)
  if (key === undefined)
    throw new ApiError('guard.invalid_input', {
      reason: `${text} is not a domain name`,
      issues: [{ path: '/emailDomain', reason: 'is not a domain name', code: 'domain', value: text }],
    })
  return key
}

/** The domains of an organization, in reverse alphabetical order. Throws 404. */
export const listJitEmailDomains = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest,
): Promise<Page<{ organization_id: string; id: string }>> => {
  await getOrganization(store, tenant, organizationId)
  const db = store.database.kysely
  // all have the creation time of their organization, so that only the name orders them
  const query = db
    .selectFrom('organization_jit_email_domains as d')
    .innerJoin('organizations as o', (join) =>
      join.onRef('o.tenant_id', '=', 'd.tenant_id').onRef('o.id', '=', 'd.organization_id'),
    )
    .select(['o.created_at as created_at', 'd.email_domain as id', 'd.organization_id as organization_id'])
    .where(inTenant(tenant.id, 'd'))
    .where('d.organization_id', '=', organizationId)
  return paginate(db, query, request, { createdAt: 'o.created_at', id: 'd.email_domain' })
}

/** Returns the domain as it is stored. Throws 404, 400 for an invalid domain, 422 for one that already exists. */
export const addJitEmailDomain = operation([], async (unit, organizationId: string, text: string): Promise<string> => {
  const domain = keep(text)
  await lockOrganization(unit, organizationId)
  await unit.tx
    .insertInto('organization_jit_email_domains')
    .values({ tenant_id: unit.tenant.id, organization_id: organizationId, email_domain: domain })
    .execute()
  return domain
})

/** Replaces the domains of the organization with these. Throws 404, 400. */
export const replaceJitEmailDomains = operation(
  [],
  async (unit, organizationId: string, texts: readonly string[]): Promise<void> => {
    const domains = [...new Set(texts.map(keep))]
    const { tx, tenant } = unit
    await lockOrganization(unit, organizationId)
    await sql`
      DELETE FROM organization_jit_email_domains
      WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId}
        AND email_domain <> ALL(${domains}::text[])`.execute(tx)
    await sql`
      INSERT INTO organization_jit_email_domains (tenant_id, organization_id, email_domain)
      SELECT ${tenant.id}, ${organizationId}, unnest(${domains}::text[]) ON CONFLICT DO NOTHING`.execute(tx)
  },
)

/** Throws 404 also when the domain does not exist. */
export const removeJitEmailDomain = operation([], async (unit, organizationId: string, text: string): Promise<void> => {
  await lockOrganization(unit, organizationId)
  const removed = await unit.tx
    .deleteFrom('organization_jit_email_domains')
    .where(inTenant(unit.tenant.id))
    .where('organization_id', '=', organizationId)
    .where('email_domain', '=', emailDomainKey(text) ?? '')
    .returning('email_domain')
    .execute()
  if (removed.length === 0) throw notFound('email domain', text)
})
