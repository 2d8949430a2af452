/**
 * Where the certificate of a client comes from: its own TLS connection to this server, or the header of a trusted proxy. Nothing else can
 * present one (DECISIONS V11).
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type ClientCertificate, clientCertificate, MOST_CERTIFICATES } from '../kernel/client-certificate.ts'
import { addressSet, unmapped } from '../kernel/network.ts'
import { type CertificateHeader, certificateInHeader } from './client-certificate-header.ts'
import { TransportError } from './exchange.ts'
import { headerValues } from './header-values.ts'

/** The certificate of a request; undefined: none. Throws TransportError for a header of a proxy that cannot be read. */
export type CertificateReader = (request: IncomingMessage) => ClientCertificate | undefined

const isTls = (socket: Socket): socket is TLSSocket => 'getPeerX509Certificate' in socket

const presentedTo = (socket: TLSSocket): ClientCertificate | undefined => {
  const ders: Buffer[] = []
  let each = socket.getPeerX509Certificate()
  while (each && ders.length <= MOST_CERTIFICATES) {
    ders.push(each.raw)
    each = each.issuerCertificate
  }
  if (ders.length === 0) return undefined
  try {
    return clientCertificate(ders)
  } catch (cause) {
    throw new TransportError('malformed', 'the client certificate cannot be read', { cause })
  }
}

/**
 * Reads the certificate of a connection once, and of a proxy's header once for each request. A proxy that hands on a TLS connection
 * unopened is not asked for a header: whoever made the connection would have written it.
 */
export const createCertificateReader = (
  trustedProxies: readonly string[],
  header: CertificateHeader | undefined,
): CertificateReader => {
  const proxies = addressSet(trustedProxies)
  const known = new WeakMap<Socket | IncomingMessage, { readonly found: ClientCertificate | undefined }>()
  const once = (of: Socket | IncomingMessage, read: () => ClientCertificate | undefined) => {
    const kept = known.get(of) ?? { found: read() }
    known.set(of, kept)
    return kept.found
  }
  return (request) => {
    const { socket } = request
    if (isTls(socket)) return once(socket, () => presentedTo(socket))
    if (!header || !proxies.has(unmapped(socket.remoteAddress ?? ''))) return undefined
    return once(request, () => certificateInHeader(header, (name) => headerValues(request, name)))
  }
}
