/**
 * A client of the Management API, made from the contract: a method for each route, named by its id, with the types of its
 * schemas. Needs `fetch` and nothing else; runs in a browser. It does not check answers: the server does that.
 */
import type { Static, TSchema } from 'typebox'
import { API_ROUTES, type ApiRoutes } from './api.ts'
import { ManagementApiError, objectOf } from './client-error.ts'
import type { Route, RouteResult } from './route.ts'

export { ManagementApiError } from './client-error.ts'

export interface ClientOptions {
  /** Of the tenant, as BASE_URL has it: `https://auth.example`. */
  readonly baseUrl: string
  /** An access token for the Management API, or a function that is asked for one before each request. */
  readonly token: string | (() => string | Promise<string>)
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
}

export interface CallOptions {
  /** Gives up when it aborts; there is no timeout otherwise. */
  readonly signal?: AbortSignal
  /** An ETag: the operation is refused with 412 `request.precondition_failed` if the thing was changed since. */
  readonly ifMatch?: string | undefined
  /** Is told the ETag of an answer that has one. */
  readonly onEtag?: (etag: string) => void
}

/** What every list takes beside its own parameters (DECISIONS B3). */
export interface ListQuery {
  /** Counted from 1. */
  readonly page?: number
  /** From 1 to 100; 20 unless said otherwise. */
  readonly page_size?: number
  readonly after?: string
  readonly before?: string
}

/** A page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[]
  /** Of the whole list. */
  readonly total: number
  /** Whether there are more than `total`, which the server stopped counting at. */
  readonly isTotalCapped: boolean
}

type Nothing = Record<never, never>
type Params<R> = R extends { readonly params: infer S extends TSchema } ? { readonly params: Static<S> } : Nothing
type Body<R> = R extends { readonly upload: true } ? { readonly body: { readonly file: Blob } } : JsonBody<R>
type JsonBody<R> = R extends { readonly body: infer S extends TSchema } ? { readonly body: Static<S> } : Nothing
type OwnQuery<R> = R extends { readonly query: infer S extends TSchema } ? Static<S> : Nothing
type AnyQuery<R> = OwnQuery<R> & (R extends { readonly list: true | 'whole' } ? ListQuery : Nothing)
type Query<R> = Nothing extends AnyQuery<R> ? { readonly query?: AnyQuery<R> } : { readonly query: AnyQuery<R> }

/** What a method takes: `params`, `query` and `body`, each if its route has it. */
export type ClientInput<R extends Route> = Params<R> & Query<R> & Body<R>

type Arguments<R extends Route> =
  Nothing extends ClientInput<R>
    ? [input?: ClientInput<R>, options?: CallOptions]
    : [input: ClientInput<R>, options?: CallOptions]

type Rows<R extends Route> = R extends { readonly listIn: infer Field extends keyof RouteResult<R> }
  ? RouteResult<R>[Field]
  : RouteResult<R>
type RowOf<R extends Route> = Rows<R> extends readonly (infer Row)[] ? Row : never

interface Lists<R extends Route> {
  /** Page after page, from the one that is asked for; each is fetched when it is asked for. */
  pages(...args: Arguments<R>): AsyncGenerator<ListPage<RowOf<R>>, void>
  /** The rows of all these pages. */
  all(...args: Arguments<R>): AsyncGenerator<RowOf<R>, void>
}

/** Throws ManagementApiError for every answer that is not one of success, and what `fetch` throws without an answer. */
export type ClientMethod<R extends Route> = ((...args: Arguments<R>) => Promise<RouteResult<R>>) &
  (R extends { readonly list: true | 'whole' } ? Lists<R> : unknown)

/** The client: `client.createRole({ body: { name: 'Support' } })`. */
export type Client = {
  readonly [Id in keyof ApiRoutes]: ApiRoutes[Id] extends Route ? ClientMethod<ApiRoutes[Id]> : never
}

