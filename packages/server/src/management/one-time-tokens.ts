/** `/one-time-tokens`. */
import { oneTimeTokenRoutes } from '@countersign/contract/one-time-tokens.ts'
import {
  createOneTimeToken,
  deleteOneTimeToken,
  getOneTimeToken,
  listOneTimeTokens,
  type OneTimeTokenRow,
  oneTimeTokenStatus,
  setOneTimeTokenStatus,
  verifyOneTimeToken,
} from '../domain/issued/one-time-tokens.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { chooseLanguage } from '../languages/choice.ts'
import { mapPage } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'

const toOneTimeToken =
  ({ clock }: Store) =>
  (row: OneTimeTokenRow) => ({
    tenantId: row.tenant_id,
    id: row.id,
    email: row.email,
    context: row.context,
    status: oneTimeTokenStatus(row, clock.now()),
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  })

export const oneTimeTokenHandlers = bind(oneTimeTokenRoutes, {
  async listOneTimeTokens({ query }, { store, tenant, page }) {
    return mapPage(await listOneTimeTokens(store, tenant, { ...page, ...query }), toOneTimeToken(store))
  },
  async createOneTimeToken({ body }, { store, tenant, caller, perform }) {
    const { email, context = {}, expiresIn, messagePayload } = body
    // the user of the token becomes a member
    const isAboutMembers = context.jitOrganizationIds !== undefined && context.jitOrganizationIds.length > 0
    if (isAboutMembers && !holds(caller, 'write:organizations'))
      throw new ApiError('auth.forbidden', { permission: 'write:organizations' })
    const experience = await signInExperience(store, tenant)
    const message = messagePayload
      ? { link: messagePayload.link, language: chooseLanguage(messagePayload.uiLocales, undefined, experience) }
      : undefined
    const { row, token } = await perform(createOneTimeToken, { email, context, expiresIn, message })
    return { ...toOneTimeToken(store)(row), token }
  },
  async getOneTimeToken({ params }, { store, tenant }) {
    return toOneTimeToken(store)(await getOneTimeToken(store.database.kysely, tenant, params.id))
  },
  async deleteOneTimeToken({ params }, { perform }) {
    await perform(deleteOneTimeToken, params.id)
  },
  async verifyOneTimeToken({ body }, { store, perform }) {
    return toOneTimeToken(store)(await perform(verifyOneTimeToken, body.token, body.email))
  },
  async setOneTimeTokenStatus({ params, body }, { store, perform }) {
    return toOneTimeToken(store)(await perform(setOneTimeTokenStatus, params.id, body.status))
  },
})
