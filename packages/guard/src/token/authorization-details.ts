import { GuardError, type TokenScheme } from '../errors/guard-error.ts'
import { misconfigured } from '../errors/misconfigured.ts'

/** One object of the claim `authorization_details` (RFC 9396 §9.1). What it has beside `type` is as its type says. */
export interface AuthorizationDetail {
  readonly type: string
  readonly [member: string]: unknown
}

/** Whether a value is a list of objects that each have a `type` (RFC 9396 §2). */
export const isAuthorizationDetails = (value: unknown): value is readonly AuthorizationDetail[] =>
  Array.isArray(value) &&
  value.every(
    (each: unknown) =>
      typeof each === 'object' && each !== null && 'type' in each && typeof each.type === 'string' && each.type !== '',
  )

/** What is looked at of a verified token. */
interface Detailed {
  readonly authorizationDetails: readonly AuthorizationDetail[]
  readonly scheme?: TokenScheme
}

type Allows<Found extends AuthorizationDetail> = (detail: AuthorizationDetail) => detail is Found

/**
 * The first detail of the type that allows the request, for your code to act by. Throws `authorization_detail_missing` if there is none
 * (RFC 9396 §9). Types are compared exactly. Several details are several approvals: none is added to another.
 *
 * Not checked: whether a detail was used before, which only the API knows; and its other members, for which `allows` is there. They are what
 * a user approved, or what a machine asked for, as the schema of the type allows it. An error of `allows` is passed on.
 */
export function requireDetail<Found extends AuthorizationDetail>(
  token: Detailed,
  type: string,
  allows: Allows<Found>,
): Found
export function requireDetail(
  token: Detailed,
  type: string,
  allows: (detail: AuthorizationDetail) => boolean,
): AuthorizationDetail
export function requireDetail(
  { authorizationDetails, scheme }: Detailed,
  type: string,
  allows: (detail: AuthorizationDetail) => boolean,
): AuthorizationDetail {
  if (typeof type !== 'string' || type === '') throw misconfigured('The type of a detail must be its name')
  const found = authorizationDetails.find((detail) => detail.type === type && allows(detail))
  if (found) return found
  throw new GuardError('authorization_detail_missing', {
    cause: { type, held: authorizationDetails.map((detail) => detail.type) },
    ...(scheme && { scheme }),
  })
}
