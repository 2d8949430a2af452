/**
 * Authorization details (RFC 9396): the one place that decides which ones an application may ask for, which part of what was
 * approved a token may have, and which API sees them (DECISIONS X2 to X5). A user approves them word for word; they are compared as
 * whole objects and never interpreted, so that nothing can be wider than what was approved.
 */
import { isDeepStrictEqual } from 'node:util'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { NotPlainJson, parsePlainJson } from '../../kernel/plain-json.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Client } from '../applications/clients.ts'
import { type DetailsType, detailsTypes } from '../permissions/authorization-details-types.ts'

/** One object of `authorization_details`. */
export interface AuthorizationDetail {
  readonly type: string
  readonly [member: string]: unknown
}

/** Characters of the parameter. With more, the token that carries it would not fit into a header. */
export const LONGEST_DETAILS = 4096
const MOST_DETAILS = 20
/** The parameter is an array of objects: six more levels within them. */
const DEEPEST = 8

const refuse = (description: string): OAuthError =>
  // RFC 6749 section 5.2 allows few characters in a description, and a member may have any name
  new OAuthError(
    'invalid_authorization_details',
    description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?').slice(0, 512),
  )

const asDetail = (value: unknown, index: number): AuthorizationDetail => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse(`authorization_details[${index}] is not an object`)
  if (!('type' in value) || typeof value.type !== 'string' || value.type === '')
    throw refuse(`authorization_details[${index}] has no type`)
  return value as AuthorizationDetail
}

/** The form of the parameter (section 2). Throws OAuthError `invalid_authorization_details`. Does not know any type. */
const parsed = (text: string): readonly AuthorizationDetail[] => {
  if (text.length > LONGEST_DETAILS || Buffer.byteLength(text) > LONGEST_DETAILS)
    throw refuse(`authorization_details is longer than ${LONGEST_DETAILS} bytes`)
  try {
    const value = parsePlainJson(text, DEEPEST)
    if (!Array.isArray(value)) throw refuse('authorization_details is not an array')
    if (value.length > MOST_DETAILS) throw refuse(`authorization_details has more than ${MOST_DETAILS} objects`)
    return value.map(asDetail)
  } catch (error) {
    throw error instanceof NotPlainJson ? refuse(`authorization_details ${error.message}`) : error
  }
}

/** What was stored by this server. */
export const storedDetails = (text: string | null | undefined): readonly AuthorizationDetail[] =>
  text ? (JSON.parse(text) as AuthorizationDetail[]) : []

/**
 * Both lists, as JSON; null for none. An object that is in both was approved twice. Throws OAuthError
 * `invalid_authorization_details` if they are too many.
 */
export const mergedDetails = (
  before: readonly AuthorizationDetail[],
  added: readonly AuthorizationDetail[],
): string | null => {
  const all = [...before, ...added]
  if (all.length > MOST_DETAILS) throw refuse(`the grant would have more than ${MOST_DETAILS} authorization_details`)
  const text = JSON.stringify(all)
  if (Buffer.byteLength(text) > LONGEST_DETAILS)
    throw refuse(`the authorization_details of the grant would be longer than ${LONGEST_DETAILS} bytes`)
  return all.length > 0 ? text : null
}

/** For storage; undefined for none. */
export const detailsToStore = (details: readonly AuthorizationDetail[]): string | undefined =>
  details.length > 0 ? JSON.stringify(details) : undefined

/** `locations` (section 2.2) may only name the API that the type belongs to: no other one would get the detail. */
const assertLocations = ({ locations }: AuthorizationDetail, { indicator }: DetailsType, index: number): void => {
  if (locations === undefined) return
  const isOwn = Array.isArray(locations) && locations.every((each) => each === indicator)
  if (!isOwn) throw refuse(`authorization_details[${index}].locations must name the API of its type: ${indicator}`)
}

const mayAskFor = ({ metadata }: Client, type: string): boolean =>
  metadata.authorizationDetailsTypes?.includes(type) === true

/** Of details that a request may ask for. */
export interface AskedDetails {
  readonly details: readonly AuthorizationDetail[]
  /** The indicators of the APIs that their types belong to. */
  readonly indicators: readonly string[]
}

const NONE: AskedDetails = { details: [], indicators: [] }

/**
 * Details that a client asks for: types that exist and that it may ask for, each as its schema says. Throws OAuthError
 * `invalid_authorization_details`, which says what is wrong with which one. Does not check whether a user approves them.
 * @param text the parameter
 */
export const askedDetails = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  text: string | undefined,
): Promise<AskedDetails> => {
  if (text === undefined) return NONE
  const details = parsed(text)
  const types = await detailsTypes(store, tenant)
  const indicators = new Set<string>()
  for (const [index, detail] of details.entries()) {
    const type = types.get(detail.type)
    // one answer, so that a client learns nothing of types that are not for it
    if (!type || !mayAskFor(client, detail.type))
      throw refuse(
        `authorization_details[${index}]: the application may not ask for the type ${detail.type.slice(0, 128)}`,
      )
    assertLocations(detail, type, index)
    const wrong = type.check(detail)
    if (wrong !== undefined) throw refuse(`authorization_details[${index}]: ${wrong}`)
    indicators.add(type.indicator)
  }
  return { details, indicators: [...indicators] }
}

/**
 * The part of what was granted that a token request asks for (section 6): each object as it was granted, none added, none changed.
 * Throws OAuthError `invalid_authorization_details`. @param text the parameter; undefined: all of it
 */
export const narrowedDetails = (
  granted: readonly AuthorizationDetail[],
  text: string | undefined,
): readonly AuthorizationDetail[] => {
  if (text === undefined) return granted
  const left = [...granted]
  return parsed(text).map((detail, index) => {
    const found = left.findIndex((each) => isDeepStrictEqual(each, detail))
    if (found < 0) throw refuse(`authorization_details[${index}] is not one of those that were granted`)
    // each once: a payment that is named twice would be two
    left.splice(found, 1)
    return detail
  })
}

/**
 * Of granted details those whose type still exists and is still one for the application, with their types: what a token may have at
 * all. Sends no statement for none.
 */
const standing = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  details: readonly AuthorizationDetail[],
): Promise<readonly { readonly detail: AuthorizationDetail; readonly type: DetailsType }[]> => {
  if (details.length === 0) return []
  const types = await detailsTypes(store, tenant)
  return details.flatMap((detail) => {
    const type = types.get(detail.type)
    return type && mayAskFor(client, detail.type) ? [{ detail, type }] : []
  })
}

/** Of granted details those that a token may still have. */
export const standingDetails = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  details: readonly AuthorizationDetail[],
): Promise<readonly AuthorizationDetail[]> =>
  (await standing(store, tenant, client, details)).map(({ detail }) => detail)

/** The one API that all of these details are for; undefined: there are none, or they are for several. */
export const apiOfDetails = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  details: readonly AuthorizationDetail[],
): Promise<string | undefined> => {
  const [indicator, ...more] = new Set(
    (await standing(store, tenant, client, details)).map(({ type }) => type.indicator),
  )
  return more.length === 0 ? indicator : undefined
}

/** What a token for an API has of these details; nothing for userinfo or an organization. @param resourceId of the API */
export const detailsOfApi = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  details: readonly AuthorizationDetail[],
  resourceId: string | undefined,
): Promise<readonly AuthorizationDetail[]> =>
  (await standing(store, tenant, client, details)).flatMap(({ detail, type }) =>
    type.resourceId === resourceId ? [detail] : [],
  )
