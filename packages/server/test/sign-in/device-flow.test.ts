import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp, createUser, newBrowser, PASSWORD } from './arrange.ts'
import { ask, type Codes, createDevice, enter } from './device.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

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

const poll = async (clientId: string, code: string, base = server.baseUrl, more: Record<string, string> = {}) => {
  const body = new URLSearchParams({ grant_type: GRANT, client_id: clientId, device_code: code, ...more })
  const response = await fetch(`${base}/oidc/token`, { method: 'POST', body })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}
const errorOf = async (clientId: string, code: string) => (await poll(clientId, code)).body.error

/** Through code, sign-in and confirmation. */
const answer = async (codes: Codes, username: string, word: 'allow' | 'deny', browser = newBrowser()) => {
  const page = await browser.submit(await enter(server, browser, codes.user_code), {
    identifier: username,
    password: PASSWORD,
  })
  expect(page.text).toContain(codes.user_code)
  return browser.submit(page, { answer: word })
}

/** A device whose person has said yes. */
const allowed = async (scope = 'openid offline_access') => {
  const app = await createDevice(server)
  const user = await createUser(server)
  const { body: codes } = await ask(server, app.id, { scope })
  const browser = newBrowser()
  await answer(codes, user.username, 'allow', browser)
  return { app, user, codes, browser }
}

test('the page lists what is requested, and only the requested permissions of an API', async () => {
  const indicator = 'https://tv.example/api'
  const { body: resource } = await server.api('POST', '/resources', { name: 'Television', indicator })
  for (const name of ['watch', 'record', 'delete'])
    await server.api('POST', `/resources/${resource.id}/scopes`, { name, description: '' })
  const app = await createDevice(server)
  const { username } = await createUser(server)
  const { body: codes } = await ask(server, app.id, { scope: 'openid record watch', resource: indicator })
  const browser = newBrowser()
  const fields = { identifier: username, password: PASSWORD }
  const { text } = await browser.submit(await enter(server, browser, codes.user_code), fields)
  const [, listed = ''] = text.split('<section class="api">')
  expect([...listed.matchAll(/<(?:h[23]|li)>(.*?)</g)].map(([, item]) => item)).toEqual([
    'Television',
    'record',
    'watch',
  ])
})

