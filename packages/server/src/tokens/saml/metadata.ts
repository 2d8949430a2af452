/** What service providers read about this server: its entity id, certificates and addresses (saml2-metadata section 2.4.3). */
import { POST_BINDING, REDIRECT_BINDING } from '@countersign/contract/saml-applications.ts'
import { writeXml } from '../../kernel/xml.ts'
import { addElement, newRoot } from './element.ts'
import { METADATA, PROTOCOL, SIGNATURE } from './names.ts'

/** The base64 of a certificate without its frame. */
const bodyOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '')

export interface IdentityProvider {
  readonly entityId: string
  /** In PEM: the active one first. */
  readonly certificates: readonly string[]
  readonly signOnUrl: string
  /** Undefined: the application has no single logout. */
  readonly logoutUrl: string | undefined
  readonly nameIdFormat: string
  readonly wantsSignedRequests: boolean
}

/** The metadata as a document. It is not signed: who fetches it has to trust the address. */
export const metadataOf = (provider: IdentityProvider): string => {
  const root = newRoot(METADATA, 'md:EntityDescriptor', { entityID: provider.entityId })
  const add = (parent: Element, name: string, attributes = {}, text?: string) =>
    addElement(parent, METADATA, `md:${name}`, attributes, text)
  const descriptor = add(root, 'IDPSSODescriptor', {
    WantAuthnRequestsSigned: String(provider.wantsSignedRequests),
    protocolSupportEnumeration: PROTOCOL,
  })
  for (const certificate of provider.certificates) {
    const info = addElement(add(descriptor, 'KeyDescriptor', { use: 'signing' }), SIGNATURE, 'ds:KeyInfo')
    const data = addElement(info, SIGNATURE, 'ds:X509Data')
    addElement(data, SIGNATURE, 'ds:X509Certificate', {}, bodyOf(certificate))
  }
  const addServices = (name: string, location: string) => {
    for (const Binding of [REDIRECT_BINDING, POST_BINDING]) add(descriptor, name, { Binding, Location: location })
  }
  if (provider.logoutUrl !== undefined) addServices('SingleLogoutService', provider.logoutUrl)
  add(descriptor, 'NameIDFormat', {}, provider.nameIdFormat)
  addServices('SingleSignOnService', provider.signOnUrl)
  return `<?xml version="1.0" encoding="UTF-8"?>${writeXml(root)}`
}
