/** `/ServiceProviderConfig`, `/Schemas`, `/ResourceTypes` (RFC 7644 section 4), and `/Me`, which a directory does not have. */

import type { Schema } from './attributes.ts'
import { MOST_BULK_OPERATIONS } from './bulk-request.ts'
import { LARGEST_BODY, type ScimCall, type ScimRoute, scimAnswer } from './endpoint.ts'
import { ScimError } from './errors.ts'
import { DEFAULT_RESULTS, MOST_RESULTS } from './list-request.ts'
import { wholeList } from './listing.ts'
import type { Resource } from './read-resource.ts'
import { ENTERPRISE_SCHEMA, GROUP, GROUP_SCHEMA, type ResourceType, USER, USER_SCHEMA } from './schemas.ts'

const CORE = 'urn:ietf:params:scim:schemas:core:2.0'

const providerConfig = ({ base, tenant }: ScimCall): Resource => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: `${tenant.baseUrl}/api/docs`,
  patch: { supported: true },
  bulk: { supported: true, maxOperations: MOST_BULK_OPERATIONS, maxPayloadSize: LARGEST_BODY },
  filter: { supported: true, maxResults: MOST_RESULTS },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  pagination: {
    ...{ cursor: true, index: true, defaultPaginationMethod: 'index' },
    ...{ defaultPageSize: DEFAULT_RESULTS, maxPageSize: MOST_RESULTS },
  },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the directory, created through the Management API',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const schemaResource =
  ({ base }: ScimCall) =>
  (schema: Schema): Resource => ({
    schemas: [`${CORE}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  })

const typeResource =
  ({ base }: ScimCall) =>
  ({ name, endpoint, schema, extensions }: ResourceType): Resource => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    description: schema.description,
    endpoint,
    schema: schema.id,
    ...(extensions.length > 0
      ? { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }
      : {}),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  })

const SCHEMAS = [USER_SCHEMA, ENTERPRISE_SCHEMA, GROUP_SCHEMA]
const TYPES = [USER, GROUP]

const named = <T>(items: readonly T[], nameOf: (item: T) => string, call: ScimCall): T => {
  const name = call.exchange.params.name ?? ''
  const found = items.find((item) => nameOf(item).toLowerCase() === name.toLowerCase())
  if (!found) throw new ScimError(404, undefined, `There is no ${name}.`)
  return found
}

/** RFC 7644 section 4: a filter here is 403, so that unfiltered results are not mistaken for matches. */
const assertUnfiltered = ({ parameters }: ScimCall): void => {
  if (parameters.has('filter')) throw new ScimError(403, undefined, 'These resources cannot be filtered.')
}

const me = (method: ScimRoute['method']): ScimRoute => ({
  ...{ method, path: '/Me', action: 'me', status: 501 },
  handle: () => Promise.reject(new ScimError(501, undefined, 'A token of a directory does not belong to a user.')),
})

export const DISCOVERY_ROUTES: readonly ScimRoute[] = [
  {
    ...{ method: 'GET', path: '/ServiceProviderConfig', action: 'getServiceProviderConfig', status: 200 },
    handle: async (call) => scimAnswer(200, providerConfig(call)),
  },
  {
    ...{ method: 'GET', path: '/Schemas', action: 'listSchemas', status: 200 },
    async handle(call) {
      assertUnfiltered(call)
      return wholeList(SCHEMAS.map(schemaResource(call)))
    },
  },
  {
    ...{ method: 'GET', path: '/Schemas/:name', action: 'getSchema', status: 200 },
    handle: async (call) => scimAnswer(200, schemaResource(call)(named(SCHEMAS, ({ id }) => id, call))),
  },
  {
    ...{ method: 'GET', path: '/ResourceTypes', action: 'listResourceTypes', status: 200 },
    async handle(call) {
      assertUnfiltered(call)
      return wholeList(TYPES.map(typeResource(call)))
    },
  },
  {
    ...{ method: 'GET', path: '/ResourceTypes/:name', action: 'getResourceType', status: 200 },
    handle: async (call) => scimAnswer(200, typeResource(call)(named(TYPES, ({ name }) => name, call))),
  },
  ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(me),
]
