/** SPEC 3: an exchanged token ends when its subject token ends, however many exchanges lie between them. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ACCESS_TOKEN, BILLING, createExchangeWorld, type ExchangeWorld, exchange, ORDERS, PAT } from './arrange.ts'

let server: TestServer
let world: ExchangeWorld
let user: { id: string; username: string }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createExchangeWorld(server)
  user = await world.person()
})
afterAll(() => server.close())

const ask = (subjectToken: string, change: object = {}) =>
  exchange(server.baseUrl, world.backend, {
    subject_token: subjectToken,
    subject_token_type: ACCESS_TOKEN,
    resource: BILLING,
    scope: 'read:bills',
    ...change,
  })

/** The lifetime of tokens of both APIs is 900 s; three of these fit in, four do not. */
const SECONDS = 250
const ON = [
  { resource: ORDERS, scope: 'read:orders' },
  { resource: BILLING, scope: 'read:bills' },
  { resource: ORDERS, scope: 'read:orders' },
]

const FIRST: readonly (readonly [what: string, first: () => ReturnType<typeof ask>])[] = [
  ['delegation', async () => ask((await world.tokensOf(user.username)).jwt)],
  ['impersonation', async () => ask(await world.subjectToken(user.id))],
  [
    'a personal access token',
    async () => {
      const { body } = await server.api('POST', `/users/${user.id}/personal-access-tokens`, { name: 'laptop' })
      return ask(body.value, { subject_token_type: PAT })
    },
  ],
]

test.each(FIRST)('%s', async (_what, first) => {
  let { access_token: token } = (await first()).body
  const { exp } = decodeJwt(token)
  for (const target of ON) {
    server.clock.advance(SECONDS)
    const { status, body } = await ask(token, target)
    expect(status).toBe(200)
    expect(decodeJwt(body.access_token).exp).toBe(exp)
    expect(body.expires_in).toBe(Number(exp) - Math.floor(server.clock.now().getTime() / 1000))
    token = body.access_token
  }
  server.clock.advance(SECONDS)
  const { status, body } = await ask(token)
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})
