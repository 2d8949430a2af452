/** `/one-time-tokens`: made, shown without the value, sent, used once and ended. Signing in with one is tested with the Experience API. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, fresh, holdFinePermissions, managementToken } from './arrange.ts'
import { connectMailServer, type MailServer } from './mail.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await holdFinePermissions(server)
})
afterAll(() => server.close())

const address = () => `${fresh('link')}@example.com`
const create = async (body: object = {}) => {
  const { status, body: made } = await server.api('POST', '/one-time-tokens', { email: address(), ...body })
  expect(status).toBe(201)
  return made as { id: string; token: string; email: string; expiresAt: number }
}
const verify = async (token: string, email: string) => {
  const { status, body } = await server.api('POST', '/one-time-tokens/verify', { token, email })
  return [status, status === 200 ? body.status : body.code]
}
const statusOf = async (id: string) => (await server.api('GET', `/one-time-tokens/${id}`)).body.status
const setStatus = async (id: string, status: string) => {
  const { status: answered, body } = await server.api('PUT', `/one-time-tokens/${id}/status`, { status })
  return [answered, answered === 200 ? body.status : body.code]
}

describe('a one-time token', () => {
  test('is shown once and stored as a hash; it lives ten minutes by default', async () => {
    const context = { interactionEvent: 'Register' }
    const made = await create({ context })
    const now = server.clock.now().getTime()
    const shown = { tenantId: 'default', id: made.id, email: made.email, context, status: 'active', createdAt: now }
    expect(made).toEqual({ ...shown, token: expect.stringMatching(/^cs_ot_/), expiresAt: now + 600_000 })
    expect((await server.api('GET', `/one-time-tokens/${made.id}`)).body).toEqual({
      ...shown,
      expiresAt: now + 600_000,
    })
    expect((await create({ expiresIn: 1 })).expiresAt).toBe(now + 1000)
    const kept = await server.store.database.pool.query('SELECT to_jsonb(t)::text AS row FROM one_time_tokens t')
    expect(kept.rows.map(({ row }) => row).join()).not.toContain(made.token)
    await expect
      .poll(async () => (await server.api('GET', `/logs?entity_id=${made.id}`)).body.length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    expect(JSON.stringify((await server.api('GET', '/logs?page_size=100')).body)).not.toContain(made.token)
  })

  test('is used up by the first who verifies it, for its address in any spelling and for no other', async () => {
    const { id, token, email } = await create()
    expect(await verify(token, 'other@example.com')).toEqual([400, 'one_time_token.email_mismatch'])
    expect(await verify(`${token.slice(0, -1)}_`, email)).toEqual([404, 'one_time_token.token_not_found'])
    expect(await verify('no token', email)).toEqual([404, 'one_time_token.token_not_found'])
    expect(await verify(token, email.toUpperCase())).toEqual([200, 'consumed'])
    expect(await verify(token, email)).toEqual([400, 'one_time_token.token_consumed'])
    expect(await statusOf(id)).toBe('consumed')
  })

  test('can be ended and deleted, and never becomes active again', async () => {
    const { id, token, email } = await create()
    expect(await setStatus(id, 'active')).toEqual([400, 'one_time_token.cannot_reactivate_token'])
    expect(await setStatus(id, 'revoked')).toEqual([200, 'revoked'])
    expect(await setStatus(id, 'revoked')).toEqual([200, 'revoked'])
    expect(await setStatus(id, 'active')).toEqual([400, 'one_time_token.cannot_reactivate_token'])
    expect(await setStatus(id, 'consumed')).toEqual([400, 'one_time_token.token_revoked'])
    expect(await verify(token, email)).toEqual([400, 'one_time_token.token_revoked'])
    expect((await server.api('DELETE', `/one-time-tokens/${id}`)).status).toBe(204)
    expect(await verify(token, email)).toEqual([404, 'one_time_token.token_not_found'])
  })

  test('is listed by its address and by its status now', async () => {
    const email = address()
    const [expired, active, revoked] = [
      await create({ email, expiresIn: 1 }),
      await create({ email }),
      await create({ email }),
    ]
    await setStatus(revoked.id, 'revoked')
    server.clock.advance(1)
    const listed = async (query: string) => {
      const { body } = await server.api('GET', `/one-time-tokens?email=${email.toUpperCase()}${query}`)
      return body.map(({ id }: { id: string }) => id).sort()
    }
    expect(await listed('')).toEqual([expired.id, active.id, revoked.id].sort())
    expect(await listed('&status=expired')).toEqual([expired.id])
    expect(await listed('&status=active')).toEqual([active.id])
    expect(await listed('&status=revoked')).toEqual([revoked.id])
    expect((await server.api('GET', '/one-time-tokens?email=nobody@example.com')).body).toEqual([])
  })

  test('adds no member without the permission for organizations', async () => {
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
    const body = { email: address(), context: { jitOrganizationIds: [organization.id] } }
    const token = await managementToken(server, 'write:users')
    const refused = await call(server, 'POST', '/one-time-tokens', { token, body })
    expect([refused.status, refused.body]).toMatchObject([403, { data: { permission: 'write:organizations' } }])
    const both = await managementToken(server, 'write:users write:organizations')
    expect((await call(server, 'POST', '/one-time-tokens', { token: both, body })).status).toBe(201)
    const none = { email: address(), context: { jitOrganizationIds: [] } }
    expect((await call(server, 'POST', '/one-time-tokens', { token, body: none })).status).toBe(201)
  })
})

describe('its mail', () => {
  const link = 'https://app.example/welcome?from=mail'
  let mail: MailServer
  beforeAll(async () => {
    const messagePayload = { link }
    const { status, body } = await server.api('POST', '/one-time-tokens', { email: address(), messagePayload })
    expect([status, body.code]).toEqual([501, 'connector.not_found'])
    mail = await connectMailServer(server)
  })
  afterAll(() => mail.close())

  test('has the link with the token and the address, in the requested language', async () => {
    const { token, email } = await create({ messagePayload: { link, uiLocales: 'de' }, expiresIn: 900 })
    await mail.got(1)
    const sent = new URL(link)
    sent.searchParams.set('one_time_token', token)
    sent.searchParams.set('login_hint', email)
    expect(mail.mails[0]).toMatchObject({ recipients: [email], text: expect.stringContaining(sent.href) })
    expect(mail.mails[0]?.text).toContain('15 Minuten')
  })

  test('never links to other origins, and is sent to one recipient at most ten times in ten minutes', async () => {
    for (const wrong of ['http://app.example/', 'javascript:alert(1)', 'https://user@app.example/', 'no address']) {
      const body = { email: address(), messagePayload: { link: wrong } }
      const refused = await server.api('POST', '/one-time-tokens', body)
      expect([refused.status, refused.body.code]).toEqual([400, 'guard.invalid_input'])
    }
    const email = address()
    for (let sent = 0; sent < 10; sent += 1) await create({ email, messagePayload: { link } })
    const refused = await server.api('POST', '/one-time-tokens', { email, messagePayload: { link } })
    expect([refused.status, refused.body.code]).toEqual([429, 'request.message_rate_limited'])
    expect((await server.api('GET', `/one-time-tokens?email=${email}`)).body).toHaveLength(10)
    // the operator may send it otherwise
    await create({ email, messagePayload: false })
  })
})

test('a token expires, and is forgotten a day after it has ended, however it ended', async () => {
  const [late, used, long] = [
    await create(),
    await create({ expiresIn: 999_999 }),
    await create({ expiresIn: 999_999 }),
  ]
  await verify(used.token, used.email)
  server.clock.advance(600)
  expect(await verify(late.token, late.email)).toEqual([400, 'one_time_token.token_expired'])
  expect(await statusOf(late.id)).toBe('expired')
  // the tests' token for the API does not live that long
  const kept = async () => {
    const { rows } = await server.store.database.pool.query('SELECT id FROM one_time_tokens')
    return [late.id, used.id, long.id].map((id) => rows.some((row) => row.id === id))
  }
  server.clock.advance(86_400 - 601)
  await forgetExpired(server.store)
  expect(await kept()).toEqual([true, true, true])
  server.clock.advance(2)
  await forgetExpired(server.store)
  expect(await kept()).toEqual([true, false, true])
  server.clock.advance(600)
  await forgetExpired(server.store)
  expect(await kept()).toEqual([false, false, true])
})