describe('the device flow with a real client', () => {
  test('a user enters the code, signs in, confirms, and the device gets its tokens', async () => {
    const { configuration, id } = await createDevice(server)
    const user = await createUser(server)
    const codes = await client.initiateDeviceAuthorization(configuration, { scope: 'openid offline_access profile' })
    expect(codes).toMatchObject({
      device_code: expect.stringMatching(/^cs_dc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.baseUrl}/device`,
      verification_uri_complete: `${server.baseUrl}/device?user_code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    const asked = { applicationId: id, scope: 'openid offline_access profile', result: 'Success' }
    const { body: entries } = await server.api('GET', `/logs?logKey=RequestDeviceCode&applicationId=${id}`)
    expect(entries).toEqual([expect.objectContaining({ payload: expect.objectContaining(asked) })])
    const browser = newBrowser()
    const entry = await browser.open(codes.verification_uri_complete ?? '')
    // the address alone does nothing: someone has to press the button
    expect(entry.text).toContain(`value="${codes.user_code}"`)
    const signIn = await browser.submit(entry, { user_code: codes.user_code })
    const confirm = await browser.submit(signIn, { identifier: user.username, password: PASSWORD })
    expect(confirm.url.pathname).toMatch(/^\/device\/[0-9a-z]{21}$/)
    for (const text of ['Connect Notes?', codes.user_code, user.username, 'See your name and picture', 'Only continue'])
      expect(confirm.text).toContain(text)
    const done = await browser.submit(confirm, { answer: 'allow' })
    expect(done.url.href).toBe(`${server.baseUrl}/device/done`)
    expect(done.text).toContain('Your device is connected')

    // the client decides for itself how long it waits; the test does not wait
    const tokens = await client.pollDeviceAuthorizationGrant(configuration, { ...codes, interval: 0.001 })
    const claims = tokens.id_token === undefined ? {} : decodeJwt(tokens.id_token)
    expect(claims).toMatchObject({ iss: server.issuer, aud: id, sub: user.id, amr: ['pwd'], username: user.username })
    expect(await client.fetchUserInfo(configuration, tokens.access_token, user.id)).toMatchObject({ sub: user.id })
    const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(refreshed.access_token).toMatch(/^cs_at_/)
    expect(await errorOf(id, codes.device_code)).toBe('invalid_grant')
    // a device that lost the answer and asked again does not lose what it has
    const alive = await client.refreshTokenGrant(configuration, refreshed.refresh_token ?? '')
    expect(alive.access_token).toMatch(/^cs_at_/)
  })

  test.each([
    ['openid', 401],
    ['openid offline_access', 200],
  ])('with %s, what the device has is answered %i once its person signs out in the browser', async (scope, status) => {
    const { app, codes, browser } = await allowed(scope)
    const { body } = await poll(app.id, codes.device_code)
    const userinfo = () => fetch(`${server.issuer}/me`, { headers: { authorization: `Bearer ${body.access_token}` } })
    expect((await userinfo()).status).toBe(200)
    await browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
    expect((await userinfo()).status).toBe(status)
  })

  test('with a session no password is asked for, but the confirmation is always shown', async () => {
    const app = await createDevice(server)
    const user = await createUser(server)
    const browser = newBrowser()
    for (const round of [1, 2]) {
      const { body: codes } = await ask(server, app.id, { scope: 'openid' })
      const page = await enter(server, browser, codes.user_code)
      const confirm = round === 1 ? await browser.submit(page, { identifier: user.username, password: PASSWORD }) : page
      expect(confirm.text).toContain('id="allow"')
      await browser.submit(confirm, { answer: 'allow' })
      expect((await poll(app.id, codes.device_code)).status).toBe(200)
    }
  })

  test('the consent page of applications does not serve it: the warning cannot be bypassed', async () => {
    const app = await createDevice(server)
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, app.id, { scope: 'openid' })
    const browser = newBrowser()
    const entry = await enter(server, browser, codes.user_code)
    const confirm = await browser.submit(entry, { identifier: username, password: PASSWORD })
    const elsewhere = confirm.url.href.replace('/device/', '/consent/')
    expect((await browser.open(elsewhere)).url.href).toBe(confirm.url.href)
    const token = /name="token" value="([^"]+)"/.exec(confirm.text)?.[1] ?? ''
    const posted = await browser.open(elsewhere, {
      method: 'POST',
      body: new URLSearchParams({ token, answer: 'allow' }),
    })
    expect(posted.url.href).toBe(confirm.url.href)
    expect((await poll(app.id, codes.device_code)).body.error).toBe('authorization_pending')
  })

  test('a user with a session of another account can change it before confirming', async () => {
    const app = await createDevice(server)
    const [first, second] = [await createUser(server), await createUser(server)]
    const { body: codes } = await ask(server, app.id, { scope: 'openid' })
    const browser = newBrowser()
    const entry = await enter(server, browser, codes.user_code)
    const confirm = await browser.submit(entry, { identifier: first.username, password: PASSWORD })
    const signIn = await browser.submit(confirm, { answer: 'another' })
    expect(signIn.url.pathname).toMatch(/^\/sign-in\//)
    const again = await browser.submit(signIn, { identifier: second.username, password: PASSWORD })
    expect(again.text).toContain(`signed in as ${second.username}`)
    await browser.submit(again, { answer: 'allow' })
    const { body } = await poll(app.id, codes.device_code)
    expect(decodeJwt(body.id_token ?? '').sub).toBe(second.id)
  })

  test('the page describes the requested permissions', async () => {
    const app = await createDevice(server)
    const user = await createUser(server)
    const indicator = 'https://films.example/api'
    const { body: resource } = await server.api('POST', '/resources', { name: 'Films', indicator })
    const scope = { name: 'watch:films', description: 'Watch <films>' }
    await server.api('POST', `/resources/${resource.id}/scopes`, scope)
    const { body: codes } = await ask(server, app.id, { scope: 'openid watch:films unknown', resource: indicator })
    const browser = newBrowser()
    const entry = await enter(server, browser, codes.user_code)
    const { text } = await browser.submit(entry, { identifier: user.username, password: PASSWORD })
    expect(text).toContain('<li>Watch &lt;films&gt;<small>watch:films</small></li>')
    expect(text).toContain('<li>unknown</li>')
  })

  test('the device gets the resources it named, one per token, and no others', async () => {
    const app = await createDevice(server)
    const user = await createUser(server)
    const indicators = ['https://tv.example/api', 'https://radio.example/api', 'https://other.example/api']
    for (const indicator of indicators) await server.api('POST', '/resources', { name: indicator, indicator })
    const parameters = [['scope', 'offline_access'], ...indicators.slice(0, 2).map((each) => ['resource', each])]
    const { body: codes } = await ask(server, app.id, parameters)
    await answer(codes, user.username, 'allow')
    const [first = '', second = '', other = ''] = indicators
    const { body } = await poll(app.id, codes.device_code, server.baseUrl, { resource: first })
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({ aud: first, sub: user.id, client_id: app.id })
    const again = await client.refreshTokenGrant(app.configuration, body.refresh_token ?? '', { resource: second })
    expect(decodeJwt(again.access_token).aud).toBe(second)
    const refused = client.refreshTokenGrant(app.configuration, again.refresh_token ?? '', { resource: other })
    await expect(refused).rejects.toMatchObject({ error: 'invalid_target' })
  })
})

