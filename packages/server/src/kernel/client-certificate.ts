/** The certificate that a client has shown to have in a TLS handshake (RFC 8705), wherever the connection ended. */
import { hash, X509Certificate } from 'node:crypto'

export interface ClientCertificate {
  readonly certificate: X509Certificate
  /** What the client sent beside it, to lead to a CA: nothing is known of these. */
  readonly chain: readonly X509Certificate[]
  /** `x5t#S256`: base64url of the SHA-256 of its DER (section 3.1). */
  readonly thumbprint: string
}

/** How many certificates a client may send: paths of CAs are short. */
export const MOST_CERTIFICATES = 10

/** The thumbprint of a certificate: `x5t#S256`. */
export const thumbprintOf = ({ raw }: X509Certificate): string => hash('sha256', raw, 'base64url')

/** From DER, the client's own first. Throws for anything that is no certificate, and for more than ten. */
export const clientCertificate = (ders: readonly Uint8Array[]): ClientCertificate => {
  if (ders.length > MOST_CERTIFICATES) throw new Error(`there are more than ${MOST_CERTIFICATES} certificates`)
  const [certificate, ...chain] = ders.map((der) => new X509Certificate(der))
  if (!certificate) throw new Error('there is no certificate')
  return { certificate, chain, thumbprint: thumbprintOf(certificate) }
}
