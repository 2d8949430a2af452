/**
 * A route of the Management API is a value. Handlers, validation, response filtering, permissions, the OpenAPI document
 * and the generic tests are all read from it; nothing about a route is written down a second time.
 */
import type { Static, TObject, TSchema } from 'typebox'
import type { ApiErrorCode } from './errors.ts'
import type { ALL_PERMISSION, Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an ETag stands for: all members of the answer but these, which are not what an editor of the thing changes. */
export interface Version {
  readonly ignores: readonly string[]
  /** The query with which GET shows the thing also where nothing was ever set; its ETag then is that of nothing. */
  readonly query?: Readonly<Record<string, string>>
}
/** The ETag stands for the whole answer. */
export const WHOLE: Version = { ignores: [] }

export interface Route {
  /** The operation's name, the key in its table: OpenAPI operationId, and the end of its key in the audit log. Unique. */
  readonly id: string
  readonly method: Method
  /** Below `{base_url}/api`, parameters as `:name`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly description?: string
  /** The permission of the Management API that the caller's token must carry, or all of them; null: anyone may call it. */
  readonly permission: Permission | typeof ALL_PERMISSION | null
  /** Another that it must carry as well: the answer shows entities of an area, beneath one of another area. */
  readonly alsoPermission?: Permission
  /**
   * Of the Account API: the token is a user's, with `openid` and these scopes. `permission` is null. Only a route that reads is
   * there for third-party applications.
   */
  readonly scopes?: readonly string[]
  /** Also of the Account API: it can ask for a proof of who the user is, which a header names. */
  readonly proof?: true
  /** Not for third-party applications, although it only reads. */
  readonly isFirstParty?: true
  /** Bound to the interaction that the browser's cookies name, and to be called by pages of our own origin only. */
  readonly cookie?: true
  /**
   * GET answers with an ETag, and what changes or deletes the same thing, at the same path, honours If-Match (RFC 9110 section 13.1.1):
   * it is refused if the thing was changed in the meantime. All routes of a path have the same.
   */
  readonly version?: Version
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** Takes multipart/form-data with one part, a file in the field `file`, instead of JSON. It then has no `body`. */
  readonly upload?: true
  /** The status of success. */
  readonly status: 200 | 201 | 204
  /** Another status, which the handler chooses, with a body of the same schema: of success, or 400 for an answer that says no. */
  readonly otherStatus?: 201 | 400
  readonly response?: TSchema
  /**
   * A list route takes page, page_size and after, and answers with Total-Number and Link (DECISIONS B3); `whole`: with all
   * rows up to 10,000 where the request names none of these, as scripts for Logto expect (DECISIONS N3).
   */
  readonly list?: true | 'whole'
  /** The field of the answer that holds the rows of a list, where the answer is an object. */
  readonly listIn?: string
  /** The codes this route may answer beside those every route shares. */
  readonly errors?: readonly ApiErrorCode[]
}

/** Routes by their ids. Each keeps the types of its schemas, so that handlers and clients are checked against them. */
export type RouteTable<T extends Readonly<Record<string, Omit<Route, 'id'>>>> = {
  readonly [Id in keyof T & string]: T[Id] & { readonly id: Id }
}

/** Declares routes: the key of each is its id. That no id is in two tables is tested, not checked here. */
export const routes = <const T extends Readonly<Record<string, Omit<Route, 'id'>>>>(definitions: T): RouteTable<T> =>
  Object.fromEntries(Object.entries(definitions).map(([id, route]) => [id, { ...route, id }])) as RouteTable<T>

/** What the caller's token must carry, all of it, unless it carries `all`; nothing: anyone may call the route. */
export const permissionsOf = ({ permission, alsoPermission }: Route): (Permission | typeof ALL_PERMISSION)[] => [
  ...(permission ? [permission] : []),
  ...(alsoPermission ? [alsoPermission] : []),
]

/** Whether it takes `search`; the fields that it names beside it are `search.<field>`. */
export const isSearched = ({ query }: Route): boolean =>
  query !== undefined && Object.hasOwn(query.properties, 'search')

type Input<S> = S extends TSchema ? Static<S> : Record<never, never>

/** The file of an upload. */
export interface Upload {
  readonly file: Uint8Array
}

/** What a handler of the route receives, validated. */
export interface RouteInput<R extends Route> {
  readonly params: Input<R['params']>
  readonly query: Input<R['query']>
  readonly body: R['upload'] extends true ? Upload : R['body'] extends TSchema ? Static<R['body']> : undefined
}

/** What a handler of the route returns; the server drops every field that the response schema does not name. */
export type RouteResult<R extends Route> = R['response'] extends TSchema ? Static<R['response']> : void
