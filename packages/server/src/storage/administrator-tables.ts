/** The tables of administrators and their roles, as Kysely sees them. */
export interface AdministratorTables {
  administrator_roles: {
    tenant_id: string
    id: string
    name: string
    description: string
    permissions: string[]
    is_built_in: boolean
    created_at: Date
  }
  administrators: {
    tenant_id: string
    user_id: string
    created_at: Date
  }
  administrator_links: {
    tenant_id: string
    secret_hash: Buffer
    expires_at: Date
  }
  administrators_roles: {
    tenant_id: string
    user_id: string
    role_id: string
  }
}
