import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { post } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const redeemed = async () => {
  const app = await createApp(server, 'SPA')
  const { username } = await createUser(server)
  const begun = await begin(app.configuration, { scope: 'openid offline_access' })
  const back = await signIn(newBrowser(), begun, username)
  const { refresh_token: refreshToken = '' } = await redeem(app.configuration, back, begun)
  const parameters = {
    grant_type: 'authorization_code',
    client_id: app.id,
    code: back.url.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: begun.verifier,
  }
  const refresh = () => client.refreshTokenGrant(app.configuration, refreshToken)
  return { refresh, replay: () => post(server, '/token', parameters) }
}
const kept = async () =>
  (await server.store.database.pool.query('SELECT count(*)::int AS n FROM authorization_codes')).rows[0].n

test('R-8 a code that is used again revokes what came of it, a day later too, whatever was tidied up meanwhile', async () => {
  const [first, second] = [await redeemed(), await redeemed()]
  server.clock.advance(86_400)
  await forgetExpired(server.store)
  expect((await first.replay()).body.error).toBe('invalid_grant')
  await expect(first.refresh()).rejects.toMatchObject({ error: 'invalid_grant' })
  // then it is forgotten: the refresh token of the other is alive
  expect(await kept()).toBe(1)
  server.clock.advance(61)
  await forgetExpired(server.store)
  expect(await kept()).toBe(0)
  expect((await second.replay()).body.error).toBe('invalid_grant')
  expect((await second.refresh()).access_token).toBeDefined()
})

test('a code that expired before it was used revokes nothing when it comes late', async () => {
  const app = await createApp(server, 'SPA')
  const { id, username } = await createUser(server)
  const begun = await begin(app.configuration, { scope: 'openid offline_access' })
  const back = await signIn(newBrowser(), begun, username)
  const grants = async () => (await server.api('GET', `/users/${id}/grants`)).body.grants
  const before = await grants()
  expect(before).toHaveLength(1)
  server.clock.advance(60)
  await expect(redeem(app.configuration, back, begun)).rejects.toMatchObject({ error: 'invalid_grant' })
  expect(await grants()).toEqual(before)
})
