/**
 * Request objects by value (RFC 9101): the parameters of an authorization request as a JWT that the application signed. One rule
 * per function, in order; the limits of time are those of FAPI 2.0 Message Signing section 5.3.1, for every application.
 */
import type { Client } from '../../domain/applications/clients.ts'
import { KeysUnavailable } from '../../domain/applications/remote-keys.ts'
import type { Parameters } from '../../http/parameters.ts'
import { toNumericDate } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { type ParsedJws, parseJws } from '../../tokens/jws.ts'
import { CLOCK_TOLERANCE, verifiedByKeyOf } from '../client-jwt.ts'
import { AuthorizationError } from './authorization-error.ts'

/** How far `exp` may be ahead of `nbf`, and `nbf` behind the clock. Seconds. */
const LONGEST_LIFE = 3600
const LONGEST_JTI = 256
/** Any other type is a JWT for another purpose (RFC 8725 section 3.11); few clients set the one of RFC 9101. */
const TYPES: ReadonlySet<unknown> = new Set([
  undefined,
  'JWT',
  'jwt',
  'oauth-authz-req+jwt',
  'application/oauth-authz-req+jwt',
])
/** Claims about the object itself, which are no parameters. */
const OWN_CLAIMS: ReadonlySet<string> = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])
/** What never comes in a request object: another one (section 4), and credentials. */
const FORBIDDEN = ['request', 'request_uri', 'client_secret', 'client_assertion', 'client_assertion_type'] as const

type Claims = ParsedJws['claims']

const invalid = (description: string) => new AuthorizationError('invalid_request_object', description)

/** The object before its signature is verified: what can be refused without a key, so that its developers learn why. */
export const parsedObject = (jwt: string, types: ReadonlySet<unknown>): ParsedJws => {
  if (jwt.split('.').length === 5) throw invalid('encrypted request objects are not supported')
  const jws = parseJws(jwt)
  if (!jws) throw invalid('the request object is not a JWT')
  if (jws.header.alg === 'none') throw invalid('the request object is not signed')
  if (!types.has(jws.header.typ)) throw invalid('the typ of the request object is that of another kind of JWT')
  return jws
}

/** Section 6.2: by a key of the application, with the algorithm that it registered, if it did. */
export const checkSignature = async (
  store: Store,
  client: Client,
  jwt: string,
  registered: string | undefined,
): Promise<void> => {
  const { compactVerify } = await import('jose')
  const found = await verifiedByKeyOf(store, client, jwt, (key, algorithms) =>
    compactVerify(jwt, key, { algorithms }),
  ).catch((error: unknown) => {
    throw error instanceof KeysUnavailable
      ? invalid('the keys at the jwks_uri of the application are not known')
      : error
  })
  if (!found) throw invalid('the request object cannot be verified with any key of the application')
  if (registered !== undefined && registered !== found.algorithm)
    throw invalid(`the application signs its request objects with ${registered}`)
}

/** Sections 4, 5 and 10.8: from this client, for this server, and no assertion of the client sent as a request. */
export const checkParties = ({ iss, aud, sub }: Claims, { issuer }: Tenant, client: Client): void => {
  if (iss !== client.id) throw invalid('iss of the request object must be the client id')
  if (aud !== issuer && !(Array.isArray(aud) && aud.includes(issuer)))
    throw invalid('aud of the request object must be or contain the issuer identifier of this server')
  if (sub === client.id) throw invalid('sub of the request object must not be the client id')
}

/** Section 5: the application says in the object, too, whose request it is. */
const checkClientId = ({ client_id: clientId }: Claims, client: Client): void => {
  if (clientId !== client.id) throw invalid('client_id of the request object must be that of the request')
}

const numberOr = (value: unknown, name: string): number | undefined => {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw invalid(`${name} of the request object must be a number`)
}

/** `exp` and what else has to be there, and all of them about now. */
export const checkTime = (claims: Claims, required: readonly ('nbf' | 'iat')[], now: number): void => {
  const [exp, nbf, iat] = [numberOr(claims.exp, 'exp'), numberOr(claims.nbf, 'nbf'), numberOr(claims.iat, 'iat')]
  if (exp === undefined) throw invalid('the request object has no exp')
  const absent = required.find((name) => claims[name] === undefined)
  if (absent) throw invalid(`the request object has no ${absent}`)
  if (exp <= now - CLOCK_TOLERANCE) throw invalid('the request object has expired')
  if ([nbf, iat].some((time) => time !== undefined && time > now + CLOCK_TOLERANCE))
    throw invalid('nbf and iat of the request object must not be in the future')
  if (nbf !== undefined && nbf < now - LONGEST_LIFE) throw invalid('nbf of the request object is more than an hour ago')
  if (exp - (nbf ?? now) > LONGEST_LIFE) throw invalid('the request object is valid for more than an hour')
}

/** A `jti` has to be one, but the same object may come again: a page is reloaded. What is used once is its pushed request and its code. */
const checkId = (claims: Claims): void => {
  if (claims.jti !== undefined) idOf(claims)
}

/** The `jti` of an object that has to have one. */
export const idOf = ({ jti }: Claims): string => {
  if (jti === undefined) throw invalid('the request object has no jti')
  if (typeof jti === 'string' && jti !== '' && jti.length <= LONGEST_JTI) return jti
  throw invalid('jti of the request object is not usable')
}

const textOf = (name: string, value: unknown): string => {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
  if (typeof text === 'number' && Number.isFinite(text)) return String(text)
  if (typeof text === 'string' && text.isWellFormed() && !text.includes('\0')) return text
  throw invalid(`the request object has a ${/^\w{1,64}$/.test(name) ? name : 'member'} that is not a parameter`)
}

/** Section 4: strings as they are, numbers in digits, JSON as text; `resource` may be a list (RFC 8707 section 2). */
export const parametersOf = (claims: Claims): Parameters => {
  for (const name of FORBIDDEN) if (name in claims) throw invalid(`the request object must not contain ${name}`)
  const parameters = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(claims)) {
    if (OWN_CLAIMS.has(name)) continue
    const values = name === 'resource' && Array.isArray(value) ? value : [value]
    parameters.set(
      name,
      values.map((each) => textOf(name, each)),
    )
  }
  return parameters
}

/**
 * The parameters of a request object, and no others: what stands beside it in the request counts for nothing (section 6.3). Throws
 * AuthorizationError `invalid_request_object`. Does not check the parameters.
 */
export const parametersOfObject = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  jwt: string,
  now: Date,
): Promise<Parameters> => {
  const { claims } = parsedObject(jwt, TYPES)
  const { requestObjectSigningAlg, securityProfile } = client.metadata
  await checkSignature(store, client, jwt, requestObjectSigningAlg)
  checkParties(claims, tenant, client)
  checkClientId(claims, client)
  checkTime(claims, securityProfile === 'fapi2' ? ['nbf'] : [], toNumericDate(now))
  checkId(claims)
  return parametersOf(claims)
}
