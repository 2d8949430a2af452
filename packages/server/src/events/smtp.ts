/**
 * Sends one mail by SMTP, or tests whether it could be sent. The mail server is resolved and checked for each mail
 * like any other target (outbound.ts, DECISIONS K7): the library gets a connection to a checked address, and uses the
 * name only for TLS. It is loaded with the first mail.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { SMTP, type SmtpSettings } from '@countersign/contract/connector-configs.ts'
import type { Transporter } from 'nodemailer'
import { isLoopbackHost } from '../kernel/network.ts'
import type { Outbound } from '../kernel/outbound.ts'
import { inClientSpan } from '../kernel/tracing.ts'
import type { RenderedMail } from './mail-templates.ts'
import { mailFailure } from './message-failure.ts'
import { lookupOf } from './outbound.ts'
import { oneLine } from './placeholders.ts'
import { senderOf } from './sender.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 15_000

export interface Mail extends RenderedMail {
  readonly to: string
  /** Makes the Message-ID: the same for every attempt, so that a mail server can recognize a repetition. */
  readonly id: string
  /** The host on whose behalf the mail is sent. */
  readonly host: string
}

/** The password is sent over TLS only, unless the administrator says otherwise or it does not leave the machine. */
const transportOf = (
  { host, port, auth, secure, requireTLS, ignoreTLS, tls }: SmtpSettings,
  name: string,
  connection: Socket,
) => ({
  host,
  port,
  name,
  secure: secure ?? false,
  requireTLS: requireTLS ?? (auth !== undefined && !ignoreTLS && !isLoopbackHost(host)),
  ignoreTLS: ignoreTLS ?? false,
  tls: { rejectUnauthorized: true, ...tls },
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  getSocket: (_options: unknown, done: (error: null, socket: { connection: Socket }) => void) =>
    done(null, { connection }),
  // a text must not make the library read a file or a URL
  disableFileAccess: true,
  disableUrlAccess: true,
  ...(auth ? { auth: { user: auth.user, pass: auth.pass } } : {}),
})

/** A connection to the mail server, at one of the allowed addresses that its name currently resolves to. */
const connected = async (outbound: Outbound, { host, port }: SmtpSettings, signal: AbortSignal): Promise<Socket> => {
  const addresses = await outbound.addressesOf(host.toLowerCase(), signal)
  const socket = connect({ host, port, lookup: lookupOf(addresses) })
  try {
    await once(socket, 'connect', { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
  // until the library takes over, nothing else would handle the error
  socket.on('error', () => undefined)
  return socket
}

/**
 * Does the work over a connection to the mail server, which is closed afterwards.
 * @param hostname the name of this host @param late aborts when it takes too long
 */
const overConnection = async (
  outbound: Outbound,
  config: SmtpSettings,
  hostname: string,
  late: AbortSignal,
  work: (transport: Transporter) => Promise<unknown>,
): Promise<void> => {
  const { createTransport } = await import('nodemailer')
  late.throwIfAborted()
  const socket = await connected(outbound, config, AbortSignal.any([late, AbortSignal.timeout(CONNECT_MS)]))
  const transport = createTransport(transportOf(config, hostname, socket))
  const stop = () => void socket.destroy()
  late.addEventListener('abort', stop)
  try {
    await work(transport)
  } finally {
    late.removeEventListener('abort', stop)
    transport.close()
    socket.destroy()
  }
}

const TIMED_OUT = new Set(['TimeoutError', 'AbortError'])

/** The same in a span; throws MessageFailure. The mail itself carries no trace: it leaves the operator's systems. */
const withMailServer = (...[outbound, config, hostname, late, work]: Parameters<typeof overConnection>) => {
  const attributes = { 'network.protocol.name': 'smtp', 'server.address': config.host, 'server.port': config.port }
  return inClientSpan('smtp', attributes, async () => {
    try {
      await overConnection(outbound, config, hostname, late, work)
    } catch (error) {
      throw mailFailure(error, late.aborted || (error instanceof Error && TIMED_OUT.has(error.name)))
    }
  })
}

const nameOf = (host: string): string => new URL(`https://${host}`).hostname

/** Sends a mail. Throws MessageFailure. */
export const sendBySmtp = (
  outbound: Outbound,
  config: SmtpSettings,
  mail: Mail,
  signal: AbortSignal,
): Promise<void> => {
  const hostname = nameOf(mail.host)
  const sender = senderOf({ kind: SMTP, config }, mail)
  return withMailServer(outbound, config, hostname, signal, (transport) =>
    transport.sendMail({
      from: { name: sender.name, address: sender.address },
      // not as text, in which a comma would be a second recipient
      to: { name: '', address: oneLine(mail.to) },
      ...(sender.replyTo ? { replyTo: sender.replyTo } : {}),
      subject: oneLine(mail.subject),
      ...(mail.text === undefined ? {} : { text: mail.text }),
      ...(mail.html === undefined ? {} : { html: mail.html }),
      messageId: `<${mail.id}@${hostname}>`,
      // RFC 3834: prevents automatic replies
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
}

/**
 * Connects, greets, secures the connection and logs in as for a mail, but sends none. Throws MessageFailure. Does not
 * check whether the mail server accepts the sender.
 * @param host the host on whose behalf mails are sent
 */
export const probeSmtp = (outbound: Outbound, config: SmtpSettings, host: string, signal: AbortSignal): Promise<void> =>
  withMailServer(outbound, config, nameOf(host), signal, (transport) => transport.verify())
