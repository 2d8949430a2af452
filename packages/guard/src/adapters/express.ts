// Express 4 and 5, and whatever else passes Node's own request and response to middleware (Connect, Polka).

import type { IncomingMessage, ServerResponse } from 'node:http'
import { incomingCredentials } from '../bearer/incoming-credentials.ts'
import { answerAtMetadata } from '../metadata/protected-resource.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'
import { type GuardOptions, guarded, metadataToServe, type Requirement } from './guarded.ts'

export { accessTokenOf } from './access-token-of.ts'
export type { GuardOptions } from './guarded.ts'

declare global {
  namespace Express {
    interface Request {
      /** Set on routes behind a guard. {@link accessTokenOf} is the same without `undefined`. */
      accessToken?: VerifiedAccessToken
    }
  }
}

/** `originalUrl` is the whole path: a router removes its own part from `url`. */
type GuardedRequest = IncomingMessage & { accessToken?: VerifiedAccessToken; originalUrl?: string }
type Next = (error?: unknown) => void

/** Answers at the address of the document, whatever the method; passes on everything else. */
const serveMetadata = (options: GuardOptions) => {
  const metadata = metadataToServe(options)
  return (request: GuardedRequest, response: ServerResponse, next: Next): void => {
    const [path] = (request.originalUrl ?? request.url ?? '').split('?')
    if (path === metadata.path) {
      const { status, headers, body } = answerAtMetadata(metadata, request.method ?? 'GET')
      response.writeHead(status, headers).end(body)
    } else next()
  }
}

/**
 * Makes guards for one API: `const guard = expressGuard({ issuer, audience })`, then `app.use(guard())` or
 * `app.get('/orders', guard('read:orders'), handler)`. A refused request is answered immediately, as RFC 6750 §3 says.
 * `app.use(guard.metadata())`, before any guard, serves the document of `protectedResource` (RFC 9728).
 */
export function expressGuard(options: GuardOptions) {
  const guard = guarded(options)
  const protect = (...requirements: readonly Requirement[]) => {
    const verify = guard(...requirements)
    return (request: GuardedRequest, response: ServerResponse, next: Next): void => {
      verify((takesProofs) => incomingCredentials(request, request.originalUrl ?? request.url, takesProofs))
        .then((outcome) => {
          if ('refused' in outcome) {
            const { status, headers, body } = outcome.refused
            response.writeHead(status, headers).end(body)
            return
          }
          for (const [name, value] of Object.entries(outcome.headers)) response.setHeader(name, value)
          request.accessToken = outcome.accessToken
          next()
        })
        // Not the second argument of `then`: if a timeout has already sent a response, writeHead throws.
        .catch(next)
    }
  }
  return Object.assign(protect, { metadata: () => serveMetadata(options) })
}
