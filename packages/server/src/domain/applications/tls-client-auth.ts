/**
 * Applications that authenticate with a client certificate (RFC 8705 section 2): what is registered for them, and whether a certificate is
 * theirs (DECISIONS V13).
 */
import { createPublicKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { JWK } from 'jose'
import { ApiError } from '../../kernel/api-error.ts'
import { certificateFields } from '../../kernel/certificate-fields.ts'
import { refuseAuthority, refusePath, refuseTime } from '../../kernel/certificate-paths.ts'
import type { ClientCertificate } from '../../kernel/client-certificate.ts'
import { isSameName, parseDistinguishedName, writeDistinguishedName } from '../../kernel/distinguished-names.ts'
import type { Store } from '../../storage/store.ts'
import type { Client } from './clients.ts'
import { keysOfClient } from './keys-of-client.ts'
import { KeysUnavailable } from './remote-keys.ts'
import type { ClientMetadata } from './rows.ts'

/** How the name of the application is in its certificate: exactly one is registered (section 2.1.2). */
const SUBJECTS = [
  'tlsClientAuthSubjectDn',
  'tlsClientAuthSanDns',
  'tlsClientAuthSanUri',
  'tlsClientAuthSanIp',
  'tlsClientAuthSanEmail',
] as const
type Subject = (typeof SUBJECTS)[number]

/** An address in the one form in which certificates are compared; undefined: it is none. */
const plainIp = (text: string): string | undefined => {
  const family = isIP(text)
  if (family === 4) return text
  return family === 6 && !text.includes('%') ? new URL(`http://[${text}]`).hostname : undefined
}

/** The domain of an address in lower case: the part before it is compared as it is (RFC 5280 section 7.5). */
const plainEmail = (text: string): string => text.replace(/@[^@]*$/, (domain) => domain.toLowerCase())

/** Why the value cannot be the name of an application, or undefined. */
const refuseSubject = (subject: Subject, value: string): string | undefined => {
  switch (subject) {
    case 'tlsClientAuthSubjectDn':
      return parseDistinguishedName(value) ? undefined : 'must be a distinguished name such as CN=Worker,O=Example,C=DE'
    case 'tlsClientAuthSanDns':
      return /^(?!-)[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value) ? undefined : 'must be a host name, without a wildcard'
    case 'tlsClientAuthSanUri':
      return URL.canParse(value) ? undefined : 'must be a URI'
    case 'tlsClientAuthSanIp':
      return plainIp(value) === undefined ? 'must be an IP address' : undefined
    case 'tlsClientAuthSanEmail':
      return /^[^@\s]+@[^@\s]+$/.test(value) ? undefined : 'must be an email address'
  }
}

/** Whether the certificate has the name. */
const hasSubject = (certificate: X509Certificate, subject: Subject, value: string): boolean => {
  const { subject: own, names } = certificateFields(certificate)
  switch (subject) {
    case 'tlsClientAuthSubjectDn': {
      const registered = parseDistinguishedName(value)
      return registered !== undefined && isSameName(own, registered)
    }
    case 'tlsClientAuthSanDns':
      return names.dns.some((name) => name.toLowerCase() === value.toLowerCase())
    case 'tlsClientAuthSanUri':
      return names.uri.includes(value)
    case 'tlsClientAuthSanIp':
      return names.ip.some((name) => plainIp(name) !== undefined && plainIp(name) === plainIp(value))
    case 'tlsClientAuthSanEmail':
      return names.email.some((name) => plainEmail(name) === plainEmail(value))
  }
}

const refused = (member: string, reason: string): ApiError =>
  new ApiError('guard.invalid_input', {
    reason: `${member} ${reason}`,
    issues: [{ path: `/customClientMetadata/${member}`, reason }],
  })

/** One certificate in PEM. Throws for anything else. */
const certificateOf = (pem: string): X509Certificate => {
  if (pem.split('-----BEGIN CERTIFICATE-----').length !== 2) throw new Error('it is not one certificate in PEM')
  return new X509Certificate(pem)
}

/** Refuses, with 400, what is no certificate of a CA that can certify a client. */
const assertAuthorities = (pems: readonly string[]): void => {
  for (const [index, pem] of pems.entries()) {
    let reason: string | undefined
    try {
      reason = refuseAuthority(certificateOf(pem))
    } catch {
      reason = 'it is not one certificate in PEM'
    }
    if (reason !== undefined) throw refused('tlsClientAuthCertificates', `[${index}]: ${reason}`)
  }
}

/** Refuses, with 400, settings that do not go together, naming the member that is wrong. */
export const assertTlsClientAuth = (metadata: ClientMetadata): void => {
  const { tokenEndpointAuthMethod: method, tlsClientAuthCertificates: authorities, jwks, jwksUri } = metadata
  const subjects = SUBJECTS.filter((subject) => metadata[subject] !== undefined)
  const [subject = 'tlsClientAuthSubjectDn', ...more] = subjects
  if (method === 'tls_client_auth' && (subjects.length === 0 || !authorities))
    throw refused(
      authorities ? subject : 'tlsClientAuthCertificates',
      `is missing: tls_client_auth needs tlsClientAuthCertificates and one of ${SUBJECTS.join(', ')}`,
    )
  if (more.length > 0) throw refused(more[0] ?? subject, `cannot be set beside ${subject}: there is one of them`)
  const value = metadata[subject]
  const reason = value === undefined ? undefined : refuseSubject(subject, value)
  if (reason !== undefined) throw refused(subject, reason)
  if (authorities) assertAuthorities(authorities)
  if (method === 'self_signed_tls_client_auth' && !jwks && jwksUri === undefined)
    throw refused(
      'jwks',
      'is missing: self_signed_tls_client_auth needs the keys of the certificates, or themselves (x5c)',
    )
}

/** Parsed once for each client that the cache holds. */
const anchors = new WeakMap<Client, readonly X509Certificate[]>()
const anchorsOf = (client: Client): readonly X509Certificate[] => {
  const parsed = anchors.get(client) ?? (client.metadata.tlsClientAuthCertificates ?? []).map(certificateOf)
  anchors.set(client, parsed)
  return parsed
}

const refuseCertified = (client: Client, presented: ClientCertificate, now: Date): string | undefined => {
  const subject = SUBJECTS.find((each) => client.metadata[each] !== undefined)
  const value = subject && client.metadata[subject]
  if (subject === undefined || value === undefined) return 'no name is registered for its certificate'
  const reason = refusePath(presented, anchorsOf(client), now)
  if (reason !== undefined) return reason
  if (hasSubject(presented.certificate, subject, value)) return undefined
  const own = writeDistinguishedName(certificateFields(presented.certificate).subject)
  return `it does not have the name of ${subject}; its subject is ${own}`
}

/** A registered certificate (`x5c`) is that one; a registered key may have any certificate. */
const isOfKey = ({ certificate }: ClientCertificate, key: JWK): boolean => {
  if (key.x5c !== undefined) {
    const [registered] = Array.isArray(key.x5c) ? key.x5c : []
    return Buffer.from(String(registered), 'base64').equals(certificate.raw)
  }
  try {
    return createPublicKey({ key: { ...key }, format: 'jwk' }).equals(certificate.publicKey)
  } catch {
    // of published keys any may be wrong
    return false
  }
}

/** Nothing but the key and the time is looked at: no one has certified it (section 2.2). */
const refuseSelfSigned = async (
  store: Store,
  client: Client,
  presented: ClientCertificate,
  now: Date,
): Promise<string | undefined> => {
  const { validFrom, validTo } = presented.certificate
  const late = refuseTime({ from: new Date(validFrom), until: new Date(validTo) }, now)
  if (late !== undefined) return late
  const isAmong = (keys: readonly JWK[]) => keys.some((key) => isOfKey(presented, key))
  return isAmong(await keysOfClient(store, client, isAmong)) ? undefined : 'its key is not one of the application'
}

/** The methods of RFC 8705. */
export const isTlsMethod = (method: Client['authMethod']): boolean =>
  method === 'tls_client_auth' || method === 'self_signed_tls_client_auth'

/** Why the certificate does not authenticate a client that is registered for one of the methods, or undefined when it does; for the log. */
export const refuseCertificate = async (
  store: Store,
  client: Client,
  presented: ClientCertificate | undefined,
  now: Date,
): Promise<string | undefined> => {
  if (!presented) return 'no client certificate was presented'
  try {
    return client.authMethod === 'tls_client_auth'
      ? refuseCertified(client, presented, now)
      : await refuseSelfSigned(store, client, presented, now)
  } catch (error) {
    if (error instanceof KeysUnavailable) return `the keys at its jwksUri are not known: ${error.message}`
    return `the certificate cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}
