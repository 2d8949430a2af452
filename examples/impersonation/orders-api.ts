/** The API: serves users, and records the actual caller when an engineer acts as one of them. */
import { accessTokenOf, fastifyGuard } from '@countersign/guard/fastify'
import fastify, { type FastifyInstance } from 'fastify'

/** @param journal receives a line for each call */
export const ordersApi = (issuer: string, audience: string, journal: string[]): FastifyInstance => {
  const guard = fastifyGuard({ issuer, audience })
  const app = fastify()
  app.get('/orders', { onRequest: guard('read:orders') }, async (request) => {
    const { subject, actor, claims } = accessTokenOf(request)
    journal.push(actor ? `${actor.subject} as ${subject}, ticket ${String(claims.ticket)}` : subject)
    return { of: subject, orders: ['apples', 'pears'] }
  })
  return app
}
