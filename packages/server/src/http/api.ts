/**
 * Binds routes of the contract to their handlers and turns them into endpoints: permission, validation of params, query
 * and body, pagination, and a response that contains only what the response schema names. All of it is derived from the
 * route.
 */

import type { EventType } from '@countersign/contract/events.ts'
import { isSearched, type Route, type RouteInput, type RouteResult } from '@countersign/contract/route.ts'
import { LARGEST_UPLOAD } from '@countersign/contract/user-assets.ts'
import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { ApiError } from '../kernel/api-error.ts'
import { type Caller, withStatus } from '../kernel/caller.ts'
import { checkInput } from '../kernel/checked-input.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Page, PageRequest } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'
import { isRemembered, type Operation, perform, type Unit } from '../storage/unit-of-work.ts'
import { apiErrorOf, renderApiError } from './api-errors.ts'
import { callerOf } from './caller-of.ts'
import {
  ANONYMOUS_BODY_LIMIT,
  type Answer,
  type Endpoint,
  type Exchange,
  jsonAnswer,
  TransportError,
} from './exchange.ts'
import { ignoredMembers } from './ignored-members.ts'
import { assertJsonType, assertText, parseJsonBody } from './json-body.ts'
import { assertUploadType, parseUpload, UPLOAD_BODY_LIMIT } from './multipart.ts'
import { namedEntities } from './named-entities.ts'
import { FIRST_PAGE, pageHeaders, parsePage } from './pagination.ts'
import { type Parameters, parseParameters } from './parameters.ts'
import { checkedFirst, etagOf, isNamed } from './versions.ts'

/** DECISIONS M, for callers who may call the route. */
const BODY_LIMIT = 1024 * 1024

/** What a handler may use: the caller, the tenant, and the means to run operations. */
export interface Call {
  readonly store: Store
  readonly tenant: Tenant
  readonly caller: Caller
  readonly page: PageRequest
  /** The raw request, for routes that are bound to a browser. */
  readonly exchange: Exchange
  /** Sent with the response when the handler succeeds. */
  readonly reply: Reply
  perform<E extends EventType, A extends readonly unknown[], R>(operation: Operation<E, A, R>, ...args: A): Promise<R>
}

export interface Reply {
  /** Chooses the route's other status. */
  useOtherStatus(): void
  /** @param value of Set-Cookie, as writeCookie makes it */
  setCookie(value: string): void
}

type Items<R> = R extends readonly (infer I)[]
  ? I
  : R extends Readonly<Record<string, readonly (infer I)[]>>
    ? I
    : never
/** A list route's handler returns a page; any other returns the body. */
export type HandlerResult<R extends Route> = R['list'] extends true | 'whole'
  ? Page<Items<RouteResult<R>>>
  : RouteResult<R>
type Handler<R extends Route> = (input: RouteInput<R>, call: Call) => Promise<HandlerResult<R>>

export interface BoundRoute {
  readonly route: Route
  readonly handle: (input: { params: unknown; query: unknown; body: unknown }, call: Call) => Promise<unknown>
}

/** Binds each route of a table to the handler of the same name: a missing or ill-typed handler does not compile. */
export const bind = <T extends Readonly<Record<string, Route>>>(
  routes: T,
  handlers: { readonly [K in keyof T]: Handler<T[K]> },
): BoundRoute[] =>
  Object.entries(routes).map(([name, route]) => ({ route, handle: handlers[name] as unknown as BoundRoute['handle'] }))

/** The thing that a route changes, where it has a version. */
export interface Versioned {
  /** Of what is shown of it. */
  readonly schema: TSchema | undefined
  /** What is shown of it, locked until the end of the transaction. */
  current(call: Call, unit: Unit): Promise<unknown>
  /** The error for a caller who has seen an older version. */
  refusal(call: Call, unit: Unit): Promise<ApiError>
}

type CallerIdentity = Pick<Caller, 'actor' | 'application' | 'permissions' | 'needsSignIn'>

/**
 * Identifies the caller, throwing 401, and checks the route's permission: returns the refusal if the caller lacks it.
 */
export type Authorize = (exchange: Exchange, route: Route) => Promise<Authorized>

interface Authorized {
  readonly who: CallerIdentity
  readonly refusal?: ApiError
  /** Sent with the answer if the request succeeds. */
  readonly headers?: Readonly<Record<string, string>>
}

const ANONYMOUS: Authorized = { who: { actor: { type: 'system' } } }

