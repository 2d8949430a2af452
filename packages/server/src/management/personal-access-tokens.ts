/** `/users/:userId/personal-access-tokens`. */
import { personalAccessTokenRoutes } from '@countersign/contract/personal-access-tokens.ts'
import {
  createPersonalAccessToken,
  deletePersonalAccessToken,
  type PersonalAccessTokenRow,
  personalAccessTokensOf,
  renamePersonalAccessToken,
} from '../domain/issued/personal-access-tokens.ts'
import { bind } from '../http/api.ts'

const toToken = (row: PersonalAccessTokenRow) => ({
  tenantId: row.tenant_id,
  userId: row.user_id,
  name: row.name,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at?.getTime() ?? null,
  lastUsedAt: row.last_used_at?.getTime() ?? null,
})

export const personalAccessTokenHandlers = bind(personalAccessTokenRoutes, {
  async listPersonalAccessTokens({ params }, { store, tenant }) {
    return (await personalAccessTokensOf(store, tenant, params.userId)).map(toToken)
  },
  async createPersonalAccessToken({ params, body }, { perform }) {
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt)
    const { row, value } = await perform(createPersonalAccessToken, params.userId, body.name, expiresAt)
    return { ...toToken(row), value }
  },
  async renamePersonalAccessToken({ params, body }, { perform }) {
    return toToken(await perform(renamePersonalAccessToken, params.userId, params.name, body.name))
  },
  async renamePersonalAccessTokenByBody({ params, body }, { perform }) {
    return toToken(await perform(renamePersonalAccessToken, params.userId, body.currentName, body.name))
  },
  async deletePersonalAccessToken({ params }, { perform }) {
    await perform(deletePersonalAccessToken, params.userId, params.name)
  },
  async deletePersonalAccessTokenByBody({ params, body }, { perform }) {
    await perform(deletePersonalAccessToken, params.userId, body.name)
  },
})
