/** Who may use an application that is not open to every user: any matching rule is enough. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { SqlValue } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import type { Client } from '../applications/clients.ts'

type Guarded = Pick<Client, 'id' | 'hasAccessControl'>

/**
 * The check as SQL: the user is named, holds a named role, or is in a named organization, with the role if one is
 * named.
 */
export const admits = (
  { id: tenantId }: { readonly id: SqlValue<string> },
  { id, hasAccessControl }: { readonly id: SqlValue<string>; readonly hasAccessControl: boolean },
  userId: Expression<string>,
): RawBuilder<boolean> =>
  hasAccessControl
    ? sql`(
    EXISTS (
      SELECT FROM applications_access_users a
      WHERE a.tenant_id = ${tenantId} AND a.application_id = ${id} AND a.user_id = ${userId})
    OR EXISTS (
      SELECT FROM applications_access_roles a
      JOIN users_roles ur ON ur.tenant_id = a.tenant_id AND ur.role_id = a.role_id AND ur.user_id = ${userId}
      WHERE a.tenant_id = ${tenantId} AND a.application_id = ${id})
    OR EXISTS (
      SELECT FROM applications_access_organizations a
      JOIN organization_users m ON m.tenant_id = a.tenant_id AND m.organization_id = a.organization_id
        AND m.user_id = ${userId}
      WHERE a.tenant_id = ${tenantId} AND a.application_id = ${id}
        AND (a.organization_role_id IS NULL OR EXISTS (
          SELECT FROM organization_user_roles ur
          WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id
            AND ur.organization_role_id = a.organization_role_id))))`
    : sql`true`

/** The same for a user who is signed in, read now; no database query for an application that is open to every user. */
export const mayUse = async (store: Store, tenant: Tenant, client: Guarded, userId: string): Promise<boolean> => {
  if (!client.hasAccessControl) return true
  const { rows } = await sql<{ admitted: boolean }>`
    SELECT ${admits(tenant, client, sql`${userId}`)} AS admitted`.execute(store.database.kysely)
  return rows[0]?.admitted === true
}
