/** The table of custom claims as Kysely sees it (migrations 0007 and 0060). */
import type { ColumnType, Generated } from 'kysely'

export interface CustomizerTables {
  jwt_customizers: {
    tenant_id: string
    token_type: 'access-token' | 'client-credentials'
    script: string
    sealed_environment_variables: Buffer | null
    context_sample: ColumnType<Record<string, unknown> | null, string | null, string | null>
    token_sample: ColumnType<Record<string, unknown> | null, string | null, string | null>
    block_issuance_on_error: Generated<boolean>
    cpu_limit: Generated<number>
    updated_at: Date
  }
  jwt_customizer_versions: {
    tenant_id: string
    token_type: 'access-token' | 'client-credentials'
    version: number
    script: string
    changed_by: ColumnType<Record<string, unknown> | null, string | null, never>
    restored_from: number | null
    created_at: Date
  }
}
