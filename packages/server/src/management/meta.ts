/** `/status` and the OpenAPI documents. */
import { ACCOUNT_ROUTES, API_ROUTES, EXPERIENCE_ROUTES } from '@countersign/contract/api.ts'
import { webhookSchemas } from '@countersign/contract/hooks.ts'
import { metaRoutes } from '@countersign/contract/meta.ts'
import { openapi } from '@countersign/contract/openapi.ts'
import type { Route } from '@countersign/contract/route.ts'
import { bind } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { VERSION } from '../kernel/version.ts'

/** Why the server cannot serve right now, or nothing. */
export type Readiness = () => Promise<string | undefined>

const EVERY_ROUTE = [...API_ROUTES, ...EXPERIENCE_ROUTES, ...ACCOUNT_ROUTES]

const document = ({ baseUrl }: Tenant, routes: readonly Route[]) => openapi(routes, { baseUrl, version: VERSION })

export const metaHandlers = (readiness: Readiness) =>
  bind(metaRoutes, {
    async getStatus() {
      const reason = await readiness()
      if (reason) throw new ApiError('request.unavailable', { reason })
    },
    getOpenApi: async (_input, { tenant }) => document(tenant, EVERY_ROUTE),
    getSwagger: async (_input, { tenant }) => document(tenant, EVERY_ROUTE),
    getManagementOpenApi: async (_input, { tenant }) => document(tenant, API_ROUTES),
    getExperienceOpenApi: async (_input, { tenant }) => document(tenant, EXPERIENCE_ROUTES),
    getWebhookEvents: async () => webhookSchemas(),
    getUserOpenApi: async (_input, { tenant }) => document(tenant, ACCOUNT_ROUTES),
  })
