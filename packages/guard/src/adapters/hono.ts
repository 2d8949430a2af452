import type { MiddlewareHandler } from 'hono'
import { credentialsOf } from '../bearer/credentials.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'
import { type GuardOptions, guarded } from './guarded.ts'

export type { GuardOptions } from './guarded.ts'

/**
 * The environment of a guarded route: `c.var.accessToken`. For `new Hono<GuardEnv>()` when a guard covers the whole
 * app.
 */
export interface GuardEnv {
  Variables: { accessToken: VerifiedAccessToken }
}

/**
 * Makes middleware for one API: `const guard = honoGuard({ issuer, audience })`, then `app.use(guard())` or
 * `app.get('/orders', guard('read:orders'), handler)`. A refused request is answered immediately, as RFC 6750 §3 says.
 */
export function honoGuard(options: GuardOptions) {
  const guard = guarded(options)
  return (...requiredScopes: readonly string[]): MiddlewareHandler<GuardEnv> => {
    const verify = guard(...requiredScopes)
    return async (c, next) => {
      const outcome = await verify((takesProofs) => credentialsOf(c.req.raw, takesProofs))
      if ('refused' in outcome) {
        const { status, headers, body } = outcome.refused
        return new Response(body, { status, headers })
      }
      c.set('accessToken', outcome.accessToken)
      await next()
      return undefined
    }
  }
}
