import type { FastifyReply, FastifyRequest } from 'fastify'
import { incomingCredentials } from '../bearer/incoming-credentials.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'
import { type GuardOptions, guarded } from './guarded.ts'

export { accessTokenOf } from './access-token-of.ts'
export type { GuardOptions } from './guarded.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes behind a guard. {@link accessTokenOf} is the same without `undefined`. */
    accessToken?: VerifiedAccessToken
  }
}

/**
 * Makes hooks for one API: `const guard = fastifyGuard({ issuer, audience })`, then `app.addHook('onRequest', guard())`
 * or `app.get('/orders', { onRequest: guard('read:orders') }, handler)`. As `onRequest` it runs before the body is read;
 * `preHandler` works too. A refused request is answered immediately, as RFC 6750 §3 says.
 */
export function fastifyGuard(options: GuardOptions) {
  const guard = guarded(options)
  return (...requiredScopes: readonly string[]) => {
    const verify = guard(...requiredScopes)
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const outcome = await verify((takesProofs) => incomingCredentials(request.raw, request.originalUrl, takesProofs))
      if ('refused' in outcome) {
        const { status, headers, body } = outcome.refused
        return reply.code(status).headers(headers).send(body)
      }
      request.accessToken = outcome.accessToken
      return undefined
    }
  }
}
