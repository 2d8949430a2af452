/**
 * The checks of an authorization request, in order: each a small function that checks one thing, with the section it
 * comes from. For the first two there is no safe address to redirect to; the others throw AuthorizationError, which is
 * redirected.
 */

import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import { type AskedDetails, askedDetails, detailsToStore } from '../../domain/access/authorization-details.ts'
import { consentScopes } from '../../domain/access/consent-scopes.ts'
import { type Client, findClient, isPossibleId, managesGrants } from '../../domain/applications/clients.ts'
import { userOfSubject } from '../../domain/applications/subjects.ts'
import { ssoGroupOf } from '../../domain/issued/device-secrets.ts'
import { organizationConsentScopes } from '../../domain/organizations/access.ts'
import { DEVICE_SSO_SCOPE, isGrantScope } from '../../domain/permissions/oidc-scopes.ts'
import { DEFAULT_RESOURCE, isOrganizationsResource } from '../../domain/permissions/reserved-names.ts'
import { findDefaultResource, findResource } from '../../domain/permissions/resources.ts'
import { firstKnownAcr } from '../../domain/sign-in/acr.ts'
import { type AuthorizationRequest, RESPONSE_MODES, type ResponseMode } from '../../domain/sign-in/interactions.ts'
import { sealToken } from '../../domain/sign-in/one-time-token-proof.ts'
import { claimsWithin } from '../../domain/sign-in/requested-claims.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import { isDocumentId } from '../../kernel/document-ids.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { DroppedScope } from '../../tokens/authorization.ts'
import { DocumentRefused, documentClient } from '../document-client.ts'
import { isCodeChallenge } from '../pkce.ts'
import { isRegisteredRedirectUri } from '../redirect-uri.ts'
import { droppedFor, parseScope, withinConsent } from '../scope.ts'
import { isThumbprint } from '../sender-constraint.ts'
import { AuthorizationError, UnsafeRequestError } from './authorization-error.ts'
import { readClaims } from './claims-parameter.ts'
import { checkGrantOfRequest } from './grant-of-request.ts'
import { CERTIFICATE_OF_REQUEST, excessOf } from './limits.ts'

/** DECISIONS M. */
const MOST_RESOURCES = 20
/** `create` is that of Initiating User Registration via OpenID Connect 1.0. */
export const PROMPTS = ['none', 'login', 'consent', 'select_account', 'create'] as const

const invalid = (description: string) => new AuthorizationError('invalid_request', description)

/**
 * The value of a parameter; empty counts as absent (RFC 6749 section 3.1). Does not check that there is one value:
 * checkRepetition has.
 */
const one = (parameters: Parameters, name: string): string | undefined => parameters.get(name)?.[0] || undefined

/** The client with an id; one with a document by what that says now. */
const clientWithId = async (store: Store, exchange: Exchange, id: string): Promise<Client | undefined> => {
  if (!isDocumentId(id)) return findClient(store, exchange.tenant, id)
  try {
    return await documentClient(store, exchange, id, 'begin')
  } catch (error) {
    if (!(error instanceof DocumentRefused)) throw error
    throw new UnsafeRequestError('clientDocument', { clientId: id }, error.message)
  }
}

/** The client. Errors here are shown, not redirected. */
export const checkClient = async (store: Store, exchange: Exchange, parameters: Parameters): Promise<Client> => {
  const ids = parameters.get('client_id') ?? []
  const [id] = ids
  const client = ids.length === 1 && id && isPossibleId(id) ? await clientWithId(store, exchange, id) : undefined
  if (!client)
    throw new UnsafeRequestError('unknownApplication', {
      clientId: id,
      redirectUri: parameters.get('redirect_uri')?.[0],
    })
  return client
}

