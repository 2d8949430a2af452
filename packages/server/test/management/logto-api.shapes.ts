/**
 * What the types of the npm package `@logto/api` promise of an answer, as values: the compiler holds the values against the
 * types, and the test holds the server against the values.
 */
import type { createApiClient } from '@logto/api/management'
import type { World } from './arrange.ts'

type Client = ReturnType<typeof createApiClient>

type KindOf<T> = T extends string
  ? 'string'
  : T extends number
    ? 'number'
    : T extends boolean
      ? 'boolean'
      : T extends readonly unknown[]
        ? 'array'
        : 'object'
/** What kind of value a type is of; with a question mark where it may be null. */
type Kind<T> = null extends T ? `${KindOf<NonNullable<T>>}?` : KindOf<T>
type Promised<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: Kind<T[K]> }
/** Each field that must be there with its kind, of an array those of its items; none where nothing is promised. */
type Shape<T> = [T] extends [never]
  ? []
  : keyof T extends never
    ? []
    : T extends readonly (infer Item)[]
      ? [readonly [Promised<Item>]]
      : [Promised<T>]

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

export type Fields = Readonly<Record<string, string>>

export interface Call {
  /** @param body what the table of SPEC 6.2 sends; whether it suits is what is tested, so its type says nothing */
  readonly send: (api: Client, world: World, body: never) => Promise<Answer<unknown>>
  readonly status: number
  /** What is promised of the answer, or of each item when it is a list. */
  readonly fields?: Fields
  readonly isList: boolean
}

/**
 * A call and what the package's types promise of its answer, which the compiler demands in full.
 * @param status of success, as the package's types have it
 */
export const call =
  <Data>(status: 200 | 201 | 204, send: (api: Client, world: World, body: never) => Promise<Answer<Data>>) =>
  (...[shape]: Shape<Exclude<Data, undefined>>): Call => ({
    send,
    status,
    ...(shape ? { fields: [shape].flat()[0] as Fields } : {}),
    isList: Array.isArray(shape),
  })

const TENANT = { tenantId: 'string', id: 'string' } as const
export const USER = {
  id: 'string',
  username: 'string?',
  primaryEmail: 'string?',
  primaryPhone: 'string?',
  name: 'string?',
  avatar: 'string?',
  customData: 'object',
  identities: 'object',
  lastSignInAt: 'number?',
  createdAt: 'number',
  updatedAt: 'number',
  profile: 'object',
  applicationId: 'string?',
  cimdClientId: 'string?',
  isSuspended: 'boolean',
} as const
export const ROLE = { ...TENANT, name: 'string', description: 'string', type: 'string', isDefault: 'boolean' } as const
export const SCOPE = {
  ...TENANT,
  resourceId: 'string',
  name: 'string',
  description: 'string?',
  createdAt: 'number',
} as const
export const ORGANIZATION = {
  ...TENANT,
  name: 'string',
  description: 'string?',
  customData: 'object',
  isMfaRequired: 'boolean',
  color: 'object',
  branding: 'object',
  customCss: 'string?',
  createdAt: 'number',
} as const
export const ORGANIZATION_ROLE = { ...TENANT, name: 'string', description: 'string?', type: 'string' } as const
export const ORGANIZATION_SCOPE = { ...TENANT, name: 'string', description: 'string?' } as const
export const INVITATION = {
  ...TENANT,
  inviterId: 'string?',
  invitee: 'string',
  acceptedUserId: 'string?',
  organizationId: 'string',
  status: 'string',
  createdAt: 'number',
  updatedAt: 'number',
  expiresAt: 'number',
  organizationRoles: 'array',
} as const
export const APPLICATION = {
  ...TENANT,
  name: 'string',
  description: 'string?',
  type: 'string',
  oidcClientMetadata: 'object',
  customClientMetadata: 'object',
  protectedAppMetadata: 'object?',
  customData: 'object',
  isThirdParty: 'boolean',
  appLevelAccessControlEnabled: 'boolean',
  createdAt: 'number',
} as const
export const RESOURCE = {
  ...TENANT,
  name: 'string',
  indicator: 'string',
  isDefault: 'boolean',
  accessTokenTtl: 'number',
} as const
