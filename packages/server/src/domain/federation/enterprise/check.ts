/** Whether users could be sent to the identity provider of an SSO connector now, and what is known of it. */
import { type CertificateFacts, certificateFacts } from '../../../kernel/certificates.ts'
import type { Work } from '../../../storage/unit-of-work.ts'
import { FederationFailure } from '../failure.ts'
import { checkProvider } from '../provider-check.ts'
import { foundOfProvider, type ProviderCheck } from '../provider-findings.ts'
import { knownIdentityProvider, samlIdentityProvider } from '../saml/identity-providers.ts'
import { ssoProviderOf } from './config.ts'
import type { SsoConnector } from './connectors.ts'
import { samlProviderOf } from './saml.ts'

/** Asks it, as checkProvider; a connector whose configuration is not complete is a problem, and its provider is not asked. */
export const checkSsoConnector = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  connector: SsoConnector,
): Promise<ProviderCheck> =>
  connector.isComplete
    ? checkProvider(store, tenant, ssoProviderOf(connector))
    : foundOfProvider('provider.incomplete', {})

/**
 * The certificates that a SAML identity provider signs with, as far as they are known.
 * @param mayAsk whether it is asked where nothing is known; what it says is known from then on
 */
export const knownCertificates = async (
  work: Pick<Work, 'store' | 'tenant'>,
  { preset, config, isComplete }: SsoConnector,
  mayAsk: boolean,
): Promise<CertificateFacts[]> => {
  if (!isComplete || preset.providerType !== 'saml') return []
  const { source } = samlProviderOf(preset, config).at
  try {
    const known = mayAsk ? await samlIdentityProvider(work, source) : await knownIdentityProvider(work, source)
    return (known?.certificates ?? []).flatMap((each) => certificateFacts(each) ?? [])
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    return []
  }
}
