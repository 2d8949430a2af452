/** The metadata that a connector gives to its identity provider (saml-metadata-2.0-os, section 2.4.4). */
import { newXml, writeXml } from '../../../kernel/xml.ts'
import { DSIG, METADATA, POST_BINDING, PROTOCOL, REDIRECT_BINDING } from './names.ts'
import type { ServiceProvider } from './provider.ts'

/** AES-GCM is authenticated: it comes first. */
const ENCRYPTION_METHODS = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
]

/**
 * As XML. Requests may be signed by any of the keys, so that the identity provider knows the next one in advance; assertions are to be
 * encrypted to the active one. Without one there is no single logout, whose answers have to be signed.
 */
export const serviceProviderMetadata = ({ entityId, acs, logout, keys }: ServiceProvider): string => {
  const document = newXml(METADATA, 'EntityDescriptor')
  const root = document.documentElement
  root.setAttribute('entityID', entityId)
  const append = (parent: Element, name: string, attributes: Readonly<Record<string, string>> = {}): Element => {
    const element = document.createElementNS(METADATA, name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    parent.appendChild(element)
    return element
  }
  const descriptor = append(root, 'SPSSODescriptor', {
    protocolSupportEnumeration: PROTOCOL,
    AuthnRequestsSigned: String(keys.active !== undefined),
    WantAssertionsSigned: 'true',
  })
  const describe = (use: 'signing' | 'encryption', certificate: string): Element => {
    const key = append(descriptor, 'KeyDescriptor', { use })
    let inner = key
    for (const name of ['KeyInfo', 'X509Data', 'X509Certificate']) {
      const element = document.createElementNS(DSIG, `ds:${name}`)
      inner.appendChild(element)
      inner = element
    }
    inner.appendChild(document.createTextNode(certificate.replaceAll(/-----(BEGIN|END) CERTIFICATE-----|\s/g, '')))
    return key
  }
  for (const { certificate } of keys.all) describe('signing', certificate)
  if (keys.active) {
    const key = describe('encryption', keys.active.certificate)
    for (const Algorithm of ENCRYPTION_METHODS) append(key, 'EncryptionMethod', { Algorithm })
    for (const Binding of [REDIRECT_BINDING, POST_BINDING])
      append(descriptor, 'SingleLogoutService', { Binding, Location: logout })
  }
  append(descriptor, 'AssertionConsumerService', {
    Binding: POST_BINDING,
    Location: acs,
    index: '0',
    isDefault: 'true',
  })
  return writeXml(document)
}
