/** The tables of dynamic client registration, and of what ID tokens say, as Kysely sees them. */
import type { RegistrationPolicy, RegistrationSettings } from '@countersign/contract/client-registration.ts'
import type { IdTokenSettings } from '@countersign/contract/id-token-settings.ts'
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface RegistrationTables {
  id_token_settings: { tenant_id: string; settings: Json<IdTokenSettings> }
  client_registration_settings: { tenant_id: string; settings: Json<RegistrationSettings> }
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
