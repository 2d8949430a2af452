/** Custom claims (DECISIONS J): a script for each kind of access token, which adds claims to it. */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, JsonObject, Nullable, OneOf, SECRET } from './schema.ts'

/** Of users, whatever the grant; of machines that act for themselves. */
export const CUSTOMIZED_TOKENS = ['access-token', 'client-credentials'] as const
export type CustomizedToken = (typeof CUSTOMIZED_TOKENS)[number]

const OfToken = Type.Object({ tokenTypePath: OneOf(CUSTOMIZED_TOKENS) })

const Script = Type.String({
  minLength: 1,
  maxLength: 65_536,
  description:
    'JavaScript with a function getCustomJwtClaims({ token, context, environmentVariables, api }) that returns an object of claims, or a promise of one. At most 64 KiB',
})

export const EnvironmentVariable = Type.String({ maxLength: 4096 })
export const MOST_ENVIRONMENT_VARIABLES = 100
const EnvironmentVariables = Type.Record(Type.String(), EnvironmentVariable, {
  ...SECRET,
  maxProperties: MOST_ENVIRONMENT_VARIABLES,
  description: 'What the function gets as environmentVariables; encrypted at rest',
})

const fields = {
  script: Script,
  environmentVariables: Type.Optional(EnvironmentVariables),
  contextSample: Type.Optional(JsonObject),
  tokenSample: Type.Optional(JsonObject),
  blockIssuanceOnError: Type.Optional(
    Type.Boolean({
      description:
        'Whether a token is refused when the script fails; otherwise it is issued without custom claims. Default true',
    }),
  ),
  cpuLimit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Milliseconds of CPU that a run may take. Default 100' }),
  ),
}

export const JwtCustomizer = Type.Object(fields)
export const JwtCustomizerUpdate = Type.Partial(JwtCustomizer)

const KeyedJwtCustomizer = Type.Object({
  key: OneOf(['jwt.accessToken', 'jwt.clientCredentials']),
  value: JwtCustomizer,
})

const Subject = Type.Object(
  {
    userId: Type.Optional(Id),
    applicationId: Id,
    organizationId: Type.Optional(Id),
    resource: Type.Optional(Type.String({ maxLength: 2048, description: 'The indicator of an API' })),
    scope: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Names with spaces between; every permission of the resource by default',
      }),
    ),
  },
  {
    description:
      'In place of token and context: for whom a token would be issued now. A user is taken to have signed in with a second factor and to have agreed to everything; a token of type client-credentials has no user',
  },
)

const version = {
  version: Type.Integer({ description: 'Counted from 1' }),
  createdAt: EpochMilliseconds,
  changedBy: Nullable(
    Type.Object(
      { type: OneOf(['user', 'application', 'system', 'directory']), id: Type.Optional(Type.String()) },
      { description: 'Null: from before versions were kept' },
    ),
  ),
  restoredFrom: Nullable(Type.Integer({ description: 'The version whose script it is' })),
  isCurrent: Type.Boolean({ description: 'Whether it is in use' }),
}
const OfVersion = Type.Object({
  tokenTypePath: OneOf(CUSTOMIZED_TOKENS),
  version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }),
})

const path = '/configs/jwt-customizer/:tokenTypePath'
const refused = ['guard.invalid_input', 'jwt_customizer.general', 'request.unavailable'] as const

