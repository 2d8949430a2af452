/** The certificate of a client in a header of the proxy that ended its TLS connection (RFC 9440, and what proxies do instead). */
import { type ClientCertificate, clientCertificate } from '../kernel/client-certificate.ts'
import { TransportError } from './exchange.ts'

export const CERTIFICATE_FORMATS = ['rfc9440', 'pem', 'xfcc'] as const

export interface CertificateHeader {
  /** In lower case. */
  readonly name: string
  readonly format: (typeof CERTIFICATE_FORMATS)[number]
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
const bytesOf = (base64: string): Buffer => {
  if (!BASE64.test(base64)) throw new Error('it is not base64')
  return Buffer.from(base64, 'base64')
}

/** A byte sequence of a structured field (RFC 9651 section 3.3.5). */
const byteSequence = (text: string): Buffer => {
  const [, base64] = /^:([^:]+):$/.exec(text) ?? []
  if (base64 === undefined) throw new Error('it is not a byte sequence')
  return bytesOf(base64)
}

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

/** Percent-encoded: one or more certificates in PEM, or in base64 with commas between them. */
const escapedPem = (value: string): Buffer[] => {
  const text = decodeURIComponent(value)
  const blocks = [...text.matchAll(PEM)]
  if (blocks.length === 0) return text.split(',').map((part) => bytesOf(part.replaceAll(/\s/g, '')))
  if (text.replaceAll(PEM, '').trim() !== '') throw new Error('there is something between its certificates')
  return blocks.map(([, base64 = '']) => bytesOf(base64.replaceAll(/\s/g, '')))
}

/** The fields of the one element of XFCC, by name in lower case. */
const forwardedFields = (value: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>()
  const element = /^(?:[^=;,"]+=(?:"(?:[^"\\]|\\.)*"|[^;,"]*)(?:;(?!$)|$))+$/
  if (!element.test(value)) throw new Error('it is not one element')
  for (const [, name = '', quoted, plain = ''] of value.matchAll(/([^=;,"]+)=(?:"((?:[^"\\]|\\.)*)"|([^;,"]*))/g)) {
    const key = name.trim().toLowerCase()
    // a URI or a DNS name may come several times, and neither is read here
    if (fields.has(key) && (key === 'cert' || key === 'chain')) throw new Error(`${name} comes twice`)
    fields.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? plain)
  }
  return fields
}

const inElement = (value: string): Buffer[] => {
  const fields = forwardedFields(value)
  const [cert, chain] = [fields.get('cert'), fields.get('chain')]
  if (!cert) return []
  const own = escapedPem(cert)
  if (own.length > 1) throw new Error('Cert holds more than one certificate')
  // Envoy puts the certificate of the client first there, too
  const all = chain ? escapedPem(chain) : []
  return own.concat(own[0] && all[0]?.equals(own[0]) ? all.slice(1) : all)
}

const decoded = (value: string, chain: readonly string[], format: CertificateHeader['format']): Buffer[] => {
  switch (format) {
    case 'rfc9440':
      // section 2.3: the chain is a list, whose members may be in several headers
      return [byteSequence(value), ...chain.flatMap((list) => list.split(',')).map((part) => byteSequence(part.trim()))]
    case 'pem':
      return escapedPem(value)
    case 'xfcc':
      return inElement(value)
  }
}

/**
 * The certificate in the header; undefined: there is none, because the client presented none. The caller has checked that a trusted
 * proxy sent it. Throws TransportError for a repeated header, and for one that holds anything else.
 */
export const certificateInHeader = (
  { name, format }: CertificateHeader,
  headerValues: (name: string) => readonly string[],
): ClientCertificate | undefined => {
  const [value = '', ...more] = headerValues(name).map((each) => each.trim())
  if (more.length > 0) throw new TransportError('malformed', `the header ${name} is repeated`)
  if (value === '') return undefined
  const chain = format === 'rfc9440' ? headerValues(`${name}-chain`).filter((each) => each.trim() !== '') : []
  try {
    const ders = decoded(value, chain, format)
    return ders.length === 0 ? undefined : clientCertificate(ders)
  } catch (cause) {
    throw new TransportError('malformed', `the header ${name} holds no client certificate`, { cause })
  }
}
