/**
 * Why a message was not accepted, in a form that callers may see: a kind and its sentence. What the mail server or
 * the provider said, and where it is, is for the server's log only (SECURITY R-31): a caller who names a host must not be able to
 * read what answers there.
 */
import { OutboundError } from '../kernel/outbound.ts'

const SENTENCES = {
  address: 'is at an address that is not public; an internal one must be listed in OUTBOUND_ALLOW',
  plain: 'is at a public address that is not https',
  connect: 'cannot be reached',
  timeout: 'did not answer in time',
  tls: 'could not be connected to with TLS: it offers none, or its certificate is not valid for it',
  login: 'refused the login',
  sender: 'refused the sender',
  recipient: 'refused the recipient',
  message: 'refused the message',
  limit: 'accepts no more messages for now',
  fault: 'reported an internal error',
  protocol: 'does not behave like one',
} as const
export type MessageFailureKind = keyof typeof SENTENCES

export class MessageFailure extends Error {
  readonly kind: MessageFailureKind
  /** Whether another attempt would be pointless, for example because the address is wrong. */
  readonly isFinal: boolean
  /** @param options.cause the full error, for the log */
  constructor(
    who: 'the mail server' | 'the provider',
    kind: MessageFailureKind,
    isFinal: boolean,
    options: { cause: unknown },
  ) {
    super(`${who} ${SENTENCES[kind]}`, options)
    this.kind = kind
    this.isFinal = isFinal
  }
}

/** The fields of nodemailer's errors. */
interface ErrorFields {
  readonly code?: unknown
  /** The system's code, if `code` is nodemailer's. */
  readonly originalCode?: unknown
  /** The command sent to the mail server: `CONN`, `RCPT TO`. */
  readonly command?: unknown
  /** The three-digit reply code. */
  readonly responseCode?: unknown
}

const fieldsOf = (error: unknown): ErrorFields => (typeof error === 'object' && error !== null ? error : {})

/** OpenSSL and Node name what is wrong with TLS and with certificates in many ways. */
const OF_TLS = /TLS|SSL|CERT|SIGNATURE|ISSUER|CRL|^EPROTO$/

const ofEnvelope = ({ command }: ErrorFields): MessageFailureKind =>
  command === 'RCPT TO' ? 'recipient' : command === 'MAIL FROM' ? 'sender' : 'message'

const kindOf = (error: unknown, isLate: boolean): MessageFailureKind => {
  if (isLate) return 'timeout'
  if (error instanceof OutboundError && error.kind === 'address') return 'address'
  const fields = fieldsOf(error)
  switch (fields.code) {
    case 'ETIMEDOUT':
      return 'timeout'
    case 'EAUTH':
    case 'ENOAUTH':
      return 'login'
    case 'ETLS':
    case 'EREQUIRETLS':
      return 'tls'
    case 'EENVELOPE':
      return ofEnvelope(fields)
    case 'EMESSAGE':
    case 'ESTREAM':
      return 'message'
    case 'EPROTOCOL':
      return 'protocol'
    default:
      return OF_TLS.test(String(fields.originalCode ?? fields.code)) ? 'tls' : 'connect'
  }
}

/** The failure for an error of sending by SMTP. @param isLate whether this server gave up */
export const mailFailure = (error: unknown, isLate: boolean): MessageFailure => {
  const { code, responseCode } = fieldsOf(error)
  const isFinal = code === 'EENVELOPE' && Number(responseCode) >= 500
  return new MessageFailure('the mail server', kindOf(error, isLate), isFinal, { cause: error })
}

/** The failure for an error of sending a request. */
export const requestFailure = (error: unknown): MessageFailure => {
  const kind = error instanceof OutboundError ? error.kind : 'connection'
  const { code } = fieldsOf(error instanceof Error ? error.cause : undefined)
  const told =
    kind === 'url' ? 'address' : kind === 'connection' ? (OF_TLS.test(String(code)) ? 'tls' : 'connect') : kind
  return new MessageFailure('the provider', told, false, { cause: error })
}
