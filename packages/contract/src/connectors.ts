/** Connectors: what carries messages to people. There is one kind today, mail by SMTP. */
import Type from 'typebox'
import { routes } from './route.ts'
import { Id, JsonObject, Nullable, OneOf, SECRET } from './schema.ts'

/** The kind of connector that sends mail by SMTP. */
export const SMTP = 'simple-mail-transfer-protocol'

/** What a message is for. */
export const MESSAGE_USAGES = [
  'SignIn',
  'Register',
  'ForgotPassword',
  'BindNewIdentifier',
  'OrganizationInvitation',
  'Generic',
] as const

const LINE = '^[^\\x00-\\x1f\\x7f]*$'
const Line = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: LINE, description })

/** `a@example.com` or `Name <a@example.com>`. */
const Sender = (description: string) =>
  Type.String({
    maxLength: 320,
    pattern: '^([^\\x00-\\x1f\\x7f<>@,;]*<[^\\s<>@,;]+@[^\\s<>@,;]+>|[^\\s<>@,;]+@[^\\s<>@,;]+)$',
    description,
    examples: ['Example <no-reply@example.com>'],
  })

export const MailTemplate = Type.Object({
  usageType: Type.String({
    minLength: 1,
    maxLength: 64,
    description: `What it is for: ${MESSAGE_USAGES.join(', ')}. Templates of other usages are kept and not used`,
    examples: ['SignIn'],
  }),
  contentType: OneOf(['text/plain', 'text/html']),
  subject: Line(256, 'May hold placeholders'),
  content: Type.String({
    minLength: 1,
    maxLength: 65_536,
    description:
      'May hold placeholders such as {{code}}, {{minutes}}, {{link}} and {{host}}; in text/html their values are escaped',
  }),
})

export const SmtpConfig = Type.Object({
  host: Line(255, 'Host name or address of the mail server: a public one, or one that OUTBOUND_ALLOW lists'),
  port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [587] }),
  auth: Type.Optional(
    Type.Object({
      type: Type.Optional(OneOf(['login'])),
      user: Line(256, 'User name'),
      pass: Type.String({ ...SECRET, minLength: 1, maxLength: 1024 }),
    }),
  ),
  secure: Type.Optional(
    Type.Boolean({ description: 'TLS from the first byte, as on port 465; otherwise STARTTLS where it is offered' }),
  ),
  requireTLS: Type.Optional(
    Type.Boolean({ description: 'Refuse to send without STARTTLS. Default: true with auth, unless host is loopback' }),
  ),
  ignoreTLS: Type.Optional(
    Type.Boolean({ description: 'Never use STARTTLS: anyone on the network path reads the mail, and the password' }),
  ),
  tls: Type.Optional(
    Type.Object({
      servername: Type.Optional(Line(255, 'The name that the certificate must be of, if it is not host')),
      ca: Type.Optional(Type.String({ maxLength: 65_536, description: 'A certificate to trust, PEM' })),
      rejectUnauthorized: Type.Optional(
        Type.Boolean({
          description: 'false believes any certificate: anyone on the network path can pose as the mail server',
        }),
      ),
    }),
  ),
  fromEmail: Sender('The sender'),
  replyTo: Type.Optional(Sender('Where answers go')),
  templates: Type.Optional(
    Type.Array(MailTemplate, { maxItems: 50, description: 'A usage without one gets a text of the server' }),
  ),
})

const Metadata = Type.Object({
  target: Type.Optional(Type.String({ maxLength: 128 })),
  name: Type.Optional(JsonObject),
  logo: Type.Optional(Type.String({ maxLength: 2048 })),
  logoDark: Type.Optional(Nullable(Type.String({ maxLength: 2048 }))),
})

const factoryFields = {
  type: OneOf(['Email']),
  target: Type.String(),
  name: JsonObject,
  description: JsonObject,
  logo: Type.String(),
  logoDark: Nullable(Type.String()),
  readme: Type.String(),
  configTemplate: Type.String({ description: 'A configuration to begin with, as JSON text' }),
  platform: Type.Null(),
}

export const ConnectorFactory = Type.Object({ id: Type.String(), ...factoryFields })

export const Connector = Type.Object({
  tenantId: Type.String(),
  id: Type.String(),
  connectorId: Type.String({ description: 'The kind: the id of its connector factory' }),
  syncProfile: Type.Boolean(),
  enableTokenStorage: Type.Boolean(),
  config: SmtpConfig,
  metadata: Metadata,
  ...factoryFields,
})

export const ConnectorCreate = Type.Object({
  connectorId: Type.String({ minLength: 1, maxLength: 128, examples: [SMTP] }),
  config: SmtpConfig,
  metadata: Type.Optional(Metadata),
})

export const ConnectorUpdate = Type.Object({
  config: Type.Optional(SmtpConfig),
  metadata: Type.Optional(Metadata),
})

export const ConnectorTest = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 128, examples: ['me@example.com'] }),
  config: SmtpConfig,
})

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
    summary: 'Set up the connector that sends mail',
    description: 'A tenant has one connector of a type: it replaces the one before.',
    body: ConnectorCreate,
    status: 200,
    response: Connector,
    errors: ['connector.not_found_with_connector_id'],
  },
  getConnector: {
    method: 'GET',
    path: '/connectors/:id',
    permission: 'write:connectors',
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
    summary: 'Change a connector; config and metadata are replaced as a whole',
    ...byId,
    body: ConnectorUpdate,
    status: 200,
    response: Connector,
    errors: ['entity.not_exists_with_id'],
  },
  deleteConnector: {
    method: 'DELETE',
    path: '/connectors/:id',
    permission: 'write:connectors',
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
      'Answers when the mail server has taken the message, or says of what kind the failure was (`kind` in its data): `address`, `connect`, `timeout`, `tls`, `login`, `sender`, `recipient`, `message` or `protocol`. What the mail server said is in the log of the server.',
    params: Type.Object({ factoryId: FactoryId }),
    body: ConnectorTest,
    status: 204,
    errors: ['connector.general', 'entity.not_exists_with_id', 'user.invalid_email'],
  },
  listConnectorFactories: {
    method: 'GET',
    path: '/connector-factories',
    permission: 'read:connectors',
    summary: 'List the kinds of connectors that there are',
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
