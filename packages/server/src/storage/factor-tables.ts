/** The tables of second factors and trusted devices as Kysely sees them (migrations 0020, 0029). */
import type { ColumnType } from 'kysely'

export interface FactorTables {
  factors: {
    tenant_id: string
    id: string
    user_id: string
    type: 'Totp' | 'WebAuthn' | 'BackupCode'
    sealed_secret: Buffer | null
    last_used_step: number | null
    credential_id: Buffer | null
    public_key: Buffer | null
    counter: number | null
    transports: string[] | null
    rp_id: string | null
    agent: string | null
    name: string | null
    created_at: Date
    last_used_at: ColumnType<Date | null, undefined, Date>
  }
  backup_codes: {
    tenant_id: string
    factor_id: string
    mac: Buffer
    used_at: ColumnType<Date | null, undefined, Date>
  }
  trusted_devices: {
    tenant_id: string
    id: string
    user_id: string
    secret_hash: Buffer
    user_agent: string | null
    ip: string | null
    created_at: Date
    last_used_at: Date
    expires_at: Date
  }
  known_devices: { tenant_id: string; user_id: string; secret_hash: Buffer; last_seen_at: Date }
  sign_in_countries: {
    tenant_id: string
    user_id: string
    country: string
    city: string | null
    latitude: number | null
    longitude: number | null
    last_seen_at: Date
  }
}
