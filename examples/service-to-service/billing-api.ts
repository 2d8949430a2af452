/**
 * API B: returns what a user owes to callers that have a token of that user for this API, issued to an expected
 * application.
 */
import { accessTokenOf, fastifyGuard } from '@countersign/guard/fastify'
import fastify, { type FastifyInstance } from 'fastify'

/** @param callers ids of the applications that may call on behalf of users */
export const billingApi = (issuer: string, audience: string, callers: readonly string[]): FastifyInstance => {
  const guard = fastifyGuard({ issuer, audience })
  const app = fastify()
  app.get('/bills', { onRequest: guard('read:bills') }, async (request, reply) => {
    const { subject, clientId } = accessTokenOf(request)
    if (!callers.includes(clientId)) return reply.code(403).send({ error: 'this application may not call' })
    return { amount: 12, of: subject, asked: clientId }
  })
  return app
}
