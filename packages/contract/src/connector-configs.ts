/**
 * The configuration of each kind of connector: for mail, for text messages (SMS), and, in social-connector-configs.ts,
 * for social sign-in.
 */
import Type, { type Static, type TObject } from 'typebox'
import { OneOf, SECRET } from './schema.ts'
import { SOCIAL_CONFIGS } from './social-connector-configs.ts'

/** The kind of connector that sends mail by SMTP. */
export const SMTP = 'simple-mail-transfer-protocol'

/** What a message is for. */
export const MESSAGE_USAGES = [
  'SignIn',
  'Register',
  'ForgotPassword',
  'BindNewIdentifier',
  'MfaVerification',
  'BindMfa',
  'OrganizationInvitation',
  'UserPermissionValidation',
  'MagicLink',
  'BackchannelAuthentication',
  'AccountDeletion',
  'AccountChanged',
  'NewSignIn',
  'Generic',
] as const

const HEADER_VALUE = '^[\\t\\x20-\\x7e]*$'
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

const UsageType = Type.String({
  minLength: 1,
  maxLength: 64,
  description: `What it is for: ${MESSAGE_USAGES.join(', ')}. Templates for other usages are stored but not used`,
  examples: ['SignIn'],
})

const MailTemplate = Type.Object({
  usageType: UsageType,
  contentType: OneOf(['text/plain', 'text/html']),
  subject: Line(256, 'May hold placeholders'),
  content: Type.String({
    minLength: 1,
    maxLength: 65_536,
    description:
      'May hold placeholders such as {{code}}, {{minutes}}, {{link}} and {{host}}; in text/html their values are escaped',
  }),
})

const TEMPLATES = { maxItems: 50, description: 'A usage without a template gets the server’s text' }
const MailTemplates = Type.Optional(Type.Array(MailTemplate, TEMPLATES))

const SmsTemplates = Type.Optional(
  Type.Array(
    Type.Object({
      usageType: UsageType,
      content: Type.String({ minLength: 1, maxLength: 1600, description: 'May hold placeholders such as {{code}}' }),
    }),
    TEMPLATES,
  ),
)

const SmtpConfig = Type.Object({
  host: Line(255, 'Host name or address of the mail server: public, or listed in OUTBOUND_ALLOW'),
  port: Type.Integer({ minimum: 1, maximum: 65_535, examples: [587] }),
  auth: Type.Optional(
    Type.Object({
      type: Type.Optional(OneOf(['login'])),
      user: Line(256, 'User name'),
      pass: Type.String({ ...SECRET, minLength: 1, maxLength: 1024 }),
    }),
  ),
  secure: Type.Optional(
    Type.Boolean({ description: 'TLS from the first byte, as on port 465; otherwise STARTTLS if it is offered' }),
  ),
  requireTLS: Type.Optional(
    Type.Boolean({ description: 'Refuse to send without STARTTLS. Default: true with auth, unless host is loopback' }),
  ),
  ignoreTLS: Type.Optional(
    Type.Boolean({ description: 'Never use STARTTLS: anyone on the network path reads the mail, and the password' }),
  ),
  tls: Type.Optional(
    Type.Object({
      servername: Type.Optional(Line(255, 'The name that the certificate must have, if it is not host')),
      ca: Type.Optional(Type.String({ maxLength: 65_536, description: 'A certificate to trust, in PEM format' })),
      rejectUnauthorized: Type.Optional(
        Type.Boolean({
          description: 'false accepts any certificate: anyone on the network path can impersonate the mail server',
        }),
      ),
    }),
  ),
  fromEmail: Sender('The sender'),
  replyTo: Type.Optional(Sender('The Reply-To address')),
  templates: MailTemplates,
})

export type SmtpSettings = Static<typeof SmtpConfig>

/** The request that carries a message. */
const httpFields = {
  endpoint: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'Where the request goes: an https address, or one that OUTBOUND_ALLOW lists. May hold placeholders after the host',
    examples: ['https://messages.example.com/send'],
  }),
  method: Type.Optional(OneOf(['POST', 'PUT', 'PATCH', 'GET'], { description: 'Default: POST' })),
  authorization: Type.Optional(
    Type.String({ ...SECRET, maxLength: 4096, pattern: HEADER_VALUE, description: 'The header Authorization' }),
  ),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$" }),
      Type.String({ maxLength: 4096, pattern: HEADER_VALUE }),
      {
        ...SECRET,
        maxProperties: 50,
        additionalProperties: false,
        description: 'Other headers; may hold placeholders',
      },
    ),
  ),
  contentType: Type.Optional(
    OneOf(['application/json', 'application/x-www-form-urlencoded', 'text/plain'], {
      description: 'Of the body, and how values are encoded in it. Default: application/json',
    }),
  ),
  body: Type.Optional(
    Type.Union([Type.String({ maxLength: 65_536 }), Type.Record(Type.String(), Type.Unknown())], {
      description:
        'What is sent: a text, or an object, with placeholders such as {{to}} and {{text}}. Default: all that there is, as JSON',
    }),
  ),
  success: Type.Optional(
    Type.Object(
      {
        statuses: Type.Optional(
          Type.Array(Type.Integer({ minimum: 100, maximum: 599 }), { minItems: 1, maxItems: 20 }),
        ),
        pointer: Type.Optional(
          Type.String({
            maxLength: 256,
            pattern: '^(/[^/]*)+$',
            description: 'A place in a JSON answer (RFC 6901)',
            examples: ['/messages/0/status'],
          }),
        ),
        values: Type.Optional(
          Type.Array(Type.String({ maxLength: 256 }), { maxItems: 20, description: 'What may stand there, as text' }),
        ),
      },
      { description: 'How success is told. Default: a status from 200 to 299' },
    ),
  ),
}

