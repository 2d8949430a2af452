/**
 * Connectors: services that carry messages, and providers at which users sign in. The configuration of each kind is in
 * connector-configs.ts.
 */
import Type from 'typebox'
import { type ConnectorConfig, SMTP } from './connector-configs.ts'
import { routes, WHOLE } from './route.ts'
import { Id, JsonObject, Nullable, OneOf, SECRET } from './schema.ts'

/** What configures a connector is judged by its kind: the server compares it with the schema that the kind has. */
const Config = Type.Unsafe<ConnectorConfig>({
  ...SECRET,
  type: 'object',
  description: 'As its kind wants it: configSchema of the connector factory',
})

const Metadata = Type.Object({
  target: Type.Optional(
    Type.String({
      maxLength: 128,
      pattern: '^[A-Za-z0-9_.-]*$',
      description:
        'For a social connector of a standard protocol: the name of the provider, under which identities of users are stored. It cannot be changed',
    }),
  ),
  name: Type.Optional(JsonObject),
  logo: Type.Optional(Type.String({ maxLength: 2048 })),
  logoDark: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
})

const factoryFields = {
  type: OneOf(['Email', 'Sms', 'Social']),
  target: Type.String(),
  name: JsonObject,
  description: JsonObject,
  logo: Type.String(),
  logoDark: Nullable(Type.String()),
  readme: Type.String(),
  configTemplate: Type.String({ description: 'An example configuration, as a JSON string' }),
  platform: Nullable(OneOf(['Universal'])),
  isStandard: Type.Optional(
    Type.Boolean({
      description:
        'For social ones: whether it is a standard protocol of many providers, so that there may be several connectors',
    }),
  ),
  isTokenStorageSupported: Type.Optional(Type.Boolean()),
}

export const ConnectorFactory = Type.Object({
  id: Type.String(),
  ...factoryFields,
  configSchema: Type.Unsafe<object>({ type: 'object', description: 'JSON Schema of the configuration' }),
})

export const Connector = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  connectorId: Type.String({ description: 'The kind: the id of its connector factory' }),
  syncProfile: Type.Boolean(),
  enableTokenStorage: Type.Boolean(),
  config: Config,
  metadata: Metadata,
  ...factoryFields,
})

const syncProfile = Type.Optional(
  Type.Boolean({
    description:
      'For a social connector: whether name and picture are updated at every sign-in. Default: only at registration',
  }),
)

const enableTokenStorage = Type.Optional(
  Type.Boolean({
    description:
      'For a social connector: whether the tokens that the provider issues at a sign-in are kept, sealed, so that applications can call its API on behalf of the user. Default: false. Off, what was kept is deleted',
  }),
)

export const ConnectorCreate = Type.Object({
  connectorId: Type.String({ minLength: 1, maxLength: 128, examples: [SMTP] }),
  config: Config,
  metadata: Type.Optional(Metadata),
  syncProfile,
  enableTokenStorage,
})

export const ConnectorUpdate = Type.Object({
  config: Type.Optional(Config),
  metadata: Type.Optional(Metadata),
  syncProfile,
  enableTokenStorage,
})

export const ConnectorTest = Type.Object({
  email: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Of a connector for mail', examples: ['me@example.com'] }),
  ),
  phone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'Of a connector for text messages',
      examples: ['+49 30 901820'],
    }),
  ),
  config: Config,
  locale: Type.Optional(Type.String({ minLength: 1, maxLength: 16, description: 'BCP 47. Default: en' })),
})

const socialErrors = [
  'connector.invalid_type_for_syncing_profile',
  'connector.token_storage_not_supported',
  'connector.should_specify_target',
  'connector.multiple_target_with_same_platform',
] as const

const byId = { params: Type.Object({ id: Id }) }
const FactoryId = Type.String({ minLength: 1, maxLength: 128 })

export const connectorRoutes = routes({
  listConnectors: {
    method: 'GET',
    path: '/connectors',
    permission: 'write:connectors',
    summary: 'List connectors with their configuration',
    query: Type.Object({ target: Type.Optional(Type.String({ maxLength: 128 })) }),
    status: 200,
    response: Type.Array(Connector),
  },
  createConnector: {
    method: 'POST',
    path: '/connectors',
    permission: 'write:connectors',
    summary: 'Set up a connector: for mail, for text messages, or a provider at which users sign in',
    description:
      'A tenant has one connector for mail and one for text messages: a new one replaces the existing one. Of social connectors it has one for each target.',
    body: ConnectorCreate,
    status: 200,
    response: Connector,
    errors: ['connector.not_found_with_connector_id', ...socialErrors],
  },
  getConnector: {
    method: 'GET',
    path: '/connectors/:id',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Get a connector with its configuration',
    ...byId,
    status: 200,
    response: Connector,
    errors: ['entity.not_exists_with_id'],
  },
  updateConnector: {
    method: 'PATCH',
    path: '/connectors/:id',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Change a connector; config and metadata are replaced as a whole',
    ...byId,
    body: ConnectorUpdate,
    status: 200,
    response: Connector,
    errors: [
      'entity.not_exists_with_id',
      'connector.can_not_modify_target',
      'connector.invalid_type_for_syncing_profile',
      'connector.token_storage_not_supported',
    ],
  },
  deleteConnector: {
    method: 'DELETE',
    path: '/connectors/:id',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Delete a connector',
    ...byId,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  testConnector: {
    method: 'POST',
    path: '/connectors/:factoryId/test',
    permission: 'write:connectors',
    summary: 'Send a test message with a configuration that need not be saved',
    description:
      'Responds once the mail server or the provider has accepted the message, or with the kind of failure (`kind` in the error’s data): `address`, `plain`, `connect`, `timeout`, `tls`, `login`, `sender`, `recipient`, `message`, `limit`, `fault` or `protocol`. What it said is in the server’s log.',
    params: Type.Object({ factoryId: FactoryId }),
    body: ConnectorTest,
    status: 204,
    errors: [
      'connector.general',
      'connector.unexpected_type',
      'entity.not_exists_with_id',
      'request.message_rate_limited',
      'user.invalid_email',
      'user.invalid_phone',
    ],
  },
  getConnectorAuthorizationUri: {
    method: 'POST',
    path: '/connectors/:connectorId/authorization-uri',
    permission: 'write:connectors',
    summary: 'Begin a sign-in at a provider, to give its account to a user',
    description:
      'Send the browser to `redirectTo`; what it comes back with to `redirectUri` is for `POST /users/:userId/identities`, within 15 minutes.',
    params: Type.Object({ connectorId: Id }),
    body: Type.Object({
      state: Type.String({
        minLength: 8,
        maxLength: 512,
        description: 'A new random value, which comes back with the browser',
        examples: ['b6x0q2w4e8'],
      }),
      redirectUri: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Registered with the provider; the path ends in the id of the connector',
      }),
    }),
    status: 200,
    response: Type.Object({ redirectTo: Type.String() }),
    errors: ['entity.not_exists_with_id', 'connector.unexpected_type', 'connector.invalid_response'],
  },
  listConnectorFactories: {
    method: 'GET',
    path: '/connector-factories',
    permission: 'read:connectors',
    summary: 'List the available kinds of connectors',
    status: 200,
    response: Type.Array(ConnectorFactory),
  },
  getConnectorFactory: {
    method: 'GET',
    path: '/connector-factories/:id',
    permission: 'read:connectors',
    summary: 'Get a kind of connector',
    params: Type.Object({ id: FactoryId }),
    status: 200,
    response: ConnectorFactory,
    errors: ['entity.not_exists_with_id'],
  },
})
