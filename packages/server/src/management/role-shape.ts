/** What a role is in the answers of `/roles`, `/users` and `/applications`. */
import type { RoleRow } from '../domain/permissions/role-rows.ts'

export const toRole = (row: RoleRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
  isDefault: row.is_default,
})
