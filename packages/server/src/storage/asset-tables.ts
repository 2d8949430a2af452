/** The tables of uploaded images, as Kysely sees them (migration 0033). */
import type { Generated } from 'kysely'

export interface AssetTables {
  assets: {
    tenant_id: string
    name: string
    bytes: number
    is_used: Generated<boolean>
    check_at: Date | null
    created_at: Date
  }
  removed_assets: {
    path: string
    removed_at: Date
  }
}
