/**
 * `/console`: serves the browser application in which administrators look after a tenant. Its files are the same for everyone; what
 * they show comes from the Management API.
 */
import { html } from '@remix-run/html-template'
import { renderApiError } from '../http/api-errors.ts'
import { ANONYMOUS_BODY_LIMIT, type Answer, type Endpoint, type Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { ConsoleOrigin } from '../kernel/console-place.ts'
import type { Log } from '../kernel/log.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type ConsoleFile, consoleFile } from './files.ts'

/** No inline script or style, nothing from elsewhere but pictures of users and the tenant's own server, no frames (SECURITY R-30). */
const policyOf = ({ baseUrl }: Tenant): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: https: ${baseUrl}`,
    "font-src 'self'",
    `connect-src 'self' ${baseUrl}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * At an address of its own the console renews its token by a request to the base URL that is redirected here. The browser then
 * says that it comes from `null` (Fetch standard, "redirect-tainted origin"), and shows the address to the script only if this answer,
 * in which there is nothing but the document, admits that.
 */
const sharedWith = ({ path, headers }: Exchange): Record<string, string> =>
  path === '/console/callback' && headers.origin === 'null'
    ? { 'access-control-allow-origin': 'null', 'access-control-allow-credentials': 'true' }
    : {}

const documentHeaders = (exchange: Exchange): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy': policyOf(exchange.tenant),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  ...sharedWith(exchange),
})
const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}

const NOT_BUILT = 'The console has not been built. Run: npm run build -w packages/console\n'

const answerOf = ({ type, body, encoding }: ConsoleFile, headers: Readonly<Record<string, string>>): Answer => ({
  status: 200,
  headers: {
    ...headers,
    'content-type': type,
    vary: 'Accept-Encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  },
  body,
})

/** Tells the console where it is, and where the tenant is: its issuer, and what else is at the base URL. */
const placed = (console: string, { baseUrl }: Tenant) => {
  const told = html`<meta name="console" content="${console}"><meta name="tenant" content="${baseUrl}"></head>`
  return (document: Buffer): Buffer => Buffer.from(document.toString().replace('</head>', () => String(told)))
}

const accepted = ({ headers }: Exchange): string => String(headers['accept-encoding'] ?? '')

const DOCUMENT = 'index.html'

/**
 * The document for any address of the console, which reads the address itself, and for its own name: never without its policy. A file
 * that lies beside it, by its name.
 */
const documentOr = async (consoleOrigin: ConsoleOrigin, exchange: Exchange, name: string): Promise<Answer> => {
  const { tenant } = exchange
  const file = name === DOCUMENT ? undefined : await consoleFile('', name, accepted(exchange))
  if (file) return answerOf(file, { ...ASSET_HEADERS, 'cache-control': 'public, max-age=300' })
  const headers = documentHeaders(exchange)
  const change = placed(consoleOrigin(tenant) ?? tenant.baseUrl, tenant)
  const document = await consoleFile('', DOCUMENT, accepted(exchange), change)
  if (document) return answerOf(document, headers)
  return { status: 404, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' }, body: NOT_BUILT }
}

const asset = async (exchange: Exchange): Promise<Answer> => {
  const file = await consoleFile('assets', exchange.params.name ?? '', accepted(exchange))
  if (!file) throw new ApiError('request.not_found')
  return answerOf(file, ASSET_HEADERS)
}

/** The endpoints of the console. */
export const consoleEndpoints = (log: Log, consoleOrigin: ConsoleOrigin): Endpoint[] => {
  const endpoint = (path: string, handle: Endpoint['handle']): Endpoint => ({
    method: 'GET',
    path,
    part: 'console',
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    handle,
    renderError: renderApiError(log),
  })
  return [
    endpoint('/console', (exchange) => documentOr(consoleOrigin, exchange, DOCUMENT)),
    endpoint('/console/assets/:name', asset),
    endpoint('/console/*', (exchange) => documentOr(consoleOrigin, exchange, exchange.path.slice('/console/'.length))),
  ]
}