const fromQuery = (parameters: Parameters): Record<string, unknown> =>
  Object.fromEntries([...parameters].map(([name, values]) => [name, values.length === 1 ? values[0] : [...values]]))

/**
 * Query values are strings: where the schema requires an integer, a string that is one is converted, and any other is
 * refused.
 */
const withNumbers = ({ properties = {} }: TObject, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { type } = (Object.hasOwn(properties, name) ? properties[name] : {}) as { type?: string }
      return [name, type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value]
    }),
  )

/**
 * A misspelt search must not find everything (DECISIONS Q2): searchable lists refuse
 * unknown `search.<field>` and `mode.<field>`. Any other unknown parameter is ignored (DECISIONS B2).
 */
const assertSearch = ({ properties }: TObject, parameters: Parameters): void => {
  for (const name of parameters.keys()) {
    if (!/^(search|mode)\./.test(name) || Object.hasOwn(properties, name)) continue
    const offered = Object.keys(properties).filter((each) => /^search(\.|$)/.test(each))
    throw new ApiError('request.invalid_input', { reason: `${name} is not supported; use ${offered.join(', ')}` })
  }
}

/** The validator of a schema, compiled when a request first needs it: most routes of an installation are hardly ever called. */
const compiled = (schema: TSchema | undefined): (() => Validator | undefined) => {
  let validator: Validator | undefined
  return () => {
    if (schema) validator ??= Compile(schema)
    return validator
  }
}

const READING = new Set(['GET'])

/** How the keys of its audit entries begin. */
const apiOf = ({ scopes, cookie }: Route): string => {
  if (scopes) return 'AccountApi'
  return cookie ? 'ExperienceApi' : 'ManagementApi'
}

/** A body that is larger than any upload contains a file that is too large. */
const asUploadError = (error: unknown): unknown =>
  error instanceof TransportError && error.kind === 'body-too-large'
    ? new ApiError('guard.file_size_exceeded', { limit: String(LARGEST_UPLOAD) }, { cause: error })
    : error

/**
 * Throws unless a request that carries a browser's cookies can have been made by a page of the server's own origin
 * (SECURITY R-33): the Origin, if sent, must be the server's, and the content type must be one that no form at another
 * origin can send. Any form can send an upload, so that it must have the Origin.
 */
const assertOwnOrigin = ({ tenant, headers }: Exchange, { upload }: Route): void => {
  if ((headers.origin !== undefined || upload) && headers.origin !== new URL(tenant.baseUrl).origin)
    throw new ApiError('session.csrf_token_mismatch')
  if (upload) assertUploadType(headers['content-type'])
  else if (headers['content-type'] !== undefined) assertJsonType(headers['content-type'])
}

interface AnswerParts {
  status: number
  readonly cookies: string[]
  /** Body members that the route does not know. */
  readonly ignored: string | undefined
  readonly headers: Authorized['headers']
}

const PREFIX = '/api'