/** RFC 6749 section 3.1.2.3: compared with the registered ones before anything else is trusted. */
export const checkRedirectUri = (client: Client, parameters: Parameters): string => {
  const uris = parameters.get('redirect_uri') ?? []
  const [uri] = uris
  if (uris.length !== 1 || !uri || !isRegisteredRedirectUri(uri, client.redirectUris, client)) {
    throw new UnsafeRequestError('unregisteredRedirectUri', {
      clientId: client.id,
      client,
      redirectUri: uris.join(' '),
    })
  }
  return uri
}

/**
 * An error that is redirected repeats `state` (RFC 6749 section 4.1.2.1), so one that is too long is reported on a
 * page. Throws OAuthError invalid_request.
 */
export const checkState = (parameters: Parameters): void => {
  const excess = excessOf(parameters, ['state'])
  if (excess !== undefined) throw new OAuthError('invalid_request', excess)
}

/** DECISIONS M: what is stored has a length limit. */
const checkLengths = (parameters: Parameters): void => {
  const excess = excessOf(parameters)
  if (excess !== undefined) throw invalid(excess)
}

/** Any repeated parameter but `resource` (RFC 6749 section 3.1). */
export const checkRepetition = (parameters: Parameters): void => {
  for (const [name, values] of parameters)
    if (values.length > 1 && name !== 'resource') throw invalid(`the parameter ${name} is repeated`)
}

/** What opened-request.ts has not taken: an object that no key of the application could have signed, and a `request_uri` that is not of PAR. */
const checkRequestObject = (parameters: Parameters): void => {
  if (one(parameters, 'request'))
    throw new AuthorizationError('request_not_supported', 'the application has no keys that verify request objects')
  if (one(parameters, 'request_uri'))
    throw new AuthorizationError('request_uri_not_supported', 'request_uri must be that of a pushed request')
}

/** Only the code flow exists (DECISIONS F1). */
const checkResponseType = (parameters: Parameters): void => {
  const type = one(parameters, 'response_type')
  if (type === undefined) throw invalid('the parameter response_type is missing')
  if (type !== 'code') throw new AuthorizationError('unsupported_response_type', 'response_type must be code')
}

/** Which applications may use the code flow: all but machines and device-flow applications. */
const checkClientType = ({ type, metadata }: Client): void => {
  if (type === 'MachineToMachine' || metadata.isDeviceFlow) {
    throw new AuthorizationError('unauthorized_client', 'the application does not use the authorization code flow')
  }
}

/** `jwt` is the default of the code flow as a JWT: `query.jwt` (JARM section 2.3.4). */
export const responseModeOf = (parameters: Parameters): ResponseMode => {
  const asked = one(parameters, 'response_mode') ?? 'query'
  const mode = RESPONSE_MODES.find((each) => each === (asked === 'jwt' ? 'query.jwt' : asked))
  if (mode !== undefined) return mode
  throw new AuthorizationError(
    'unsupported_response_mode',
    `response_mode must be jwt or one of ${RESPONSE_MODES.join(', ')}`,
  )
}

/** RFC 7636 section 4.3, DECISIONS C4: required of public clients, S256 only. */
const checkPkce = ({ isConfidential, metadata }: Client, parameters: Parameters): string | undefined => {
  const challenge = one(parameters, 'code_challenge')
  const method = one(parameters, 'code_challenge_method')
  if (challenge === undefined) {
    if (!isConfidential || metadata.requirePkce) throw invalid('code_challenge is required of this application')
    if (method !== undefined) throw invalid('code_challenge_method was sent without code_challenge')
    return undefined
  }
  if (method !== 'S256') throw invalid('code_challenge_method must be S256')
  if (!isCodeChallenge(challenge)) throw invalid('code_challenge is malformed')
  return challenge
}

/** RFC 9449 section 10. */
const checkThumbprint = (parameters: Parameters): string | undefined => {
  const jkt = one(parameters, 'dpop_jkt')
  if (jkt !== undefined && !isThumbprint(jkt)) throw invalid('dpop_jkt is not the SHA-256 thumbprint of a key')
  return jkt
}

