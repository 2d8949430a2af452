/** The guard with the revocation feed, in front of APIs of three frameworks: what ends is refused within a second, and nothing else. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expressGuard, accessTokenOf as ofExpress } from '@countersign/guard/express'
import { fastifyGuard, accessTokenOf as ofFastify } from '@countersign/guard/fastify'
import { honoGuard } from '@countersign/guard/hono'
import { type RevocationFeed, revocationFeed } from '@countersign/guard/revocations'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { arrival, createRevocationWorld, ENDS, type Kind, type RevocationWorld } from './revocation-world.ts'

let server: TestServer
let world: RevocationWorld
const feeds: RevocationFeed[] = []
const closers: (() => unknown)[] = []
/** Asks an API with a token; the status. */
const apis: Record<string, (token: string) => Promise<number>> = {}

const follow = () => {
  const feed = revocationFeed(server.issuer, {
    ...world.api,
    whenSilent: 'refuse',
    now: () => server.clock.now(),
  })
  feeds.push(feed)
  return {
    issuer: server.issuer,
    audience: world.arranged.resource.indicator,
    now: () => server.clock.now(),
    revocations: feed,
  }
}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createRevocationWorld(server)
  const ask = async (origin: string, token: string) =>
    (await fetch(`${origin}/`, { headers: { authorization: `Bearer ${token}` } })).status

  const inFastify = fastify()
  inFastify.get(
    '/',
    { onRequest: fastifyGuard(follow())('read:orders') },
    async (request) => ofFastify(request).subject,
  )
  const origin = await inFastify.listen({ host: '127.0.0.1', port: 0 })
  closers.push(() => inFastify.close())
  apis.fastify = (token) => ask(origin, token)

  const inExpress = express()
  inExpress.get('/', expressGuard(follow())('read:orders'), (request, response) => {
    response.json(ofExpress(request).subject)
  })
  const listening: Server = createServer(inExpress)
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  closers.push(() => listening.close())
  apis.express = (token) => ask(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`, token)

  const inHono = new Hono()
  inHono.get('/', honoGuard(follow())('read:orders'), (c) => c.json(c.var.accessToken.subject))
  apis.hono = async (token) =>
    (await inHono.request('http://api.example/', { headers: { authorization: `Bearer ${token}` } })).status
})
afterAll(async () => {
  for (const feed of feeds) feed.close()
  for (const close of closers) await close()
  await server.close()
})

test.each(ENDS)('when %s', async (_how, ended, end) => {
  const one = await arrival(world)
  const kinds = Object.keys(one.tokens) as Kind[]
  const statuses = async () => {
    const asked = kinds.flatMap((kind) =>
      Object.entries(apis).map(async ([name, ask]) => [`${kind} ${name}`, await ask(one.tokens[kind])] as const),
    )
    return Object.fromEntries(await Promise.all(asked))
  }
  const expected = (which: readonly Kind[]) =>
    Object.fromEntries(
      kinds.flatMap((kind) => Object.keys(apis).map((name) => [`${kind} ${name}`, which.includes(kind) ? 401 : 200])),
    )
  expect(await statuses()).toEqual(expected([]))
  await end(one)
  await expect.poll(statuses, { timeout: 1000, interval: 20 }).toEqual(expected(ended))
})
