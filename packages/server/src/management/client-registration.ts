/** `/configs/client-registration` and `/initial-access-tokens`: who may register applications dynamically. */
import { registrationRoutes } from '@countersign/contract/client-registration.ts'
import {
  createInitialAccessToken,
  deleteInitialAccessToken,
  type InitialAccessTokenRow,
  listInitialAccessTokens,
} from '../domain/registered-clients/initial-access-tokens.ts'
import { registrationSettings, updateRegistrationSettings } from '../domain/registered-clients/settings.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

const toToken = (row: InitialAccessTokenRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  policy: row.policy,
  maxRegistrations: row.most_registrations,
  registrations: row.registrations,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at?.getTime() ?? null,
})

export const registrationHandlers = bind(registrationRoutes, {
  getClientRegistration: (_input, { store, tenant }) => registrationSettings(store, tenant),
  updateClientRegistration: ({ body }, { perform }) => perform(updateRegistrationSettings, body),
  async listInitialAccessTokens(_input, { store, tenant, page }) {
    return mapPage(await listInitialAccessTokens(store, tenant, page), toToken)
  },
  async createInitialAccessToken({ body }, { perform }) {
    const { name, policy, maxRegistrations = 1, expiresAt } = body
    const given = { name, policy, maxRegistrations, expiresAt: expiresAt == null ? null : new Date(expiresAt) }
    const { row, value } = await perform(createInitialAccessToken, given)
    return { ...toToken(row), value }
  },
  async deleteInitialAccessToken({ params }, { perform }) {
    await perform(deleteInitialAccessToken, params.id)
  },
})
