/** The tables of token exchange as Kysely sees them (migrations 0006 and 0061). */
import type { ColumnType } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface ExchangeTables {
  subject_tokens: {
    tenant_id: string
    hash: Buffer
    id: string
    user_id: string
    context: Json<Record<string, unknown>>
    creator: Json<Record<string, unknown>>
    may_act: Json<Record<string, unknown>> | null
    created_at: Date
    expires_at: Date
    consumed_at: Date | null
  }
  impersonations: {
    tenant_id: string
    id: string
    user_id: string
    actor_type: 'user' | 'application'
    actor_id: string
    application_id: string
    resource_id: string
    organization_id: string | null
    scopes: string[]
    reason: string
    jti: string
    created_at: Date
    expires_at: Date
  }
  personal_access_tokens: {
    tenant_id: string
    user_id: string
    name: string
    hash: Buffer
    created_at: Date
    expires_at: Date | null
    last_used_at: Date | null
  }
}
