/**
 * Whether a CA has certified a client (RFC 5280 section 6, for the certificates of clients). Revocation is not looked at: a CA that is
 * trusted for an application alone certifies few, and an application is changed at once.
 */
import type { X509Certificate } from 'node:crypto'
import { type CertificateFields, certificateFields } from './certificate-fields.ts'
import { type ClientCertificate, thumbprintOf } from './client-certificate.ts'

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
const ANY_PURPOSE = '2.5.29.37.0'

/** RSA and ECDSA with SHA-2, RSASSA-PSS, Ed25519, Ed448. */
const SIGNATURES: ReadonlySet<string> = new Set([
  ...['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12', '1.2.840.113549.1.1.13', '1.2.840.113549.1.1.10'],
  ...['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4', '1.3.101.112', '1.3.101.113'],
])

const SHORTEST_RSA = 2048
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1'])

/** When a path may be used: the time in which all of its certificates are valid. */
export interface Validity {
  readonly from: Date
  readonly until: Date
}

const refuseKey = ({ publicKey }: X509Certificate): string | undefined => {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey
  if (type === 'rsa' || type === 'rsa-pss')
    return (details?.modulusLength ?? 0) >= SHORTEST_RSA
      ? undefined
      : `its RSA key is shorter than ${SHORTEST_RSA} bits`
  if (type === 'ec')
    return CURVES.has(details?.namedCurve ?? '') ? undefined : 'its key is on a curve that is not accepted'
  return type === 'ed25519' || type === 'ed448' ? undefined : 'its key is of a kind that is not accepted'
}

/** Why a certificate cannot be part of any path, or undefined. */
const refuseAny = (certificate: X509Certificate, fields: CertificateFields): string | undefined => {
  if (fields.unread.length > 0) return `it has the critical extension ${fields.unread[0]}, which is not understood`
  const { purposes } = fields
  if (purposes && !purposes.includes(CLIENT_AUTHENTICATION) && !purposes.includes(ANY_PURPOSE))
    return 'its extended key usage does not permit the authentication of clients'
  return refuseKey(certificate)
}

/** Why it is no CA that may be trusted, or undefined. Does not look at when it is valid. */
export const refuseAuthority = (certificate: X509Certificate): string | undefined => {
  const fields = certificateFields(certificate)
  if (!fields.isCa) return 'it is not the certificate of a CA (basic constraints)'
  if (!fields.mayCertify) return 'its key usage does not permit it to sign certificates'
  return refuseAny(certificate, fields)
}

/** Why the time is not one in which a certificate is valid, or undefined. */
export const refuseTime = ({ from, until }: Validity, now: Date): string | undefined => {
  if (now < from) return `it is not valid before ${from.toISOString()}`
  return now > until ? `it has expired at ${until.toISOString()}` : undefined
}

/** Whether the issuer has signed the certificate, with a signature that is accepted. */
const isSignedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) &&
  SIGNATURES.has(certificateFields(certificate).signatureAlgorithm) &&
  certificate.verify(issuer.publicKey)

/** Checks of signatures for one certificate: what a client sends must not make them many. */
const MOST_CHECKS = 40

interface Search {
  readonly anchors: readonly X509Certificate[]
  readonly others: readonly X509Certificate[]
  readonly now: Date
  readonly progress: {
    checks: number
    /** Why the last path that was tried does not hold. */
    reason: string
  }
}

const validityOf = ({ validFrom, validUntil }: CertificateFields): Validity => ({ from: validFrom, until: validUntil })
const both = (one: Validity, other: Validity): Validity => ({
  from: new Date(Math.max(one.from.getTime(), other.from.getTime())),
  until: new Date(Math.min(one.until.getTime(), other.until.getTime())),
})

/** The validity of a path from the certificate to a CA that is trusted. @param below the CAs that are between it and the client's */
const pathFrom = (certificate: X509Certificate, below: number, search: Search): Validity | undefined => {
  const own = validityOf(certificateFields(certificate))
  const { progress } = search
  const candidates = [...search.anchors, ...search.others]
  for (const [index, issuer] of candidates.entries()) {
    if (progress.checks >= MOST_CHECKS) return undefined
    progress.checks += 1
    if (!isSignedBy(certificate, issuer)) continue
    const fields = certificateFields(issuer)
    const tooLong = fields.pathLength !== undefined && fields.pathLength < below
    const reason =
      refuseAuthority(issuer) ??
      refuseTime(validityOf(fields), search.now) ??
      (tooLong ? 'it does not permit so many CAs below it (pathLenConstraint)' : undefined)
    if (reason !== undefined) {
      progress.reason = `the certificate of the CA: ${reason}`
      continue
    }
    const isTrusted = index < search.anchors.length
    const others = search.others.filter((other) => other !== issuer)
    const further = isTrusted ? validityOf(fields) : pathFrom(issuer, below + 1, { ...search, others })
    if (further) return both(own, further)
  }
  return undefined
}

/** Paths that were found, by what they lead to and the thumbprint of the client's certificate: signatures are checked once. */
const found = new WeakMap<object, Map<string, Validity>>()
const MOST_FOUND = 100

const searched = ({ certificate, chain }: ClientCertificate, anchors: readonly X509Certificate[], now: Date) => {
  const fields = certificateFields(certificate)
  const others = chain.filter((each) => !anchors.some((anchor) => thumbprintOf(anchor) === thumbprintOf(each)))
  const progress = { checks: 0, reason: 'no CA of the application has certified it' }
  const reason =
    refuseTime(validityOf(fields), now) ??
    refuseAny(certificate, fields) ??
    (fields.maySign ? undefined : 'its key usage does not permit the authentication of clients')
  return reason ?? pathFrom(certificate, 0, { anchors, others, now, progress }) ?? progress.reason
}

/**
 * Why the certificate is not one that a CA has certified for a client, or undefined when it is: a path to one of the trusted CAs whose
 * certificates are all valid now, CAs that may be it, for the authentication of clients, and signed with SHA-2 or better. Names that a CA
 * is limited to are not understood, so such a CA is refused. Throws for a certificate that is not as RFC 5280 has it.
 * @param anchors the trusted CAs: the same object as long as they are the same
 */
export const refusePath = (
  presented: ClientCertificate,
  anchors: readonly X509Certificate[],
  now: Date,
): string | undefined => {
  const known = found.get(anchors) ?? new Map<string, Validity>()
  found.set(anchors, known)
  const kept = known.get(presented.thumbprint)
  if (kept && refuseTime(kept, now) === undefined) return undefined
  const result = searched(presented, anchors, now)
  if (typeof result === 'string') return result
  const [oldest] = known.keys()
  if (known.size >= MOST_FOUND && oldest !== undefined) known.delete(oldest)
  known.set(presented.thumbprint, result)
  return undefined
}
