/** The identity providers of companies, as data: which protocol each speaks, and where it has which data of a user. */
import type { SsoProviderName } from '@countersign/contract/sso-connector-configs.ts'
import { DOOR, GOOGLE, MICROSOFT } from '../logos.ts'
import type { ClaimMap } from '../provider.ts'

export interface SsoPreset {
  readonly providerName: SsoProviderName
  readonly providerType: 'oidc' | 'saml'
  readonly name: string
  readonly description: string
  readonly logo: string
  readonly logoDark: string
  /** For a provider that has one for all companies. */
  readonly issuer?: string
  /** Default scopes, of OpenID Connect. */
  readonly scope: string
  /** Default names of claims or attributes. */
  readonly claims: ClaimMap
  /**
   * The claim with the domain of the company, where one issuer serves all: without it an account that has nothing to do with the
   * company could sign in with an address at its domain.
   */
  readonly hostedDomainClaim?: string
  /** Whether its ID tokens lack `auth_time` unless the directory is configured otherwise. */
  readonly omitsAuthTime?: boolean
}

/** OpenID Connect Core 1.0, section 5.1. */
const oidc = {
  providerType: 'oidc',
  scope: 'openid profile email',
  claims: { id: 'sub', email: 'email', emailVerified: 'email_verified', name: 'name', avatar: 'picture' },
} as const

/** `id` is the NameID, which is no attribute. */
const saml = {
  providerType: 'saml',
  scope: '',
  claims: { id: 'nameID', email: 'email', name: 'name' },
} as const

const door = { logo: DOOR, logoDark: DOOR } as const
const microsoft = { logo: MICROSOFT, logoDark: MICROSOFT } as const
const WS_FEDERATION = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'

export const SSO_PRESETS: readonly SsoPreset[] = [
  {
    ...oidc,
    ...door,
    providerName: 'OIDC',
    name: 'OpenID Connect',
    description: 'Any identity provider that speaks OpenID Connect.',
  },
  {
    ...saml,
    ...door,
    providerName: 'SAML',
    name: 'SAML 2.0',
    description: 'Any identity provider that speaks SAML 2.0.',
  },
  {
    ...oidc,
    ...microsoft,
    providerName: 'AzureAdOidc',
    name: 'Microsoft Entra ID (OpenID Connect)',
    description: 'The directory of a company at Microsoft, by OpenID Connect.',
    // the object ID is the same for every application of the directory; sub differs
    claims: { ...oidc.claims, id: 'oid' },
    omitsAuthTime: true,
  },
  {
    ...saml,
    ...microsoft,
    providerName: 'AzureAD',
    name: 'Microsoft Entra ID (SAML)',
    description: 'The directory of a company at Microsoft, by SAML 2.0.',
    // …/claims/name is the name that the user signs in with there
    claims: {
      id: 'nameID',
      email: `${WS_FEDERATION}/emailaddress`,
      name: 'http://schemas.microsoft.com/identity/claims/displayname',
    },
  },
  {
    ...oidc,
    logo: GOOGLE,
    logoDark: GOOGLE,
    providerName: 'GoogleWorkspace',
    name: 'Google Workspace',
    description: 'The accounts of a company at Google.',
    issuer: 'https://accounts.google.com',
    hostedDomainClaim: 'hd',
  },
  {
    ...oidc,
    ...door,
    providerName: 'Okta',
    name: 'Okta',
    description: 'The organization of a company at Okta.',
  },
  {
    ...oidc,
    ...door,
    providerName: 'PingIdentity',
    name: 'Ping Identity',
    description: 'PingOne and PingFederate.',
  },
  {
    ...oidc,
    ...door,
    providerName: 'OneLogin',
    name: 'OneLogin',
    description: 'The accounts of a company at OneLogin.',
  },
  {
    ...oidc,
    ...door,
    providerName: 'JumpCloud',
    name: 'JumpCloud',
    description: 'The directory of a company at JumpCloud.',
  },
]

/** @param name as the contract checks it, or as it was stored */
export const ssoPreset = (name: string): SsoPreset => {
  const preset = SSO_PRESETS.find(({ providerName }) => providerName === name)
  if (!preset) throw new Error(`This version does not know the identity provider ${name}`)
  return preset
}
