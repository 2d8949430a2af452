import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { GuardError } from '../errors/guard-error.ts'
import { type Credentials, parseCredentials } from './credentials.ts'

type Incoming = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'method'> & {
  readonly socket?: IncomingMessage['socket'] | undefined
}

const isTls = (socket: IncomingMessage['socket']): socket is TLSSocket => 'getPeerX509Certificate' in socket

/**
 * The credentials of a Node request. Of several `Authorization` headers Node keeps the first and drops the others silently, while a
 * proxy in front may have checked the last: `rawHeaders` still has them all.
 * @param url as it was requested, before any router removed a part of it
 */
export function incomingCredentials(
  { headers, rawHeaders, method = '', socket }: Incoming,
  url: string | undefined,
  takesProofs: boolean,
): Credentials {
  const valuesOf = (name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  if (valuesOf('authorization').length > 1) throw new GuardError('request_invalid')
  const proven = { method, url: url ?? '', proofs: valuesOf('dpop') }
  const peer = () => (socket && isTls(socket) ? socket.getPeerX509Certificate()?.raw : undefined)
  return { ...parseCredentials(headers.authorization, takesProofs, proven), connection: { headers: valuesOf, peer } }
}
