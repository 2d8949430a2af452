/** Revoked JWT access tokens: recorded until they expire, so that every endpoint of the server refuses them (G5). */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'

/** Whether the token with this `jti` was revoked. */
export const isRevoked = async (store: Store, { id: tenantId }: Tenant, jti: string): Promise<boolean> => {
  const { rowCount } = await store.database.lookups.query({
    name: 'is-revoked',
    text: 'SELECT FROM revoked_access_tokens WHERE tenant_id = $1 AND jti = $2',
    values: [tenantId, jti],
  })
  return rowCount === 1
}

/** Revokes the token with this `jti`; doing it twice changes nothing. */
export const revokeAccessToken = operation([], async ({ tx, tenant }, jti: string, expiresAt: Date): Promise<void> => {
  await tx
    .insertInto('revoked_access_tokens')
    .values({ tenant_id: tenant.id, jti, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
})
