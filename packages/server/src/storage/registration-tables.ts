/** The tables of dynamic client registration, and of what ID tokens say, as Kysely sees them. */
import type { RegistrationPolicy, RegistrationSettings } from '@countersign/contract/client-registration.ts'
import type { IdTokenSettings } from '@countersign/contract/id-token-settings.ts'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface RegistrationTables {
  id_token_settings: { tenant_id: string; settings: Json<IdTokenSettings> }
  client_registration_settings: { tenant_id: string; settings: Json<RegistrationSettings> }
  client_document_settings: { tenant_id: string; is_enabled: boolean }
  client_documents: {
    tenant_id: string
    /** The address of the document, which is the client's id. */
    application_id: string
    stated_name: string | null
    etag: string | null
    fetched_at: Date
    fresh_until: Date
    last_used_at: ColumnType<Date | null, undefined, Date>
  }
  initial_access_tokens: {
    tenant_id: string
    id: string
    name: string
    hash: Buffer
    policy: Json<RegistrationPolicy>
    most_registrations: number | null
    registrations: Generated<number>
    created_at: Date
    expires_at: Date | null
  }
  registered_clients: {
    tenant_id: string
    application_id: string
    token_hash: Buffer
    /** With which it was registered, which may be deleted; null: with none. */
    initial_access_token_id: string | null
    policy: Json<RegistrationPolicy>
    registered_at: Date
    last_used_at: Date | null
  }
}