export const jwtCustomizerRoutes = routes({
  listJwtCustomizers: {
    method: 'GET',
    path: '/configs/jwt-customizer',
    permission: 'write:jwt-customizer',
    summary: 'List the custom claims scripts',
    status: 200,
    response: Type.Array(KeyedJwtCustomizer),
  },
  getJwtCustomizer: {
    method: 'GET',
    path,
    permission: 'write:jwt-customizer',
    version: WHOLE,
    summary: 'Get a custom claims script',
    description: 'With the values of its environment variables.',
    params: OfToken,
    status: 200,
    response: JwtCustomizer,
    errors: ['entity.not_exists_with_id'],
  },
  putJwtCustomizer: {
    method: 'PUT',
    path,
    permission: 'write:jwt-customizer',
    version: WHOLE,
    summary: 'Set a custom claims script',
    description:
      'Answers 201 for a new script, 200 for one that replaces another. It applies from the next token on. A script without getCustomJwtClaims is refused, because every token would be.',
    params: OfToken,
    body: JwtCustomizer,
    status: 200,
    otherStatus: 201,
    response: JwtCustomizer,
    errors: refused,
  },
  updateJwtCustomizer: {
    method: 'PATCH',
    path,
    permission: 'write:jwt-customizer',
    version: WHOLE,
    summary: 'Change parts of a custom claims script',
    description: 'Each field in the request replaces the whole field.',
    params: OfToken,
    body: JwtCustomizerUpdate,
    status: 200,
    response: JwtCustomizer,
    errors: ['entity.not_exists_with_id', ...refused],
  },
  deleteJwtCustomizer: {
    method: 'DELETE',
    path,
    permission: 'write:jwt-customizer',
    version: WHOLE,
    summary: 'Delete a custom claims script',
    params: OfToken,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listJwtCustomizerVersions: {
    method: 'GET',
    path: `${path}/versions`,
    permission: 'write:jwt-customizer',
    summary: 'List the versions of a custom claims script',
    description: 'Newest first, at most 50; each change of the script makes one. They stay when the script is deleted.',
    params: OfToken,
    status: 200,
    response: Type.Array(Type.Object(version)),
  },
  getJwtCustomizerVersion: {
    method: 'GET',
    path: `${path}/versions/:version`,
    permission: 'write:jwt-customizer',
    summary: 'Get a version of a custom claims script',
    params: OfVersion,
    status: 200,
    response: Type.Object({ ...version, script: Type.String() }),
    errors: ['entity.not_exists_with_id'],
  },
  restoreJwtCustomizerVersion: {
    method: 'POST',
    path: `${path}/versions/:version/restore`,
    permission: 'write:jwt-customizer',
    summary: 'Restore a version of a custom claims script',
    description: 'Its script becomes the newest version; environment variables and limits stay as they are.',
    params: OfVersion,
    status: 200,
    response: JwtCustomizer,
    errors: ['entity.not_exists_with_id', ...refused],
  },
  testJwtCustomizer: {
    method: 'POST',
    path: '/configs/jwt-customizer/test',
    permission: 'write:jwt-customizer',
    summary: 'Run a custom claims script without saving it',
    description:
      'Runs in the same sandbox as for tokens, with `token` and `context`, or with what it would get for a real `subject`, which also needs read:applications and, for a user, read:users, read:roles and read:organizations. Answers with the claims that a token would get. With details=true: `claims`; `dropped`, the registered claims that the script tried to set; `droppedClaims`, each with its `name` and `why` (`registered`, or `json` for a value that has no JSON); `console`, lines of `level` and `text`; `cpuTime` in milliseconds; `memory`, the bytes of the 32 MiB that were in use at the end; for a subject `token` and `context`. If the script denies access the status is 403. A failure has `failure`, `console` and `cpuTime` in its data, with details=true also `memory`, `token` and `context`.',
    query: Type.Object({ details: Type.Optional(OneOf(['true', 'false'])) }),
    body: Type.Object({
      tokenType: OneOf(CUSTOMIZED_TOKENS),
      script: Script,
      environmentVariables: Type.Optional(EnvironmentVariables),
      token: Type.Optional(JsonObject),
      context: Type.Optional(JsonObject),
      subject: Type.Optional(Subject),
      cpuLimit: fields.cpuLimit,
    }),
    status: 200,
    response: JsonObject,
    errors: ['entity.not_exists_with_id', ...refused],
  },
})
