/** The tables of codes and messages that leave the server, as Kysely sees them (migrations 0004, 0021, 0028, 0047). */
import type { EmailTemplateDetails } from '@countersign/contract/email-templates.ts'
import type { OneTimeTokenContext } from '@countersign/contract/one-time-tokens.ts'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface MessageTables {
  device_codes: {
    tenant_id: string
    hash: Buffer
    user_code_hash: Buffer
    application_id: string
    scopes: string[]
    resources: string[]
    authorization_details: string | null
    grant_id: string | null
    authenticated_at: Date | null
    amr: string[] | null
    granted_scope_ids: string[] | null
    denied_at: Date | null
    poll_interval: number
    polled_at: Date | null
    asked_from: Buffer | null
    created_at: Date
    expires_at: Date
    consumed_at: Date | null
  }
  backchannel_requests: {
    tenant_id: string
    hash: Buffer
    link_hash: Buffer
    application_id: string
    user_id: string | null
    scopes: string[]
    resources: string[]
    authorization_details: string | null
    binding_message: string | null
    acr: string | null
    sealed_ping: Buffer | null
    grant_id: string | null
    authenticated_at: Date | null
    amr: string[] | null
    granted_scope_ids: string[] | null
    denied_at: Date | null
    poll_interval: number
    polled_at: Date | null
    created_at: Date
    expires_at: Date
    consumed_at: Date | null
  }
  verification_codes: {
    tenant_id: string
    id: string
    purpose: string
    interaction_id: string
    identifier_hash: Buffer
    code_mac: Buffer
    tries: Generated<number>
    created_at: Date
    expires_at: Date
    consumed_at: Date | null
  }
  one_time_tokens: {
    tenant_id: string
    id: string
    hash: Buffer
    email: string
    email_key: string
    context: Json<OneTimeTokenContext>
    status: Generated<'active' | 'consumed' | 'revoked' | 'expired'>
    created_at: Date
    expires_at: Date
    kept_until: Date
  }
  owner_notices: {
    tenant_id: string
    hash: Buffer
    user_id: string
    kind: string
    subject: string | null
    email_key: string
    created_at: Date
    expires_at: Date
    used_at: Date | null
  }
  message_sends: { tenant_id: string; id: string; recipient_hash: Buffer; sent_at: Date }
  connectors: {
    tenant_id: string
    id: string
    type: string
    connector_id: string
    sealed_config: Buffer
    metadata: Json<Record<string, unknown>>
    target: string | null
    sync_profile: Generated<boolean>
    enable_token_storage: Generated<boolean>
    created_at: Date
  }
  custom_phrases: {
    tenant_id: string
    id: string
    language_tag: string
    translation: Json<Readonly<Record<string, string | Readonly<Record<string, string>>>>>
  }
  email_templates: {
    tenant_id: string
    id: string
    language_tag: string
    template_type: string
    details: Json<EmailTemplateDetails>
    created_at: Date
  }
  dispatches: {
    tenant_id: string
    id: string
    kind: string
    sealed_payload: Buffer
    attempts: Generated<number>
    last_error: string | null
    created_at: Date
    due_at: Date
    expires_at: Date
  }
  applications_consent_user_scopes: { tenant_id: string; application_id: string; user_scope: string }
  applications_consent_resource_scopes: { tenant_id: string; application_id: string; scope_id: string }
}
