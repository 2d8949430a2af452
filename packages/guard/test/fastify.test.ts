import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { accessTokenOf, fastifyGuard, type GuardOptions } from '../src/adapters/fastify.ts'
import { behavesAsAGuard, transfers } from './adapter-behaviour.ts'
import { startIssuer } from './issuer.ts'

behavesAsAGuard(async (options: GuardOptions) => {
  const guard = fastifyGuard(options)
  const app = fastify()
  onTestFinished(() => app.close())
  const show = async (request: Parameters<typeof accessTokenOf>[0]) => {
    const { subject, scopes } = accessTokenOf(request)
    return { subject, scopes: [...scopes] }
  }
  if (options.protectedResource) await app.register(guard.metadata())
  app.get('/open', async (request) => ({ token: request.accessToken ?? null }))
  app.get('/me', { onRequest: guard() }, show)
  app.post('/orders', { preHandler: guard('write:orders') }, show)
  app.post('/transfers', { onRequest: guard('write:orders', transfers) }, show)
  app.get<{ Params: { id: string } }>('/other/:id', { onRequest: [guard()] }, async (request) => ({
    id: request.params.id,
  }))
  return app.listen({ host: '127.0.0.1', port: 0 })
})

test('a hook covers its scope, and works with inject', async () => {
  const issuer = await startIssuer()
  const app = fastify()
  app.addHook('onRequest', fastifyGuard(issuer.expected)('read:orders'))
  app.get('/me', async (request) => ({ subject: request.accessToken?.subject }))
  expect((await app.inject('/me')).statusCode).toBe(401)
  const headers = { authorization: `Bearer ${await issuer.sign()}` }
  expect((await app.inject({ url: '/me', headers })).json()).toEqual({ subject: 'user-1' })
})
