import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { accessTokenOf, expressGuard, type GuardOptions } from '../src/adapters/express.ts'
import { behavesAsAGuard, call, transfers } from './adapter-behaviour.ts'
import { startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

async function listen(app: express.Express): Promise<string> {
  app.set('env', 'test')
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

behavesAsAGuard((options: GuardOptions) => {
  const guard = expressGuard(options)
  const app = express()
  const show: express.RequestHandler = (request, response) => {
    const { subject, scopes } = accessTokenOf(request)
    response.json({ subject, scopes: [...scopes] })
  }
  if (options.protectedResource) app.use(guard.metadata())
  app.get('/open', (request, response) => {
    response.json({ token: request.accessToken ?? null })
  })
  app.get('/me', guard(), show)
  app.post('/orders', guard('write:orders'), show)
  app.post('/transfers', guard('write:orders', transfers), show)
  app.get('/other/:id', guard(), (request, response) => {
    // The guard does not widen the type of the parameters that Express infers from the path.
    const id: string = request.params.id
    response.json({ id })
  })
  return listen(app)
})

test('a guard may cover everything after it', async () => {
  const issuer = await startIssuer()
  const app = express()
  app.use(expressGuard(issuer.expected)('read:orders'))
  app.get('/me', (request, response) => {
    response.json({ subject: request.accessToken?.subject })
  })
  const origin = await listen(app)
  expect((await call(`${origin}/me`)).status).toBe(401)
  const { body } = await call(`${origin}/me`, ['authorization', `Bearer ${await issuer.sign()}`])
  expect(JSON.parse(body)).toEqual({ subject: 'user-1' })
})

test('a response sent earlier, such as by a timeout, ends only its own request', async () => {
  const issuer = await startIssuer()
  const app = express()
  app.use((_request, response, next) => {
    next()
    response.status(504).end('too late')
  })
  app.get('/me', expressGuard(issuer.expected)())
  const origin = await listen(app)
  const token = await issuer.sign({ exp: 1 })
  for (let i = 0; i < 2; i++) {
    expect((await call(`${origin}/me`, ['authorization', `Bearer ${token}`])).status).toBe(504)
  }
})

test('a handler without a guard gets an error and no token', () => refusedWithout({}))

const refusedWithout = async (request: object) => {
  const error = await refusedWith('configuration_invalid', () => accessTokenOf(request))
  expect(error.message).toBe('The route has no guard, so its request has no access token')
}

test('the scopes of a route are checked when the route is created', async () => {
  const guard = expressGuard({ issuer: 'https://id.example.com/oidc', audience: 'https://api.example.com' })
  await refusedWith('configuration_invalid', () => guard('read:orders write:orders'))
})
