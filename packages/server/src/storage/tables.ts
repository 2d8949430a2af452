/** The tables as Kysely sees them. The SQL in migrations/ is the source; a test compares the two. */

import type { ApplicationRegistration } from '@countersign/contract/applications.ts'
import type { JWK } from 'jose'
import type { ColumnType, Generated } from 'kysely'
import type { Static } from 'typebox'
import type { AdministratorTables } from './administrator-tables.ts'
import type { AssetTables } from './asset-tables.ts'
import type { CustomizerTables } from './customizer-tables.ts'
import type { ExchangeTables } from './exchange-tables.ts'
import type { FactorTables } from './factor-tables.ts'
import type { FederationTables } from './federation-tables.ts'
import type { HookTables } from './hook-tables.ts'
import type { MessageTables } from './message-tables.ts'
import type { OrganizationTables } from './organization-tables.ts'
import type { RegistrationTables } from './registration-tables.ts'
import type { SamlTables } from './saml-tables.ts'
import type { ScimTables } from './scim-tables.ts'
import type { SignInTables } from './sign-in-tables.ts'
import type { SignalTables } from './signal-tables.ts'

/** A jsonb column: read as a value, written as its JSON text. */
type Json<T> = ColumnType<T, string, string>
type Metadata = Record<string, unknown>

export interface Tables
  extends SignInTables,
    MessageTables,
    OrganizationTables,
    ExchangeTables,
    FactorTables,
    FederationTables,
    CustomizerTables,
    HookTables,
    RegistrationTables,
    SamlTables,
    ScimTables,
    AssetTables,
    AdministratorTables,
    SignalTables {
  tenants: { id: string; name: string; base_url: string; created_at: Date }
  installation: { key: string; value: Buffer }
  resources: {
    tenant_id: string
    id: string
    name: string
    indicator: string
    is_default: Generated<boolean>
    is_management: Generated<boolean>
    access_token_ttl: Generated<number>
    sender_constraint: Generated<'none' | 'dpop' | 'mtls'>
    requires_nonce: Generated<boolean>
    created_at: Date
  }
  authorization_details_types: {
    tenant_id: string
    id: string
    resource_id: string
    type: string
    description: string | null
    schema: Json<Metadata>
    templates: Json<Record<string, string>>
    created_at: Date
  }
  scopes: {
    tenant_id: string
    id: string
    resource_id: string
    is_management: Generated<boolean>
    name: string
    description: string | null
    created_at: Date
  }
  roles: {
    tenant_id: string
    id: string
    name: string
    description: string
    type: 'User' | 'MachineToMachine'
    is_default: Generated<boolean>
    created_at: Date
  }
  roles_scopes: {
    tenant_id: string
    role_id: string
    scope_id: string
    role_type: string
    scope_is_management: boolean
  }
  applications: {
    tenant_id: string
    id: string
    name: string
    description: string | null
    type: 'Native' | 'SPA' | 'Traditional' | 'MachineToMachine' | 'SAML'
    is_third_party: Generated<boolean>
    oidc_client_metadata: Json<Metadata>
    custom_client_metadata: Json<Metadata>
    custom_data: Json<Metadata>
    origins: Generated<string[]>
    sign_in_experience: ColumnType<Record<string, unknown> | null, undefined, string>
    has_access_control: Generated<boolean>
    registration: Json<Static<typeof ApplicationRegistration>> | null
    created_at: Date
  }
  application_secrets: {
    tenant_id: string
    application_id: string
    name: string
    hash: Buffer
    sealed: Buffer
    created_at: Date
    expires_at: Date | null
  }
  applications_roles: {
    tenant_id: string
    application_id: string
    role_id: string
    type: Generated<string>
    created_at: Date
  }
  users: {
    tenant_id: string
    id: string
    username: string | null
    username_key: string | null
    is_username_exact: Generated<boolean>
    primary_email: string | null
    email_key: string | null
    primary_phone: string | null
    name: string | null
    avatar: string | null
    profile: Json<Metadata>
    custom_data: Json<Metadata>
    identities: Json<Metadata>
    application_id: string | null
    password_hash: string | null
    password_algorithm: string | null
    is_suspended: Generated<boolean>
    email_verified_at: Date | null
    phone_verified_at: Date | null
    password_updated_at: Date | null
    is_password_expired: Generated<boolean>
    last_sign_in_at: Date | null
    last_sign_in_day: ColumnType<Date | null, never, never>
    created_at: Date
    updated_at: Date
    factor_choices: ColumnType<Record<string, unknown>, string | undefined, string>
  }
  users_roles: {
    tenant_id: string
    user_id: string
    role_id: string
    type: Generated<string>
    created_at: Date
    origin: string | null
    origin_id: string | null
  }
  signing_keys: {
    tenant_id: string
    id: string
    algorithm: string
    public_jwk: Json<JWK>
    sealed_private_key: Buffer
    chain: Generated<string>
    created_at: Date
    effective_at: Date
  }
  revoked_access_tokens: { tenant_id: string; jti: string; expires_at: Date }
  revocations: {
    tenant_id: string
    position: Generated<number>
    kind: 'token' | 'grant' | 'session' | 'user' | 'client'
    subject: string
    issued_until: Date | null
    ends_at: Date | null
    sequence: number | null
    expires_at: Date | null
  }
  revocation_sequences: { tenant_id: string; last_sequence: Generated<number>; longest_token: Generated<number> }
  used_dpop_proofs: { tenant_id: string; hash: Buffer; expires_at: Date }
  used_client_assertions: { tenant_id: string; application_id: string; jti_hash: Buffer; expires_at: Date }
  outbox: {
    position: Generated<number>
    tenant_id: string
    id: string
    type: string
    payload: Json<Metadata>
    created_at: Date
  }
  events: {
    tenant_id: string
    sequence: number
    id: string
    type: string
    payload: Json<Metadata>
    created_at: Date
  }
  event_sequences: { tenant_id: string; last_sequence: number }
  audit_log: {
    tenant_id: string
    id: string
    key: string
    user_id: string | null
    application_id: string | null
    payload: Json<Metadata>
    created_at: Date
    /** The ids of what it concerned; null if it names none. */
    entities: string[] | null
  }
}
