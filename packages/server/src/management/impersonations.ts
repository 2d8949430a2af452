/** `/impersonations`: acting as a user for a stated reason. */
import { impersonationRoutes } from '@countersign/contract/impersonations.ts'
import { endImpersonation, type ImpersonationRow, listImpersonations } from '../domain/issued/impersonations.ts'
import { bind, type Call } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

/** What is asked for. */
interface Asked {
  readonly userId: string
  readonly reason: string
  readonly applicationId: string
  readonly resourceId: string
  readonly organizationId?: string
  readonly scope?: string
}

/** As the protocol does it: an impersonation with its token and the token's lifetime in seconds. */
export type Impersonate = (
  call: Call,
  asked: Asked,
) => Promise<{ readonly row: ImpersonationRow; readonly accessToken: string; readonly expiresIn: number }>

const toImpersonation = (row: ImpersonationRow) => ({
  id: row.id,
  userId: row.user_id,
  actor: { type: row.actor_type, id: row.actor_id },
  applicationId: row.application_id,
  resourceId: row.resource_id,
  organizationId: row.organization_id,
  scope: row.scopes.join(' '),
  reason: row.reason,
  createdAt: row.created_at.getTime(),
  expiresAt: row.expires_at.getTime(),
})

export const impersonationHandlers = (impersonate: Impersonate) =>
  bind(impersonationRoutes, {
    async listImpersonations({ query }, { store, tenant, page }) {
      return mapPage(await listImpersonations(store, tenant, { ...page, ...query }), toImpersonation)
    },
    async createImpersonation({ body }, call) {
      const { row, accessToken, expiresIn } = await impersonate(call, body)
      return { ...toImpersonation(row), accessToken, tokenType: 'Bearer' as const, expiresIn }
    },
    async deleteImpersonation({ params }, { perform }) {
      await perform(endImpersonation, params.id)
    },
  })
