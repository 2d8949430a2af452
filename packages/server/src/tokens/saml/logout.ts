/** Messages of single logout (saml2-core section 3.7), as this server sends them. */
import { sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { CertifiedKey } from '../../kernel/certificates.ts'
import { parseXml, writeXml } from '../../kernel/xml.ts'
import { addElement, addIssuer, instant, newRoot, newSamlId, signed } from './element.ts'
import { PROTOCOL, SOAP, type Status } from './names.ts'
import { addNameId, type Envelope, type NameId, newResponse } from './response.ts'

/** A message before it is signed, which the binding decides how. */
export interface LogoutMessage {
  readonly name: 'SAMLRequest' | 'SAMLResponse'
  readonly root: Element
  readonly destination: string
}

/** Answers a logout request. */
export const logoutResponse = (envelope: Envelope, status: Status): LogoutMessage => ({
  name: 'SAMLResponse',
  root: newResponse('LogoutResponse', envelope, status),
  destination: envelope.destination,
})

/** Who has signed out, as the application knows them. */
export interface SignedOut {
  readonly nameId: NameId
  /** The entity id of the application. */
  readonly audience: string
  readonly sessionIndex: string
}

/** Tells an application that a session has ended. @param id of the message, a name as XML has them */
export const logoutRequest = (
  id: string,
  { issuer, destination, now }: Omit<Envelope, 'inResponseTo'>,
  { nameId, audience, sessionIndex }: SignedOut,
): LogoutMessage => {
  const root = newRoot(PROTOCOL, 'samlp:LogoutRequest', {
    ID: id,
    Version: '2.0',
    IssueInstant: instant(now),
    Destination: destination,
  })
  addIssuer(root, issuer)
  addNameId(root, nameId, issuer, audience)
  addElement(root, PROTOCOL, 'samlp:SessionIndex', {}, sessionIndex)
  return { name: 'SAMLRequest', root, destination }
}

/** For the POST binding: signed within the document. */
export const signedDocument = ({ root }: LogoutMessage, key: CertifiedKey): string => signed(root, key)

/** For the Redirect binding: the address that takes the message, with the signature in the query (saml2-bindings 3.4.4.1). */
export const signedAddress = (
  { name, root, destination }: LogoutMessage,
  { privateKey }: CertifiedKey,
  relayState: string | undefined,
): string => {
  const query = new URLSearchParams({
    [name]: deflateRawSync(writeXml(root)).toString('base64'),
    ...(relayState === undefined ? {} : { RelayState: relayState }),
    SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  }).toString()
  const signature = sign('sha256', Buffer.from(query), privateKey).toString('base64')
  const separator = destination.includes('?') ? '&' : '?'
  return `${destination}${separator}${query}&${new URLSearchParams({ Signature: signature })}`
}

/** For the SOAP binding, without a browser: a signed request in an envelope (saml2-bindings section 3.2). */
export const logoutNotice = (envelope: Omit<Envelope, 'inResponseTo'>, who: SignedOut, key: CertifiedKey): string => {
  const soap = newRoot(SOAP, 'soap:Envelope')
  const body = addElement(soap, SOAP, 'soap:Body')
  const request = signedDocument(logoutRequest(newSamlId(), envelope, who), key)
  body.appendChild(soap.ownerDocument.importNode(parseXml(request).documentElement, true))
  return writeXml(soap)
}
