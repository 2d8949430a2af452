/** The tables of SAML applications, as Kysely sees them. */
import type { ColumnType, Generated } from 'kysely'

/** A jsonb column: read as a value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>

export interface SamlTables {
  saml_applications: {
    tenant_id: string
    application_id: string
    settings: Json<Record<string, unknown>>
  }
  saml_application_keys: {
    tenant_id: string
    application_id: string
    id: string
    certificate: string
    sealed_private_key: Buffer
    is_active: Generated<boolean>
    created_at: Date
    expires_at: Date
  }
  saml_requests: {
    tenant_id: string
    application_id: string
    request_hash: Buffer
    state_hash: Buffer
    details: Json<Record<string, unknown>>
    answered_at: Date | null
    expires_at: Date
  }
  saml_logouts: {
    tenant_id: string
    id: string
    secret_hash: Buffer
    sealed_end: Buffer
    is_partial: boolean
    expires_at: Date
  }
  saml_logout_requests: {
    tenant_id: string
    logout_id: string
    position: number
    application_id: string
    user_id: string
    session_id: string
    request_id: string | null
    state: 'waiting' | 'sent' | 'ended' | 'failed'
  }
}
