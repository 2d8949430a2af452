/**
 * How messages of service providers arrive: by the Redirect binding, deflated in the query with a signature beside them, or by the
 * POST binding, as a document with a signature in it (saml2-bindings sections 3.4, 3.5).
 */
import { verify, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { parseXml, XmlError } from '../../kernel/xml.ts'
import { isSigned, verifiedElement } from '../../kernel/xml-signature.ts'
import { PROTOCOL } from './names.ts'

/** The message cannot be accepted. The message of the error is for the developers of the service provider. */
export class UnacceptableMessage extends Error {}

/** Of the XML: a request has some hundred, and a few thousand with a signature and certificates in it. */
const MOST_BYTES = 64 * 1024
/** saml2-bindings says 80 bytes, which few keep to; this is what Logto takes. */
export const LONGEST_RELAY_STATE = 512

const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sha256'],
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha512', 'sha512'],
])

type MessageName = 'SAMLRequest' | 'SAMLResponse'

/** A message as it was sent. */
export interface Incoming {
  readonly xml: string
  readonly relayState: string | undefined
  /** Of the Redirect binding: what may have been signed, with which algorithm. Undefined: nothing, or by the POST binding. */
  readonly detached?: { readonly signed: readonly string[]; readonly algorithm: string; readonly signature: Buffer }
}

const refuse = (reason: string): never => {
  throw new UnacceptableMessage(reason)
}

const one = (parameters: ReadonlyMap<string, readonly string[]>, name: string): string | undefined => {
  const values = parameters.get(name) ?? []
  if (values.length > 1) refuse(`the parameter ${name} is repeated`)
  return values[0]
}

const bytesOf = (text: string, name: string): Buffer => {
  const compact = text.replace(/[\r\n\t ]/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(compact))
    refuse(`${name} is not base64`)
  return Buffer.from(compact, 'base64')
}

const relayStateOf = (parameters: ReadonlyMap<string, readonly string[]>): string | undefined => {
  const relayState = one(parameters, 'RelayState')
  if (relayState !== undefined && relayState.length > LONGEST_RELAY_STATE)
    refuse(`RelayState is longer than ${LONGEST_RELAY_STATE} characters`)
  return relayState
}

const textOfBytes = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('the message is not UTF-8')
  }
}

const inflate = (bytes: Buffer): Buffer => {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MOST_BYTES })
  } catch {
    return refuse(`the message is not deflated, or longer than ${MOST_BYTES} bytes`)
  }
}

/**
 * What the signature of a query may cover: the parameters as they were encoded (saml2-bindings section 3.4.4.1), or percent-encoded
 * anew, because node-saml and others sign them in another encoding than they send them in. Both decode to what is read.
 */
const signedTexts = (
  queryText: string,
  parameters: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
) => {
  const present = names.filter((name) => parameters.has(name))
  const pairs = queryText.split('&')
  const asSent = present.map((name) => pairs.find((pair) => pair.startsWith(`${name}=`)))
  const anew = present.map((name) => `${name}=${encodeURIComponent(parameters.get(name)?.[0] ?? '')}`)
  return [...(asSent.includes(undefined) ? [] : [asSent.join('&')]), anew.join('&')]
}

/** Reads a message of the Redirect binding. @param parameters those of the query. Throws UnacceptableMessage. */
export const readRedirect = (
  queryText: string,
  parameters: ReadonlyMap<string, readonly string[]>,
  name: MessageName,
): Incoming => {
  const xml = textOfBytes(inflate(bytesOf(one(parameters, name) ?? refuse(`the parameter ${name} is missing`), name)))
  const relayState = relayStateOf(parameters)
  const algorithm = one(parameters, 'SigAlg')
  const signature = one(parameters, 'Signature')
  if (signature === undefined) return { xml, relayState }
  const detached = {
    signed: signedTexts(queryText, parameters, [name, 'RelayState', 'SigAlg']),
    algorithm: algorithm ?? '',
    signature: bytesOf(signature, 'Signature'),
  }
  return { xml, relayState, detached }
}

/** Reads a message of the POST binding. @param parameters those of the form. Throws UnacceptableMessage. */
export const readPost = (parameters: ReadonlyMap<string, readonly string[]>, name: MessageName): Incoming => ({
  xml: textOfBytes(bytesOf(one(parameters, name) ?? refuse(`the parameter ${name} is missing`), name)),
  relayState: relayStateOf(parameters),
})

const isSignedBy = (
  { signed, algorithm, signature }: NonNullable<Incoming['detached']>,
  certificate: string,
): boolean => {
  const digest = DIGESTS.get(algorithm)
  if (digest === undefined) return false
  const { publicKey } = new X509Certificate(certificate)
  return signed.some((text) => verify(digest, Buffer.from(text), publicKey, signature))
}

/** A message whose signature, if it counts, is right. */
export interface Received {
  readonly root: Element
  /** Whether a registered certificate signed it. */
  readonly isSigned: boolean
  readonly relayState: string | undefined
}

/** Runs what reads the XML; what is wrong with it is the sender's fault. */
const reading = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (error instanceof XmlError) return refuse(`the message is not acceptable: ${error.message}`)
    throw error
  }
}

/**
 * The message, parsed. Of a signed one the result is what was signed. A signature that none of the certificates made is refused;
 * without certificates there is nothing to check it against, and the message counts as unsigned. Throws UnacceptableMessage.
 * @param name of the root element, such as AuthnRequest
 */
export const receive = (
  { xml, relayState, detached }: Incoming,
  name: string,
  certificates: readonly string[],
): Received => {
  const root = reading(() => parseXml(xml, { mostBytes: MOST_BYTES }).documentElement)
  if (root.localName !== name || root.namespaceURI !== PROTOCOL) refuse(`the message is not a SAML 2.0 ${name}`)
  if (certificates.length === 0 || !(detached || isSigned(root))) return { root, isSigned: false, relayState }
  if (detached && !certificates.some((certificate) => isSignedBy(detached, certificate)))
    refuse('the signature is not by a registered certificate, or not RSA with SHA-256 or SHA-512')
  if (detached) return { root, isSigned: true, relayState }
  return { root: reading(() => verifiedElement(xml, root, certificates)), isSigned: true, relayState }
}
