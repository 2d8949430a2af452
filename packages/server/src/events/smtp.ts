/**
 * Sends one mail by SMTP, to the mail server that an administrator named: it is no address that a stranger registered, so
 * it is not subject to the guard of outbound.ts; it has its limits in time. The library is loaded with the first mail.
 */
import type { MailConfig } from '../domain/connectors.ts'
import { Undeliverable } from './dispatch-handler.ts'
import { oneLine, type RenderedMail } from './mail-templates.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 15_000

export interface Mail extends RenderedMail {
  readonly to: string
  /** Makes the Message-ID: the same for every try, so that a mail server can see a repetition. */
  readonly id: string
  /** The host that the mail is sent in the name of. */
  readonly host: string
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)

/** The password goes over TLS only, unless the administrator says otherwise or it does not leave the machine. */
const transportOf = ({ host, port, auth, secure, requireTLS, ignoreTLS, tls }: MailConfig, name: string) => ({
  host,
  port,
  name,
  secure: secure ?? false,
  requireTLS: requireTLS ?? (auth !== undefined && !ignoreTLS && !isLoopback(host)),
  ignoreTLS: ignoreTLS ?? false,
  tls: { rejectUnauthorized: true, ...tls },
  connectionTimeout: CONNECT_MS,
  dnsTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  // a text is a text: it must not make the library read a file or an address
  disableFileAccess: true,
  disableUrlAccess: true,
  ...(auth ? { auth: { user: auth.user, pass: auth.pass } } : {}),
})

/** What the mail server will never take: the address is wrong. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'EENVELOPE' &&
  'responseCode' in error &&
  Number(error.responseCode) >= 500

/** Sends a mail. Throws Undeliverable when the mail server refuses the address for good, else what the library throws. */
export const sendBySmtp = async (config: MailConfig, mail: Mail, signal: AbortSignal): Promise<void> => {
  const { createTransport } = await import('nodemailer')
  signal.throwIfAborted()
  const { hostname } = new URL(`https://${mail.host}`)
  const transport = createTransport(transportOf(config, hostname))
  const stop = () => transport.close()
  signal.addEventListener('abort', stop)
  try {
    await transport.sendMail({
      from: oneLine(config.fromEmail),
      // not as text, in which a comma would be a second recipient
      to: { name: '', address: oneLine(mail.to) },
      ...(config.replyTo === undefined ? {} : { replyTo: oneLine(config.replyTo) }),
      subject: oneLine(mail.subject),
      ...(mail.text === undefined ? {} : { text: mail.text }),
      ...(mail.html === undefined ? {} : { html: mail.html }),
      messageId: `<${mail.id}@${hostname}>`,
      // RFC 3834: no holiday notice comes back
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  } catch (error) {
    if (isFinal(error)) throw new Undeliverable(error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
    transport.close()
  }
}