describe('the device authorization endpoint', () => {
  test.each([
    ['an application without the flow', 'Native', {}, 'unauthorized_client'],
    ['an application in a browser', 'SPA', {}, 'unauthorized_client'],
  ] as const)('refuses %s', async (_name, type, parameters, error) => {
    const { id } = await createApp(server, type)
    expect(await ask(server, id, parameters)).toMatchObject({ status: 400, body: { error } })
  })

  test.each([
    ['a scope with an invalid character', [['scope', 'a"b']], 'invalid_scope'],
    ['201 scopes', [['scope', Array.from({ length: 201 }, (_, i) => `s${i}`).join(' ')]], 'invalid_scope'],
    ['an unknown resource', [['resource', 'https://nowhere.example']], 'invalid_target'],
    ['21 resources', Array.from({ length: 21 }, (_, i) => ['resource', `https://a.example/${i}`]), 'invalid_target'],
    ['a repeated scope', [['scope', 'openid'], ['scope', 'profile']], 'invalid_request'], // biome-ignore format: one line each
  ])('refuses %s', async (_name, parameters, error) => {
    const { id } = await createDevice(server)
    expect(await ask(server, id, parameters)).toMatchObject({ status: 400, body: { error } })
  })

  test('refuses applications of the code flow, as the code flow refuses devices', async () => {
    const { id } = await createDevice(server)
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: id, code: 'x', redirect_uri: 'x' })
    const response = await fetch(`${server.issuer}/token`, { method: 'POST', body })
    expect(await response.json()).toMatchObject({ error: 'unauthorized_client' })
    const other = await createApp(server, 'Native')
    expect(await errorOf(other.id, 'cs_dc_')).toBe('unauthorized_client')
  })

  test('generates another user code for one in use, at most three times', async () => {
    const { id } = await createDevice(server)
    const { pool } = server.store.database
    // as a row with the same code does: nothing is inserted, the first so many times
    await pool.query(`
      CREATE SEQUENCE draws;
      CREATE FUNCTION taken() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RETURN CASE WHEN nextval('draws') > TG_ARGV[0]::int THEN NEW END; END $$`)
    const drawn = async (taken: number) => {
      await pool.query(`ALTER SEQUENCE draws RESTART;
        CREATE OR REPLACE TRIGGER taken BEFORE INSERT ON device_codes FOR EACH ROW EXECUTE FUNCTION taken(${taken})`)
      const { status } = await ask(server, id)
      const { rows } = await pool.query(`SELECT last_value::int AS draws FROM draws`)
      return [status, rows[0].draws]
    }
    try {
      expect(await drawn(0)).toEqual([200, 1])
      expect(await drawn(2)).toEqual([200, 3])
      expect(await drawn(9)).toEqual([500, 3])
    } finally {
      await pool.query('DROP FUNCTION taken CASCADE; DROP SEQUENCE draws')
    }
  })

  test('stores neither of the codes in plain text', async () => {
    const { id } = await createDevice(server)
    const { body: codes } = await ask(server, id)
    await enter(server, newBrowser(), codes.user_code)
    const tables = ['device_codes', 'interactions', 'audit_log'] as const
    for (const table of tables) {
      const { rows } = await server.store.database.pool.query(`SELECT row_to_json(t)::text AS row FROM ${table} t`)
      const text = rows.map(({ row }: { row: string }) => row).join('\n')
      expect(text).toContain(id)
      for (const code of [codes.device_code, codes.user_code, codes.user_code.replace('-', '')])
        expect(text).not.toContain(code)
    }
  })
})

