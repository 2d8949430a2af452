/** Checks the configuration of an SSO connector, which may be incomplete, and makes the provider of it. */
import { SSO_CONFIGS, type SsoConfig, type SsoProviderName } from '@countersign/contract/sso-connector-configs.ts'
import Type from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { ApiError } from '../../../kernel/api-error.ts'
import { checkInput } from '../../../kernel/checked-input.ts'
import type { ClaimMap, Provider } from '../provider.ts'
import type { SamlProvider } from '../saml/provider.ts'
import type { SsoPreset } from './presets.ts'
import { assertSamlConfig, samlProviderOf } from './saml.ts'

interface Validators {
  /** Takes what is there so far. */
  readonly partial: Validator
  readonly whole: Validator
}
const compiled = new Map<SsoProviderName, Validators>()

/** Compiled when a connector of the provider is first set up. */
const validatorsOf = (name: SsoProviderName): Validators => {
  const schema = SSO_CONFIGS[name]
  const known = compiled.get(name) ?? { partial: Compile(Type.Partial(schema)), whole: Compile(schema) }
  compiled.set(name, known)
  return known
}

/** At Microsoft, the names of issuers for the accounts of every company: each could have an address of this one. */
const EVERY_DIRECTORY: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers'])

const assertOneCompany = ({ issuer }: SsoConfig): void => {
  const { hostname, pathname = '' } = URL.parse(issuer ?? '') ?? {}
  const isOfEvery = pathname.split('/').some((segment) => EVERY_DIRECTORY.has(segment.toLowerCase()))
  if (hostname === 'login.microsoftonline.com' && isOfEvery)
    throw new ApiError('guard.invalid_input', {
      reason: 'config/issuer is that of all directories at Microsoft: it has to name the directory of the company',
    })
}

/** The configuration without members that are unknown to its provider. Throws 400 `guard.invalid_input` with its issues. */
export const soundSsoConfig = (name: SsoProviderName, config: unknown): SsoConfig => {
  const { partial } = validatorsOf(name)
  checkInput(partial, config, 'body', '/config')
  // Clean changes its argument
  const sound = partial.Clean(structuredClone(config)) as SsoConfig
  assertOneCompany(sound)
  assertSamlConfig(sound)
  return sound
}

const hasIdentityProvider = ({ metadataUrl, metadata, entityId, signInEndpoint, x509Certificate }: SsoConfig) =>
  Boolean(metadataUrl || metadata || (entityId && signInEndpoint && x509Certificate))

/** Whether nothing is missing, so that users can be sent there. Does not ask the identity provider. */
export const isCompleteConfig = ({ providerName, providerType }: SsoPreset, config: SsoConfig): boolean =>
  validatorsOf(providerName).whole.Check(config) && (providerType === 'oidc' || hasIdentityProvider(config))

/** Where the identity provider has which data: the preset's, unless the connector says otherwise. */
const attributesOf = ({ claims }: SsoPreset, { attributeMapping }: SsoConfig): ClaimMap => ({
  ...claims,
  ...attributeMapping,
})

interface Configured {
  readonly preset: SsoPreset
  readonly config: SsoConfig
  readonly domains: readonly string[]
}

/** The identity provider of a connector whose configuration is complete, by whichever protocol. */
export const ssoProviderOf = (connector: Configured): OpenIdProvider | SamlProvider =>
  connector.preset.providerType === 'saml'
    ? samlProviderOf(connector.preset, connector.config)
    : oidcProviderOf(connector)

/** At which anyone has an account: only this claim says of which company it is. */
const GOOGLE = 'https://accounts.google.com'

/** What an account has to say of its company: for Google, whatever the preset, one of the domains; without domains only the preset asks. */
const demandsOf = ({ preset, domains }: Configured, issuer: string): Pick<Provider, 'demands'> => {
  const isOpenToAll = issuer.replace(/\/$/, '') === GOOGLE && domains.length > 0
  const claim = preset.hostedDomainClaim ?? (isOpenToAll ? 'hd' : undefined)
  return claim === undefined ? {} : { demands: { claim, oneOf: domains } }
}

type OpenIdProvider = Provider & { readonly at: { readonly protocol: 'oidc'; readonly issuer: string } }

/** The OpenID provider of a connector whose configuration is complete. */
export const oidcProviderOf = (connector: Configured): OpenIdProvider => {
  const { preset, config } = connector
  const { emailVerified, ...claims } = attributesOf(preset, config)
  const { issuer = preset.issuer, clientId, clientSecret, tokenEndpointAuthMethod: method } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined)
    throw new Error('The configuration of the connector is incomplete')
  return {
    at: { protocol: 'oidc', issuer },
    clientId,
    credential: { method: method ?? 'client_secret_post', secret: clientSecret },
    scope: config.scope ?? preset.scope,
    parameters: {},
    usesPkce: true,
    claims: { ...claims, ...(emailVerified && !config.trustUnverifiedEmail ? { emailVerified } : {}) },
    isTrusted: true,
    isAuthority: true,
    omitsAuthTime: config.omitsAuthTime ?? preset.omitsAuthTime ?? false,
    ...demandsOf(connector, issuer),
  }
}
