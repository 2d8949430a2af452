/** The tables of sessions, grants and interactions, and of sign-in settings, as Kysely sees them (migrations 0003, 0024, 0025). */
import type { ProfileFieldConfig } from '@countersign/contract/custom-profile-fields.ts'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface SignInTables {
  sessions: {
    tenant_id: string
    id: string
    secret_hash: Buffer
    user_id: string
    authenticated_at: Date
    amr: string[]
    ip: string | null
    user_agent: string | null
    created_at: Date
    expires_at: Date
    application_id: string | null
    last_submission: ColumnType<Record<string, unknown> | null, string | null, string | null>
  }
  grants: {
    tenant_id: string
    id: string
    user_id: string
    application_id: string
    session_id: string | null
    original_session_id: string | null
    scopes: string[]
    consented_ids: string[] | null
    created_at: Date
    expires_at: Date
  }
  device_secrets: {
    tenant_id: string
    hash: Buffer
    session_id: string
    sso_group: string
    created_at: Date
    last_used_at: Date
  }
  managed_grants: {
    tenant_id: string
    grant_id: string
    scopes: string[]
    resources: string[]
    claims: string[] | null
    authorization_details: string | null
    updated_at: Date
  }
  authorization_codes: {
    tenant_id: string
    hash: Buffer
    grant_id: string
    redirect_uri: string
    scopes: string[]
    resources: string[]
    nonce: string | null
    code_challenge: string | null
    jkt: string | null
    x5t: string | null
    acr: string | null
    claims: string[] | null
    authorization_details: string | null
    is_step_up: Generated<boolean>
    is_managed: Generated<boolean>
    authenticated_at: Date
    amr: string[]
    expires_at: Date
    granted_scope_ids: string[] | null
    consumed_at: ColumnType<Date | null, undefined, Date>
    issued_jti: ColumnType<string | null, undefined, string>
    issued_until: ColumnType<Date | null, undefined, Date>
  }
  refresh_families: {
    tenant_id: string
    id: string
    grant_id: string
    scopes: string[]
    resources: string[]
    granted_scope_ids: string[] | null
    claims: string[] | null
    authorization_details: string | null
    nonce: string | null
    is_managed: Generated<boolean>
    authenticated_at: Date
    amr: string[]
    generation: Generated<number>
    rotated_at: ColumnType<Date | null, undefined, Date>
    created_at: Date
    expires_at: Date
    jkt: string | null
    x5t: string | null
  }
  opaque_access_tokens: {
    tenant_id: string
    hash: Buffer
    grant_id: string | null
    user_id: string | null
    application_id: string | null
    session_id: string | null
    scopes: string[]
    claims: string[] | null
    created_at: Date
    expires_at: Date
    step_up_at: Date | null
    jkt: string | null
    x5t: string | null
  }
  interactions: {
    tenant_id: string
    id: string
    browser_hash: Buffer
    request: Json<Record<string, unknown>>
    state: Json<Record<string, unknown>>
    version: Generated<number>
    created_at: Date
    expires_at: Date
  }
  security_settings: {
    tenant_id: string
    profile: Generated<string>
    requires_pushed: Generated<boolean>
    requires_nonce: Generated<boolean>
  }
  pushed_requests: {
    tenant_id: string
    hash: Buffer
    application_id: string
    parameters: Json<Record<string, unknown>>
    expires_at: Date
    consumed_at: ColumnType<Date | null, undefined, Date>
    usable_until: ColumnType<Date | null, undefined, Date>
  }
  identifier_failures: {
    tenant_id: string
    identifier_hash: Buffer
    failures: number
    locked_until: Date | null
    locks: Generated<number>
    updated_at: Date
  }
  sign_in_experiences: { tenant_id: string; settings: Json<Record<string, unknown>> }
  account_centers: {
    tenant_id: string
    webauthn_related_origins: string[]
    enabled: Generated<boolean>
    fields: ColumnType<Record<string, unknown> | null, string | undefined, string>
    reuse_verifications: Generated<boolean>
    deletion_delay_days: Generated<number>
    delete_account_url: ColumnType<string | null, string | null | undefined, string | null>
    custom_css: ColumnType<string | null, string | null | undefined, string | null>
    profile_fields: ColumnType<string[] | null, string[] | null | undefined, string[] | null>
  }
  account_deletions: {
    tenant_id: string
    user_id: string
    secret_hash: Buffer
    requested_at: Date
    due_at: Date
  }
  account_verifications: {
    tenant_id: string
    id: string
    user_id: string
    bound_to: string
    type: string
    purpose: 'Proof' | 'New'
    state: Json<Record<string, unknown>>
    verified_at: Date | null
    used_at: Date | null
    created_at: Date
    expires_at: Date
  }
  custom_profile_fields: {
    tenant_id: string
    id: string
    name: string
    type: string
    label: string
    description: string | null
    required: boolean
    config: Json<ProfileFieldConfig>
    sie_order: number
    created_at: Date
  }
  captcha_providers: { tenant_id: string; id: string; sealed_config: Buffer; created_at: Date; updated_at: Date }
  used_captchas: { tenant_id: string; hash: Buffer; expires_at: Date }
}
