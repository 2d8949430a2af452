/**
 * The `claims` parameter (OpenID Connect Core section 5.5): JSON that names claims for the ID token and for userinfo one by one. What
 * it names and is not known here is ignored, as that section says; what is malformed is refused.
 */
import { ACR_VALUES, type Acr } from '../../domain/sign-in/acr.ts'
import { namedAcr, namedClaim } from '../../domain/sign-in/requested-claims.ts'
import { NotPlainJson, parseUnambiguousJson } from '../../kernel/plain-json.ts'
import { AuthorizationError } from './authorization-error.ts'

/** The deepest that section 5.5 defines: parameter, place, claim, `values`. */
const DEEPEST = 4
/** A subject that this server could have given an application. */
const SUBJECT = /^[\w-]{1,255}$/

export interface RequestedClaims {
  /** As requested-claims.ts writes them. */
  readonly named: readonly string[]
  /** The user that must be signed in (section 5.5.1), as the application knows them. */
  readonly subject: string | undefined
  /** The class of authentication that the request demands. */
  readonly acr: Acr | undefined
}

const NONE: RequestedClaims = { named: [], subject: undefined, acr: undefined }

const invalid = (reason: string) => new AuthorizationError('invalid_request', `the parameter claims ${reason}`)

type JsonObject = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface ClaimRequest {
  readonly essential: boolean
  readonly values: readonly unknown[]
}

/** Section 5.5.1: null, or an object with `essential`, `value` or `values`; other members are ignored. */
const readRequest = (request: unknown): ClaimRequest => {
  if (request === null) return { essential: false, values: [] }
  if (!isObject(request)) throw invalid('has a claim that is neither null nor an object')
  const { essential = false, value, values } = request
  if (typeof essential !== 'boolean') throw invalid('has an essential that is neither true nor false')
  if (values !== undefined && !Array.isArray(values)) throw invalid('has values that are not an array')
  if (values !== undefined && value !== undefined) throw invalid('has a claim with both value and values')
  return { essential, values: values ?? (value === undefined ? [] : [value]) }
}

const readPlace = (place: unknown): ReadonlyMap<string, ClaimRequest> => {
  if (place === undefined || place === null) return new Map()
  if (!isObject(place)) throw invalid('has a member that is not an object')
  return new Map(Object.entries(place).map(([name, request]) => [name, readRequest(request)]))
}

const parse = (text: string): JsonObject => {
  try {
    const value = parseUnambiguousJson(text, DEEPEST)
    if (!isObject(value)) throw new NotPlainJson('is not an object')
    return value
  } catch (error) {
    throw error instanceof NotPlainJson ? invalid(error.message) : error
  }
}

/** The one user who may be signed in. Throws invalid_request for several. */
const subjectOf = (requests: readonly (ClaimRequest | undefined)[]): string | undefined => {
  const values = new Set(requests.flatMap((request) => request?.values ?? []))
  const [subject, ...more] = values
  if (values.size === 0) return undefined
  if (more.length > 0 || typeof subject !== 'string' || !SUBJECT.test(subject))
    throw invalid('must name one user as sub, as an ID token of this server does')
  return subject
}

/**
 * The classes that the request lists, the weakest first. Throws unmet_authentication_requirements for an essential `acr` none of
 * whose values exists (section 5.5.1.1).
 */
const acrsOf = (request: ClaimRequest | undefined): readonly Acr[] => {
  if (!request || request.values.length === 0) return []
  const known = ACR_VALUES.filter((value) => request.values.includes(value))
  if (known.length === 0 && request.essential) {
    const description = 'the parameter claims demands a class of authentication that does not exist here'
    throw new AuthorizationError('unmet_authentication_requirements', description)
  }
  return known
}

/**
 * Reads the parameter. Throws AuthorizationError. Does not check its length: limits.ts does; nor whether the application may ask for
 * the claims.
 */
export const readClaims = (text: string | undefined): RequestedClaims => {
  if (text === undefined) return NONE
  const { id_token, userinfo } = parse(text)
  const places = { idToken: readPlace(id_token), userinfo: readPlace(userinfo) }
  const acrs = acrsOf(places.idToken.get('acr'))
  const named = (['idToken', 'userinfo'] as const).flatMap((place) =>
    [...places[place].keys()].map((name) => namedClaim(place, name)),
  )
  return {
    named: [...named.filter((name) => name !== undefined), ...acrs.map(namedAcr)],
    subject: subjectOf([places.idToken.get('sub'), places.userinfo.get('sub')]),
    acr: acrs[0],
  }
}