describe('polling (RFC 8628 section 3.5)', () => {
  test('is answered with slow_down, and five seconds more each time it is too early', async () => {
    const { id } = await createDevice(server)
    const { body: codes } = await ask(server, id)
    const asked = async (after: number) => {
      server.clock.advance(after)
      return errorOf(id, codes.device_code)
    }
    expect(await asked(0)).toBe('authorization_pending')
    expect(await asked(5)).toBe('authorization_pending')
    expect(await asked(4)).toBe('slow_down') // now ten
    expect(await asked(9)).toBe('slow_down') // now fifteen
    expect(await asked(14)).toBe('slow_down') // now twenty
    expect(await asked(20)).toBe('authorization_pending')
    expect(await asked(19)).toBe('slow_down')
  })

  test('a device that polls too fast still gets its tokens', async () => {
    const { app, codes } = await allowed()
    expect((await poll(app.id, codes.device_code)).status).toBe(200)
  })

  test('learns that the user refused', async () => {
    const app = await createDevice(server)
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, app.id, { scope: 'openid' })
    const page = await answer(codes, username, 'deny')
    expect(page.url.href).toBe(`${server.baseUrl}/device/denied`)
    expect(await errorOf(app.id, codes.device_code)).toBe('access_denied')
    // answered is answered
    expect((await enter(server, newBrowser(), codes.user_code)).status).toBe(422)
  })

  test('learns that the code has expired, as the user does', async () => {
    const app = await createDevice(server)
    const { body: codes } = await ask(server, app.id)
    server.clock.advance(599)
    expect(await errorOf(app.id, codes.device_code)).toBe('authorization_pending')
    server.clock.advance(1)
    expect(await errorOf(app.id, codes.device_code)).toBe('expired_token')
    expect((await enter(server, newBrowser(), codes.user_code)).status).toBe(422)
  })

  test('a code confirmed in time but redeemed too late has expired', async () => {
    const { app, codes } = await allowed()
    server.clock.advance(601)
    expect(await errorOf(app.id, codes.device_code)).toBe('expired_token')
  })

  test('an answer after the expiry is refused', async () => {
    const app = await createDevice(server)
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, app.id)
    const browser = newBrowser()
    const page = await browser.submit(await enter(server, browser, codes.user_code), {
      identifier: username,
      password: PASSWORD,
    })
    server.clock.advance(601)
    const late = await browser.submit(page, { answer: 'allow' })
    expect(late.status).toBe(400)
    expect(late.text).toContain('Start again on the device')
  })

  test('the code of another client is not found', async () => {
    const { app, codes } = await allowed()
    const other = await createDevice(server)
    expect(await errorOf(other.id, codes.device_code)).toBe('invalid_grant')
    // nor did the other client spend it
    expect((await poll(app.id, codes.device_code)).status).toBe(200)
  })

  test.each(['', 'x', 'cs_dc_x', `cs_ac_${'a'.repeat(43)}`, `cs_dc_${'a'.repeat(43)}`, `cs_dc_${'a'.repeat(9000)}`])(
    'R-4 %j is no device code',
    async (code) => {
      const { id } = await createDevice(server)
      expect(await errorOf(id, code)).toBe(code === '' ? 'invalid_request' : 'invalid_grant')
    },
  )

  test('the device gets nothing if the user was suspended in the meantime', async () => {
    const { app, user, codes } = await allowed()
    await server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    expect(await errorOf(app.id, codes.device_code)).toBe('invalid_grant')
  })

  test('R-1 R-2 of 50 concurrent redemptions over two nodes, one succeeds', async () => {
    const { app, codes } = await allowed()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => poll(app.id, codes.device_code, i % 2 ? node.url : server.baseUrl)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(49)
  })

  test('of a concurrent yes and no, one counts', async () => {
    const app = await createDevice(server)
    const { username } = await createUser(server)
    const { body: codes } = await ask(server, app.id)
    const browser = newBrowser()
    await browser.submit(await enter(server, browser, codes.user_code), { identifier: username, password: PASSWORD })
    const [yes, no] = [await enter(server, browser, codes.user_code), await enter(server, browser, codes.user_code)]
    const pages = await Promise.all([browser.submit(yes, { answer: 'allow' }), browser.submit(no, { answer: 'deny' })])
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const [first] = pages
    const error = await errorOf(app.id, codes.device_code)
    expect(error).toBe(first?.url.pathname === '/device/done' ? undefined : 'access_denied')
  })
})
