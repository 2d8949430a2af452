/** The API about itself: whether it is ready, and what it can do. */
import Type from 'typebox'
import { routes } from './route.ts'

const document = (path: `/${string}`, summary: string) =>
  ({
    method: 'GET',
    path,
    permission: null,
    summary,
    status: 200,
    response: Type.Record(Type.String(), Type.Unknown()),
  }) as const

export const metaRoutes = routes({
  getStatus: {
    method: 'GET',
    path: '/status',
    permission: null,
    summary: 'Readiness',
    description: 'Answers 204 when the server can serve, 503 with the reason otherwise.',
    status: 204,
    errors: ['request.unavailable'],
  },
  getOpenApi: document('/openapi.json', 'The OpenAPI 3.1 document of this API'),
  getSwagger: document('/swagger.json', 'The OpenAPI document at the address that Logto uses'),
  getManagementOpenApi: document('/.well-known/management.openapi.json', 'The OpenAPI document of the Management API'),
  getExperienceOpenApi: document('/.well-known/experience.openapi.json', 'The OpenAPI document of the Experience API'),
  getWebhookEvents: document('/.well-known/webhook-events.json', 'The JSON Schemas of what webhooks post'),
  getUserOpenApi: document('/.well-known/user.openapi.json', 'The OpenAPI document of the Account API'),
})
