import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { incomingCredentials } from '../bearer/incoming-credentials.ts'
import { answerAtMetadata } from '../metadata/protected-resource.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'
import { type GuardOptions, guarded, metadataToServe, type Requirement } from './guarded.ts'

export { accessTokenOf } from './access-token-of.ts'
export type { GuardOptions } from './guarded.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on routes behind a guard. {@link accessTokenOf} is the same without `undefined`. */
    accessToken?: VerifiedAccessToken
  }
}

/** A plugin that answers at the address of the document. */
const serveMetadata = (options: GuardOptions) => {
  const metadata = metadataToServe(options)
  // the framework reads a colon as the start of a parameter
  const url = metadata.path.replaceAll(':', '::')
  return async (app: FastifyInstance): Promise<void> => {
    app.route({
      method: ['GET', 'HEAD', 'OPTIONS'],
      url,
      handler: (request, reply) => {
        const { status, headers, body } = answerAtMetadata(metadata, request.method)
        return reply.code(status).headers(headers).send(body)
      },
    })
  }
}

/**
 * Makes hooks for one API: `const guard = fastifyGuard({ issuer, audience })`, then `app.addHook('onRequest', guard())`
 * or `app.get('/orders', { onRequest: guard('read:orders') }, handler)`. As `onRequest` it runs before the body is read;
 * `preHandler` works too. A refused request is answered immediately, as RFC 6750 §3 says. `app.register(guard.metadata())` serves the
 * document of `protectedResource` (RFC 9728); hooks that cover the whole app cover it too, so put them in a plugin.
 */
export function fastifyGuard(options: GuardOptions) {
  const guard = guarded(options)
  const protect = (...requirements: readonly Requirement[]) => {
    const verify = guard(...requirements)
    return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
      const outcome = await verify((takesProofs) => incomingCredentials(request.raw, request.originalUrl, takesProofs))
      if ('refused' in outcome) {
        const { status, headers, body } = outcome.refused
        return reply.code(status).headers(headers).send(body)
      }
      reply.headers(outcome.headers)
      request.accessToken = outcome.accessToken
      return undefined
    }
  }
  return Object.assign(protect, { metadata: () => serveMetadata(options) })
}
