/**
 * Cross-origin requests (Fetch standard): exact origins, no credentials, and never for pages (SECURITY R-33); any origin for documents
 * that are the same for everyone.
 */
import type { Tenant } from '../kernel/tenant.ts'
import type { Answer, Endpoint, Exchange } from './exchange.ts'

export type IsAllowedOrigin = (tenant: Tenant, origin: string) => Promise<boolean>

const PREFLIGHT_SECONDS = '600'
/** What a script may read of an answer beside its body. */
const EXPOSED = [
  ...['x-request-id', 'www-authenticate', 'dpop-nonce', 'retry-after', 'ignored-members', 'link', 'total-number'],
].join(', ')

const allowance = async (
  { tenant, headers }: Exchange,
  isAllowed: IsAllowedOrigin,
): Promise<Record<string, string>> => {
  const { origin } = headers
  if (origin === undefined || !(await isAllowed(tenant, origin))) return {}
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED, vary: 'Origin' }
}

/** The endpoint with the headers that let a browser read its answer, errors included. */
const readable = (endpoint: Endpoint, isAllowed: IsAllowedOrigin): Endpoint => ({
  ...endpoint,
  async handle(exchange): Promise<Answer> {
    if (exchange.headers.origin === undefined) return endpoint.handle(exchange)
    const allowed = await allowance(exchange, isAllowed)
    let answer: Answer
    try {
      answer = await endpoint.handle(exchange)
    } catch (error) {
      answer = endpoint.renderError(error, exchange)
    }
    return { ...answer, headers: { ...answer.headers, ...allowed } }
  },
})

/**
 * The same endpoints, open to scripts of the allowed origins, with the preflight that browsers send before.
 * @param requestHeaders what scripts may send beside `authorization`, `dpop` and `content-type`
 */
export const withCors = (
  endpoints: readonly Endpoint[],
  isAllowed: IsAllowedOrigin,
  requestHeaders: readonly string[] = [],
): Endpoint[] => {
  const paths = Map.groupBy(endpoints, ({ path }) => path)
  const preflights = [...paths].flatMap(([path, [first, ...others]]): Endpoint[] =>
    first
      ? [
          {
            ...first,
            method: 'OPTIONS',
            path,
            handle: async (exchange) => ({
              status: 204,
              headers: {
                ...(await allowance(exchange, isAllowed)),
                'access-control-allow-methods': [first, ...others].map(({ method }) => method).join(', '),
                'access-control-allow-headers': ['authorization', 'content-type', 'dpop', ...requestHeaders].join(', '),
                'access-control-max-age': PREFLIGHT_SECONDS,
              },
            }),
          },
        ]
      : [],
  )
  return [...endpoints.map((endpoint) => readable(endpoint, isAllowed)), ...preflights]
}

/**
 * Documents that are the same for everyone, and say so in `access-control-allow-origin`, with the preflight that a browser sends before a
 * client adds headers of its own, such as the version of the Model Context Protocol.
 */
export const publicDocuments = (documents: readonly Endpoint[]): Endpoint[] =>
  documents.flatMap((document) => [
    document,
    {
      ...document,
      method: 'OPTIONS',
      handle: async () => ({
        status: 204,
        headers: {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET',
          'access-control-allow-headers': '*',
          'access-control-max-age': PREFLIGHT_SECONDS,
        },
      }),
    },
  ])
