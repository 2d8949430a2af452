/**
 * Why a mail was not taken, as it may be told: a kind and its sentence. What the mail server said, and where it is, is for the
 * server's log only (SECURITY R-31): anyone who names a host and a port must not read what answers there.
 */
import { OutboundError } from './outbound.ts'

const SENTENCES = {
  address: 'the mail server is at an address that is not public; an internal relay must be listed in OUTBOUND_ALLOW',
  connect: 'the mail server cannot be reached',
  timeout: 'the mail server did not answer in time',
  tls: 'the connection to the mail server could not be secured by TLS: it offers none, or its certificate does not fit',
  login: 'the mail server refused the log-in',
  sender: 'the mail server refused the sender',
  recipient: 'the mail server refused the recipient',
  message: 'the mail server refused the message',
  protocol: 'what answered does not do as a mail server does',
} as const
export type MailFailureKind = keyof typeof SENTENCES

export class MailFailure extends Error {
  readonly kind: MailFailureKind
  /** @param options.cause the whole of it, for the log */
  constructor(kind: MailFailureKind, options: { cause: unknown }) {
    super(SENTENCES[kind], options)
    this.kind = kind
  }
}

/** What nodemailer says of its errors. */
interface ErrorFields {
  readonly code?: unknown
  /** Of the system, where `code` is nodemailer's. */
  readonly originalCode?: unknown
  /** What was asked of the mail server: `CONN`, `RCPT TO`. */
  readonly command?: unknown
  /** The three digits of the answer. */
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

/** @param isLate whether it was we who gave up */
export const mailFailure = (error: unknown, isLate: boolean): MailFailure =>
  new MailFailure(kindOf(error, isLate), { cause: error })

/** Whether another try would be no use: the mail server will never take it, as the address is wrong. */
export const isFinal = ({ cause }: MailFailure): boolean => {
  const { code, responseCode } = fieldsOf(cause)
  return code === 'EENVELOPE' && Number(responseCode) >= 500
}
