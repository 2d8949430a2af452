/** The OpenAPI 3.1 document, a pure function of the routes. */
import type { TSchema } from 'typebox'
import { VERIFICATION_HEADER } from './account-verifications.ts'
import { API_ERRORS, type ApiErrorCode, statusesOf } from './errors.ts'
import { MANAGEMENT_PERMISSIONS } from './permissions.ts'
import { isSearched, permissionsOf, type Route } from './route.ts'

type Json = Record<string, unknown>

/** Codes that any route with a body, or with a permission, may answer. */
const SHARED: readonly ApiErrorCode[] = ['guard.invalid_input']
const GUARDED: readonly ApiErrorCode[] = ['auth.authorization_header_missing', 'auth.unauthorized', 'auth.forbidden']
/** A user's token, where the settings may have no Account API. */
const OWN: readonly ApiErrorCode[] = [...GUARDED, 'account_center.not_enabled']
/** And what it changes. */
const OWN_CHANGE: readonly ApiErrorCode[] = [...OWN, 'auth.third_party_application_forbidden']
const PROVED: readonly ApiErrorCode[] = ['verification_record.permission_denied']
const WITH_BODY: readonly ApiErrorCode[] = ['request.body_too_large', 'request.unsupported_media_type']
/** A file that is too large has its own error. */
const WITH_UPLOAD: readonly ApiErrorCode[] = ['request.unsupported_media_type']
const LISTED: readonly ApiErrorCode[] = ['guard.invalid_pagination']
/** What binds to a browser may be asked by another, or from elsewhere. */
const BOUND: readonly ApiErrorCode[] = ['session.not_found', 'session.csrf_token_mismatch']
/** And may come with a content type that a form of another origin can send. */
const TYPED: readonly ApiErrorCode[] = ['request.unsupported_media_type']
/** An id that cannot be one. */
const WITH_PARAMS: readonly ApiErrorCode[] = ['entity.not_found']
/** Changed since it was read. */
const VERSIONED: readonly ApiErrorCode[] = ['request.precondition_failed']
/** A search that is not offered. */
const SEARCHED: readonly ApiErrorCode[] = ['request.invalid_input']

/** Every error code that the route can answer, its own and those that follow from what it is. */
export const routeErrors = (route: Route): ApiErrorCode[] => [
  ...SHARED,
  ...(route.permission ? GUARDED : []),
  ...(route.scopes ? (route.method === 'GET' ? OWN : OWN_CHANGE) : []),
  ...(route.proof ? PROVED : []),
  ...(route.cookie ? BOUND : []),
  ...(route.cookie && !route.body && !route.upload ? TYPED : []),
  ...(route.body ? WITH_BODY : []),
  ...(route.upload ? WITH_UPLOAD : []),
  ...(route.params ? WITH_PARAMS : []),
  ...(route.list ? LISTED : []),
  ...(isSearched(route) ? SEARCHED : []),
  ...(route.version && route.method !== 'GET' ? VERSIONED : []),
  ...(route.errors ?? []),
]

/** The first path segment: how the document groups operations. */
export const routeTag = (route: Route): string => {
  const segment = route.path.split('/')[1] ?? ''
  return segment.startsWith('.') ? 'well-known' : segment
}

const listParameters = (list: true | 'whole'): Json[] => [
  { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 }, description: 'Counted from 1' },
  {
    name: 'page_size',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    ...(list === 'whole'
      ? { description: 'Without page, page_size or a cursor the response is the whole list, up to 10,000 rows' }
      : {}),
  },
  {
    name: 'after',
    in: 'query',
    schema: { type: 'string' },
    description: 'The Next-Cursor of the previous response; costs the same on every page',
  },
  {
    name: 'before',
    in: 'query',
    schema: { type: 'string' },
    description: 'As in the links prev and last: the page that ends there; costs the same on every page',
  },
]
const LIST_HEADERS: Json = {
  'Total-Number': { schema: { type: 'integer' } },
  'Total-Number-Is-Capped': {
    schema: { type: 'boolean' },
    description: 'Present when there are more than Total-Number',
  },
  'Next-Cursor': { schema: { type: 'string' }, description: 'Absent on the last page' },
  Link: { schema: { type: 'string' }, description: 'RFC 8288: first, prev, next, last' },
}

const BODY_HEADERS: Json = {
  'Ignored-Members': {
    schema: { type: 'string' },
    description: 'JSON pointers to members of the body that the operation does not know; absent when there are none',
  },
}

