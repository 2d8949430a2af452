/**
 * Many users with what they hold: a grant each, an opaque access token, a family of refresh tokens, and codes.
 * Generated in the database from a counter, so that the bench can compute every value.
 */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sealTotpSecret } from '@countersign/server/domain/factors/totp.ts'
import { refreshTokenValue } from '@countersign/server/domain/issued/refresh-families.ts'
import { createVault, type Vault } from '@countersign/server/kernel/secrets.ts'
import { Secret, TOTP } from 'otpauth'
import { registerApplication } from './management.ts'
import type { World } from './world.ts'

export const PASSWORD = 'correct horse battery staple'
export const REDIRECT_URI = 'https://bench.example/callback'

export interface Population {
  readonly size: number
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  username(index: number): string
  opaqueToken(index: number): string
  code(index: number): string
  refreshToken(index: number, generation: number): string
  /** The code that the app of every user shows now. */
  totpCode(): string
  /** Gives every user an app and ten backup codes. */
  addFactors(): Promise<void>
  /** Adds users up to this number, and unused codes; does nothing if there are already that many. */
  growTo(size: number): Promise<void>
}

const digits = (index: number, width: number) => String(index).padStart(width, '0')
const SCOPES = '{openid,profile,offline_access}'

/** Rows from..to-1 of every table. Foreign keys hold by construction and are not checked one by one. */
const insert = async ({ database }: World, clientId: string, passwordHash: string, from: number, to: number) => {
  const each = 'generate_series($1::integer, $2::integer - 1) i'
  const statements: [string, unknown[]][] = [
    [
      `INSERT INTO users (tenant_id, id, username, username_key, name, password_hash, created_at, updated_at)
       SELECT 'default', 'u' || lpad(i::text, 11, '0'), 'bench_' || i, 'bench_' || i, 'User ' || i, $3,
         now() - i * interval '1 second', now() FROM ${each}`,
      [from, to, passwordHash],
    ],
    [
      `INSERT INTO grants (tenant_id, id, user_id, application_id, session_id, scopes, created_at, expires_at)
       SELECT 'default', 'g' || lpad(i::text, 20, '0'), 'u' || lpad(i::text, 11, '0'), $3, NULL, '${SCOPES}',
         now(), now() + interval '180 days' FROM ${each}`,
      [from, to, clientId],
    ],
    [
      `INSERT INTO opaque_access_tokens (tenant_id, hash, grant_id, scopes, created_at, expires_at)
       SELECT 'default', sha256(convert_to('cs_at_' || lpad(i::text, 43, '0'), 'UTF8')), 'g' || lpad(i::text, 20, '0'),
         '{openid,profile}', now(), now() + interval '1 day' FROM ${each}`,
      [from, to],
    ],
    [
      `INSERT INTO refresh_families (tenant_id, id, grant_id, scopes, resources, authenticated_at, amr, created_at, expires_at)
       SELECT 'default', 'f' || lpad(i::text, 20, '0'), 'g' || lpad(i::text, 20, '0'), '${SCOPES}', '{}', now(), '{pwd}',
         now(), now() + interval '14 days' FROM ${each}`,
      [from, to],
    ],
  ]
  await database.query(`SET session_replication_role = replica`)
  for (const [text, values] of statements) await database.query(text, values)
  await database.query(`SET session_replication_role = DEFAULT`)
}

/** Codes for users in turn, more than can be redeemed during the measurement. */
const insertCodes = async ({ database }: World, from: number, to: number, users: number) => {
  await database.query(
    `INSERT INTO authorization_codes (tenant_id, hash, grant_id, redirect_uri, scopes, resources, authenticated_at, amr, expires_at)
     SELECT 'default', sha256(convert_to('cs_ac_' || lpad(i::text, 43, '0'), 'UTF8')),
       'g' || lpad((i % $3::integer)::text, 20, '0'), '${REDIRECT_URI}', '${SCOPES}', '{}', now(), '{pwd}',
       now() + interval '1 day' FROM generate_series($1::integer, $2::integer - 1) i`,
    [from, to, users],
  )
}

/** The secret of every app: the measurement does not depend on it. */
const TOTP_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(TOTP_SECRET) })
const SEALED_AT_ONCE = 10_000

/** An app, whose secret is sealed here, and ten backup codes for users 0..size-1. */
const insertFactors = async ({ database }: World, vault: Vault, size: number) => {
  await database.query(`SET session_replication_role = replica`)
  for (let from = 0; from < size; from += SEALED_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(SEALED_AT_ONCE, size - from) }, (_, each) => from + each)
    const keys = { tenant: { id: 'default' }, vault }
    const sealed = indexes.map((index) => sealTotpSecret(keys, `t${digits(index, 20)}`, TOTP_SECRET))
    await database.query(
      `INSERT INTO factors (tenant_id, id, user_id, type, sealed_secret, created_at)
       SELECT 'default', 't' || lpad(f.i::text, 20, '0'), 'u' || lpad(f.i::text, 11, '0'), 'Totp', f.sealed, now()
       FROM unnest($1::integer[], $2::bytea[]) AS f (i, sealed)`,
      [indexes, sealed],
    )
  }
  await database.query(
    `INSERT INTO factors (tenant_id, id, user_id, type, created_at)
     SELECT 'default', 'b' || lpad(i::text, 20, '0'), 'u' || lpad(i::text, 11, '0'), 'BackupCode', now()
     FROM generate_series(0, $1::integer - 1) i`,
    [size],
  )
  await database.query(
    `INSERT INTO backup_codes (tenant_id, factor_id, mac)
     SELECT 'default', 'b' || lpad(i::text, 20, '0'), sha256(convert_to(i || ' ' || c, 'UTF8'))
     FROM generate_series(0, $1::integer - 1) i, generate_series(1, 10) c`,
    [size],
  )
  await database.query(`SET session_replication_role = DEFAULT`)
}

const CODES = 100_000

/** Registers the application and its users' password; there are no users yet. */
export const createPopulation = async (world: World): Promise<Population> => {
  const { api, database, installation } = world
  const client = await registerApplication(api, {
    name: 'Notes',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
    customClientMetadata: { rotateRefreshToken: true },
  })
  const model = await api.createUser({ body: { username: 'model', password: PASSWORD } })
  const { rows } = await database.query('SELECT password_hash FROM users WHERE id = $1', [model.id])
  const vault = createVault(
    Buffer.from((await readFile(join(installation.dataDir, 'secret.key'), 'utf8')).trim(), 'base64'),
  )
  let size = 0
  let codes = 0
  return {
    get size() {
      return size
    },
    client,
    username: (index) => `bench_${index}`,
    opaqueToken: (index) => `cs_at_${digits(index, 43)}`,
    code: (index) => `cs_ac_${digits(index, 43)}`,
    refreshToken: (index, generation) =>
      refreshTokenValue(vault, 'default', { familyId: `f${digits(index, 20)}`, generation }),
    totpCode: () => totp.generate(),
    async addFactors() {
      await insertFactors(world, vault, size)
      await database.query('VACUUM ANALYZE')
      await database.query('CHECKPOINT')
    },
    async growTo(wanted) {
      if (wanted <= size) return
      await insert(world, client.clientId, rows[0].password_hash, size, wanted)
      size = wanted
      await insertCodes(world, codes, codes + CODES, size)
      codes += CODES
      await database.query('VACUUM ANALYZE')
      await database.query('CHECKPOINT')
    },
  }
}
