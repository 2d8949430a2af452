/** The tables of webhooks, as Kysely sees them (migration 0008). */
import type { ColumnType, Generated } from 'kysely'

export interface HookTables {
  hooks: {
    tenant_id: string
    id: string
    name: string
    event: string | null
    events: string[]
    url: string
    sealed_headers: Buffer
    sealed_key: Buffer
    sealed_previous_key: Buffer | null
    previous_key_expires_at: Date | null
    retries: number | null
    is_enabled: Generated<boolean>
    is_ordered: Generated<boolean>
    created_at: Date
    disabled_at: Date | null
    disabled_reason: 'Gone' | 'Failing' | 'Requested' | null
    failures: Generated<number>
    failing_since: Date | null
    paused_until: Date | null
  }
  hook_deliveries: {
    tenant_id: string
    hook_id: string
    id: string
    sequence: number
    event: string
    state: Generated<string>
    attempts: Generated<number>
    created_at: Date
    due_at: Date
    finished_at: Date | null
  }
  hook_attempts: {
    tenant_id: string
    id: string
    hook_id: string
    delivery_id: string
    sequence: number
    event: string
    attempt: number
    is_success: boolean
    status: number | null
    response_headers: ColumnType<Record<string, unknown> | null, string | null, string | null>
    response_body: string | null
    error: string | null
    duration_ms: number
    created_at: Date
  }
}
