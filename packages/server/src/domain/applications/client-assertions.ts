/**
 * Single use of client assertions (RFC 7523 section 3, SECURITY R-5): the only place that decides it, for all nodes.
 */
import { hashSecret } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/**
 * Consumes an assertion within a transaction: if that fails, the assertion was not used. Of several uses at a time the others wait for the
 * first. Returns whether this call succeeded.
 */
export const useAssertionIn = async (
  { tx, tenant }: Unit,
  applicationId: string,
  jti: string,
  expiresAt: Date,
): Promise<boolean> => {
  const row = await tx
    .insertInto('used_client_assertions')
    .values({
      tenant_id: tenant.id,
      application_id: applicationId,
      jti_hash: hashSecret(jti),
      expires_at: expiresAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Consumes an assertion: one statement, which succeeds exactly once per application and `jti` until
 * the assertion expires. Returns whether this call succeeded.
 */
export const useClientAssertion = async (
  store: Store,
  { id: tenantId }: Tenant,
  applicationId: string,
  jti: string,
  expiresAt: Date,
): Promise<boolean> => {
  const { rowCount } = await store.database.pool.query({
    name: 'use-client-assertion',
    text: `INSERT INTO used_client_assertions (tenant_id, application_id, jti_hash, expires_at)
      VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING jti_hash`,
    values: [tenantId, applicationId, hashSecret(jti), expiresAt],
  })
  return rowCount === 1
}
