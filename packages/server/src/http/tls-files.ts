/** The certificate and the key of a TLS port: files that may be replaced while the process runs. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { ConfigurationError } from '../kernel/configuration.ts'

export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

export interface TlsIdentity {
  /** PEM. */
  readonly cert: string
  readonly key: string
  /** Of the server's own certificate, the first in the file. */
  readonly validFrom: Date
  readonly validUntil: Date
}

const read = async (variable: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new ConfigurationError(`${variable}: ${file} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

/** Reads both. Throws ConfigurationError if a file cannot be read, holds something else, or if the key is not that of the certificate. */
export const readTlsFiles = async ({ certFile, keyFile }: TlsFiles): Promise<TlsIdentity> => {
  const [cert, key] = await Promise.all([read('MTLS_CERT_FILE', certFile), read('MTLS_KEY_FILE', keyFile)])
  try {
    createSecureContext({ cert, key })
    const { validFrom, validTo } = new X509Certificate(cert)
    return { cert, key, validFrom: new Date(validFrom), validUntil: new Date(validTo) }
  } catch (cause) {
    throw new ConfigurationError(
      `MTLS_CERT_FILE and MTLS_KEY_FILE are not a certificate and its key in PEM: ${(cause as Error).message}`,
      { cause },
    )
  }
}
