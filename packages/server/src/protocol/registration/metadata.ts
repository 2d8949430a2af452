/**
 * Client metadata (RFC 7591 section 2, OpenID Connect Registration section 2) as an application: what is a setting here becomes one, under
 * the rules that settings have; what would change how tokens are issued and does not exist here is refused; what is not known
 * is ignored, as both specifications ask.
 */
import { ApplicationCreate, type ApplicationRegistration } from '@countersign/contract/applications.ts'
import type { RegistrationPolicy } from '@countersign/contract/client-registration.ts'
import { REGISTRABLE_GRANTS } from '@countersign/contract/client-registration.ts'
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { objectionToHttpUri } from '../../domain/applications/redirect-uris.ts'
import type { WantedClient } from '../../domain/registered-clients/registered-clients.ts'
import { checkInput } from '../../kernel/checked-input.ts'
import { isLoopbackHost } from '../../kernel/network.ts'
import { CUSTOM_MEMBERS, OIDC_MEMBERS, STATED_MEMBERS } from './members.ts'
import { assertPermitted } from './policy.ts'
import { invalidMetadata, invalidRedirectUri } from './refusal.ts'

type Metadata = Readonly<Record<string, unknown>>

const Text = Type.String({ minLength: 1, maxLength: 2048 })
const Strings = Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { maxItems: 100 })
/** What has to be of a kind before anything is made of it. */
const Shape = Type.Object({
  redirect_uris: Type.Optional(Strings),
  grant_types: Type.Optional(Strings),
  response_types: Type.Optional(Strings),
  application_type: Type.Optional(Type.Union([Type.Literal('web'), Type.Literal('native')])),
  token_endpoint_auth_method: Type.Optional(Text),
  token_endpoint_auth_signing_alg: Type.Optional(Text),
  client_name: Type.Optional(Type.String({ minLength: 1, maxLength: 190 })),
  scope: Type.Optional(Type.String({ maxLength: 4096 })),
  client_uri: Type.Optional(Text),
  policy_uri: Type.Optional(Text),
  tos_uri: Type.Optional(Text),
  contacts: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 320 }), { maxItems: 20 })),
  software_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  software_version: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
})
const shape = Compile(Shape)
const application = Compile(ApplicationCreate)

/** Members that would change what the client gets, and cannot be had here: leaving them out would surprise it. */
const UNAVAILABLE = ['request_object_encryption_alg', 'request_object_encryption_enc'] as const

/**
 * How it may authenticate. With a certificate only if its keys say which: of which CA one would be trusted, an application cannot decide
 * for itself (RFC 8705 section 2.1.2 leaves that to the server).
 */
const METHODS = [
  ...['none', 'client_secret_basic', 'client_secret_post'],
  ...['private_key_jwt', 'self_signed_tls_client_auth'],
]

/** Characters that hide what a name says: controls, and those that change the direction of what follows. */
const DECEPTIVE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A member that is null is one that was left out (RFC 7592 section 2.2). */
const withoutNulls = (metadata: Metadata): Metadata =>
  Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null))

/** What can only be the address of an application on a device. */
export const isOnDevice = (uri: string): boolean => {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  return url !== undefined && (url.protocol === 'http:' ? isLoopbackHost(url.hostname) : url.protocol !== 'https:')
}

/** The type of an application, and its method of authentication: one on a device has no secret (DECISIONS Y2). */
const typeOf = ({
  redirect_uris: uris = [],
  application_type: declared,
  token_endpoint_auth_method: method,
}: Static<typeof Shape>) => {
  if (method !== undefined && !METHODS.includes(method))
    throw invalidMetadata(`token_endpoint_auth_method must be one of ${METHODS.join(', ')}`)
  const isPublic = method === 'none' || (method === undefined && declared === 'native')
  const applicationType =
    declared ?? (isPublic && uris.length > 0 && uris.every(isOnDevice) ? ('native' as const) : ('web' as const))
  if (!isPublic && applicationType === 'native')
    throw invalidMetadata('an application of type native keeps no secret: token_endpoint_auth_method must be none')
  const ofPublic = applicationType === 'native' ? ('Native' as const) : ('SPA' as const)
  return {
    applicationType,
    type: isPublic ? ofPublic : ('Traditional' as const),
    method: isPublic ? undefined : (method ?? 'client_secret_basic'),
  }
}

