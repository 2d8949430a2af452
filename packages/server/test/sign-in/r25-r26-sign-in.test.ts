/** through the flow: where a browser is sent, and whose session it has, no header and no planted cookie decides. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FORM, form, post, type Reply, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createUser, newBrowser, PASSWORD, signIn } from './arrange.ts'
import { createDevice } from './device.ts'
import { redeemCode, type SignedIn, signedInUser } from './user-tokens.ts'

const SESSION = 'countersign-session'

let server: TestServer
let known: SignedIn
let deviceId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
  deviceId = (await createDevice(server)).id
})
afterAll(() => server.close())

/** What a client or a careless proxy may send; no one is in TRUSTED_PROXIES. */
const HOSTILE: Readonly<Record<string, string>> = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '8443',
  'x-forwarded-prefix': '/evil.example',
  'x-forwarded-server': 'evil.example',
  'x-forwarded-for': 'evil.example',
  'x-forwarded-scheme': 'https',
  'x-forwarded-uri': '//evil.example/',
  'x-original-host': 'evil.example',
  'x-original-url': '//evil.example/',
  'x-rewrite-url': '//evil.example/',
  'x-host': 'evil.example',
  'x-http-host-override': 'evil.example',
  'x-real-ip': 'evil.example',
  'base-url': 'https://evil.example',
  forwarded: 'for=evil.example;host=evil.example;proto=https',
  origin: 'https://evil.example',
  referer: 'https://evil.example/',
}
/** Each alone, and all together. */
const HEADERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ...Object.entries(HOSTILE).map(([name, value]) => [name, { [name]: value }] as const),
  ['all of them', HOSTILE],
]

/** Nothing of the headers comes back, and the browser is sent to us or to the application. */
const expectOurs = ({ status, text, headers }: Reply) => {
  expect(status).toBeLessThan(500)
  expect(`${text}${JSON.stringify(headers)}`).not.toContain('evil.example')
  const location = headers.location as string | undefined
  if (location !== undefined) expect([server.baseUrl, CALLBACK].some((start) => location.startsWith(start))).toBe(true)
  return location
}

