/** `/my-account/personal-access-tokens`, `/organizations`, `/organization-invitations`, `/logs` and `/data`. */
import { accountBelongingRoutes } from '@countersign/contract/account-belongings.ts'
import type { AccountField } from '@countersign/contract/account-center.ts'
import { assertShown } from '../domain/account/field-policy.ts'
import { dataRequested, ownData } from '../domain/account/own-data.ts'
import { answerOwnInvitation, ownInvitations, ownOrganizations } from '../domain/account/own-organizations.ts'
import { createOwnToken, deleteOwnToken, renameOwnToken } from '../domain/account/own-tokens.ts'
import { listSecurityLog } from '../domain/account/security-log.ts'
import { type PersonalAccessTokenRow, personalAccessTokensOf } from '../domain/issued/personal-access-tokens.ts'
import { bind, type Call } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

/** Who asks, where the settings show them this part of their account. */
const reader = async (call: Call, field: AccountField): Promise<string> => {
  assertShown((await rulesOf(call)).center, field)
  return holderOf(call).userId
}

const toToken = ({ name, created_at, expires_at, last_used_at }: PersonalAccessTokenRow) => ({
  name,
  createdAt: created_at.getTime(),
  expiresAt: expires_at?.getTime() ?? null,
  lastUsedAt: last_used_at?.getTime() ?? null,
})

export const accountBelongingHandlers = bind(accountBelongingRoutes, {
  async listMyTokens(_input, call) {
    const userId = await reader(call, 'personalAccessToken')
    return (await personalAccessTokensOf(call.store, call.tenant, userId)).map(toToken)
  },
  async createMyToken({ body }, call) {
    const expiresAt = body.expiresAt == null ? null : new Date(body.expiresAt)
    const rules = await rulesOf(call)
    const { row, value } = await call.perform(createOwnToken, holderOf(call), rules, body.name, expiresAt)
    return { ...toToken(row), value }
  },
  async renameMyToken({ body }, call) {
    const rules = await rulesOf(call)
    return toToken(await call.perform(renameOwnToken, holderOf(call), rules, body.currentName, body.name))
  },
  async deleteMyToken({ body }, call) {
    await call.perform(deleteOwnToken, holderOf(call), await rulesOf(call), body.name)
  },
  async listMyOrganizations(_input, call) {
    const userId = await reader(call, 'organization')
    return (await ownOrganizations(call.store, call.tenant, userId)).map(
      ({ id, name, description, roles, joinedAt }) => ({
        ...{ id, name, description, organizationRoles: [...roles], joinedAt: joinedAt.getTime() },
      }),
    )
  },
  async listMyInvitations(_input, call) {
    const userId = await reader(call, 'organization')
    return (await ownInvitations(call.store, call.tenant, userId)).map(
      ({ id, organizationId, organizationName, roles, createdAt, expiresAt }) => ({
        ...{ id, organizationId, organizationName, organizationRoles: [...roles] },
        ...{ createdAt: createdAt.getTime(), expiresAt: expiresAt.getTime() },
      }),
    )
  },
  async answerMyInvitation({ params, body }, call) {
    const isAccepted = body.status === 'Accepted'
    await call.perform(answerOwnInvitation, holderOf(call), await rulesOf(call), params.id, isAccepted)
  },
  async listMyLogs(_input, call) {
    const userId = await reader(call, 'securityLog')
    return mapPage(await listSecurityLog(call.store, call.tenant, userId, call.page), (entry) => ({
      ...entry,
      createdAt: entry.createdAt.getTime(),
    }))
  },
  async getMyData(_input, call) {
    const holder = holderOf(call)
    await call.perform(dataRequested, holder, await rulesOf(call))
    return ownData(call.store, call.tenant, holder.userId)
  },
})
