/**
 * `/console`: serves the browser application in which administrators look after a tenant. Its files are the same for everyone; what
 * they show comes from the Management API.
 */
import { renderApiError } from '../http/api-errors.ts'
import { ANONYMOUS_BODY_LIMIT, type Answer, type Endpoint, type Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Log } from '../kernel/log.ts'
import { type ConsoleFile, consoleFile } from './files.ts'

/** No inline script or style, nothing from elsewhere but pictures of users, no frames (SECURITY R-30). */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const DOCUMENT_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}
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

const accepted = ({ headers }: Exchange): string => String(headers['accept-encoding'] ?? '')

const DOCUMENT = 'index.html'

/**
 * The document for any address of the console, which reads the address itself, and for its own name: never without its policy. A file
 * that lies beside it, by its name.
 */
const documentOr = async (exchange: Exchange, name: string): Promise<Answer> => {
  const file = name === DOCUMENT ? undefined : await consoleFile('', name, accepted(exchange))
  if (file) return answerOf(file, { ...ASSET_HEADERS, 'cache-control': 'public, max-age=300' })
  const document = await consoleFile('', DOCUMENT, accepted(exchange))
  if (document) return answerOf(document, DOCUMENT_HEADERS)
  return { status: 404, headers: { ...DOCUMENT_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, body: NOT_BUILT }
}

const asset = async (exchange: Exchange): Promise<Answer> => {
  const file = await consoleFile('assets', exchange.params.name ?? '', accepted(exchange))
  if (!file) throw new ApiError('request.not_found')
  return answerOf(file, ASSET_HEADERS)
}

/** The endpoints of the console. */
export const consoleEndpoints = (log: Log): Endpoint[] => {
  const endpoint = (path: string, handle: Endpoint['handle']): Endpoint => ({
    method: 'GET',
    path,
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    handle,
    renderError: renderApiError(log),
  })
  return [
    endpoint('/console', (exchange) => documentOr(exchange, DOCUMENT)),
    endpoint('/console/assets/:name', asset),
    endpoint('/console/*', (exchange) => documentOr(exchange, exchange.path.slice('/console/'.length))),
  ]
}
