/** The HTTP-Redirect binding (saml-bindings-2.0-os, section 3.4): a message that is compressed into a query, and signed as a query. */
import { sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

/** The message as the value of a parameter. */
const deflated = (xml: string): string => deflateRawSync(xml).toString('base64')

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
