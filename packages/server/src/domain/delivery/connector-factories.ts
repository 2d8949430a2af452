/** The kinds of connectors that there are: what an administrator chooses from. */
import { SMTP } from '@countersign/contract/connectors.ts'

export interface ConnectorFactory {
  readonly id: string
  readonly type: 'Email'
  readonly target: string
  readonly name: Readonly<Record<string, string>>
  readonly description: Readonly<Record<string, string>>
  readonly logo: string
  readonly logoDark: string | null
  readonly readme: string
  /** A configuration to begin with, as JSON text. */
  readonly configTemplate: string
  readonly platform: null
}

const ENVELOPE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23555' stroke-width='1.5'%3E%3Cpath d='M3 6h18v12H3zM3 6l9 7 9-7'/%3E%3C/svg%3E"

const smtp: ConnectorFactory = {
  id: SMTP,
  type: 'Email',
  target: SMTP,
  name: { en: 'SMTP' },
  description: { en: 'Sends mail through a mail server of yours.' },
  logo: ENVELOPE,
  logoDark: null,
  readme:
    'Give the host and port of your mail server, how to sign in to it, and the sender. Texts of your own are templates by usage; a usage without one gets a text of the server.',
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
}

export const CONNECTOR_FACTORIES: readonly ConnectorFactory[] = [smtp]

/** The kind with this id, if there is one. */
export const connectorFactory = (id: string): ConnectorFactory | undefined =>
  CONNECTOR_FACTORIES.find((factory) => factory.id === id)
