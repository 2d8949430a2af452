/** The API about itself: whether it is ready, and what it can do. */
import Type from 'typebox'
import { route } from './route.ts'

const document = (id: string, path: `/${string}`, summary: string) =>
  route({
    id,
    method: 'GET',
    path,
    permission: null,
    summary,
    status: 200,
    response: Type.Record(Type.String(), Type.Unknown()),
  })

export const metaRoutes = {
  getStatus: route({
    id: 'getStatus',
    method: 'GET',
    path: '/status',
    permission: null,
    summary: 'Readiness',
    description: 'Answers 204 when the server can serve, 503 with the reason otherwise.',
    status: 204,
    errors: ['request.unavailable'],
  }),
  getOpenApi: document('getOpenApi', '/openapi.json', 'The OpenAPI 3.1 document of this API'),
  getSwagger: document('getSwagger', '/swagger.json', 'The OpenAPI document at the address that Logto uses'),
  getManagementOpenApi: document(
    'getManagementOpenApi',
    '/.well-known/management.openapi.json',
    'The OpenAPI document of the Management API',
  ),
  getExperienceOpenApi: document(
    'getExperienceOpenApi',
    '/.well-known/experience.openapi.json',
    'The OpenAPI document of the Experience API',
  ),
  getWebhookEvents: document(
    'getWebhookEvents',
    '/.well-known/webhook-events.json',
    'The JSON Schemas of what webhooks post',
  ),
  getUserOpenApi: document(
    'getUserOpenApi',
    '/.well-known/user.openapi.json',
    'The OpenAPI document of the Account API',
  ),
} as const
