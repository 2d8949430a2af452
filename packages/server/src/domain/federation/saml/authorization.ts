/** Where a user is sent to sign in at an identity provider: an address for the Redirect binding, a form for the POST binding. */
import type { CertifiedKey } from '../../../kernel/certificates.ts'
import { redirectAddress } from '../../../kernel/saml-redirect.ts'
import { signedXml } from '../../../kernel/xml-signature.ts'
import { FederationFailure } from '../failure.ts'
import { authnRequest } from './message.ts'
import type { SamlEndpoints, SamlIdentityProvider, ServiceProvider } from './provider.ts'

export interface AuthnRequestOptions {
  readonly requestId: string
  readonly relayState: string
  readonly now: Date
  readonly nameIdFormat: string | undefined
  /** Whether the user is to sign in again. */
  readonly isFresh: boolean
}

/** What a browser does: opens an address, or posts fields to one. */
export interface SamlDestination {
  readonly address: string
  /** Fields to post; undefined: it is opened. */
  readonly fields?: Readonly<Record<string, string>>
}

interface Message {
  readonly id: string
  readonly xml: string
  readonly relayState: string
}

/** How a request is sent: by the Redirect binding where the identity provider takes it, else by POST; signed if there is a key. */
export const destinationOf = (
  { redirect, post = '' }: SamlEndpoints,
  { id, xml, relayState }: Message,
  key: CertifiedKey | undefined,
): SamlDestination => {
  if (redirect !== undefined)
    return { address: redirectAddress(redirect, { name: 'SAMLRequest', xml, relayState }, key?.privateKey) }
  const sent = key ? signedXml(xml, id, key.privateKey, key.certificate) : xml
  return { address: post, fields: { SAMLRequest: Buffer.from(sent).toString('base64'), RelayState: relayState } }
}

/** The request, signed if the connector has an active key. Throws FederationFailure where the identity provider wants that and there is none. */
export const authnDestination = (
  us: ServiceProvider,
  idp: SamlIdentityProvider,
  { requestId, relayState, now, nameIdFormat, isFresh }: AuthnRequestOptions,
): SamlDestination => {
  const { redirect, post } = idp.signIn
  const key = us.keys.active
  if (idp.wantsSignedRequests && !key)
    throw new FederationFailure(
      'provider',
      'the identity provider wants signed requests, and the connector has no active signing key',
    )
  const destination = redirect ?? post ?? ''
  const xml = authnRequest(us, { id: requestId, now, destination }, { nameIdFormat, isFresh })
  return destinationOf(idp.signIn, { id: requestId, xml, relayState }, key)
}
