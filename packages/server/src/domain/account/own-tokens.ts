/** Personal access tokens that users make for themselves (DECISIONS I1). */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { operation } from '../../storage/unit-of-work.ts'
import {
  createPersonalAccessToken,
  deletePersonalAccessToken,
  renamePersonalAccessToken,
} from '../issued/personal-access-tokens.ts'
import { announceUser, beginChange } from './changes.ts'
import type { AccountHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'

/** Of one user: those that an operator has made count. */
const MOST = 100

/** Creates a token; returns its row and its value. Throws as beginChange, 422 for a name that is taken, and beyond a hundred. */
export const createOwnToken = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, name: string, expiresAt: Date | null) => {
    const { id: userId } = await beginChange(unit, holder, rules, 'personalAccessToken')
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::int AS count FROM personal_access_tokens
      WHERE tenant_id = ${unit.tenant.id} AND user_id = ${userId}`.execute(unit.tx)
    if ((rows[0]?.count ?? 0) >= MOST) throw new ApiError('user.too_many_personal_access_tokens', { limit: MOST })
    const created = await createPersonalAccessToken.run(unit, userId, name, expiresAt)
    await announceUser(unit, userId)
    return created
  },
)

/** Renames a token. Throws as beginChange, 404, 422. */
export const renameOwnToken = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, name: string, renamed: string) => {
    const { id: userId } = await beginChange(unit, holder, rules, 'personalAccessToken')
    const row = await renamePersonalAccessToken.run(unit, userId, name, renamed)
    await announceUser(unit, userId)
    return row
  },
)

/** Deletes a token: it can no longer be exchanged. Throws as beginChange, 404. */
export const deleteOwnToken = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, name: string): Promise<void> => {
    const { id: userId } = await beginChange(unit, holder, rules, 'personalAccessToken')
    await deletePersonalAccessToken.run(unit, userId, name)
    await announceUser(unit, userId)
  },
)
