/** The endpoints of `{base_url}/api/experience`. */
import { accountCenter } from '../domain/sign-in/account-center.ts'
import { type Authorize, apiEndpoint } from '../http/api.ts'
import { renderApiError } from '../http/api-errors.ts'
import { ANONYMOUS_BODY_LIMIT, type Endpoint, jsonAnswer } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Store } from '../storage/store.ts'
import { experienceFactorHandlers } from './factor-handlers.ts'
import { experienceHandlers } from './handlers.ts'
import { interactionOf } from './interaction.ts'
import { experienceSocialHandlers } from './social-handlers.ts'
import { experienceSsoHandlers } from './sso-handlers.ts'
import { experienceUploadHandlers } from './uploads.ts'

/** The origins at which browsers may use the passkeys of the tenant (Web Authentication Level 3, section 5.11.1). */
const relatedOriginsEndpoint = (store: Store): Endpoint => ({
  method: 'GET',
  path: '/.well-known/webauthn',
  bodyLimit: ANONYMOUS_BODY_LIMIT,
  async handle({ tenant }) {
    const { webauthnRelatedOrigins } = await accountCenter(store, tenant)
    const origins = [new URL(tenant.baseUrl).origin, ...webauthnRelatedOrigins]
    return jsonAnswer(200, { origins }, { 'cache-control': 'public, max-age=300' })
  },
  renderError: renderApiError(store.log),
})

/**
 * Who may send a large body, checked before it is read: a browser in an interaction. No route here requires a token;
 * one that did would belong to another API.
 */
const inInteraction =
  (store: Store): Authorize =>
  async (exchange, { permission }) => {
    if (permission) throw new ApiError('auth.unauthorized')
    await interactionOf({ store, tenant: exchange.tenant, exchange })
    return { who: { actor: { type: 'system' } } }
  }

export const experienceEndpoints = (store: Store): Endpoint[] => [
  relatedOriginsEndpoint(store),
  ...[
    ...experienceHandlers,
    ...experienceFactorHandlers,
    ...experienceSocialHandlers,
    ...experienceSsoHandlers,
    ...experienceUploadHandlers,
  ].map((route) => apiEndpoint(store, route, inInteraction(store))),
]
