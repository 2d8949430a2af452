/** The tables of sign-in at providers elsewhere, as Kysely sees them (migration 0034). */

export interface FederationTables {
  user_identities: {
    tenant_id: string
    target: string
    identity_id: string
    user_id: string
    created_at: Date
  }
  federation_requests: {
    tenant_id: string
    hash: Buffer
    interaction_id: string | null
    connector_id: string
    sealed: Buffer
    expires_at: Date
  }
}
