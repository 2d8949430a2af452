/** A mail server for tests: takes everything, and shows what it got. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, vi } from 'vitest'

interface ReceivedMail extends Email {
  /** Whom the envelope names. */
  readonly recipients: readonly string[]
  readonly raw: string
}

export interface MailServer {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Resolves when so many have come in all. */
  got(count: number): Promise<void>
  close(): Promise<void>
}

/** Without TLS and without sign-in, unless the options say otherwise; it does not keep the process alive. */
export const startMailServer = async (options: SMTPServerOptions = {}, port = 0): Promise<MailServer> => {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const keep = async () => {
        const chunks: Buffer[] = await stream.toArray()
        const raw = Buffer.concat(chunks).toString()
        const recipients = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ ...(await PostalMime.parse(raw)), recipients, raw })
      }
      keep().then(() => done(), done)
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  server.server.unref()
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    got: (count) => vi.waitFor(() => expect(mails).toHaveLength(count), { timeout: 60_000, interval: 10 }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** The least configuration that sends to it. */
export const configOf = ({ port }: Pick<MailServer, 'port'>) => ({
  host: '127.0.0.1',
  port,
  fromEmail: 'Example <no-reply@mail.example>',
})

/** A mail server, to which the default tenant sends; it tells owners of no changes, so that tests can count the mails they cause. */
export const connectMailServer = async ({ client }: TestServer): Promise<MailServer> => {
  const mail = await startMailServer()
  await client.updateSignInExperience({ body: { ownerNotices: { enabled: false } } })
  await client.createConnector({ body: { connectorId: SMTP, config: configOf(mail) } })
  return mail
}

/** The code of six digits in the newest mail; empty when it has none. */
export const codeIn = ({ mails }: MailServer): string => /\b\d{6}\b/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
