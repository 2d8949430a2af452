/** The tables of provisioning by SCIM as Kysely sees them (migrations 0032, 0036, 0038). */
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface ScimTables {
  scim_directories: {
    tenant_id: string
    id: string
    name: string
    organization_id: string | null
    is_enabled: Generated<boolean>
    email_domains: Generated<string[]>
    links_users: Generated<boolean>
    deletes_users: Generated<boolean>
    restricts_domains: Generated<boolean>
    created_at: Date
  }
  scim_tokens: {
    tenant_id: string
    directory_id: string
    id: string
    name: string
    hash: Buffer
    created_at: Date
    expires_at: Date | null
    last_used_at: Date | null
  }
  scim_users: {
    tenant_id: string
    directory_id: string
    user_id: string
    user_name: string
    user_name_key: string
    external_id: string | null
    email_keys: string[]
    is_active: boolean
    is_owner: boolean
    is_deprovisioned: Generated<boolean>
    has_suspended: Generated<boolean>
    attributes: Json<Readonly<Record<string, unknown>>>
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  scim_groups: {
    tenant_id: string
    directory_id: string
    id: string
    display_name: string
    display_name_key: string
    external_id: string | null
    version: Generated<number>
    created_at: Date
    updated_at: Date
  }
  scim_group_members: { tenant_id: string; directory_id: string; group_id: string; user_id: string }
  scim_group_roles: {
    tenant_id: string
    directory_id: string
    group_id: string
    role_id: string
    type: Generated<string>
  }
  scim_group_organization_roles: {
    tenant_id: string
    directory_id: string
    group_id: string
    organization_role_id: string
    type: Generated<string>
  }
}
