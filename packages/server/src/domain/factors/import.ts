/** Second factors that come with users from another system (`countersign users import`): checked, and inserted by the batch. */
import type { ImportedFactor } from '@countersign/contract/user-line.ts'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { macOfBackupCode, typedBackupCode } from './backup-codes.ts'
import { isCredentialPublicKey, relyingPartyId } from './passkeys.ts'
import { isTotpSecret, sealTotpSecret } from './totp.ts'

const invalid = (reason: string) => new ApiError('guard.invalid_input', { reason })

const assertFactor = (tenant: Tenant, factor: ImportedFactor): void => {
  switch (factor.type) {
    case 'Totp':
      if (!isTotpSecret(factor.secret)) throw new ApiError('user.totp_secret_invalid')
      return
    case 'WebAuthn':
      if (factor.rpId !== relyingPartyId(tenant))
        throw invalid(
          `the rpId of a passkey must be ${relyingPartyId(tenant)}, the host of this tenant: browsers offer it there`,
        )
      if (!isCredentialPublicKey(Buffer.from(factor.publicKey, 'base64url')))
        throw invalid('the publicKey of a passkey must be a COSE key for EdDSA, ES256 or RS256')
      return
    case 'BackupCode':
      if (new Set(factor.codes.map(typedBackupCode)).size < factor.codes.length)
        throw invalid('backup codes must not repeat one another')
  }
}

/**
 * Throws 400 or 422 unless a user may have these factors: each valid, at most one authenticator app and one set of backup
 * codes, and backup codes not alone. Does not check whether a passkey is taken.
 */
export const assertImportable = (tenant: Tenant, factors: readonly ImportedFactor[]): void => {
  for (const factor of factors) assertFactor(tenant, factor)
  const count = (type: ImportedFactor['type']) => factors.filter((factor) => factor.type === type).length
  if (count('Totp') > 1) throw new ApiError('user.totp_already_in_use')
  if (count('BackupCode') > 1) throw new ApiError('user.backup_code_already_in_use')
  if (count('BackupCode') === factors.length && factors.length > 0)
    throw new ApiError('session.mfa.backup_code_can_not_be_alone')
}

const credentialOf = (factor: ImportedFactor): string | undefined =>
  factor.type === 'WebAuthn' ? Buffer.from(factor.credentialId, 'base64url').toString('base64url') : undefined

/** Which of the factors are passkeys that an account of the tenant has already. */
export const credentialsInUse = async (
  { tx, tenant }: Unit,
  factors: readonly ImportedFactor[],
): Promise<(factor: ImportedFactor) => boolean> => {
  const ids = factors.flatMap((factor) => credentialOf(factor) ?? [])
  if (ids.length === 0) return () => false
  const { rows } = await sql<{ id: Buffer }>`
    SELECT credential_id AS id FROM factors WHERE tenant_id = ${tenant.id}
      AND credential_id = ANY(${ids.map((id) => Buffer.from(id, 'base64url'))}::bytea[])`.execute(tx)
  const taken = new Set(rows.map(({ id }) => id.toString('base64url')))
  return (factor) => taken.has(credentialOf(factor) ?? '')
}

/** Whether a passkey was asked for before. */
export const repeatsCredential = (): ((factor: ImportedFactor) => boolean) => {
  const seen = new Set<string>()
  return (factor) => {
    const id = credentialOf(factor)
    if (id === undefined) return false
    const isRepeated = seen.has(id)
    seen.add(id)
    return isRepeated
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

const rowOf = (unit: Unit, id: string, factor: ImportedFactor) => {
  switch (factor.type) {
    case 'Totp':
      return { type: factor.type, sealed_secret: base64(sealTotpSecret(unit, id, factor.secret)) }
    case 'WebAuthn': {
      const { type, counter, transports = [], rpId: rp_id, agent, name } = factor
      const credential_id = base64(Buffer.from(factor.credentialId, 'base64url'))
      const public_key = base64(Buffer.from(factor.publicKey, 'base64url'))
      return { type, credential_id, public_key, counter, transports, rp_id, agent, name }
    }
    case 'BackupCode':
      return { type: factor.type }
  }
}

/** Gives each user the factors, which were checked, by two statements. */
export const insertFactors = async (
  unit: Unit,
  users: readonly { readonly id: string; readonly factors: readonly ImportedFactor[] }[],
): Promise<void> => {
  const { tx, tenant, now } = unit
  const placed = users.flatMap(({ id: user_id, factors }) =>
    factors.map((factor) => ({ id: newId(), user_id, factor })),
  )
  if (placed.length === 0) return
  const rows = placed.map(({ id, user_id, factor }) => ({ id, user_id, ...rowOf(unit, id, factor) }))
  await sql`
    INSERT INTO factors (tenant_id, id, user_id, type, sealed_secret, credential_id, public_key, counter, transports, rp_id,
      agent, name, created_at)
    SELECT ${tenant.id}, r.id, r.user_id, r.type, decode(r.sealed_secret, 'base64'), decode(r.credential_id, 'base64'),
      decode(r.public_key, 'base64'), r.counter, r.transports, r.rp_id, r.agent, r.name, ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (id text, user_id text, type text, sealed_secret text,
      credential_id text, public_key text, counter bigint, transports text[], rp_id text, agent text, name text)`.execute(
    tx,
  )
  const codes = placed.flatMap(({ id, factor }) =>
    factor.type === 'BackupCode' ? factor.codes.map((code) => ({ id, mac: macOfBackupCode(unit, id, code) })) : [],
  )
  if (codes.length === 0) return
  await sql`
    INSERT INTO backup_codes (tenant_id, factor_id, mac)
    SELECT ${tenant.id}, c.factor_id, c.mac
    FROM unnest(${codes.map(({ id }) => id)}::text[], ${codes.map(({ mac }) => mac)}::bytea[]) AS c (factor_id, mac)`.execute(
    tx,
  )
}
