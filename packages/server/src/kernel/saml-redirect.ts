/** The HTTP-Redirect binding (saml-bindings-2.0-os, section 3.4): a message that is compressed into a query, and signed as a query. */
import { constants, createVerify, sign } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { XmlError } from './xml.ts'

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const DIGESTS: Readonly<Record<string, string>> = {
  [RSA_SHA256]: 'RSA-SHA256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'RSA-SHA512',
}
const MOST_BYTES = 256 * 1024

/** The message as the value of a parameter. */
export const deflated = (xml: string): string => deflateRawSync(xml).toString('base64')

/** The message of a parameter: at most 256 KiB, however small it was compressed. Throws XmlError. */
export const inflated = (value: string): string => {
  try {
    const bytes = inflateRawSync(Buffer.from(value, 'base64'), { maxOutputLength: MOST_BYTES })
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new XmlError('the message is not compressed as it has to be, or is too long', { cause })
  }
}

interface Message {
  readonly name: 'SAMLRequest' | 'SAMLResponse'
  readonly xml: string
  readonly relayState?: string | undefined
}

/**
 * The address with the message in its query.
 * @param location may have a query of its own
 * @param privateKey in PEM, RSA: the query is then signed with SHA-256
 */
export const redirectAddress = (location: string, { name, xml, relayState }: Message, privateKey?: string): string => {
  const part = (key: string, value: string) => `${key}=${encodeURIComponent(value)}`
  const parts = [part(name, deflated(xml))]
  if (relayState !== undefined) parts.push(part('RelayState', relayState))
  if (privateKey !== undefined) {
    parts.push(part('SigAlg', RSA_SHA256))
    parts.push(part('Signature', sign('sha256', Buffer.from(parts.join('&')), privateKey).toString('base64')))
  }
  const url = new URL(location)
  return `${url.origin}${url.pathname}${url.search ? `${url.search}&` : '?'}${parts.join('&')}`
}

/** A parameter as it was sent; undefined unless it is there once. */
const sent = (parts: readonly string[], name: string): string | undefined => {
  const [found, second] = parts.filter((each) => each.startsWith(`${name}=`))
  return second === undefined ? found : undefined
}

const valueIn = (part: string | undefined): string => {
  try {
    return decodeURIComponent((part ?? '').slice((part ?? '').indexOf('=') + 1).replaceAll('+', ' '))
  } catch {
    return ''
  }
}

/**
 * Whether a query is signed by one of the certificates, over the very characters that were sent (section 3.4.4.1). Only RSA with SHA-256
 * or SHA-512 is accepted.
 * @param certificates in PEM, of RSA keys
 */
export const isSignedQuery = (queryText: string, name: Message['name'], certificates: readonly string[]): boolean => {
  const parts = queryText.split('&')
  const [message, algorithm, signature] = [sent(parts, name), sent(parts, 'SigAlg'), sent(parts, 'Signature')]
  const digest = DIGESTS[valueIn(algorithm)]
  if (!message || !algorithm || !signature || !digest) return false
  const hasState = parts.some((part) => part.startsWith('RelayState='))
  const state = sent(parts, 'RelayState')
  if (hasState && state === undefined) return false
  const signed = [message, ...(state === undefined ? [] : [state]), algorithm].join('&')
  const value = Buffer.from(valueIn(signature), 'base64')
  return certificates.some((key) =>
    createVerify(digest).update(signed).verify({ key, padding: constants.RSA_PKCS1_PADDING }, value),
  )
}
