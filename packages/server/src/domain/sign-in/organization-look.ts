/** The organization that an authorization request names (`organization_id`): how pages look for it, and where its members sign in. */
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { type ApplicationLook, isSoundCss } from '../applications/look.ts'
import type { SignInExperience } from './experience.ts'

/** What of its look differs from that of the tenant and of the application. */
export type OrganizationLook = Pick<ApplicationLook, 'color' | 'branding' | 'customCss'>

/** A page has so many buttons at most; all others are found by an address. */
const MOST_CONNECTORS = 10

/** What cannot be an id is not looked for. */
const isOrganizationId = (id: string | undefined): id is string => id !== undefined && /^[0-9a-z]{1,21}$/.test(id)

/** Undefined where there is no such organization. */
export const organizationLook = async (
  { database: { kysely } }: Store,
  tenant: Tenant,
  id: string | undefined,
): Promise<OrganizationLook | undefined> => {
  if (!isOrganizationId(id)) return undefined
  const row = await kysely
    .selectFrom('organizations')
    .select(['color', 'branding', 'custom_css'])
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { color, branding, custom_css: css } = row
  // rows may be older than the check of what is written
  return { color, branding, customCss: css !== null && isSoundCss(css) ? css : null } as OrganizationLook
}

/** Its own connectors, and those whose users become its members, by name. */
export const connectorsOfOrganization = async (
  { database: { kysely } }: Store,
  tenant: Tenant,
  { hasSso }: SignInExperience,
  id: string | undefined,
): Promise<string[]> => {
  if (!hasSso || !isOrganizationId(id)) return []
  const rows = await kysely
    .selectFrom('sso_connectors as c')
    .select('c.id')
    .where(inTenant(tenant.id, 'c'))
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('c.organization_id', '=', id),
        eb(
          'c.id',
          'in',
          selectFrom('organization_jit_sso_connectors as j')
            .select('j.sso_connector_id')
            .where(inTenant(tenant.id, 'j'))
            .where('j.organization_id', '=', id),
        ),
      ]),
    )
    .where('c.is_complete', '=', true)
    .orderBy('c.connector_name')
    .limit(MOST_CONNECTORS)
    .execute()
  return rows.map((row) => row.id)
}
