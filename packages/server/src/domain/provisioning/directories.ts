/** SCIM directories: which organization each belongs to, and what it may do to users. */
import type { ScimDirectoryChange, ScimDirectoryCreate } from '@countersign/contract/scim-directories.ts'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { emailDomainKey } from '../credentials/email-domain.ts'

export type DirectoryRow = Selectable<Tables['scim_directories']>

/** What the audit log records about a change. */
const directoryFields = (row: DirectoryRow) => ({
  name: row.name,
  organizationId: row.organization_id,
  isEnabled: row.is_enabled,
  emailDomains: row.email_domains,
  linksUsers: row.links_users,
  deletesUsers: row.deletes_users,
  restrictsDomains: row.restricts_domains,
})

const keepDomains = (domains: readonly string[] | undefined): string[] | undefined =>
  domains?.map((text, index) => {
    const key = emailDomainKey(text)
    if (key === undefined)
      throw new ApiError('guard.invalid_input', {
        reason: `${text} is not a domain name`,
        issues: [{ path: `/emailDomains/${index}`, reason: 'is not a domain name', code: 'domain', value: text }],
      })
    return key
  })

/** The directories of a tenant. @param request.organizationId only those of this organization */
export const listDirectories = (
  { database }: Store,
  tenant: Tenant,
  request: PageRequest & { readonly organizationId?: string | undefined },
): Promise<Page<DirectoryRow>> => {
  const all = database.kysely.selectFrom('scim_directories').selectAll().where(inTenant(tenant.id))
  const { organizationId } = request
  return paginate(
    database.kysely,
    organizationId === undefined ? all : all.where('organization_id', '=', organizationId),
    request,
  )
}

/** Reads within a transaction too. Throws 404. */
export const getDirectory = async (db: Db, tenant: Tenant, id: string): Promise<DirectoryRow> => {
  const row = await db
    .selectFrom('scim_directories')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('SCIM directory', id)
  return row
}

const lockDirectory = async ({ tx, tenant }: Unit, id: string): Promise<DirectoryRow> => {
  const row = await tx
    .selectFrom('scim_directories')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('SCIM directory', id)
  return row
}

/** Creates a directory without tokens. Throws 400 for an invalid domain, 422 for an unknown organization. */
export const createDirectory = operation(
  [],
  async (unit, input: Static<typeof ScimDirectoryCreate>): Promise<DirectoryRow> => {
    const { tx, tenant, now } = unit
    const organizationId = input.organizationId ?? null
    if (organizationId !== null) await holdReferencedRows(unit, 'organizations', [organizationId], 'organizationId')
    const row = await tx
      .insertInto('scim_directories')
      .values({
        tenant_id: tenant.id,
        id: newId(),
        name: input.name,
        organization_id: organizationId,
        is_enabled: input.isEnabled ?? true,
        email_domains: keepDomains(input.emailDomains) ?? [],
        links_users: input.linksUsers ?? false,
        deletes_users: input.deletesUsers ?? false,
        restricts_domains: input.restrictsDomains ?? false,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('scimDirectory', row.id, { after: directoryFields(row) })
    return row
  },
)

/** Changes a directory; what it has provisioned stays unchanged. Throws 404, 400 for an invalid domain. */
export const updateDirectory = operation(
  [],
  async (unit, id: string, change: Static<typeof ScimDirectoryChange>): Promise<DirectoryRow> => {
    const { tx, tenant } = unit
    const before = await lockDirectory(unit, id)
    const row = await tx
      .updateTable('scim_directories')
      .set({
        name: change.name ?? before.name,
        is_enabled: change.isEnabled ?? before.is_enabled,
        email_domains: keepDomains(change.emailDomains) ?? before.email_domains,
        links_users: change.linksUsers ?? before.links_users,
        deletes_users: change.deletesUsers ?? before.deletes_users,
        restricts_domains: change.restrictsDomains ?? before.restricts_domains,
      })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('scimDirectory', id, { before: directoryFields(before), after: directoryFields(row) })
    return row
  },
)

/** Deletes a directory with its tokens and groups; its users stay unchanged. Throws 404. */
export const deleteDirectory = operation([], async (unit, id: string): Promise<void> => {
  const { tx, tenant } = unit
  const row = await lockDirectory(unit, id)
  await tx.deleteFrom('scim_directories').where(inTenant(tenant.id)).where('id', '=', id).execute()
  unit.concerns('scimDirectory', id, { before: directoryFields(row) })
})
