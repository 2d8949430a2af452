/** Types of authorization details (RFC 9396), registered with the API that understands them. */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, JsonObject, Nullable } from './schema.ts'

const MOST_LANGUAGES = 50

/** The name of a type. */
export const AuthorizationDetailsTypeName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[!#-\\[\\]-~]+$',
  description:
    'The value of `type` in a request, such as `payment_initiation`; unique in the tenant, cannot be changed later',
  examples: ['payment_initiation'],
})
const Description = Nullable(Type.String({ maxLength: 1024 }))
const Schema = Type.Unsafe<Record<string, unknown>>({
  ...JsonObject,
  description:
    'A JSON Schema (2020-12) of each detail, with `type: object`; at most 16 KiB. Keywords: type, enum, const, properties, required, additionalProperties, items, allOf, anyOf, oneOf, not, the limits of length, number and size, uniqueItems, pattern in RE2 syntax',
})
const Templates = Type.Record(
  Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$' }),
  Type.String({ minLength: 1, maxLength: 512 }),
  {
    maxProperties: MOST_LANGUAGES,
    additionalProperties: false,
    description:
      'A sentence for each language, by tag, which tells users what they approve. `{member}` and `{member.member}` stand for values: `Pay {amount.value} {amount.currency} to {creditorName}`. Without one for the user’s language the English one is shown, or the first',
  },
)

export const AuthorizationDetailsType = Type.Object({
  id: Id,
  resourceId: Id,
  type: AuthorizationDetailsTypeName,
  description: Description,
  schema: Schema,
  templates: Templates,
  createdAt: EpochMilliseconds,
})

export const AuthorizationDetailsTypeCreate = Type.Object({
  type: AuthorizationDetailsTypeName,
  schema: Schema,
  description: Type.Optional(Description),
  templates: Type.Optional(Templates),
})

export const AuthorizationDetailsTypeUpdate = Type.Object({
  schema: Type.Optional(Schema),
  description: Type.Optional(Description),
  templates: Type.Optional(Templates),
})

const OfResource = Type.Object({ resourceId: Id })
const OneType = Type.Object({ resourceId: Id, typeId: Id })
const PATH = '/resources/:resourceId/authorization-details-types'

export const authorizationDetailsRoutes = routes({
  listAuthorizationDetailsTypes: {
    method: 'GET',
    path: PATH,
    permission: 'read:resources',
    list: 'whole',
    summary: 'List the types of authorization details of an API resource',
    params: OfResource,
    status: 200,
    response: Type.Array(AuthorizationDetailsType),
    errors: ['entity.not_exists_with_id'],
  },
  createAuthorizationDetailsType: {
    method: 'POST',
    path: PATH,
    permission: 'write:resources',
    summary: 'Register a type of authorization details (RFC 9396)',
    description:
      'Applications ask for details of a type only if it is among their `customClientMetadata.authorizationDetailsTypes`.',
    params: OfResource,
    body: AuthorizationDetailsTypeCreate,
    status: 201,
    response: AuthorizationDetailsType,
    errors: [
      'entity.not_exists_with_id',
      'authorization_details.invalid_schema',
      'authorization_details.invalid_template',
      'authorization_details.too_many_types',
      'authorization_details.type_exists',
      'resource.cannot_modify_management_api',
    ],
  },
  getAuthorizationDetailsType: {
    method: 'GET',
    path: `${PATH}/:typeId`,
    permission: 'read:resources',
    version: WHOLE,
    summary: 'Get a type of authorization details',
    params: OneType,
    status: 200,
    response: AuthorizationDetailsType,
    errors: ['entity.not_exists_with_id'],
  },
  updateAuthorizationDetailsType: {
    method: 'PATCH',
    path: `${PATH}/:typeId`,
    permission: 'write:resources',
    version: WHOLE,
    summary: 'Change a type of authorization details',
    description: 'What was approved before keeps what it says; it is not checked against the new schema.',
    params: OneType,
    body: AuthorizationDetailsTypeUpdate,
    status: 200,
    response: AuthorizationDetailsType,
    errors: [
      'entity.not_exists_with_id',
      'authorization_details.invalid_schema',
      'authorization_details.invalid_template',
      'resource.cannot_modify_management_api',
    ],
  },
  deleteAuthorizationDetailsType: {
    method: 'DELETE',
    path: `${PATH}/:typeId`,
    permission: 'write:resources',
    version: WHOLE,
    summary: 'Delete a type of authorization details',
    description: 'Tokens that are issued from then on have no details of it, whatever was approved before.',
    params: OneType,
    status: 204,
    errors: ['entity.not_exists_with_id', 'resource.cannot_modify_management_api'],
  },
})
