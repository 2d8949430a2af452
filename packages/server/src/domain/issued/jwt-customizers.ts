/** A tenant's custom claims scripts (DECISIONS J): storing them, and reading them for the mint. */

import type { CustomizedToken, JwtCustomizer, JwtCustomizerUpdate } from '@countersign/contract/jwt-customizer.ts'
import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { getVersion, keepVersion } from './customizer-versions.ts'

type Row = Selectable<Tables['jwt_customizers']>
type Input = Static<typeof JwtCustomizer>

export interface Customizer {
  readonly tokenType: CustomizedToken
  readonly script: string
  readonly environmentVariables: Readonly<Record<string, string>> | undefined
  readonly contextSample: Readonly<Record<string, unknown>> | undefined
  readonly tokenSample: Readonly<Record<string, unknown>> | undefined
  readonly blockIssuanceOnError: boolean
  /** Milliseconds. */
  readonly cpuLimit: number
}

const DEFAULT_CPU_LIMIT = 100
/** Bytes, of the script and of each sample. */
const LARGEST_TEXT = 64 * 1024
const LARGEST_ENVIRONMENT = 32 * 1024
const TAG = 'jwt-customizers'

const purpose = (tenantId: string, tokenType: CustomizedToken) => `jwt-customizer/${tenantId}/${tokenType}`

const fromRow = (vault: Vault, row: Row): Customizer => {
  const { tenant_id, token_type: tokenType, sealed_environment_variables: sealed } = row
  return {
    tokenType,
    script: row.script,
    environmentVariables: sealed === null ? undefined : JSON.parse(vault.unseal(sealed, purpose(tenant_id, tokenType))),
    contextSample: row.context_sample ?? undefined,
    tokenSample: row.token_sample ?? undefined,
    blockIssuanceOnError: row.block_issuance_on_error,
    cpuLimit: row.cpu_limit,
  }
}

const unknown = (tokenType: CustomizedToken) => notFound('script of custom claims', tokenType)

const assertSize = (name: string, text: string | undefined, largest: number): void => {
  if (text !== undefined && Buffer.byteLength(text) > largest)
    throw new ApiError('guard.invalid_input', { reason: `${name} has more than ${largest} bytes` })
}

const jsonOf = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))

/** The columns for the given fields. Throws 400 for values that are too large. */
const columnsOf = ({ tenant, vault }: Unit, tokenType: CustomizedToken, input: Static<typeof JwtCustomizerUpdate>) => {
  const [environment, context, token] = [input.environmentVariables, input.contextSample, input.tokenSample].map(jsonOf)
  assertSize('script', input.script, LARGEST_TEXT)
  assertSize('environmentVariables', environment, LARGEST_ENVIRONMENT)
  assertSize('contextSample', context, LARGEST_TEXT)
  assertSize('tokenSample', token, LARGEST_TEXT)
  return {
    script: input.script,
    sealed_environment_variables:
      environment === undefined ? undefined : vault.seal(environment, purpose(tenant.id, tokenType)),
    context_sample: context,
    token_sample: token,
    block_issuance_on_error: input.blockIssuanceOnError,
    cpu_limit: input.cpuLimit,
  }
}

/** All of a tenant. */
export const readCustomizers = async (db: Db, vault: Vault, { id: tenantId }: Tenant): Promise<Customizer[]> => {
  const rows = await db
    .selectFrom('jwt_customizers')
    .selectAll()
    .where(inTenant(tenantId))
    .orderBy('token_type')
    .execute()
  return rows.map((row) => fromRow(vault, row))
}

export const listCustomizers = ({ database, vault }: Store, tenant: Tenant): Promise<Customizer[]> =>
  readCustomizers(database.kysely, vault, tenant)

/** Throws 404. */
export const getCustomizer = async (store: Store, tenant: Tenant, tokenType: CustomizedToken): Promise<Customizer> => {
  const found = (await listCustomizers(store, tenant)).find((each) => each.tokenType === tokenType)
  if (!found) throw unknown(tokenType)
  return found
}

