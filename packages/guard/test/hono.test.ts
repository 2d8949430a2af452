import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { type GuardEnv, type GuardOptions, honoGuard } from '../src/adapters/hono.ts'
import { behavesAsAGuard, transfers } from './adapter-behaviour.ts'
import { bearerRequest, startIssuer } from './issuer.ts'

/** Hono over node:http: web requests in, web responses out. */
async function listen(fetch: (request: Request) => Response | Promise<Response>): Promise<string> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = new Headers()
    for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
      headers.append(incoming.rawHeaders[i] ?? '', incoming.rawHeaders[i + 1] ?? '')
    }
    const url = `http://${incoming.headers.host}${incoming.url}`
    const response = await fetch(new Request(url, { method: incoming.method ?? 'GET', headers }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
  }
  const server = createServer((incoming, outgoing) => {
    // the caller receives the failure
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

behavesAsAGuard((options: GuardOptions) => {
  const guard = honoGuard(options)
  const app = new Hono()
  if (options.protectedResource) app.use(guard.metadata())
  app.onError((_error, c) => c.text('error', 500))
  app.get('/open', (c) => c.json({}))
  app.get('/me', guard(), (c) => {
    const { subject, scopes } = c.var.accessToken
    return c.json({ subject, scopes: [...scopes] })
  })
  app.post('/orders', guard('write:orders'), (c) => c.json({ subject: c.get('accessToken').subject }))
  app.post('/transfers', guard('write:orders', transfers), (c) => c.json({ subject: c.get('accessToken').subject }))
  app.get('/other/:id', guard(), (c) => {
    const id: string = c.req.param('id')
    return c.json({ id })
  })
  return listen((request) => app.fetch(request))
})

test('a guard may cover everything after it', async () => {
  const issuer = await startIssuer()
  const app = new Hono<GuardEnv>()
  app.use(honoGuard(issuer.expected)('read:orders'))
  app.get('/orders', (c) => c.json({ subject: c.var.accessToken.subject }))
  expect((await app.request('/orders')).status).toBe(401)
  const response = await app.request(bearerRequest(`Bearer ${await issuer.sign()}`))
  expect(await response.json()).toEqual({ subject: 'user-1' })
})