describe.each(HEADERS)('R-25 %s', (_name, hostile) => {
  const get = (url: string | URL, cookie = '') =>
    send(String(url), { method: 'GET', headers: { ...hostile, ...(cookie ? { cookie } : {}) } })

  test('authorization, the sign-in page and its answer stay with us', async () => {
    const { username } = await createUser(server)
    const begun = await get((await begin(known.app.configuration)).url)
    const page = expectOurs(begun) ?? ''
    expect(page).toMatch(new RegExp(`^${server.baseUrl}/sign-in/[0-9a-z]{21}$`))
    const cookie = [begun.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ')
    const shown = await get(page, cookie)
    expectOurs(shown)
    const hidden = [...shown.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
    const body = form({ ...fields, identifier: username, password: PASSWORD })
    const headers = { ...hostile, cookie, 'content-type': FORM }
    const answered = await send(page, { headers, body })
    // a foreign Origin may be refused, it may not lead away
    const next = expectOurs(answered)
    if (next === undefined) return
    const back = new URL(next)
    expect([`${back.origin}${back.pathname}`, back.searchParams.get('iss')]).toEqual([CALLBACK, server.issuer])
  })

  test('a session gets its code at the registered address, with our issuer', async () => {
    const cookie = `${SESSION}=${known.browser.cookie(SESSION)}`
    const location = expectOurs(await get((await begin(known.app.configuration)).url, cookie))
    const back = new URL(location ?? '')
    expect([`${back.origin}${back.pathname}`, back.searchParams.get('iss')]).toEqual([CALLBACK, server.issuer])
  })

  test('error pages, sign-out pages and responses to devices name no other host', async () => {
    for (const path of ['/oidc/auth?client_id=nobody', '/oidc/session/end', '/device', '/device/done', '/sign-in/x'])
      expectOurs(await get(`${server.baseUrl}${path}`))
    const { status, body, text } = await post(server, '/device/auth', { client_id: deviceId }, hostile)
    expect([status, body.verification_uri]).toEqual([200, `${server.baseUrl}/device`])
    expect(text).not.toContain('evil.example')
  })
})

/** What a request to sign in would do in a browser in which someone has put a session before its owner came. */
const signInWith = async (planted: string, username: string) => {
  const { url } = await begin(known.app.configuration, { prompt: 'login' })
  const plant = `${SESSION}=${planted}`
  const begun = await send(url.href, { method: 'GET', headers: { cookie: plant } })
  const cookiesOf = (reply: Reply) => [reply.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0])
  const cookie = [plant, ...cookiesOf(begun)].join('; ')
  const page = begun.headers.location as string
  const shown = await send(page, { method: 'GET', headers: { cookie } })
  const hidden = [...shown.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  const body = form({ ...fields, identifier: username, password: PASSWORD })
  const answered = await send(page, { headers: { cookie, 'content-type': FORM }, body })
  expect(answered.status).toBe(303)
  const session = cookiesOf(answered).find((pair) => pair?.startsWith(`${SESSION}=`))
  return session?.slice(SESSION.length + 1) ?? ''
}

/** Whose session the cookie opens, as an ID token would say it; undefined: no one's. */
const ownerOf = async (session: string): Promise<string | undefined> => {
  const begun = await begin(known.app.configuration, { prompt: 'none' })
  const reply = await send(begun.url.href, { method: 'GET', headers: { cookie: `${SESSION}=${session}` } })
  const code = new URL(reply.headers.location as string).searchParams.get('code')
  if (code === null) return undefined
  const { body } = await redeemCode(server, known, { begun, code })
  return decodeJwt(body.id_token).sub
}

describe('R-26 a session that was planted before sign-in', () => {
  const made = (body: string) => `cs_se_${body}`

  test.each([
    ['made up', async () => made('A'.repeat(43))],
    ['of another shape', async () => 'x'],
    ['empty', async () => ''],
    [
      'the attacker’s own, and alive',
      async () => {
        const attacker = await signedInUser(server)
        return attacker.browser.cookie(SESSION) ?? ''
      },
    ],
    [
      'the attacker’s own, and ended',
      async () => {
        const attacker = await signedInUser(server)
        const value = attacker.browser.cookie(SESSION) ?? ''
        await server.api('PATCH', `/users/${attacker.user.id}/is-suspended`, { isSuspended: true })
        return value
      },
    ],
  ])('R-26 %s: is not the one after it, and opens nothing of the one who signed in', async (_what, plant) => {
    const planted = await plant()
    const victim = await createUser(server)
    const session = await signInWith(planted, victim.username)
    expect(session).toMatch(/^cs_se_[\w-]{43}$/)
    expect(session).not.toBe(planted)
    expect(await ownerOf(session)).toBe(victim.id)
    expect(await ownerOf(planted)).toBeUndefined()
  })

  test('R-26 the victim’s own: the value before is worth nothing after the sign-in', async () => {
    const victim = await createUser(server)
    const browser = newBrowser()
    await signIn(browser, await begin(known.app.configuration), victim.username)
    const before = browser.cookie(SESSION) ?? ''
    expect(await ownerOf(before)).toBe(victim.id)
    const after = await signInWith(before, victim.username)
    expect([await ownerOf(before), await ownerOf(after)]).toEqual([undefined, victim.id])
  })

  test('R-26 two cookies of the name count as none: a planted one cannot hide behind the right one', async () => {
    const right = known.browser.cookie(SESSION)
    const begun = await begin(known.app.configuration, { prompt: 'none' })
    for (const both of [`${SESSION}=x; ${SESSION}=${right}`, `${SESSION}=${right}; ${SESSION}=x`]) {
      const reply = await send(begun.url.href, { method: 'GET', headers: { cookie: both } })
      expect(new URL(reply.headers.location as string).searchParams.get('error')).toBe('login_required')
    }
  })

  test('R-26 the database has no value of a session, only its hash', async () => {
    const value = known.browser.cookie(SESSION) ?? ''
    const { rows } = await server.store.database.pool.query('SELECT to_jsonb(s)::text AS row FROM sessions s')
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(value.slice('cs_se_'.length))
  })
})
