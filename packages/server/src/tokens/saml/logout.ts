/** Messages of single logout (saml2-core section 3.7), as this server sends them. */
import { sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { SamlKey } from '../../domain/applications/saml-keys.ts'
import type { CertifiedKey } from '../../kernel/certificates.ts'
import { parseXml, writeXml } from '../../kernel/xml.ts'
import { addElement, addIssuer, instant, newRoot, newSamlId, signed } from './element.ts'
import { PROTOCOL, SOAP, type Status } from './names.ts'
import { addNameId, type Envelope, type NameId, newResponse } from './response.ts'

/** Answers a logout request; signed, for the POST binding. */
export const logoutResponse = (envelope: Envelope, status: Status, key: CertifiedKey): string =>
  signed(newResponse('LogoutResponse', envelope, status), key)

/** The same for the Redirect binding: the address that takes it, with the signature in the query (saml2-bindings 3.4.4.1). */
export const logoutRedirect = (
  envelope: Envelope,
  status: Status,
  { privateKey }: CertifiedKey,
  relayState: string | undefined,
): string => {
  const xml = writeXml(newResponse('LogoutResponse', envelope, status))
  const query = new URLSearchParams({
    SAMLResponse: deflateRawSync(xml).toString('base64'),
    ...(relayState === undefined ? {} : { RelayState: relayState }),
    SigAlg: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  }).toString()
  const signature = sign('sha256', Buffer.from(query), privateKey).toString('base64')
  const separator = envelope.destination.includes('?') ? '&' : '?'
  return `${envelope.destination}${separator}${query}&${new URLSearchParams({ Signature: signature })}`
}

/** Tells an application that a session has ended: a signed request in a SOAP envelope (saml2-bindings section 3.2). */
export const logoutNotice = (
  { issuer, destination, now }: Envelope,
  {
    nameId,
    audience,
    sessionIndex,
  }: { readonly nameId: NameId; readonly audience: string; readonly sessionIndex: string },
  key: SamlKey,
): string => {
  const request = newRoot(PROTOCOL, 'samlp:LogoutRequest', {
    ID: newSamlId(),
    Version: '2.0',
    IssueInstant: instant(now),
    Destination: destination,
  })
  addIssuer(request, issuer)
  addNameId(request, nameId, issuer, audience)
  addElement(request, PROTOCOL, 'samlp:SessionIndex', {}, sessionIndex)
  const envelope = newRoot(SOAP, 'soap:Envelope')
  const body = addElement(envelope, SOAP, 'soap:Body')
  body.appendChild(envelope.ownerDocument.importNode(parseXml(signed(request, key)).documentElement, true))
  return writeXml(envelope)
}
