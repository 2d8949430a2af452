/** The provider of a social connector: its preset, filled in from the configuration. */
import type { SocialConfig, SocialKind } from '@countersign/contract/social-connector-configs.ts'
import { PRESETS, type Preset } from './presets.ts'
import type { ClaimMap, ClientCredential, Endpoints, Provider } from './provider.ts'

/** The preset of a kind of connector. */
const presetOf = (kind: SocialKind): Preset => {
  const preset = PRESETS.find(({ id }) => id === kind)
  if (!preset) throw new Error(`There is no preset for connectors of the kind ${kind}`)
  return preset
}

type Values = Readonly<Record<string, unknown>>

const filled = (template: string, values: Values): string =>
  template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))

const valuesOf = ({ defaults = {} }: Preset, config: SocialConfig): Values => {
  const own = 'origin' in config && config.origin ? { api: `${config.origin}/api/v3` } : {}
  return { ...defaults, ...config, ...own }
}

const endpointsOf = (endpoints: Endpoints, values: Values): Endpoints => ({
  authorization: filled(endpoints.authorization, values),
  token: filled(endpoints.token, values),
  userInfo: filled(endpoints.userInfo, values),
  ...(endpoints.emails ? { emails: filled(endpoints.emails, values) } : {}),
})

const credentialOf = ({ credential }: Preset, config: SocialConfig): ClientCredential => {
  if ('privateKey' in config) {
    const { teamId, keyId, privateKey } = config
    return { method: 'apple', teamId, keyId, privateKey }
  }
  const own = 'tokenEndpointAuthMethod' in config ? config.tokenEndpointAuthMethod : undefined
  const preset = credential === 'client_secret_basic' ? credential : 'client_secret_post'
  return { method: own ?? preset, secret: config.clientSecret }
}

const claimsOf = ({ claims }: Preset, config: SocialConfig): ClaimMap => {
  const own = 'profileMap' in config ? config.profileMap : undefined
  return own ? { ...claims, ...own } : claims
}

/** Whether the operator of the connector says where the provider is: an installation whose administrators set any address. */
const isElsewhere = (config: SocialConfig): boolean =>
  ('origin' in config && config.origin !== undefined) || ('issuer' in config && config.issuer !== undefined)

/** @param config already validated for the kind */
export const providerOf = (kind: SocialKind, config: SocialConfig): Provider => {
  const preset = presetOf(kind)
  const values = valuesOf(preset, config)
  return {
    at:
      'issuer' in preset.at
        ? { protocol: 'oidc', issuer: filled(preset.at.issuer, values) }
        : { protocol: 'oauth2', endpoints: endpointsOf(preset.at.endpoints, values) },
    clientId: config.clientId,
    credential: credentialOf(preset, config),
    scope: config.scope ?? preset.scope,
    parameters: { ...config.customConfig, ...preset.parameters },
    usesPkce: !('usesPkce' in config) || config.usesPkce !== false,
    claims: claimsOf(preset, config),
    omitsAuthTime: ('omitsAuthTime' in config ? config.omitsAuthTime : undefined) ?? preset.omitsAuthTime ?? false,
    isTrusted: config.trustVerifiedAddresses ?? (preset.isTrusted && !isElsewhere(config)),
  }
}