/** The script for a kind of token, from the cache; undefined when the tenant has none. */
export const findCustomizer = (
  store: Store,
  { id: tenantId }: Tenant,
  tokenType: CustomizedToken,
): Promise<Customizer | undefined> =>
  store.cache.get(tenantId, `jwt-customizer:${tokenType}`, async () => {
    const row = await store.database.configuration
      .selectFrom('jwt_customizers')
      .selectAll()
      .where(inTenant(tenantId))
      .where('token_type', '=', tokenType)
      .executeTakeFirst()
    return { value: row && fromRow(store.vault, row), tags: [TAG] }
  })

/**
 * Sets the script for a kind of token; returns whether it is the first. Throws 400 for values that are too large. Does
 * not run it: the caller checks that it has the function.
 */
export const putCustomizer = operation(
  [],
  async (
    unit,
    tokenType: CustomizedToken,
    input: Input,
    restoredFrom?: number,
  ): Promise<{ customizer: Customizer; isFirst: boolean }> => {
    const { tx, tenant, now, vault, changed } = unit
    const columns = columnsOf(unit, tokenType, input)
    const values = {
      script: input.script,
      sealed_environment_variables: columns.sealed_environment_variables ?? null,
      context_sample: columns.context_sample ?? null,
      token_sample: columns.token_sample ?? null,
      block_issuance_on_error: input.blockIssuanceOnError ?? true,
      cpu_limit: input.cpuLimit ?? DEFAULT_CPU_LIMIT,
      updated_at: now,
    }
    const { is_first: isFirst, ...row } = await tx
      .insertInto('jwt_customizers')
      .values({ tenant_id: tenant.id, token_type: tokenType, ...values })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'token_type']).doUpdateSet(values))
      .returningAll()
      // a row that existed before was replaced by this transaction
      .returning(sql<boolean>`xmax = 0`.as('is_first'))
      .executeTakeFirstOrThrow()
    await keepVersion(unit, tokenType, row.script, restoredFrom)
    changed(TAG)
    return { customizer: fromRow(vault, row), isFirst }
  },
)

/** Replaces the given fields. Throws 404, and 400 for values that are too large. */
export const updateCustomizer = operation(
  [],
  async (
    unit,
    tokenType: CustomizedToken,
    change: Static<typeof JwtCustomizerUpdate>,
    restoredFrom?: number,
  ): Promise<Customizer> => {
    const { tx, tenant, now, vault, changed } = unit
    const row = await tx
      .updateTable('jwt_customizers')
      .set({ ...columnsOf(unit, tokenType, change), updated_at: now })
      .where(inTenant(tenant.id))
      .where('token_type', '=', tokenType)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw unknown(tokenType)
    await keepVersion(unit, tokenType, row.script, restoredFrom)
    changed(TAG)
    return fromRow(vault, row)
  },
)

/**
 * Puts the script of an earlier version in use, which is then the newest; what goes with it stays as it is. Without a script it
 * is set anew. Does not run it. Throws 404.
 */
export const restoreCustomizer = operation(
  [],
  async (unit, tokenType: CustomizedToken, version: number): Promise<Customizer> => {
    const { script } = await getVersion(unit.tx, unit.tenant, tokenType, version)
    const present = await readCustomizers(unit.tx, unit.vault, unit.tenant)
    if (present.some((each) => each.tokenType === tokenType))
      return updateCustomizer.run(unit, tokenType, { script }, version)
    return (await putCustomizer.run(unit, tokenType, { script }, version)).customizer
  },
)

/** Throws 404. */
export const deleteCustomizer = operation(
  [],
  async ({ tx, tenant, changed }, tokenType: CustomizedToken): Promise<void> => {
    const { numDeletedRows } = await tx
      .deleteFrom('jwt_customizers')
      .where(inTenant(tenant.id))
      .where('token_type', '=', tokenType)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw unknown(tokenType)
    changed(TAG)
  },
)

/** Records in the audit log that a script was run as a test, for whom, and the result. Throws the failure, if there is one. */
export const concludeCustomizerTest = operation(
  [],
  async (
    { note },
    tokenType: CustomizedToken,
    subject: { readonly userId?: string; readonly applicationId: string } | undefined,
    failure: ApiError | undefined,
  ): Promise<void> => {
    note({ tokenType, ...(subject && { subject: { userId: subject.userId, applicationId: subject.applicationId } }) })
    if (!failure) return
    note({ error: failure.code, reason: failure.data?.reason })
    throw new Refusal(failure)
  },
)
