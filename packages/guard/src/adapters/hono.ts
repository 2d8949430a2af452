import type { MiddlewareHandler } from 'hono'
import { credentialsOf } from '../bearer/credentials.ts'
import { answerAtMetadata } from '../metadata/protected-resource.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'
import { type GuardOptions, guarded, metadataToServe, type Requirement } from './guarded.ts'

export type { GuardOptions } from './guarded.ts'

/**
 * The environment of a guarded route: `c.var.accessToken`. For `new Hono<GuardEnv>()` when a guard covers the whole
 * app.
 */
export interface GuardEnv {
  Variables: { accessToken: VerifiedAccessToken }
}

/** Answers at the address of the document, whatever the method; passes on everything else. */
const serveMetadata = (options: GuardOptions): MiddlewareHandler => {
  const metadata = metadataToServe(options)
  return async (c, next) => {
    if (new URL(c.req.url).pathname !== metadata.path) return next()
    const { status, headers, body } = answerAtMetadata(metadata, c.req.method)
    return new Response(body, { status, headers })
  }
}

/**
 * Makes middleware for one API: `const guard = honoGuard({ issuer, audience })`, then `app.use(guard())` or
 * `app.get('/orders', guard('read:orders'), handler)`. A refused request is answered immediately, as RFC 6750 §3 says.
 * `app.use(guard.metadata())`, before any guard, serves the document of `protectedResource` (RFC 9728).
 */
export function honoGuard(options: GuardOptions) {
  const guard = guarded(options)
  const protect = (...requirements: readonly Requirement[]): MiddlewareHandler<GuardEnv> => {
    const verify = guard(...requirements)
    return async (c, next) => {
      const outcome = await verify((takesProofs) => credentialsOf(c.req.raw, takesProofs))
      if ('refused' in outcome) {
        const { status, headers, body } = outcome.refused
        return new Response(body, { status, headers })
      }
      c.set('accessToken', outcome.accessToken)
      for (const [name, value] of Object.entries(outcome.headers)) c.header(name, value)
      await next()
      return undefined
    }
  }
  return Object.assign(protect, { metadata: () => serveMetadata(options) })
}