const HttpMailConfig = Type.Object({
  ...httpFields,
  fromEmail: Type.Optional(Sender('The sender')),
  templates: MailTemplates,
})
const HttpSmsConfig = Type.Object({ ...httpFields, templates: SmsTemplates })

const Key = (description: string) =>
  Type.String({ ...SECRET, minLength: 1, maxLength: 1024, pattern: LINE, description })
/** A word that may become a part of a URL. */
const Word = (description: string, ...examples: string[]) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: '^[A-Za-z0-9._-]+$', description, examples })

const providerFields = {
  endpoint: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      pattern: '^https?://[^/?#{}]+$',
      description: 'Another address of the provider than its usual one, such as that of a region',
    }),
  ),
}
const mail = { ...providerFields, replyTo: Type.Optional(Sender('Where answers go')), templates: MailTemplates }
const sms = { ...providerFields, templates: SmsTemplates }
const aws = {
  accessKeyId: Word('Of an IAM user that may do nothing but send'),
  accessKeySecret: Key('Its secret access key'),
  region: Word('AWS region', 'eu-central-1'),
}
const SmsSender = (description: string) => Line(32, description)

/** The kinds of connectors that carry messages, by id, with their configuration. */
const MESSAGE_CONFIGS = {
  [SMTP]: SmtpConfig,
  'http-email': HttpMailConfig,
  'sendgrid-email-service': Type.Object({
    apiKey: Key('API key that may send mail'),
    fromEmail: Sender('The sender'),
    fromName: Type.Optional(Line(128, 'The name of the sender')),
    ...mail,
  }),
  'mailgun-email': Type.Object({
    domain: Word('Sending domain', 'mg.example.com'),
    apiKey: Key('Sending key of the domain'),
    from: Sender('The sender'),
    ...mail,
  }),
  'postmark-mail': Type.Object({
    serverToken: Key('Server API token'),
    fromEmail: Sender('The sender'),
    messageStream: Type.Optional(Word('Message stream. Default: that of transactional mail', 'outbound')),
    ...mail,
  }),
  'aws-ses-mail': Type.Object({
    ...aws,
    emailAddress: Sender('The sender'),
    configurationSetName: Type.Optional(Word('Configuration set')),
    ...mail,
  }),
  'resend-email': Type.Object({ apiKey: Key('API key that may send'), fromEmail: Sender('The sender'), ...mail }),
  'http-sms': HttpSmsConfig,
  'twilio-short-message-service': Type.Object({
    accountSID: Word('Account SID'),
    authToken: Key('Auth token'),
    fromMessagingServiceSID: Word('SID of the messaging service that sends'),
    ...sms,
  }),
  'vonage-sms': Type.Object({
    apiKey: Word('API key'),
    apiSecret: Key('API secret'),
    brandName: SmsSender('The sender: a number of yours, or a name of at most 11 characters'),
    ...sms,
  }),
  'aws-sns-short-message-service': Type.Object({
    ...aws,
    senderId: Type.Optional(SmsSender('The sender, in countries that allow one')),
    ...sms,
  }),
  'messagebird-short-message-service': Type.Object({
    accessKey: Key('Access key'),
    originator: SmsSender('The sender: a number of yours, or a name of at most 11 characters'),
    ...sms,
  }),
} as const satisfies Readonly<Record<string, TObject>>

/** All kinds of connectors. */
export const CONNECTOR_CONFIGS = { ...MESSAGE_CONFIGS, ...SOCIAL_CONFIGS } as const

/** The kinds that carry messages. */
export type MessageKind = keyof typeof MESSAGE_CONFIGS
export type ConnectorKind = keyof typeof CONNECTOR_CONFIGS
/** The configuration of a connector of some kind. */
export type ConnectorConfig = { [K in ConnectorKind]: Static<(typeof CONNECTOR_CONFIGS)[K]> }[ConnectorKind]
