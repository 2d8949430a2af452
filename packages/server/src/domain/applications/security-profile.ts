/**
 * The security profile `fapi2`: the FAPI 2.0 Security Profile (Final) as rules, each with its section. What it demands of every
 * server (iss in responses, codes of a minute, redirects by 303, requests pushed by authenticated clients) holds without it too.
 */
import type { OidcClientMetadata } from '@countersign/contract/client-metadata.ts'
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { SecuritySettings } from '../tenants/security-settings.ts'
import { FAPI2_ALGORITHMS, isFapi2Algorithm, mainAlgorithms } from '../tenants/signing-keys.ts'
import { clientKeyAlgorithm } from './client-keys.ts'
import type { ApplicationType, ClientMetadata } from './rows.ts'

/** What every application of the profile has, whatever its own settings say. */
const IMPOSED_ON_ALL = {
  /** Section 5.3.2.2: requests that were not pushed are refused. */
  requirePushedAuthorizationRequests: true,
  /** Section 5.3.2.2: PKCE with S256, the only method that exists. */
  requirePkce: true,
  /** Section 5.3.2.1: refresh tokens, which are those of an authenticated client, are not rotated. */
  rotateRefreshToken: false,
} as const satisfies ClientMetadata

/** Section 5.3.2.1: access tokens are bound, to the client certificate of an application that says so, otherwise to a key. */
const bindingOf = ({
  tlsClientCertificateBoundAccessTokens,
}: ClientMetadata): Pick<ClientMetadata, 'dpopBoundAccessTokens'> =>
  tlsClientCertificateBoundAccessTokens ? {} : { dpopBoundAccessTokens: true }

/** What an application of the profile has, whatever its own settings say. */
const imposedOn = (metadata: ClientMetadata) => ({ ...IMPOSED_ON_ALL, ...bindingOf(metadata) })

/** The profile of an application: its own, or that of its tenant. */
const profileOf = (metadata: ClientMetadata, { profile }: SecuritySettings): 'none' | 'fapi2' =>
  metadata.securityProfile ?? profile

/** What the tenant demands of every application, whatever its profile. */
const demandedBy = ({ requirePushedAuthorizationRequests, dpopNonceRequired }: SecuritySettings): ClientMetadata => ({
  ...(requirePushedAuthorizationRequests ? { requirePushedAuthorizationRequests } : {}),
  ...(dpopNonceRequired ? { dpopNonceRequired } : {}),
})

/** The settings that hold: those that are stored, and what their profile and the tenant impose. */
export const underProfile = (metadata: ClientMetadata, settings: SecuritySettings): ClientMetadata => {
  const securityProfile = profileOf(metadata, settings)
  const demanded = { ...metadata, ...demandedBy(settings) }
  return securityProfile === 'fapi2' ? { ...demanded, securityProfile, ...imposedOn(metadata) } : demanded
}

/** What the profile changes in the settings of an application, for the audit log: by name, the values that hold. */
export const profileChanges = (
  metadata: ClientMetadata,
  settings: SecuritySettings,
): Partial<ReturnType<typeof imposedOn>> | undefined => {
  if (profileOf(metadata, settings) !== 'fapi2') return undefined
  const imposed = imposedOn(metadata)
  return Object.fromEntries(
    Object.entries(imposed).filter(([name, value]) => metadata[name as keyof typeof imposed] !== value),
  )
}

interface Registration {
  readonly type: ApplicationType
  readonly oidc: Static<typeof OidcClientMetadata>
  readonly custom: ClientMetadata
}

/** The member that is wrong, and why; undefined when the rule is kept. */
type Rule = (registration: Registration) => readonly [member: string, why: string] | undefined

const SIGNED = [
  'requestObjectSigningAlg',
  'backchannelAuthenticationRequestSigningAlg',
  'idTokenSignedResponseAlg',
  'authorizationSignedResponseAlg',
  'introspectionSignedResponseAlg',
] as const

