/**
 * Personal access tokens (DECISIONS I1): created for a user, shown once, stored as a hash, exchanged any number of
 * times.
 */

import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newSecret } from '../../kernel/ids.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import type { UserFinder } from '../users/finder.ts'
import { tellOwner } from '../users/owner-notices.ts'
import { getUser } from '../users/rows.ts'

const PREFIX = 'pat_'

export type PersonalAccessTokenRow = Selectable<Tables['personal_access_tokens']>

/** The tokens of a user, the oldest first. Throws 404. */
export const personalAccessTokensOf = async (
  store: Store,
  tenant: Tenant,
  userId: string,
): Promise<PersonalAccessTokenRow[]> => {
  await getUser(store, tenant, userId)
  return store.database.kysely
    .selectFrom('personal_access_tokens')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('name')
    .execute()
}

/**
 * Creates a token; returns its row and its value. Throws 404, 422 for a name that the user already has, 400 for an
 * expiry in the past.
 */
export const createPersonalAccessToken = operation(
  [],
  async (
    unit: Unit,
    userId: string,
    name: string,
    expiresAt: Date | null,
  ): Promise<{ row: PersonalAccessTokenRow; value: string }> => {
    const { tx, tenant, now, note } = unit
    await assertMayChange(unit, userId)
    if (expiresAt && expiresAt <= now)
      throw new ApiError('request.invalid_input', { reason: 'expiresAt is in the past' })
    const user = await tx
      .selectFrom('users')
      .select('id')
      .where(inTenant(tenant.id))
      .where('id', '=', userId)
      .forShare()
      .executeTakeFirst()
    if (!user) throw notFound('user', userId)
    const value = PREFIX + newSecret()
    const row = await tx
      .insertInto('personal_access_tokens')
      .values({
        tenant_id: tenant.id,
        user_id: userId,
        name,
        hash: hashSecret(value),
        created_at: now,
        expires_at: expiresAt,
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id', 'name']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw new ApiError('user.personal_access_token_name_exists')
    note({ userId, personalAccessToken: name })
    await tellOwner(unit, userId, 'accessTokenCreated')
    return { row, value }
  },
)

/** Renames a token. Throws 404, 422. */
export const renamePersonalAccessToken = operation(
  [],
  async (
    { tx, tenant, note }: Unit,
    userId: string,
    name: string,
    renamed: string,
  ): Promise<PersonalAccessTokenRow> => {
    const taken = await tx
      .selectFrom('personal_access_tokens')
      .select('name')
      .where(inTenant(tenant.id))
      .where('user_id', '=', userId)
      .where('name', '=', renamed)
      .executeTakeFirst()
    if (taken && renamed !== name) throw new ApiError('user.personal_access_token_name_exists')
    const row = await tx
      .updateTable('personal_access_tokens')
      .set({ name: renamed })
      .where(inTenant(tenant.id))
      .where('user_id', '=', userId)
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('personal access token', name)
    note({ userId, personalAccessToken: renamed })
    return row
  },
)

/**
 * Deletes a token: it can no longer be exchanged. Access tokens issued for it stay valid until they expire. Throws 404.
 */
export const deletePersonalAccessToken = operation(
  [],
  async ({ tx, tenant, note }: Unit, userId: string, name: string): Promise<void> => {
    const deleted = await tx
      .deleteFrom('personal_access_tokens')
      .where(inTenant(tenant.id))
      .where('user_id', '=', userId)
      .where('name', '=', name)
      .returning('name')
      .execute()
    if (deleted.length === 0) throw notFound('personal access token', name)
    note({ userId, personalAccessToken: name })
  },
)

/** Whether a value can be a personal access token. */
export const isPersonalAccessToken = (value: string): boolean => value.startsWith(PREFIX)

/** The user of a live token, whose use is recorded; undefined when the token does not exist or has expired. */
export const usePersonalAccessToken = async (
  { tx, tenant, now }: Unit,
  value: string,
): Promise<{ userId: string; name: string } | undefined> => {
  const { rows } = await sql<{ userId: string; name: string }>`
    UPDATE personal_access_tokens SET last_used_at = ${now}
    WHERE tenant_id = ${tenant.id} AND hash = ${hashSecret(value)} AND (expires_at IS NULL OR expires_at > ${now})
    RETURNING user_id AS "userId", name`.execute(tx)
  return rows[0]
}

/** The user of a token, for a statement that is sent together with the one that records its use. */
export const userOfPersonalAccessToken = (value: string): UserFinder => ({
  name: 'personal access token',
  key: hashSecret(value),
  type: 'bytea',
  user: (tenantId, key) => sql`(
    SELECT t.user_id FROM personal_access_tokens t WHERE t.tenant_id = ${tenantId} AND t.hash = ${key})`,
})
