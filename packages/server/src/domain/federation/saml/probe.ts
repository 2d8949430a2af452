/** What the operator is told of a SAML identity provider: whether its metadata can be had, and until when its certificates are valid. */
import { certificateFacts } from '../../../kernel/certificates.ts'
import { secondsAfter } from '../../../kernel/clock.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import type { Store } from '../../../storage/store.ts'
import { FederationFailure } from '../failure.ts'
import { foundOfProvider, type ProviderCheck } from '../provider-findings.ts'
import { publishedIdentityProvider, signInAddress } from './identity-providers.ts'
import type { SamlProvider } from './provider.ts'
import { currentCertificates, outdated } from './signatures.ts'

/** Days before the last certificate expires, in which the identity provider should have published the next one. */
const WARNING_DAYS = 30

/** Asks for the metadata, whatever is kept of it, and reads the certificates. Throws FederationFailure where users could not sign in. */
export const probeSaml = async (
  store: Store,
  tenant: Tenant,
  { at: { source } }: SamlProvider,
): Promise<ProviderCheck> => {
  const idp = await publishedIdentityProvider({ store, tenant }, source)
  signInAddress(store, idp)
  const now = store.clock.now()
  const ends = currentCertificates(idp.certificates, now).flatMap((each) => certificateFacts(each)?.validUntil ?? [])
  const [last] = ends.toSorted((one, other) => other.getTime() - one.getTime())
  if (!last)
    throw new FederationFailure('provider', `none of its certificates is valid${outdated(idp.certificates, now)}`)
  const values = { entityId: idp.entityId, date: last.toISOString().slice(0, 10) }
  if (last < secondsAfter(now, WARNING_DAYS * 86_400)) return foundOfProvider('provider.certificate_ends', values)
  const isAsked = source.metadataUrl !== undefined
  return foundOfProvider(isAsked ? 'provider.certificate' : 'provider.certificate_given', values)
}