/** An input whose types are no longer checked. */
interface Input {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** One segment of a path. Throws TypeError for a value that would make another path of it. */
const segment = (name: string, value: unknown): string => {
  const text = String(value ?? '')
  if (text === '' || text === '.' || text === '..') throw new TypeError(`params.${name} is "${text}", which is no id`)
  return encodeURIComponent(text)
}

const pathOf = ({ path }: Route, params: Input['params'] = {}): string =>
  path.replace(/:(\w+)/g, (_placeholder, name: string) => segment(name, params[name]))

/** A list of values is one parameter for each; undefined is none. */
const queryOf = (query: Input['query'] = {}): URLSearchParams =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value]
        .flat()
        .filter((each) => each !== undefined)
        .map((each) => [name, String(each)]),
    ),
  )

/**
 * The parameters of the next page (RFC 8288); undefined on the last one. Of the link no more than its query is used, so that
 * no answer sends the token to another address.
 */
const nextOf = (headers: Headers, baseUrl: string): URLSearchParams | undefined => {
  const link = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return link === undefined ? undefined : new URL(link, baseUrl).searchParams
}

/** Whether a refusal is an answer of the route's own, which a body of its schema tells from errors with the same status. */
const saysNo = ({ otherStatus, response }: Route, status: number, text: string): boolean => {
  if (status !== otherStatus) return false
  const body = objectOf(text)
  const { required = [] } = (response ?? {}) as { required?: readonly string[] }
  return required.every((name) => Object.hasOwn(body, name))
}

/** Makes a client. Sends nothing. */
export const createClient = ({ baseUrl, token, fetch = globalThis.fetch }: ClientOptions): Client => {
  const api = `${baseUrl.replace(/\/$/, '')}/api`

  /** The body of a request with its content type; a form sets its own. */
  const encoded = (
    { upload }: Route,
    body: unknown,
  ): { body?: string | FormData; headers?: Record<string, string> } => {
    if (body === undefined) return {}
    if (!upload) return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const form = new FormData()
    form.set('file', (body as { file: Blob }).file)
    return { body: form }
  }

  const send = async (route: Route, input: Input, query: URLSearchParams, options: CallOptions) => {
    const path = pathOf(route, input.params)
    const search = query.size > 0 ? `?${query}` : ''
    const { body: sent, headers } = encoded(route, input.body)
    const response = await fetch(`${api}${path}${search}`, {
      method: route.method,
      headers: {
        authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
        ...headers,
        ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
      },
      ...(sent === undefined ? {} : { body: sent }),
      // the API sends none; another server that does must not be followed with the token
      redirect: 'error',
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const text = await response.text()
    if (!response.ok && !saysNo(route, response.status, text))
      throw new ManagementApiError(`${route.method} ${path}`, response.status, text)
    const etag = response.headers.get('etag')
    if (etag !== null) options.onEtag?.(etag)
    return { body: text === '' ? undefined : (JSON.parse(text) as unknown), headers: response.headers }
  }

  async function* pages(
    route: Route,
    input: Input = {},
    options: CallOptions = {},
  ): AsyncGenerator<ListPage<unknown>, void> {
    let query: URLSearchParams | undefined = queryOf(input.query)
    while (query) {
      const { body, headers } = await send(route, input, query, options)
      const rows = route.listIn ? (body as Record<string, unknown>)[route.listIn] : body
      yield {
        rows: rows as unknown[],
        total: Number(headers.get('total-number')),
        isTotalCapped: headers.get('total-number-is-capped') === 'true',
      }
      query = nextOf(headers, api)
    }
  }

  async function* all(...args: Parameters<typeof pages>): AsyncGenerator<unknown, void> {
    for await (const { rows } of pages(...args)) yield* rows
  }

  const method = (route: Route) => {
    const call = async (input: Input = {}, options: CallOptions = {}) =>
      (await send(route, input, queryOf(input.query), options)).body
    return route.list
      ? Object.assign(call, {
          pages: (input?: Input, options?: CallOptions) => pages(route, input, options),
          all: (input?: Input, options?: CallOptions) => all(route, input, options),
        })
      : call
  }

  return Object.fromEntries(API_ROUTES.map((route) => [route.id, method(route)])) as unknown as Client
}
