/** Client certificates by configuration: where they come from, and at which address (DECISIONS V11). */
import type { Configuration } from './configuration.ts'
import { type CertificateReader, createCertificateReader } from './http/client-certificates.ts'
import type { TlsFiles } from './http/tls-files.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { type MutualTls, NO_MUTUAL_TLS, parseMutualTlsAddress } from './kernel/mutual-tls.ts'

/** The files of MTLS_PORT; undefined: there is no such port. Throws ConfigurationError if one is missing. */
export const tlsFilesOf = ({ mtlsPort, mtlsCertFile, mtlsKeyFile }: Configuration): TlsFiles | undefined => {
  if (mtlsPort === undefined) return undefined
  if (mtlsCertFile === undefined || mtlsKeyFile === undefined)
    throw new ConfigurationError('MTLS_PORT needs MTLS_CERT_FILE and MTLS_KEY_FILE.')
  return { certFile: mtlsCertFile, keyFile: mtlsKeyFile }
}

/** Whether the server takes client certificates, and where. Throws ConfigurationError for an address at which no one would take them. */
export const mutualTlsOf = ({ mtlsPort, mtlsAddress, clientCertificateHeader }: Configuration): MutualTls => {
  const isOffered = mtlsPort !== undefined || clientCertificateHeader !== undefined
  if (!isOffered) {
    if (mtlsAddress) throw new ConfigurationError('MTLS_ADDRESS needs MTLS_PORT or CLIENT_CERTIFICATE_HEADER.')
    return NO_MUTUAL_TLS
  }
  const atPort = mtlsPort === undefined ? NO_MUTUAL_TLS.origin : parseMutualTlsAddress(`https://{host}:${mtlsPort}`)
  return { isOffered, origin: mtlsAddress ?? atPort }
}

/** Finds the certificate of a request; undefined: there are none. Throws ConfigurationError for a header that no one is trusted with. */
export const certificateReaderOf = (configuration: Configuration): CertificateReader | undefined => {
  const { mtlsPort, trustedProxies, clientCertificateHeader: name, clientCertificateFormat: format } = configuration
  if (name !== undefined && trustedProxies.length === 0)
    throw new ConfigurationError(
      'CLIENT_CERTIFICATE_HEADER needs TRUSTED_PROXIES: the header of anyone else is ignored.',
    )
  if (mtlsPort === undefined && name === undefined) return undefined
  return createCertificateReader(trustedProxies, name === undefined ? undefined : { name, format })
}
