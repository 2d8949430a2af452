/** The available kinds of connectors, from which an administrator chooses. */
import { CONNECTOR_CONFIGS, type ConnectorKind, SMTP } from '@countersign/contract/connector-configs.ts'
import type { TObject } from 'typebox'
import { PRESETS, type Preset } from '../federation/presets.ts'
import { PROVIDERS } from './providers/catalogue.ts'
import type { Provider } from './providers/provider.ts'

export interface ConnectorFactory {
  readonly id: ConnectorKind
  readonly type: 'Email' | 'Sms' | 'Social'
  readonly target: string
  readonly name: Readonly<Record<string, string>>
  readonly description: Readonly<Record<string, string>>
  readonly logo: string
  readonly logoDark: string | null
  readonly readme: string
  /** An example configuration, as a JSON string. */
  readonly configTemplate: string
  readonly platform: 'Universal' | null
  /** Whether it is a standard protocol of many providers: each connector sets its own target. */
  readonly isStandard?: boolean
  /** Whether tokens that the provider issues can be kept. */
  readonly isTokenStorageSupported?: boolean
  /** JSON Schema of its configuration. */
  readonly configSchema: TObject
}

const ENVELOPE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23555' stroke-width='1.5'%3E%3Cpath d='M3 6h18v12H3zM3 6l9 7 9-7'/%3E%3C/svg%3E"

const BUBBLE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23555' stroke-width='1.5'%3E%3Cpath d='M4 5h16v11H11l-4 4v-4H4z'/%3E%3C/svg%3E"

const smtp: ConnectorFactory = {
  id: SMTP,
  type: 'Email',
  target: SMTP,
  name: { en: 'SMTP' },
  description: { en: 'Sends mail through your own mail server.' },
  logo: ENVELOPE,
  logoDark: null,
  readme:
    'Give the host and port of your mail server, the credentials, and the sender. Templates are your own texts by usage; a usage without one gets the server’s text.',
  configTemplate: JSON.stringify(
    {
      host: 'smtp.example.com',
      port: 587,
      auth: { user: 'user', pass: 'password' },
      fromEmail: 'Example <no-reply@example.com>',
      templates: [
        {
          usageType: 'SignIn',
          contentType: 'text/plain',
          subject: 'Your sign-in code',
          content: 'Your code is {{code}}. It is valid for 10 minutes.',
        },
      ],
    },
    undefined,
    2,
  ),
  platform: null,
  configSchema: CONNECTOR_CONFIGS[SMTP],
}

const OVER_HTTP = {
  logoDark: null,
  readme:
    'Give the address that the request goes to. Without a body it gets JSON with to, type, locale, payload (such as code and link), and the texts as they were rendered; a body of your own has placeholders for each.',
  platform: null,
} as const

const httpMail: ConnectorFactory = {
  ...OVER_HTTP,
  id: 'http-email',
  type: 'Email',
  target: 'http-email',
  name: { en: 'HTTP mail' },
  description: { en: 'Sends mail by a request to a service of any provider, or of yours.' },
  logo: ENVELOPE,
  configTemplate: JSON.stringify(
    { endpoint: 'https://messages.example.com/mail', authorization: 'Bearer token' },
    undefined,
    2,
  ),
  configSchema: CONNECTOR_CONFIGS['http-email'],
}

const httpSms: ConnectorFactory = {
  ...OVER_HTTP,
  id: 'http-sms',
  type: 'Sms',
  target: 'http-sms',
  name: { en: 'HTTP SMS' },
  description: { en: 'Sends text messages by a request to a service of any provider, or of yours.' },
  logo: BUBBLE,
  configTemplate: JSON.stringify(
    {
      endpoint: 'https://messages.example.com/sms',
      authorization: 'Bearer token',
      body: { to: '{{to}}', text: '{{text}}' },
    },
    undefined,
    2,
  ),
  configSchema: CONNECTOR_CONFIGS['http-sms'],
}

const ofProvider = ({ id, type, target, name, description, readme, example }: Provider): ConnectorFactory => ({
  id,
  type,
  target,
  name: { en: name },
  description: { en: description },
  logo: type === 'Email' ? ENVELOPE : BUBBLE,
  logoDark: null,
  readme,
  configTemplate: JSON.stringify(example, undefined, 2),
  platform: null,
  configSchema: CONNECTOR_CONFIGS[id],
})

const ofPreset = (preset: Preset): ConnectorFactory => {
  const { id, target, name, description, logo, logoDark, readme, example, isStandard } = preset
  return {
    id,
    type: 'Social',
    target,
    name: { en: name },
    description: { en: description },
    logo,
    logoDark,
    readme,
    configTemplate: JSON.stringify(example, undefined, 2),
    platform: isStandard ? null : 'Universal',
    isStandard,
    isTokenStorageSupported: true,
    configSchema: CONNECTOR_CONFIGS[id],
  }
}

export const CONNECTOR_FACTORIES: readonly ConnectorFactory[] = [
  smtp,
  httpMail,
  httpSms,
  ...PROVIDERS.map(ofProvider),
  ...PRESETS.map(ofPreset),
]

/** The kind with this id, if there is one. */
export const connectorFactory = (id: string): ConnectorFactory | undefined =>
  CONNECTOR_FACTORIES.find((factory) => factory.id === id)
