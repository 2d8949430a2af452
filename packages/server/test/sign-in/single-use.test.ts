import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventually } from '../protocol/arrange.ts'
import { type Begun, begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  node = await server.startNode()
})
afterAll(async () => {
  await node.close()
  await server.close()
})

const authorized = async (scope = 'openid offline_access') => {
  const app = await createApp(server, 'SPA')
  const user = await createUser(server)
  const begun = await begin(app.configuration, { scope })
  const back = await signIn(newBrowser(), begun, user.username)
  return { app, user, begun, back, code: back.url.searchParams.get('code') ?? '' }
}

/** A token request as it is sent, to one of the two nodes. */
const ask = (parameters: Record<string, string>, base = server.baseUrl) =>
  fetch(`${base}/oidc/token`, { method: 'POST', body: new URLSearchParams(parameters) })

const codeRequest = (clientId: string, code: string, { verifier }: Pick<Begun, 'verifier'>) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: CALLBACK,
  code_verifier: verifier,
})

const fifty = <T>(one: (base: string) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, index) => one(index % 2 ? node.url : server.baseUrl)))

describe('R-1 R-2 single use over two nodes', () => {
  test('of 50 concurrent redemptions of a code, one succeeds', async () => {
    const { app, begun, code } = await authorized()
    const answers = await fifty((base) => ask(codeRequest(app.id, code, begun), base))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
  })

  test('50 concurrent refreshes with one token return the same successor', async () => {
    const { app, begun, back } = await authorized()
    const { refresh_token: token = '' } = await redeem(app.configuration, back, begun)
    const answers = await fifty((base) =>
      ask({ grant_type: 'refresh_token', client_id: app.id, refresh_token: token }, base),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as { refresh_token: string }[]
    expect(new Set(bodies.map(({ refresh_token }) => refresh_token)).size).toBe(1)
    expect(bodies[0]?.refresh_token).not.toBe(token)
  })
})

describe('reuse', () => {
  test('R-8 a code that is used again revokes what came of it', async () => {
    const { app, begun, back, code } = await authorized()
    const tokens = await redeem(app.configuration, back, begun)
    await client.fetchUserInfo(app.configuration, tokens.access_token, client.skipSubjectCheck)
    const again = await ask(codeRequest(app.id, code, begun))
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
    await expect(
      client.fetchUserInfo(app.configuration, tokens.access_token, client.skipSubjectCheck),
    ).rejects.toMatchObject({ status: 401 })
    await expect(client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('R-3 a refresh token that is used again after the time for retries ends its family', async () => {
    const { app, begun, back } = await authorized()
    const first = await redeem(app.configuration, back, begun)
    const second = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')
    server.clock.advance(10)
    const retried = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')
    expect(retried.refresh_token).toBe(second.refresh_token)
    server.clock.advance(1)
    await expect(client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(client.refreshTokenGrant(app.configuration, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('R-3 a refresh token presented by another client is invalid, spent or not, and ends nothing', async () => {
    const { app, begun, back } = await authorized()
    const other = await createApp(server, 'SPA')
    const first = await redeem(app.configuration, back, begun)
    const second = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')
    const presented = async (token: string | undefined) => {
      const answer = await ask({ grant_type: 'refresh_token', client_id: other.id, refresh_token: token ?? '' })
      const { request_id: _id, ...body } = (await answer.json()) as Record<string, unknown>
      return [answer.status, body]
    }
    const none = await presented(`cs_rt_${'a'.repeat(21)}.0.${'A'.repeat(43)}`)
    expect(none).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await presented(first.refresh_token)).toEqual(none)
    expect(await presented(second.refresh_token)).toEqual(none)
    server.clock.advance(11)
    expect(await presented(first.refresh_token)).toEqual(none)
    const third = await client.refreshTokenGrant(app.configuration, second.refresh_token ?? '')
    expect(third.refresh_token).toMatch(/^cs_rt_/)
  })

  test('a refresh token that the database does not know, as after a backup was restored, ends nothing', async () => {
    const { app, user, begun, back } = await authorized()
    const first = await redeem(app.configuration, back, begun)
    const second = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')
    await server.store.database.pool.query(
      `UPDATE refresh_families SET generation = 0, rotated_at = NULL
      WHERE grant_id IN (SELECT id FROM grants WHERE user_id = $1)`,
      [user.id],
    )
    await expect(client.refreshTokenGrant(app.configuration, second.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const again = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')
    expect(again.refresh_token).toBe(second.refresh_token)
  })

  test('R-3 two rotations in one second are two generations', async () => {
    const { app, begun, back } = await authorized()
    const first = await redeem(app.configuration, back, begun)
    const second = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')
    const third = await client.refreshTokenGrant(app.configuration, second.refresh_token ?? '')
    expect(new Set([first, second, third].map(({ refresh_token }) => refresh_token)).size).toBe(3)
    // the first is two generations old: no retry, though no time has passed
    await expect(client.refreshTokenGrant(app.configuration, first.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(client.refreshTokenGrant(app.configuration, third.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('R-20 a code is bound', () => {
  test.each([
    ['to its verifier', { code_verifier: 'a'.repeat(43) }],
    ['to the presence of a verifier', { code_verifier: '' }],
    ['to its redirect URI', { redirect_uri: 'https://app.example/callback/' }],
  ])('%s; a wrong one spends it', async (_name, change) => {
    const { app, begun, code } = await authorized()
    const wrong = await ask({ ...codeRequest(app.id, code, begun), ...change })
    expect(wrong.status).toBe(400)
    expect((await ask(codeRequest(app.id, code, begun))).status).toBe(400)
  })

  test('to its client; another one cannot spend it', async () => {
    const { begun, code } = await authorized()
    const other = await createApp(server, 'SPA')
    expect((await ask(codeRequest(other.id, code, begun))).status).toBe(400)
  })

  test('to its having no challenge: a verifier that comes for it nonetheless is refused', async () => {
    const app = await createApp(server)
    const { username } = await createUser(server)
    const unprotected = async () => {
      const begun = await begin(app.configuration)
      for (const name of ['code_challenge', 'code_challenge_method']) begun.url.searchParams.delete(name)
      return { begun, back: await signIn(newBrowser(), begun, username) }
    }
    const { begun, back } = await unprotected()
    await expect(redeem(app.configuration, back, begun)).rejects.toMatchObject({ error: 'invalid_grant' })
    const plain = await unprotected()
    const expected = { expectedState: plain.begun.state, expectedNonce: plain.begun.nonce }
    const { access_token } = await client.authorizationCodeGrant(app.configuration, plain.back.url, expected)
    expect(access_token).toMatch(/^cs_at_/)
  })

  test('to its minute', async () => {
    const { app, begun, code } = await authorized()
    server.clock.advance(61)
    expect((await ask(codeRequest(app.id, code, begun))).status).toBe(400)
  })

  test('a public client without a challenge does not get as far as signing in', async () => {
    const app = await createApp(server, 'SPA')
    const { url } = await begin(app.configuration)
    for (const [name, value] of [
      ['code_challenge', ''],
      ['code_challenge_method', 'plain'],
    ] as const) {
      const changed = new URL(url)
      changed.searchParams.set(name, value)
      const { url: end } = await newBrowser().open(changed)
      expect(end.searchParams.get('error')).toBe('invalid_request')
    }
  })
})

describe('F6 what ends with the user', () => {
  const alive = async (tokens: client.TokenEndpointResponse, configuration: client.Configuration) =>
    client.fetchUserInfo(configuration, tokens.access_token, client.skipSubjectCheck).then(
      () => true,
      () => false,
    )

  test.each([
    ['a suspension', (id: string) => server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })],
    [
      'a new password',
      (id: string) => server.api('PATCH', `/users/${id}/password`, { password: 'another long phrase' }),
    ],
    ['a deletion', (id: string) => server.api('DELETE', `/users/${id}`)],
  ])('%s ends sessions, refresh tokens and opaque tokens at once', async (_name, change) => {
    const { app, user, begun, back } = await authorized()
    const tokens = await redeem(app.configuration, back, begun)
    expect(await alive(tokens, app.configuration)).toBe(true)
    expect((await change(user.id)).status).toBeLessThan(300)
    expect(await alive(tokens, app.configuration)).toBe(false)
    await expect(client.refreshTokenGrant(app.configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('requests for the same thing wait for one another without connections', () => {
  /** Locks the row of a family meanwhile, as a transaction would that does not end. */
  const held = async <T>(familyId: string, work: () => Promise<T>): Promise<T> =>
    withClient(server.databaseUrl, async (database) => {
      await database.query('BEGIN')
      await database.query('SELECT FROM refresh_families WHERE id = $1 FOR UPDATE', [familyId])
      try {
        return await work()
      } finally {
        await database.query('ROLLBACK')
      }
    })

  test('more refreshes of one family than the pool has connections leave connections to others', async () => {
    const known = await authorized()
    const { refresh_token: token = '' } = await redeem(known.app.configuration, known.back, known.begun)
    const other = await authorized()
    const [familyId = ''] = token.slice('cs_rt_'.length).split('.')
    const refreshing = () => ask({ grant_type: 'refresh_token', client_id: known.app.id, refresh_token: token })
    const { max } = server.store.database.pool.options
    const answers = await held(familyId, async () => {
      const sent = Array.from({ length: 3 * max }, refreshing)
      await eventually('all but one wait for their turn', 60_000, async () => {
        const metrics = await server.store.metrics.registry.metrics()
        return metrics.includes(`\ncountersign_token_requests_waiting ${sent.length - 1}\n`)
      })
      // it takes a connection of the pool, as they do
      const { status } = await ask(codeRequest(other.app.id, other.code, other.begun))
      expect(status).toBe(200)
      // those that wait came in time for a retry, however long they wait
      server.clock.advance(60)
      return sent
    })
    const bodies = await Promise.all(answers.map(async (answer) => (await answer).json() as Promise<object>))
    const successors = new Set(bodies.map((body) => (body as { refresh_token?: string }).refresh_token))
    expect([...successors]).toEqual([expect.stringMatching(/^cs_rt_/)])
  })
})