/** Section 2.1: grant types and response types have to agree, and the code is the only response. */
const grantsOf = ({ grant_types: asked, response_types: responses, redirect_uris: uris }: Static<typeof Shape>) => {
  const grants = [...new Set(asked ?? ['authorization_code'])]
  const unknown = grants.find((type) => !REGISTRABLE_GRANTS.some((known) => known === type))
  if (unknown !== undefined) throw invalidMetadata(`the grant type ${unknown} cannot be registered`)
  const usesCode = grants.includes('authorization_code')
  const wanted = responses ?? (usesCode ? ['code'] : [])
  if (wanted.some((type) => type !== 'code')) throw invalidMetadata('response_types may contain code only')
  if (usesCode !== wanted.includes('code'))
    throw invalidMetadata('grant_types has authorization_code exactly if response_types has code')
  if (usesCode && !uris?.length) throw invalidRedirectUri('redirect_uris is required')
  const usesDevice = grants.includes('urn:ietf:params:oauth:grant-type:device_code')
  if (usesDevice === usesCode)
    throw invalidMetadata('grant_types has either authorization_code or the device grant, not both and not neither')
  return { grants, usesDevice }
}

const nameOf = ({ client_name: said, redirect_uris: [first] = [] }: Static<typeof Shape>, prefix = ''): string => {
  if (said !== undefined && DECEPTIVE.test(said))
    throw invalidMetadata('client_name contains a character that is not shown')
  const host = first !== undefined && URL.canParse(first) ? new URL(first).host : ''
  const name = said ?? (host === '' ? 'Registered application' : host)
  return name.startsWith(prefix) ? name : prefix + name
}

const picked = (metadata: Metadata, members: Readonly<Record<string, string>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([wire, own]) => (metadata[wire] === undefined ? [] : [[own, metadata[wire]]])),
  )

/** Addresses for people: they are kept as text, and must not be of a scheme that a browser executes. */
const assertAddresses = (metadata: Metadata): void => {
  for (const name of ['client_uri', 'policy_uri', 'tos_uri'] as const) {
    const objection = metadata[name] === undefined ? undefined : objectionToHttpUri(String(metadata[name]))
    if (objection !== undefined) throw invalidMetadata(`${name} ${objection}`)
  }
}

/** Settings of an application that a client decides on; all others are the operator's. */
const OWN_SETTINGS: ReadonlySet<string> = new Set([...Object.values(CUSTOM_MEMBERS), 'idTokenTtl', 'refreshTokenTtl'])

/** What is registered beside what the client says. */
interface Ground {
  readonly policy: RegistrationPolicy
  /** The algorithm of ID tokens of a client that names none, which the response then names. */
  readonly signingAlgorithm: SigningAlgorithm
  /** The settings of the application as they are; undefined: it is new. */
  readonly before?: Readonly<Record<string, unknown>> | undefined
  /** The software statement that the metadata contains. */
  readonly statement?: string | undefined
}

/**
 * The client that metadata describes. Throws OAuthError `invalid_client_metadata` or `invalid_redirect_uri` naming the member, and
 * ApiError 400 for what breaks a rule of applications. Does not fetch anything.
 */
export const wantedClient = (sent: Metadata, ground: Ground): WantedClient => {
  const metadata = withoutNulls(sent)
  checkInput(shape, metadata, 'the metadata')
  const known = metadata as Static<typeof Shape>
  const unavailable = UNAVAILABLE.find((name) => name in metadata)
  if (unavailable) throw invalidMetadata(`${unavailable} is not supported`)
  const { applicationType, type, method } = typeOf(known)
  const { grants, usesDevice } = grantsOf(known)
  const { policy, before = {} } = ground
  assertPermitted(policy, { applicationType, grantTypes: grants, redirectUris: known.redirect_uris ?? [] })
  assertAddresses(metadata)
  const settings = Object.fromEntries(Object.entries(before).filter(([name]) => !OWN_SETTINGS.has(name)))
  const { tokenEndpointAuthMethod: _, ...custom } = picked(metadata, CUSTOM_MEMBERS)
  const create = {
    name: nameOf(known, policy.namePrefix),
    type,
    isThirdParty: true,
    oidcClientMetadata: {
      redirectUris: [],
      postLogoutRedirectUris: [],
      backchannelLogoutSessionRequired: false,
      ...picked(metadata, OIDC_MEMBERS),
    },
    customClientMetadata: {
      ...settings,
      idTokenSignedResponseAlg: ground.signingAlgorithm,
      ...custom,
      ...(method === undefined ? {} : { tokenEndpointAuthMethod: method }),
      ...(usesDevice ? { isDeviceFlow: true } : {}),
      ...(policy.idTokenTtl == null ? {} : { idTokenTtl: policy.idTokenTtl }),
      ...(policy.refreshTokenTtl == null ? {} : { refreshTokenTtl: policy.refreshTokenTtl }),
    },
  }
  checkInput(application, create, 'the metadata')
  const registration: Omit<Static<typeof ApplicationRegistration>, 'scope'> = {
    applicationType,
    grantTypes: grants,
    ...picked(metadata, STATED_MEMBERS),
    ...(ground.statement === undefined ? {} : { softwareStatement: ground.statement }),
  }
  const scopes = known.scope === undefined ? undefined : known.scope.split(' ').filter(Boolean)
  return { application: create as Static<typeof ApplicationCreate>, registration, scopes }
}
