/** Keys with certificates, as SAML has them: made here with a certificate that the key itself signed, and read from what others send. */
import { createPublicKey, generateKeyPair, sign, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import type * as Asn1 from '@peculiar/asn1-schema'
import type * as Asn1X509 from '@peculiar/asn1-x509'
import { newBytes } from './ids.ts'
import { lazyLibrary } from './lazy-library.ts'

const schema = lazyLibrary<typeof Asn1>('@peculiar/asn1-schema')
const x509 = lazyLibrary<typeof Asn1X509>('@peculiar/asn1-x509')

const SHA256_WITH_RSA = '1.2.840.113549.1.1.11'
const COMMON_NAME = '2.5.4.3'

export interface CertifiedKey {
  /** PKCS #8 in PEM. */
  readonly privateKey: string
  /** Of the public key, in PEM. */
  readonly certificate: string
}

/** A new serial number (RFC 5280, section 4.1.2.2): positive, unique. */
const newSerialNumber = (): ArrayBuffer => {
  const bytes = new Uint8Array(newBytes(16))
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40
  return bytes.buffer
}

const selfSigned = (privateKey: string, commonName: string, from: Date, until: Date): string => {
  const { AsnConvert } = schema()
  const asn1 = x509()
  const algorithm = new asn1.AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null })
  const value = new asn1.AttributeValue({ utf8String: commonName })
  const attribute = new asn1.AttributeTypeAndValue({ type: COMMON_NAME, value })
  const name = new asn1.Name([new asn1.RelativeDistinguishedName([attribute])])
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const tbsCertificate = new asn1.TBSCertificate({
    version: asn1.Version.v3,
    serialNumber: newSerialNumber(),
    signature: algorithm,
    issuer: name,
    subject: name,
    validity: new asn1.Validity({ notBefore: from, notAfter: until }),
    subjectPublicKeyInfo: AsnConvert.parse(publicKey, asn1.SubjectPublicKeyInfo),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), privateKey)
  const certificate = new asn1.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: new Uint8Array(signature).buffer,
  })
  return new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString()
}

/**
 * A new RSA key of 2048 bits, with a self-signed certificate (X.509 v3, SHA-256), which is all that SAML needs: the other side takes
 * the key from it.
 * @param commonName of at most 64 characters
 */
export const newCertifiedKey = async (commonName: string, from: Date, until: Date): Promise<CertifiedKey> => {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { privateKey, certificate: selfSigned(privateKey, commonName, from, until) }
}

export interface CertificateFacts {
  /** PEM, however it was written. */
  readonly certificate: string
  readonly validFrom: Date
  readonly validUntil: Date
  /** SHA-256 of the certificate: pairs of hexadecimal digits, with colons. */
  readonly fingerprint: string
  /** An RSA key of at least 2048 bits, which is what signatures are accepted from. */
  readonly isUsable: boolean
}

/**
 * Reads a certificate. Undefined: it is none.
 * @param text PEM, or the base64 of DER as in `X509Certificate` elements, with any white space
 */
export const certificateFacts = (text: string): CertificateFacts | undefined => {
  const base64 = text.replaceAll(/-----(BEGIN|END) CERTIFICATE-----|\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    return {
      certificate: certificate.toString(),
      validFrom: new Date(certificate.validFrom),
      validUntil: new Date(certificate.validTo),
      fingerprint: certificate.fingerprint256,
      isUsable: asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048,
    }
  } catch {
    return undefined
  }
}