/** OpenID Connect Core section 3.1.2.1: `none` stands alone. */
const checkPrompt = (parameters: Parameters): string[] => {
  const prompts = [...new Set((one(parameters, 'prompt') ?? '').split(' ').filter(Boolean))]
  const unknown = prompts.find((prompt) => !(PROMPTS as readonly string[]).includes(prompt))
  if (unknown !== undefined) throw invalid('prompt has a value that is not supported')
  if (prompts.includes('none') && prompts.length > 1) throw invalid('prompt none cannot be combined with other values')
  return prompts
}

const checkMaxAge = (parameters: Parameters): number | undefined => {
  const text = one(parameters, 'max_age')
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw invalid('max_age must be a whole number of seconds')
  return Number(text)
}

/** After checkRepetition. Throws AuthorizationError invalid_scope. */
export const checkScope = (parameters: Parameters): string[] => {
  try {
    return parseScope(one(parameters, 'scope'))
  } catch (error) {
    if (error instanceof OAuthError) throw new AuthorizationError('invalid_scope', error.description)
    throw error
  }
}

/**
 * RFC 8707 section 2, SPEC 2.3: every resource must be registered, except the name that requests organization
 * permissions (DECISIONS E3); if there is none, the default API is meant, now and at each token request.
 */
export const checkResources = async (store: Store, tenant: Tenant, parameters: Parameters): Promise<string[]> => {
  const asked = [...new Set((parameters.get('resource') ?? []).filter(Boolean))]
  if (asked.length > MOST_RESOURCES)
    throw new AuthorizationError('invalid_target', `resource names more than ${MOST_RESOURCES} resources`)
  const registered = async (indicator: string): Promise<string> => {
    if (isOrganizationsResource(indicator)) return indicator
    const known = indicator.length <= 2048 ? await findResource(store, tenant, indicator) : undefined
    if (!known) throw new AuthorizationError('invalid_target', 'resource is not the indicator of a registered API')
    return known.indicator
  }
  if (asked.length > 0) return [...new Set(await Promise.all(asked.map(registered)))]
  const byDefault = await findDefaultResource(store, tenant)
  return byDefault ? [byDefault.indicator, DEFAULT_RESOURCE] : [DEFAULT_RESOURCE]
}

/** RFC 9396 section 5: an error of its own. */
export const checkDetails = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  parameters: Parameters,
): Promise<AskedDetails> => {
  try {
    return await askedDetails(store, tenant, client, one(parameters, 'authorization_details'))
  } catch (error) {
    if (error instanceof OAuthError) throw new AuthorizationError('invalid_authorization_details', error.description)
    throw error
  }
}

interface CutScopes {
  readonly scopes: readonly string[]
  readonly dropped: readonly DroppedScope[]
}

/** The scopes for grants are for applications that manage grants, and that of devices for those that share sign-ins. */
const withoutForeignScopes = (client: Client, asked: readonly string[]): CutScopes => {
  const ofGrants = managesGrants(client) ? [] : asked.filter(isGrantScope)
  const ofDevice = ssoGroupOf(client) === undefined ? asked.filter((scope) => scope === DEVICE_SSO_SCOPE) : []
  if (ofGrants.length === 0 && ofDevice.length === 0) return { scopes: asked, dropped: [] }
  const scopes = asked.filter((scope) => ![...ofGrants, ...ofDevice].includes(scope))
  const dropped = [
    ...droppedFor(TOKEN_REASONS.no_grant_management, ofGrants),
    ...droppedFor(TOKEN_REASONS.no_shared_sign_in, ofDevice),
  ]
  return { scopes, dropped }
}

/**
 * A third-party application gets only what it is configured for; the user is not asked about the rest, which is
 * recorded in the audit log (F4, D5, D7).
 */
