/** Where a user is sent to sign in at an identity provider: an address for the Redirect binding, a form for the POST binding. */
import { redirectAddress } from '../../../kernel/saml-redirect.ts'
import { signedXml } from '../../../kernel/xml-signature.ts'
import { FederationFailure } from '../failure.ts'
import { authnRequest } from './message.ts'
import type { SamlIdentityProvider, ServiceProvider } from './provider.ts'

export interface AuthnRequestOptions {
  readonly requestId: string
  readonly relayState: string
  readonly now: Date
  readonly nameIdFormat: string | undefined
  /** Whether to sign it even where the identity provider does not ask for it. */
  readonly signs: boolean
}

/** What a browser does: opens an address, or posts fields to one. */
export interface SamlDestination {
  readonly address: string
  /** Fields to post; undefined: it is opened. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Throws FederationFailure where a signature is wanted and there is no key. */
export const authnDestination = (
  us: ServiceProvider,
  idp: SamlIdentityProvider,
  { requestId, relayState, now, nameIdFormat, signs }: AuthnRequestOptions,
): SamlDestination => {
  const { redirect, post } = idp.signIn
  const [key] = us.keys
  const wants = signs || idp.wantsSignedRequests
  if (wants && !key)
    throw new FederationFailure('provider', 'requests have to be signed, and the connector has no active signing key')
  const destination = redirect ?? post ?? ''
  const xml = authnRequest(us, { id: requestId, now, destination }, nameIdFormat)
  if (redirect !== undefined)
    return {
      address: redirectAddress(redirect, { name: 'SAMLRequest', xml, relayState }, wants ? key?.privateKey : undefined),
    }
  const sent = wants && key ? signedXml(xml, requestId, key.privateKey, key.certificate) : xml
  return {
    address: destination,
    fields: { SAMLRequest: Buffer.from(sent).toString('base64'), RelayState: relayState },
  }
}
