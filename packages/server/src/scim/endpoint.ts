/**
 * What every SCIM endpoint does around its handler: finds the directory of the bearer token, reads the body, performs
 * operations on behalf of the directory, records refusals of writes, and renders responses and errors.
 */
import type { EventType } from '@countersign/contract/events.ts'
import type { DirectoryRow } from '../domain/provisioning/directories.ts'
import { directoryOfToken } from '../domain/provisioning/tokens.ts'
import { callerOf } from '../http/caller-of.ts'
import { ANONYMOUS_BODY_LIMIT, type Answer, type Endpoint, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { assertText, parseJsonBody } from '../http/json-body.ts'
import { type Parameters, parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { type Caller, withStatus } from '../kernel/caller.ts'
import type { SlidingLimit } from '../kernel/sliding-limit.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { isRemembered, type Operation, perform } from '../storage/unit-of-work.ts'
import { CONTENT_TYPE, refused, renderScimError, ScimError, scimErrorOf, tooManyRequests } from './errors.ts'

/** The largest body in bytes that a directory may send; published in `/ServiceProviderConfig`. */
export const LARGEST_BODY = 1024 * 1024

/** Where the endpoints of a directory are. */
export const PREFIX = '/scim/v2/:directoryId'

/** What a handler may use. */
export interface ScimCall {
  readonly store: Store
  readonly tenant: Tenant
  readonly directory: DirectoryRow
  readonly exchange: Exchange
  readonly parameters: Parameters
  /** The address of the directory, without a trailing slash. */
  readonly base: string
  /** The body as JSON; undefined when there is none. */
  readonly body: unknown
  perform<E extends EventType, A extends readonly unknown[], R>(operation: Operation<E, A, R>, ...args: A): Promise<R>
  /** The same on behalf of another action: an operation of Bulk. */
  as(action: string, status: number): ScimCall
  /** Counts an operation of Bulk like a request. Throws 429. */
  countOperation(): void
  /** Leaves an audit entry about a refusal. */
  recordRefusal(error: unknown): void
  /** Logs the cause of a failure that is not the caller's. */
  logFailure(error: unknown): void
}

export interface ScimRoute {
  readonly method: Endpoint['method']
  /** Below the directory. */
  readonly path: string
  /** The end of the key in the audit log. */
  readonly action: string
  /** The status of success. */
  readonly status: number
  /** Whether it changes something. */
  readonly isWriting?: true
  readonly handle: (call: ScimCall) => Promise<Answer>
}

const bearerOf = ({ headers }: Exchange): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '')?.[1]

/** The directory of the request's token, at its own address. Throws 401, 403 while it is disabled. */
const authenticate = async (store: Store, exchange: Exchange): Promise<DirectoryRow> => {
  const token = bearerOf(exchange)
  const directory = token === undefined ? undefined : await directoryOfToken(store, exchange.tenant, token)
  if (!directory || directory.id !== exchange.params.directoryId)
    throw new ScimError(401, undefined, 'The bearer token is missing or does not belong to this directory.')
  if (!directory.is_enabled) throw new ScimError(403, undefined, 'The directory is disabled.')
  return directory
}

const callerFor = (exchange: Exchange, { action, path, status }: ScimRoute, directory: DirectoryRow): Caller => {
  const { directoryId: _directory, ...params } = exchange.params
  return callerOf(exchange, `Scim.${action}`, {
    actor: { type: 'directory', id: directory.id },
    named: [{ type: 'scimDirectory', id: directory.id }],
    request: { method: exchange.method, path: exchange.path, matchedRoute: `${PREFIX}${path}`, params, status },
  })
}

/** Some clients name a content type where they send nothing. */
const bodyOf = ({ body, headers }: Exchange): unknown => {
  if (!body || body.length === 0) return undefined
  try {
    return parseJsonBody(body, headers['content-type'])
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) throw refused('invalidSyntax', error.sentence)
    throw error
  }
}

/** A refusal recorded by an operation is already in the audit log. */
const recordRefusal = (store: Store, tenant: Tenant, caller: Caller, error: unknown): void => {
  if (isRemembered(error)) return
  const { status, scimType, message } = scimErrorOf(error)
  store.audit.add(tenant.id, withStatus(caller, status), {
    result: 'Error',
    error: scimType ?? String(status),
    detail: message,
  })
}

const callOf = (
  store: Store,
  exchange: Exchange,
  directory: DirectoryRow,
  caller: Caller,
  body: unknown,
  countOperation: () => void,
): ScimCall => {
  const { tenant } = exchange
  for (const value of Object.values(exchange.params)) assertText(value, 'the address')
  const parameters = parseParameters(exchange.queryText)
  for (const value of [...parameters.values()].flat()) assertText(value, 'the query')
  return {
    store,
    tenant,
    directory,
    exchange,
    parameters,
    body,
    base: `${tenant.baseUrl}/scim/v2/${directory.id}`,
    perform: (operation, ...args) => perform({ store, tenant, caller }, operation, ...args),
    as(action, status) {
      const own = { ...withStatus(caller, status), action: `Scim.${action}` }
      return callOf(store, exchange, directory, own, body, countOperation)
    },
    countOperation,
    logFailure: (error) =>
      store.log.error({ requestId: exchange.requestId, err: error }, 'an operation of a SCIM request failed'),
    recordRefusal: (error) => recordRefusal(store, tenant, caller, error),
  }
}

/** Counts what a directory does. Throws 429 where it was too much of late. Each node counts separately. */
const countRequest = ({ clock }: Store, limit: SlidingLimit, { tenant_id: tenantId, id }: DirectoryRow): void => {
  const admitted = limit.admit(`${tenantId} ${id}`, clock.now())
  if (!admitted.isAdmitted) throw tooManyRequests(admitted.retryAfter)
}

/** The endpoint of a route. @param limit how many requests and operations of Bulk a directory may send */
export const scimEndpoint = (store: Store, limit: SlidingLimit, route: ScimRoute): Endpoint => {
  const admits = async (exchange: Exchange): Promise<boolean> => {
    try {
      await authenticate(store, exchange)
      return true
    } catch (error) {
      if (error instanceof ScimError) return false
      throw error
    }
  }
  return {
    method: route.method,
    path: `${PREFIX}${route.path}`,
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    larger: { bodyLimit: LARGEST_BODY, admits },
    renderError: renderScimError(store.log),
    async handle(exchange) {
      const directory = await authenticate(store, exchange)
      const count = () => countRequest(store, limit, directory)
      count()
      const caller = callerFor(exchange, route, directory)
      try {
        return await route.handle(callOf(store, exchange, directory, caller, bodyOf(exchange), count))
      } catch (error) {
        if (route.isWriting) recordRefusal(store, exchange.tenant, caller, error)
        throw error
      }
    },
  }
}

/** A response with a resource or a message of SCIM. */
export const scimAnswer = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  jsonAnswer(status, value, { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store', ...headers })