/** Section 5.3.2.1: mutual TLS, or an assertion. */
const METHODS = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth'] as const

const RULES: readonly Rule[] = [
  // section 5.3.2.1: confidential clients only, which authenticate with a key
  ({ type, custom: { tokenEndpointAuthMethod: method } }) =>
    (type === 'Traditional' || type === 'MachineToMachine') && METHODS.some((each) => each === method)
      ? undefined
      : ['tokenEndpointAuthMethod', `must be one of ${METHODS.join(', ')}, of an application that keeps a key secret`],
  // section 5.4.1, of keys that sign; keys shorter than section 5.4 permits are refused of every application, and of published keys others
  // are not used
  ({ custom }) =>
    custom.tokenEndpointAuthMethod === 'self_signed_tls_client_auth' ||
    (custom.jwks?.keys ?? []).every((key) => key.use === 'enc' || clientKeyAlgorithm(key, 'fapi2'))
      ? undefined
      : ['jwks', `must hold keys for ${FAPI2_ALGORITHMS.join(', ')} only`],
  ({ custom }) => {
    const member = SIGNED.find((name) => custom[name] !== undefined && !isFapi2Algorithm(custom[name]))
    return member && [member, `must be one of ${FAPI2_ALGORITHMS.join(', ')}`]
  },
  // section 5.3.2.2: https, and registered as it is
  ({ oidc, custom }) => {
    if (custom.dangerouslyAllowWildcardRedirectUris) return ['dangerouslyAllowWildcardRedirectUris', 'must be off']
    const isHttps = oidc.redirectUris.every((uri) => uri.startsWith('https://'))
    return isHttps ? undefined : ['redirectUris', 'must be https addresses']
  },
  // section 5.3.2.1: an assertion is signed by the client itself
  ({ custom }) =>
    custom.federatedCredentials?.length
      ? ['federatedCredentials', 'must be empty: clients sign with their own keys']
      : undefined,
]

const placeOf = (member: string): string =>
  `/${member === 'redirectUris' ? 'oidcClientMetadata' : 'customClientMetadata'}/${member}`

/** What breaks the first of the rules of fapi2 that is broken; undefined when all are kept. */
export const brokenRule = (registration: Registration): ReturnType<Rule> => {
  for (const rule of RULES) {
    const broken = rule(registration)
    if (broken) return broken
  }
  return undefined
}

/**
 * Refuses a registration that breaks a rule of its profile, or whose tenant signs with a key that the profile does not permit, naming
 * the member that is wrong; 400. Without a profile there is no rule.
 */
export const assertProfile = async (
  unit: Unit,
  registration: Registration,
  settings: SecuritySettings,
): Promise<void> => {
  const profile = profileOf(registration.custom, settings)
  const broken = profile === 'fapi2' ? brokenRule(registration) : undefined
  if (broken) {
    const [member, why] = broken
    const advice =
      registration.custom.securityProfile === undefined ? '; securityProfile none exempts the application' : ''
    throw new ApiError('guard.invalid_input', {
      reason: `the security profile fapi2: ${member} ${why}${advice}`,
      issues: [{ path: placeOf(member), reason: why }],
    })
  }
  await assertSigningKey(unit, profile)
}

/** Section 5.4.1: the key of the tenant, which signs access tokens too, has to be of the permitted ones; 400. */
export const assertSigningKey = async (unit: Unit, profile: 'none' | 'fapi2'): Promise<void> => {
  if (profile !== 'fapi2') return
  const refused = (await mainAlgorithms(unit)).find((algorithm: SigningAlgorithm) => !isFapi2Algorithm(algorithm))
  if (refused === undefined) return
  throw new ApiError('guard.invalid_input', {
    reason: `the security profile fapi2: the signing key of the tenant is ${refused}; rotate it to ${FAPI2_ALGORITHMS.join(', ')} first`,
  })
}
