/** The tables of token exchange as Kysely sees them (migration 0006). */
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
    created_at: Date
    expires_at: Date
    consumed_at: Date | null
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