export const cutScopes = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  scopes: readonly string[],
  indicators: readonly string[],
): Promise<CutScopes> => {
  const limits = await consentScopes(store, tenant, client)
  if (!limits) return withoutForeignScopes(client, scopes)
  const inOrganizations = await organizationConsentScopes(store, tenant, client)
  const apis = indicators.filter((indicator) => !isOrganizationsResource(indicator))
  const resources = await Promise.all(apis.map((indicator) => findResource(store, tenant, indicator)))
  const ids = resources.flatMap((resource) => (resource ? [resource.id] : []))
  const within = withinConsent(scopes, limits, ids, inOrganizations)
  const cut = withoutForeignScopes(client, within.scopes)
  return { scopes: cut.scopes, dropped: [...within.dropped, ...cut.dropped] }
}

/** The user whom the application names in `claims`; what it never got as a `sub` is the id of no user. */
const userNamed = (store: Store, tenant: Tenant, client: Client, subject: string): string =>
  userOfSubject(store, tenant, client, subject) ?? `unknown ${subject}`

/** Everything beyond client and redirect URI. @param hintedUserId the subject of a verified id_token_hint */
export const checkRequest = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  redirectUri: string,
  parameters: Parameters,
  hintedUserId: string | undefined,
): Promise<AuthorizationRequest> => {
  checkRepetition(parameters)
  checkLengths(parameters)
  checkRequestObject(parameters)
  checkResponseType(parameters)
  checkClientType(client)
  const responseMode = responseModeOf(parameters)
  const codeChallenge = checkPkce(client, parameters)
  const prompts = checkPrompt(parameters)
  const maxAge = checkMaxAge(parameters)
  const asked = checkScope(parameters)
  const { details, indicators } = await checkDetails(store, tenant, client, parameters)
  // who asks for details names their API
  const resources = [...new Set([...(await checkResources(store, tenant, parameters)), ...indicators])]
  const { scopes, dropped } = await cutScopes(store, tenant, client, asked, resources)
  const token = one(parameters, 'one_time_token')
  const claims = readClaims(one(parameters, 'claims'))
  const grant = await checkGrantOfRequest(store, tenant, client, parameters, details)
  const named = claims.subject === undefined ? undefined : userNamed(store, tenant, client, claims.subject)
  if (named !== undefined && hintedUserId !== undefined && named !== hintedUserId)
    throw invalid('claims and id_token_hint name different users')
  const meant = hintedUserId ?? named
  if (meant !== undefined && grant?.userId !== undefined && meant !== grant.userId)
    throw new AuthorizationError('access_denied', 'the grant is that of another user')
  const limits = await consentScopes(store, tenant, client)
  const wanted = limits ? claimsWithin(claims.named, limits.user) : claims.named
  const acr = claims.acr ?? firstKnownAcr(one(parameters, 'acr_values'))
  const optional = {
    state: parameters.get('state')?.[0],
    nonce: one(parameters, 'nonce'),
    codeChallenge,
    dpopJkt: checkThumbprint(parameters),
    certificate: one(parameters, CERTIFICATE_OF_REQUEST),
    maxAge,
    loginHint: one(parameters, 'login_hint')?.slice(0, 256),
    hintedUserId: meant ?? grant?.userId,
    uiLocales: one(parameters, 'ui_locales')?.slice(0, 256),
    acr,
    authorizationDetails: detailsToStore(details),
    grant,
    claims: wanted.length > 0 ? wanted : undefined,
    firstScreen: one(parameters, 'first_screen') ?? one(parameters, 'interaction_mode'),
    directSignIn: one(parameters, 'direct_sign_in'),
    organizationId: one(parameters, 'organization_id'),
    sealedToken: token && sealToken(store, tenant, client.id, token),
    dropped: dropped.length > 0 ? dropped : undefined,
  }
  return {
    clientId: client.id,
    redirectUri,
    responseMode,
    scopes,
    resources,
    prompts,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  }
}
