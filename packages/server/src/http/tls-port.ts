/** The port that asks clients for a certificate (MTLS_PORT, RFC 8705). What a certificate proves is decided where it is used. */
import { constants } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { Log } from '../kernel/log.ts'
import { watchFiles } from '../kernel/watched-files.ts'
import { readTlsFiles, type TlsFiles, type TlsIdentity } from './tls-files.ts'

export interface TlsPort {
  readonly server: Server
  /** Starts accepting connections. */
  listen(host: string, port: number): Promise<void>
  /** Stops watching the files; the server is closed by what answers its requests. */
  close(): void
}

/** BCP 195 (RFC 9325 section 4.2): forward secrecy and authenticated encryption only. */
const CIPHERS = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
].join(':')

const settings = ({ cert, key }: TlsIdentity) => ({
  ...{ cert, key, minVersion: 'TLSv1.2' as const, ciphers: CIPHERS, honorCipherOrder: true },
  // a resumed session would bring the certificate of the first handshake without those that lead to its CA
  secureOptions: constants.SSL_OP_NO_TICKET,
})

/**
 * Reads the files and makes the port; it does not listen yet. Replaced files are read again, for connections from then on; while they
 * cannot be used that is logged, and the previous ones stay in use. Throws as readTlsFiles.
 */
export const createTlsPort = async (files: TlsFiles, log: Log): Promise<TlsPort> => {
  let server: Server | undefined
  const watched = await watchFiles([files.certFile, files.keyFile], async () => {
    try {
      const identity = await readTlsFiles(files)
      server?.setSecureContext(settings(identity))
      log.info({ ...files, validUntil: identity.validUntil }, 'the certificate of MTLS_PORT was read again')
    } catch (error) {
      log.warn({ err: error, ...files }, 'the certificate of MTLS_PORT cannot be read: the previous one stays in use')
    }
  })
  try {
    const identity = await readTlsFiles(files)
    const made = createServer({
      ...settings(identity),
      ...{ requestCert: true, rejectUnauthorized: false, handshakeTimeout: 10_000 },
    })
    server = made
    made.on('tlsClientError', (error) => log.debug({ err: error }, 'a TLS handshake failed'))
    return {
      server: made,
      async listen(host, port) {
        made.listen(port, host)
        await once(made, 'listening')
      },
      close: watched.close,
    }
  } catch (error) {
    watched.close()
    throw error
  }
}
