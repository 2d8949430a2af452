import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { authorize, redeemCode, refresh, signedInUser } from '../sign-in/user-tokens.ts'
import { type Arranged, arrange, askToken, issue, registerApplication, send } from './arrange.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
})
afterAll(() => server.close())

const KEY = 'ExchangeTokenBy.ClientCredentials'
// entries of the same time have no order
beforeEach(() => server.clock.advance(1))

const latest = async (query: string) => (await server.api('GET', `/logs?${query}`)).body[0]

describe('the audit entry of a token (DECISIONS D5)', () => {
  test('says which kind of token was chosen and why, what was granted, and what was dropped and why', async () => {
    const { claims } = await issue(server, arranged, 'read:orders write:orders nothing')
    const entry = await latest(`applicationId=${arranged.client.clientId}&logKey=${KEY}`)
    const why = 'no role of the subject holds a permission of exactly this name for the resource'
    expect(entry).toMatchObject({
      key: KEY,
      createdAt: server.clock.now().getTime(),
      payload: {
        key: KEY,
        result: 'Success',
        actor: { type: 'application', id: arranged.client.clientId },
        applicationId: arranged.client.clientId,
        secretName: 'Default secret',
        resource: arranged.resource.indicator,
        scope: 'read:orders',
        tokenKind: 'a JWT, because a resource was asked for',
        dropped: [
          { scope: 'write:orders', why },
          { scope: 'nothing', why },
        ],
        jti: claims.jti,
        ip: '127.0.0.1',
      },
    })
    expect(JSON.stringify(entry)).not.toContain(arranged.client.clientSecret)
  })

  const names = (dropped: readonly { scope: string }[] = []) => dropped.map(({ scope }) => scope)

  test('of an opaque token names the permissions that it cannot have, for the code and the refresh token', async () => {
    const known = await signedInUser(server)
    const made = await authorize(known, 'openid offline_access profile read:x nothing', [])
    const { body } = await redeemCode(server, known, made)
    expect(body.scope).toBe('openid offline_access profile')
    const entryOf = async (grant: string) =>
      (await latest(`applicationId=${known.app.id}&logKey=ExchangeTokenBy.${grant}`)).payload
    const { dropped } = await entryOf('AuthorizationCode')
    const why = expect.stringContaining('opaque')
    expect(dropped).toEqual(['read:x', 'nothing'].map((scope) => ({ scope, why })))
    expect((await refresh(server, known, body.refresh_token, { scope: 'read:x' })).body.scope).toBe('')
    expect(names((await entryOf('RefreshToken')).dropped)).toEqual(['read:x'])
  })

  test('of a third-party authorization names what the application may not request, before there is a token', async () => {
    const { configuration, id } = await createApp(server, 'SPA', { isThirdParty: true })
    const { username } = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(configuration, { scope: 'openid profile read:orders' })
    await browser.submit(await signIn(browser, begun, username), { answer: 'allow' })
    const { payload } = await latest(`applicationId=${id}&logKey=Interaction.Authorize`)
    expect([payload.scope, names(payload.dropped)]).toEqual(['openid', ['profile', 'read:orders']])
    expect(payload.dropped[0].why).toContain('third party')
  })

  test('distinguishes the default API from a requested one', async () => {
    const { client } = await arrange(server, { resource: { isDefault: true } })
    await askToken(server, client, { scope: 'read:orders' })
    const entry = await latest(`applicationId=${client.clientId}`)
    expect(entry.payload.tokenKind).toBe('a JWT for the default API, because no resource was asked for')
    expect(entry.payload).not.toHaveProperty('dropped')
  })

  test('carries the request id of the response', async () => {
    const { headers } = await askToken(server, arranged.client, { resource: arranged.resource.indicator })
    const entry = await latest(`applicationId=${arranged.client.clientId}`)
    expect(entry.payload.requestId).toBe(headers['x-request-id'])
  })

  test('is written once for each of 100 concurrent tokens', async () => {
    const one = await arrange(server)
    const issued = await Promise.all(Array.from({ length: 100 }, () => issue(server, one)))
    const { body } = await server.api('GET', `/logs?applicationId=${one.client.clientId}&logKey=${KEY}&page_size=100`)
    const logged = body.map(({ payload }: { payload: { jti: string } }) => payload.jti)
    expect(logged.toSorted()).toEqual(issued.map(({ claims }) => claims.jti).toSorted())
  })
})

describe('the audit entry of a refusal', () => {
  test('names the reason that the response withholds', async () => {
    const client = await registerApplication(server)
    const reply = await askToken(server, { ...client, clientSecret: 'wrong' })
    expect(reply.text).not.toContain(client.clientId)
    const entry = await latest('logKey=ExchangeTokenBy.Unknown')
    expect(entry.payload).toMatchObject({
      result: 'Error',
      error: 'invalid_client',
      reason: `client ${client.clientId} has no such secret, or it has expired`,
      requestId: reply.headers['x-request-id'],
    })
    expect(JSON.stringify(entry)).not.toContain('wrong')
  })

  test('of an authenticated client belongs to it', async () => {
    const client = await registerApplication(server)
    await askToken(server, client, { resource: 'https://nobody.example' })
    const entry = await latest(`applicationId=${client.clientId}`)
    expect(entry).toMatchObject({ key: KEY, payload: { result: 'Error', error: 'invalid_target' } })
  })

  test('is a single one, with its reason, even if the refusal is stored in the database', async () => {
    const { configuration, id } = await createApp(server)
    const { username } = await createUser(server)
    const begun = await begin(configuration)
    const back = await signIn(newBrowser(), begun, username)
    await redeem(configuration, back, begun)
    await expect(redeem(configuration, back, begun)).rejects.toMatchObject({ error: 'invalid_grant' })
    const { body } = await server.api('GET', `/logs?applicationId=${id}&logKey=ExchangeTokenBy.AuthorizationCode`)
    const refused = body.filter(({ payload }: { payload: { result: string } }) => payload.result === 'Error')
    expect(refused).toHaveLength(1)
    expect(refused[0].payload).toMatchObject({
      error: 'invalid_grant',
      reason: 'the code was used before; everything issued from it is revoked',
      applicationId: id,
    })
  })

  test('is written for requests that are not a form, and accepts any user agent', async () => {
    const agent = `agent ${'x'.repeat(4000)}`
    const reply = await send(`${server.issuer}/token`, { headers: { 'user-agent': agent }, body: '\0\xff' })
    expect(reply.status).toBe(400)
    const entry = await latest('logKey=ExchangeTokenBy.Unknown')
    expect(entry.payload).toMatchObject({ result: 'Error', error: 'invalid_request', userAgent: agent.slice(0, 512) })
  })

  test('holds any id that an unauthenticated caller sends, as text', async () => {
    await askToken(server, { clientId: encodeURIComponent('\u0001\u2028"\\u0000'), clientSecret: 'x' })
    const entry = await latest('logKey=ExchangeTokenBy.Unknown')
    expect(entry.payload.error).toBe('invalid_client')
  })
})