/** @param versioned of a route that changes a thing with a version */
export const apiEndpoint = (
  store: Store,
  { route, handle }: BoundRoute,
  authorize: Authorize,
  versioned?: Versioned,
): Endpoint => {
  const validators = {
    params: compiled(route.params),
    query: compiled(route.query),
    body: compiled(route.body),
    response: compiled(route.response),
    shown: compiled(versioned?.schema),
  }

  /** Whether the caller may call the route. A refusal is not recorded here: `handle` reaches the same result. */
  const admits = async (exchange: Exchange): Promise<boolean> => {
    try {
      return (await authorize(exchange, route)).refusal === undefined
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  const inputOf = async (exchange: Exchange) => {
    const [params, query, body] = [validators.params(), validators.query(), validators.body()]
    for (const value of Object.values(exchange.params)) assertText(value, 'the address')
    // an impossible id refers to nothing
    if (params && !params.Check(exchange.params)) throw new ApiError('entity.not_found')
    const parameters = parseParameters(exchange.queryText)
    for (const value of [...parameters.values()].flat()) assertText(value, 'the query')
    let queryValue: unknown = {}
    if (query && route.query) {
      if (isSearched(route)) assertSearch(route.query, parameters)
      queryValue = query.Clean(withNumbers(route.query, fromQuery(parameters)))
      checkInput(query, queryValue, 'query')
    }
    let bodyValue: unknown
    let ignored: string | undefined
    if (route.upload) {
      const { file } = await parseUpload(exchange.body, exchange.headers['content-type'], LARGEST_UPLOAD)
      bodyValue = { file }
    } else if (body) {
      const sent = parseJsonBody(exchange.body, exchange.headers['content-type'])
      checkInput(body, sent, 'body')
      // cleaning modifies its argument
      bodyValue = body.Clean(structuredClone(sent))
      ignored = ignoredMembers(sent, bodyValue)
    }
    return { input: { params: exchange.params, query: queryValue, body: bodyValue }, parameters, ignored }
  }

  const callerFor = (exchange: Exchange, who: CallerIdentity): Caller =>
    callerOf(exchange, `${apiOf(route)}.${route.id}`, {
      ...who,
      request: {
        method: route.method,
        path: exchange.path.slice(PREFIX.length),
        matchedRoute: route.path,
        params: exchange.params,
        status: route.status,
      },
    })

  const answerOf = (exchange: Exchange, result: unknown, page: PageRequest, parts: AnswerParts): Answer => {
    const { status, cookies, ignored } = parts
    const response = validators.response()
    const headers = {
      'cache-control': 'no-store',
      ...parts.headers,
      ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
      ...(ignored === undefined ? {} : { 'ignored-members': ignored }),
    }
    if (!response) return { status, headers }
    if (!route.list) {
      const body = response.Clean(result)
      return jsonAnswer(status, body, route.version ? { ...headers, etag: etagOf(body, route.version) } : headers)
    }
    const listed = result as Page<unknown>
    const rows = [...listed.items]
    return jsonAnswer(status, response.Clean(route.listIn ? { [route.listIn]: rows } : rows), {
      ...headers,
      ...pageHeaders(exchange, listed, page),
    })
  }

  /** Throws 412 unless the thing is as If-Match says. */
  const checkVersion = async (call: Call, unit: Unit, ifMatch: string): Promise<void> => {
    if (!versioned || !route.version) return
    const shown = validators.shown()?.Clean(await versioned.current(call, unit))
    if (!isNamed(ifMatch, etagOf(shown, route.version))) throw await versioned.refusal(call, unit)
  }

  const larger = route.upload
    ? { bodyLimit: UPLOAD_BODY_LIMIT, admits, isUpload: true as const }
    : { bodyLimit: BODY_LIMIT, admits }
  const render = renderApiError(store.log)
  const isAuthorized = route.permission !== null || route.scopes !== undefined || route.upload === true

  return {
    method: route.method,
    path: `${PREFIX}${route.path}`,
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    ...(isAuthorized ? { larger } : {}),
    ...(route.id === 'getStatus' ? { anyHost: true as const } : {}),
    renderError: (error, request) => render(route.upload ? asUploadError(error) : error, request),
    async handle(exchange) {
      const { tenant } = exchange
      // an upload that was not admitted has no body to check
      const { who, refusal, headers } = isAuthorized ? await authorize(exchange, route) : ANONYMOUS
      let caller = callerFor(exchange, who)
      try {
        if (refusal) throw refusal
        if (route.cookie) assertOwnOrigin(exchange, route)
        const { input, parameters, ignored } = await inputOf(exchange)
        const parts: AnswerParts = { status: route.status, cookies: [], ignored, headers }
        if (!READING.has(route.method) && !route.cookie)
          caller = { ...caller, named: namedEntities(route.path, input.params, input.body) }
        const page = route.list ? parsePage(parameters, route.list) : FIRST_PAGE
        let ifMatch = versioned && exchange.headers['if-match']
        const call: Call = {
          store,
          tenant,
          caller,
          page,
          exchange,
          reply: {
            useOtherStatus: () => {
              parts.status = route.otherStatus ?? route.status
            },
            setCookie: (value) => void parts.cookies.push(value),
          },
          perform(operation, ...args) {
            const work = { store, tenant, caller: withStatus(caller, parts.status) }
            const expected = ifMatch
            // what follows the first meets what that one left
            ifMatch = undefined
            if (expected === undefined) return perform(work, operation, ...args)
            const checked = checkedFirst(operation, (unit) => checkVersion(call, unit, expected))
            return perform(work, checked, ...args)
          },
        }
        return answerOf(exchange, await handle(input, call), page, parts)
      } catch (error) {
        // what an operation refused and recorded is already in the audit log
        if (!READING.has(route.method) && !isRemembered(error)) {
          const { code, status } = apiErrorOf(error)
          store.audit.add(tenant.id, withStatus(caller, status), { result: 'Error', error: code })
        }
        throw error
      }
    },
  }
}
