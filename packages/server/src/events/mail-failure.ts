/**
 * Why a mail was not accepted, in a form that callers may see: a kind and its sentence. What the mail server said, and
 * where it is, is for the server's log only (SECURITY R-31): a caller who names a host and a port must not be able to
 * read what answers there.
 */
import { OutboundError } from './outbound.ts'

const SENTENCES = {
  address: 'the mail server is at an address that is not public; an internal relay must be listed in OUTBOUND_ALLOW',
  connect: 'the mail server cannot be reached',
  timeout: 'the mail server did not answer in time',
  tls: 'the connection to the mail server could not be secured with TLS: it offers none, or its certificate is not valid for it',
  login: 'the mail server refused the login',
  sender: 'the mail server refused the sender',
  recipient: 'the mail server refused the recipient',
  message: 'the mail server refused the message',
  protocol: 'what answered does not behave like a mail server',
} as const
export type MailFailureKind = keyof typeof SENTENCES

export class MailFailure extends Error {
  readonly kind: MailFailureKind
  /** @param options.cause the full error, for the log */
  constructor(kind: MailFailureKind, options: { cause: unknown }) {
    super(SENTENCES[kind], options)
    this.kind = kind
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

const ofEnvelope = ({ command }: ErrorFields): MailFailureKind =>
  command === 'RCPT TO' ? 'recipient' : command === 'MAIL FROM' ? 'sender' : 'message'

const kindOf = (error: unknown, isLate: boolean): MailFailureKind => {
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

/** @param isLate whether this server gave up */
export const mailFailure = (error: unknown, isLate: boolean): MailFailure =>
  new MailFailure(kindOf(error, isLate), { cause: error })

/**
 * Whether another attempt would be pointless: the mail server will never accept it, for example because the address is
 * wrong.
 */
export const isFinal = ({ cause }: MailFailure): boolean => {
  const { code, responseCode } = fieldsOf(cause)
  return code === 'EENVELOPE' && Number(responseCode) >= 500
}
