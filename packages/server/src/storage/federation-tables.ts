/** The tables of sign-in at providers elsewhere, as Kysely sees them (migrations 0034, 0037, 0043 to 0045, 0048 to 0050, 0058). */
import type { ColumnType, Generated } from 'kysely'

/** A jsonb column: read as a value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>

/** What of a set of tokens may be shown. */
export interface TokenSetMetadata {
  readonly scope?: string
  /** Seconds since the epoch. */
  readonly expiresAt?: number
  readonly tokenType?: string
  readonly hasRefreshToken: boolean
}

/** Of the authorization request that the server sends for an application. */
interface AuthParameters {
  readonly scope?: string
}

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
  sso_connectors: {
    tenant_id: string
    id: string
    provider_name: string
    connector_name: string
    sealed_config: Buffer
    is_complete: boolean
    branding: Json<Record<string, unknown>>
    sync_profile: Generated<boolean>
    enable_token_storage: Generated<boolean>
    organization_id: string | null
    created_at: Date
  }
  organization_domains: {
    tenant_id: string
    organization_id: string
    domain: string
    challenge: string
    created_at: Date
    verified_at: Date | null
  }
  sso_connector_domains: { tenant_id: string; domain: string; connector_id: string; position: number }
  user_sso_identities: {
    tenant_id: string
    id: string
    user_id: string
    connector_id: string
    issuer: string
    identity_id: string
    detail: Json<Record<string, unknown>>
    created_at: Date
    updated_at: Date
  }
  sso_sessions: {
    tenant_id: string
    session_id: string
    connector_id: string
    issuer: string
    identity_id: string
    provider_session_id: string | null
    name_id: string | null
    sealed_id_token: Buffer | null
  }
  organization_jit_sso_connectors: { tenant_id: string; organization_id: string; sso_connector_id: string }
  token_sets: {
    tenant_id: string
    id: string
    user_id: string
    connector_id: string | null
    target: string | null
    sso_connector_id: string | null
    identity_id: string
    sealed: Buffer
    metadata: Json<TokenSetMetadata>
    refreshing_until: Date | null
    created_at: Date
    updated_at: Date
  }
  saml_visits: {
    tenant_id: string
    hash: Buffer
    connector_id: string
    sealed: Buffer
    sealed_response: Buffer | null
    interaction_id: string | null
    expires_at: Date
  }
  used_credentials: { tenant_id: string; hash: Buffer; expires_at: Date }
  saml_metadata: { tenant_id: string; hash: Buffer; sealed: Buffer; fetched_at: Date; expires_at: Date }
  used_saml_assertions: { tenant_id: string; hash: Buffer; expires_at: Date }
  sso_idp_initiated_configs: {
    tenant_id: string
    connector_id: string
    application_id: string
    redirect_uri: string | null
    auth_parameters: Json<AuthParameters>
    is_sent_by_server: boolean
    client_callback_uri: string | null
    created_at: Date
  }
  sso_arrivals: {
    tenant_id: string
    hash: Buffer
    connector_id: string
    application_id: string
    sealed: Buffer
    expires_at: Date
  }
  sso_connector_signing_keys: {
    tenant_id: string
    id: string
    connector_id: string
    sealed_private_key: Buffer
    certificate: string
    is_active: boolean
    created_at: Date
    expires_at: Date
  }
}
