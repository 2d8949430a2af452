/** The SAML identity provider of an SSO connector, and the checks of its configuration. */
import type { SsoConfig } from '@countersign/contract/sso-connector-configs.ts'
import { ApiError } from '../../../kernel/api-error.ts'
import { FederationFailure } from '../failure.ts'
import { samlAttributes } from '../saml/account.ts'
import { certificatesIn } from '../saml/identity-providers.ts'
import { readSamlMetadata } from '../saml/metadata.ts'
import type { SamlProvider } from '../saml/provider.ts'
import type { SsoPreset } from './presets.ts'

/** The identity provider of a complete configuration. */
export const samlProviderOf = ({ claims }: SsoPreset, config: SsoConfig): SamlProvider => {
  const { metadataUrl, metadata, entityId, signInEndpoint, x509Certificate, attributeMapping = {} } = config
  return {
    at: { protocol: 'saml', source: { metadataUrl, metadata, entityId, signInEndpoint, x509Certificate } },
    attributes: samlAttributes(attributeMapping, claims),
    nameIdFormat: config.nameIdFormat,
  }
}

/**
 * Throws 400 `guard.invalid_input` for metadata and certificates that cannot be used. Whether they are out of date is for the sign-in to
 * say, and an address is not asked.
 */
export const assertSamlConfig = ({ metadata, entityId, x509Certificate }: SsoConfig): void => {
  if (x509Certificate !== undefined && certificatesIn(x509Certificate).length === 0)
    throw new ApiError('guard.invalid_input', {
      reason: 'x509Certificate has no certificate of an RSA key of at least 2048 bits',
    })
  if (metadata === undefined) return
  try {
    readSamlMetadata(metadata, new Date(0), entityId)
  } catch (error) {
    if (!(error instanceof FederationFailure)) throw error
    throw new ApiError('guard.invalid_input', { reason: error.message })
  }
}
