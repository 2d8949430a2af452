/** Signed authentication requests: the parameters of a backchannel authentication request as a JWT (OpenID CIBA section 7.1.1). */
import { useClientAssertion } from '../domain/applications/client-assertions.ts'
import type { Client } from '../domain/applications/clients.ts'
import type { Parameters } from '../http/parameters.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { AuthorizationError } from './authorize/authorization-error.ts'
import {
  checkParties,
  checkSignature,
  checkTime,
  idOf,
  parametersOf,
  parsedObject,
} from './authorize/signed-request.ts'
import { CLOCK_TOLERANCE } from './client-jwt.ts'

/** No type is registered for these; an object for the authorization endpoint, which says its own, is none of them (RFC 8725 section 3.11). */
const TYPES: ReadonlySet<unknown> = new Set([undefined, 'JWT', 'jwt'])
/** What authenticates the application, and so stands beside the request. */
const BESIDE: ReadonlySet<string> = new Set([
  ...['request', 'client_id', 'client_secret', 'client_assertion', 'client_assertion_type'],
])

const invalid = (description: string) => new OAuthError('invalid_request', description)

/** Consumes a request. Throws OAuthError `invalid_request` if it was sent before, to whichever node (SECURITY R-5). */
type Consume = () => Promise<void>

interface OpenedBackchannelRequest {
  readonly parameters: Parameters
  /** To be called when everything else is checked; undefined for a request that is not signed. */
  readonly consume?: Consume
}

/** Nothing else beside a signed request: what is not signed would count as if it were. */
const checkBeside = (sent: Parameters): void => {
  const other = [...sent.keys()].find((name) => !BESIDE.has(name))
  if (other === undefined) return
  const named = /^\w{1,64}$/.test(other) ? other : 'another parameter'
  throw invalid(`${named} must not be sent beside request`)
}

const opened = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  jwt: string,
  now: Date,
): Promise<Required<OpenedBackchannelRequest>> => {
  const { claims } = parsedObject(jwt, TYPES)
  await checkSignature(store, client, jwt, client.metadata.backchannelAuthenticationRequestSigningAlg)
  checkParties(claims, tenant, client)
  if (claims.client_id !== undefined && claims.client_id !== client.id)
    throw invalid('client_id of the request object must be that of the application')
  checkTime(claims, ['nbf', 'iat'], toNumericDate(now))
  const id = `backchannel request ${idOf(claims)}`
  const until = new Date((Number(claims.exp) + CLOCK_TOLERANCE) * 1000)
  const consume = async () => {
    if (!(await useClientAssertion(store, tenant, client.id, id, until)))
      throw invalid('the request object was used before')
  }
  return { parameters: parametersOf(claims), consume }
}

/**
 * The parameters of a backchannel authentication request: those of the signed one where the application registered an algorithm
 * (`backchannelAuthenticationRequestSigningAlg`), otherwise those that were sent (DECISIONS F28). Throws OAuthError `invalid_request`. Does
 * not check the parameters, nor that `sent` has none twice.
 */
export const openedBackchannelRequest = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  sent: Parameters,
  now: Date,
): Promise<OpenedBackchannelRequest> => {
  const jwt = sent.get('request')?.[0]
  const isSigned = client.metadata.backchannelAuthenticationRequestSigningAlg !== undefined
  if (isSigned && !jwt)
    throw invalid('the application has to sign its authentication requests, and send them as request')
  if (!isSigned && jwt) throw invalid('the application is not registered for signed authentication requests')
  if (!jwt) return { parameters: sent }
  checkBeside(sent)
  try {
    return await opened(store, tenant, client, jwt, now)
  } catch (error) {
    // the only code that section 13 has for them
    throw error instanceof AuthorizationError ? invalid(error.description) : error
  }
}