const VERSION_HEADERS: Json = {
  ETag: { schema: { type: 'string' }, description: 'Stands for what can be edited; for If-Match' },
}
const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  schema: { type: 'string' },
  description: 'An ETag: the operation is refused if the thing was changed since. `*` for any',
}

const parameters = (schema: TSchema | undefined, place: 'path' | 'query'): Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }))
}

const errorResponses = (route: Route): Json => {
  const byStatus = new Map<number, ApiErrorCode[]>()
  for (const code of routeErrors(route)) {
    for (const status of statusesOf(code)) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${API_ERRORS[code][1]}`).join('\n\n'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )
}

const success = (route: Route): Json => {
  const headers = {
    ...(route.list ? LIST_HEADERS : {}),
    ...(route.body ? BODY_HEADERS : {}),
    ...(route.version && route.response ? VERSION_HEADERS : {}),
  }
  return {
    description: 'Success',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(route.response ? { content: { 'application/json': { schema: route.response } } } : {}),
  }
}

/** By status. Where the answer that says no has the status of errors, its body is of either schema. */
const responses = (route: Route): Json => {
  const errors = errorResponses(route)
  const { otherStatus: other, response } = route
  const error = other === undefined ? undefined : (errors[other] as Json | undefined)
  const either = { anyOf: [response, { $ref: '#/components/schemas/Error' }] }
  return {
    ...(other === undefined ? {} : { [other]: success(route) }),
    [route.status]: success(route),
    ...errors,
    ...(other !== undefined && error
      ? { [other]: { ...success(route), ...error, content: { 'application/json': { schema: either } } } }
      : {}),
  }
}

/** Any file is `{}` in OpenAPI 3.1. */
const UPLOAD: Json = {
  type: 'object',
  required: ['file'],
  properties: { file: { description: 'The file', contentMediaType: 'application/octet-stream' } },
}

const requestBody = ({ body, upload }: Route): Json => {
  if (upload) return { requestBody: { required: true, content: { 'multipart/form-data': { schema: UPLOAD } } } }
  return body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}
}

const PROOF: Json = {
  name: VERIFICATION_HEADER,
  in: 'header',
  schema: { type: 'string' },
  description:
    'The verification that proves who the user is. Not needed with an access token of an authorization that asked for a new sign-in (RFC 9470)',
}

const securityOf = (route: Route): Json[] => {
  if (route.permission === 'all') return [{ managementApi: ['all'] }]
  if (route.permission) return [{ managementApi: ['all'] }, { managementApi: permissionsOf(route) }]
  if (route.scopes) return [{ accountApi: ['openid', ...route.scopes] }]
  return route.cookie ? [{ browser: [] }] : []
}

const operation = (route: Route): Json => ({
  operationId: route.id,
  tags: [routeTag(route)],
  summary: route.summary,
  ...(route.description ? { description: route.description } : {}),
  security: securityOf(route),
  parameters: [
    ...(route.proof ? [PROOF] : []),
    ...(route.version && route.method !== 'GET' ? [IF_MATCH] : []),
    ...parameters(route.params, 'path'),
    ...parameters(route.query, 'query'),
    ...(route.list ? listParameters(route.list) : []),
  ],
  ...requestBody(route),
  responses: responses(route),
})

/** The name is that of a base URL with http; with https it begins with `__Host-`. */
const browser: Json = { type: 'apiKey', in: 'cookie', name: 'countersign-browser' }

/**
 * Makes the OpenAPI 3.1 document of the routes.
 * @param baseUrl the tenant's base URL; servers and the token address are made from it
 */
export const openapi = (routes: readonly Route[], { baseUrl, version }: { baseUrl: string; version: string }): Json => {
  const scopes = Object.fromEntries(MANAGEMENT_PERMISSIONS.map(({ name, description }) => [name, description]))
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Countersign API', version },
    servers: [{ url: `${baseUrl}/api` }],
    paths,
    components: {
      securitySchemes: {
        managementApi: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: `${baseUrl}/oidc/token`, scopes } },
        },
        ...(routes.some(({ scopes }) => scopes)
          ? {
              accountApi: {
                type: 'openIdConnect',
                openIdConnectUrl: `${baseUrl}/oidc/.well-known/openid-configuration`,
                description: 'An access token without a resource, which is opaque, of a user',
              },
            }
          : {}),
        ...(routes.some(({ cookie }) => cookie) ? { browser } : {}),
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message', 'requestId'],
          properties: {
            code: { type: 'string' },
            message: { type: 'string' },
            data: {},
            requestId: { type: 'string', description: 'Identifies the request in the log' },
          },
        },
      },
    },
  }
}
