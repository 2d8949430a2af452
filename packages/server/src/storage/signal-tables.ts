/** The tables of Shared Signals as Kysely sees them (migrations 0079, 0080). */
import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface SignalTables {
  signal_streams: {
    tenant_id: string
    id: string
    application_id: string
    events_requested: string[]
    description: string | null
    status: Generated<'enabled' | 'paused' | 'disabled'>
    status_reason: string | null
    status_set_by: Generated<'receiver' | 'operator' | 'server'>
    last_sequence: Generated<number>
    created_at: Date
    active_at: Date
    verified_at: Date | null
    last_error: string | null
    last_error_at: Date | null
    endpoint_url: string | null
    sealed_authorization: Buffer | null
    attempts: Generated<number>
    due_at: Date | null
    failing_since: Date | null
  }
  signal_subjects: { tenant_id: string; stream_id: string; user_id: string; is_included: boolean }
  user_signals: {
    tenant_id: string
    position: Generated<number>
    kind: string
    user_id: string
    application_id: string | null
    session_id: string | null
    details: ColumnType<Record<string, unknown>, string | undefined, string>
    transaction: Generated<string>
    recorded_at: Generated<Date>
    ends_at: Date | null
    is_told: Generated<boolean>
  }
  signal_events: {
    tenant_id: string
    stream_id: string
    sequence: number
    jti: string
    claims: Json<Record<string, unknown>>
    is_of_stream: Generated<boolean>
    created_at: Date
  }
}
