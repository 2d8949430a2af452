/**
 * A client of the Management API that checks every response against the contract: status, shape, and no additional
 * members.
 */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { type ApiErrorCode, statusesOf } from '@countersign/contract/errors.ts'
import { routeErrors } from '@countersign/contract/openapi.ts'
import type { Method, Route } from '@countersign/contract/route.ts'
import Value from 'typebox/value'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape; the contract has checked this one
  readonly body: any
}

export type ApiClient = (
  method: Method,
  path: string,
  body?: unknown,
  options?: { token?: string },
) => Promise<ApiAnswer>

/** Requests a token with client_credentials and Basic. */
export const requestToken = (
  baseUrl: string,
  { clientId, clientSecret }: Pick<Credentials, 'clientId' | 'clientSecret'>,
  parameters: Record<string, string> | URLSearchParams,
): Promise<Response> =>
  fetch(`${baseUrl}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...Object.fromEntries(new URLSearchParams(parameters)),
    }),
  })

const matches = (route: Route, method: Method, path: string): boolean => {
  const pattern = route.path.split('/')
  const segments = path.split('/')
  return (
    route.method === method &&
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith(':') || part === segments[index])
  )
}

const assertContract = (method: Method, path: string, { status, body }: ApiAnswer): void => {
  const route = API_ROUTES.find((candidate) => matches(candidate, method, path.split('?')[0] ?? ''))
  if (!route) return
  const where = `${method} ${path} answered ${status}`
  const isError = body?.code !== undefined && status >= 400
  if (status === route.status || (status === route.otherStatus && !isError)) {
    if (!route.response) {
      if (body !== undefined) throw new Error(`${where} with a body that the contract does not have`)
      return
    }
    const [error] = Value.Errors(route.response, body)
    if (error) throw new Error(`${where}, but ${error.instancePath} ${error.message}`)
    return
  }
  const allowed: string[] = routeErrors(route)
  if (status < 500 && !allowed.includes(body?.code))
    throw new Error(`${where} with ${body?.code}, which the route does not declare`)
  if (!statusesOf(body?.code as ApiErrorCode).includes(status)) throw new Error(`${where} with ${body?.code}`)
}

export const managementClient = (baseUrl: string, credentials: Credentials): ApiClient => {
  let token: Promise<string> | undefined
  const managementToken = async (): Promise<string> => {
    const answer = await requestToken(baseUrl, credentials, { resource: credentials.resource, scope: 'all' })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`no token for the Management API: ${answer.status} ${text}`)
    return JSON.parse(text).access_token
  }
  /** Requested once; requested again after a failure, for example of a server that is being killed. */
  const ownToken = async (): Promise<string> => {
    token ??= managementToken()
    try {
      return await token
    } catch (error) {
      token = undefined
      throw error
    }
  }
  return async (method, path, body, options = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${options.token ?? (await ownToken())}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
    assertContract(method, path, answer)
    return answer
  }
}
