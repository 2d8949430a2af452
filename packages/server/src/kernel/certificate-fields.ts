/** What a certificate says (RFC 5280), as far as Node does not read it. The library is loaded at the first one. */
import type { X509Certificate } from 'node:crypto'
import type * as Asn1 from '@peculiar/asn1-schema'
import type * as Asn1X509 from '@peculiar/asn1-x509'
import type { DistinguishedName } from './distinguished-names.ts'
import { lazyLibrary } from './lazy-library.ts'

const schema = lazyLibrary<typeof Asn1>('@peculiar/asn1-schema')
const x509 = lazyLibrary<typeof Asn1X509>('@peculiar/asn1-x509')

export interface CertificateFields {
  readonly subject: DistinguishedName
  /** Subject alternative names, by kind. */
  readonly names: Readonly<Record<'dns' | 'uri' | 'ip' | 'email', readonly string[]>>
  readonly validFrom: Date
  readonly validUntil: Date
  /** Whether it says of itself that it is a CA (basic constraints). */
  readonly isCa: boolean
  /** How many CAs may be between it and the certificate at the end; undefined: any number. */
  readonly pathLength: number | undefined
  /** Whether its key may sign, in a handshake and certificates; true where it does not say. */
  readonly maySign: boolean
  readonly mayCertify: boolean
  /** Object identifiers; undefined: it does not say, and is for anything. */
  readonly purposes: readonly string[] | undefined
  /** An object identifier. */
  readonly signatureAlgorithm: string
  /** Critical extensions that are not read here. */
  readonly unread: readonly string[]
}

const parsed = new WeakMap<X509Certificate, CertificateFields>()

type Extensions = ReadonlyMap<string, { readonly value: ArrayBuffer; readonly isCritical: boolean }>

const extensionsOf = ({ extensions = [] }: Asn1X509.TBSCertificate): Extensions => {
  const found = new Map<string, { value: ArrayBuffer; isCritical: boolean }>()
  for (const { extnID, extnValue, critical } of extensions) {
    // RFC 5280 section 4.2
    if (found.has(extnID)) throw new Error(`the certificate has the extension ${extnID} twice`)
    found.set(extnID, { value: extnValue.buffer, isCritical: critical })
  }
  return found
}

const namesOf = (names: readonly Asn1X509.GeneralName[]): CertificateFields['names'] => ({
  dns: names.flatMap(({ dNSName }) => dNSName ?? []),
  uri: names.flatMap(({ uniformResourceIdentifier }) => uniformResourceIdentifier ?? []),
  ip: names.flatMap(({ iPAddress }) => iPAddress ?? []),
  email: names.flatMap(({ rfc822Name }) => rfc822Name ?? []),
})

const read = (certificate: X509Certificate): CertificateFields => {
  const [{ AsnConvert }, lib] = [schema(), x509()]
  const { raw } = certificate
  const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(raw, lib.Certificate)
  const extensions = extensionsOf(tbsCertificate)
  const extension = <T>(id: string, type: new () => T): T | undefined => {
    const found = extensions.get(id)
    return found && AsnConvert.parse(found.value, type)
  }
  const constraints = extension(lib.id_ce_basicConstraints, lib.BasicConstraints)
  const usage = extension(lib.id_ce_keyUsage, lib.KeyUsage)?.toNumber()
  const purposes = extension(lib.id_ce_extKeyUsage, lib.ExtendedKeyUsage)
  const alternative = extension(lib.id_ce_subjectAltName, lib.SubjectAlternativeName)
  const isRead = new Set([
    ...[lib.id_ce_basicConstraints, lib.id_ce_keyUsage, lib.id_ce_extKeyUsage, lib.id_ce_subjectAltName],
  ])
  const { validity, subject } = tbsCertificate
  const may = (flag: number) => usage === undefined || (usage & flag) !== 0
  return {
    subject: [...subject].map((part) => [...part].map(({ type, value }) => ({ type, value: value.toString() }))),
    names: namesOf([...(alternative ?? [])]),
    validFrom: validity.notBefore.getTime(),
    validUntil: validity.notAfter.getTime(),
    isCa: constraints?.cA === true,
    pathLength: constraints?.pathLenConstraint,
    maySign: may(lib.KeyUsageFlags.digitalSignature),
    mayCertify: may(lib.KeyUsageFlags.keyCertSign),
    purposes: purposes && [...purposes],
    signatureAlgorithm: signatureAlgorithm.algorithm,
    unread: [...extensions].flatMap(([id, { isCritical }]) => (isCritical && !isRead.has(id) ? [id] : [])),
  }
}

/** Reads a certificate, once. Throws for one that is not as RFC 5280 has it: what Node reads need not be. */
export const certificateFields = (certificate: X509Certificate): CertificateFields => {
  const fields = parsed.get(certificate) ?? read(certificate)
  parsed.set(certificate, fields)
  return fields
}
