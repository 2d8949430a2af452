import { base64url } from 'jose'
import { GuardError } from '../errors/guard-error.ts'
import type { HeaderValues, MutualTlsOptions } from './options.ts'

/** What is known of a connection. */
export interface Connection {
  readonly headers: HeaderValues
  /** The certificate of the client in DER, if the connection ends here and has one. */
  readonly peer: () => Uint8Array | undefined
}

const pem = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/

const derOf = (certificate: Uint8Array | string): Uint8Array => {
  if (typeof certificate !== 'string') return certificate
  const base64 = pem.exec(certificate)?.[1]?.replace(/\s/g, '')
  if (!base64) throw new Error('It is neither DER nor PEM')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

const presented = (connection: Connection | undefined, { certificate }: MutualTlsOptions): Uint8Array | undefined => {
  try {
    const found = certificate ? connection && certificate(connection.headers) : connection?.peer()
    return found ? derOf(found) : undefined
  } catch (cause) {
    throw new GuardError('certificate_mismatch', { detail: 'The client certificate cannot be read', cause })
  }
}

/** Refuses a token that is bound to another certificate than that of the connection (RFC 8705 §3). @param x5t of its `cnf` */
export async function checkCertificate(
  x5t: unknown,
  connection: Connection | undefined,
  options: MutualTlsOptions,
): Promise<void> {
  const der = presented(connection, options)
  if (!der) throw new GuardError('certificate_mismatch', { detail: 'The client presented no certificate' })
  const thumbprint = base64url.encode(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(der))))
  if (x5t !== thumbprint) throw new GuardError('certificate_mismatch')
}
