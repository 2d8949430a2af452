/** Certificates for the tests of mutual TLS, right and wrong in any way. */
import { createPublicKey, generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'

/** A certificate, its key, and what a client sends along. */
export interface Identity {
  readonly der: Buffer
  readonly pem: string
  readonly key: KeyObject
  /** PKCS #8 in PEM. */
  readonly keyPem: string
  /** `x5t#S256`. */
  readonly thumbprint: string
  readonly subject: x509.Name
}

const TYPES: Readonly<Record<string, string>> = { CN: '2.5.4.3', O: '2.5.4.10', C: '2.5.4.6', OU: '2.5.4.11' }

/** A name from the root on: `[['C', 'DE'], ['CN', 'Worker']]`. */
const nameOf = (parts: readonly (readonly [type: string, value: string])[]): x509.Name =>
  new x509.Name(
    parts.map(
      ([type, value]) =>
        new x509.RelativeDistinguishedName([
          new x509.AttributeTypeAndValue({
            type: TYPES[type] ?? type,
            value: new x509.AttributeValue(type === 'C' ? { printableString: value } : { utf8String: value }),
          }),
        ]),
    ),
  )

const extension = (extnID: string, value: unknown, critical = false): x509.Extension =>
  new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })

export const CLIENT_AUTH = x509.id_kp_clientAuth
export const SERVER_AUTH = x509.id_kp_serverAuth

/** Extensions of a CA. */
export const authority = (pathLenConstraint?: number): x509.Extension[] => [
  extension(
    x509.id_ce_basicConstraints,
    new x509.BasicConstraints({ cA: true, ...(pathLenConstraint === undefined ? {} : { pathLenConstraint }) }),
    true,
  ),
  usage(x509.KeyUsageFlags.keyCertSign),
]
export const usage = (flags: number): x509.Extension => extension(x509.id_ce_keyUsage, new x509.KeyUsage(flags), true)
export const purposes = (...ids: string[]): x509.Extension =>
  extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage(ids))
export const names = (...all: x509.GeneralName[]): x509.Extension =>
  extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(all))
/** An extension that no one understands. */
export const unknownExtension = (): x509.Extension =>
  new x509.Extension({
    extnID: '1.3.6.1.4.1.99999.1',
    critical: true,
    extnValue: new OctetString(Buffer.from('0500', 'hex')),
  })

export const { GeneralName, KeyUsageFlags } = x509

interface Wanted {
  readonly subject?: readonly (readonly [type: string, value: string])[]
  /** Signs it; by default it signs itself. */
  readonly issuer?: Identity
  readonly extensions?: readonly x509.Extension[]
  readonly from?: Date
  readonly until?: Date
  /** Its key; by default a new one for P-256. */
  readonly keys?: KeyObject
  readonly digest?: 'sha256' | 'sha1'
}

const DAY = 86_400_000

/** Makes a certificate that is valid from yesterday until in a year, except for what is wanted otherwise. */
export const certify = ({
  subject = [['CN', 'Worker']],
  issuer,
  extensions = [],
  from = new Date(Date.now() - DAY),
  until = new Date(Date.now() + 365 * DAY),
  keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  digest = 'sha256',
}: Wanted = {}): Identity => {
  const signer = issuer?.key ?? keys
  const isRsa = signer.asymmetricKeyType === 'rsa'
  const [strong, weak] = isRsa
    ? ['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.5']
    : ['1.2.840.10045.4.3.2', '1.2.840.10045.4.1']
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: (digest === 'sha256' ? strong : weak) ?? '' })
  const name = nameOf(subject)
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: Uint8Array.from([1, ...randomBytes(15)]).buffer,
    signature: algorithm,
    issuer: issuer?.subject ?? name,
    subject: name,
    validity: new x509.Validity({ notBefore: from, notAfter: until }),
    subjectPublicKeyInfo: AsnConvert.parse(
      createPublicKey(keys).export({ type: 'spki', format: 'der' }),
      x509.SubjectPublicKeyInfo,
    ),
    extensions: new x509.Extensions([...extensions]),
  })
  const signature = sign(digest, Buffer.from(AsnConvert.serialize(tbsCertificate)), signer)
  const certificate = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: Uint8Array.from(signature).buffer,
  })
  const der = Buffer.from(AsnConvert.serialize(certificate))
  return {
    der,
    pem: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n').trim()}\n-----END CERTIFICATE-----\n`,
    key: keys,
    keyPem: keys.export({ type: 'pkcs8', format: 'pem' }).toString(),
    thumbprint: hash('sha256', der, 'base64url'),
    subject: name,
  }
}

/** The public key of a certificate as a JWK. */
export const jwkOf = ({ key }: Identity) => ({ ...createPublicKey(key).export({ format: 'jwk' }) })
