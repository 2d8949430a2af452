/** Pairwise subjects (OpenID Connect Core section 8, DECISIONS F26): where they are, whom they name, and which applications can have them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { queueEmpty, startReceiver } from '../events/receiver.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

type App = Awaited<ReturnType<typeof createApp>>

let server: TestServer
let user: Awaited<ReturnType<typeof createUser>>
const browser = newBrowser('https://other.example/')
/** Of one host, of the same host, of another host, and one that sees users as they are. */
let apps: Readonly<Record<'own' | 'sibling' | 'other' | 'open', App>>
const OTHER = 'https://other.example/callback'
const change = (id: string, fields: object) => server.api('PATCH', `/applications/${id}`, fields)
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  user = await createUser(server)
  await server.api('PATCH', '/account-center', { enabled: true })
  const pairwise = { customClientMetadata: { subjectType: 'pairwise' as const } }
  apps = {
    own: await createApp(server, 'Traditional', pairwise),
    sibling: await createApp(server, 'SPA', pairwise),
    other: await createApp(server),
    open: await createApp(server),
  }
  await change(apps.other.id, { oidcClientMetadata: { redirectUris: [OTHER] }, ...pairwise })
  await signIn(browser, await begin(apps.open.configuration), user.username)
})
afterAll(() => server.close())

const ask = async ({ configuration }: App, parameters: Record<string, string> = {}) => {
  const begun = await begin(configuration, { prompt: 'none', ...parameters })
  return { begun, page: await browser.open(begun.url) }
}
const enter = async (app: App, parameters: Record<string, string> = {}) => {
  const { begun, page } = await ask(app, parameters)
  return redeem(app.configuration, page, begun)
}
const find = async (app: App, named: string) => {
  const { status, body } = await server.api('GET', `/applications/${app.id}/subjects/${named}`)
  return status === 200 ? body : status
}

describe('a pairwise subject', () => {
  test('is the same for the applications of a host and another elsewhere, wherever it is said', async () => {
    const [own, sibling, other] = [
      await enter(apps.own),
      await enter(apps.sibling),
      await enter(apps.other, { redirect_uri: OTHER }),
    ]
    const subjects = [own, sibling, other].map((tokens) => tokens.claims()?.sub ?? '')
    expect(subjects[0]).toMatch(/^[\w-]{30,64}$/)
    expect(subjects[1]).toBe(subjects[0])
    expect(new Set([...subjects, user.id]).size).toBe(3)
    expect((await enter(apps.own)).claims()?.sub).toBe(subjects[0])
    for (const [app, tokens] of [
      [apps.own, own],
      [apps.other, other],
    ] as const) {
      const sub = tokens.claims()?.sub ?? ''
      expect((await client.fetchUserInfo(app.configuration, tokens.access_token, sub)).sub).toBe(sub)
      const introspected = await client.tokenIntrospection(app.configuration, tokens.access_token)
      expect(introspected).toMatchObject({ active: true, sub })
      expect(introspected).not.toHaveProperty('username')
      const account = await fetch(`${server.baseUrl}/api/my-account`, {
        headers: { authorization: `Bearer ${tokens.access_token}` },
      })
      expect((await account.json()).id).toBe(sub)
    }
    // whoever may look into every token sees the user
    await change(apps.open.id, { customClientMetadata: { dangerouslyIntrospectAllTokens: true } })
    expect(await client.tokenIntrospection(apps.open.configuration, own.access_token)).toMatchObject({
      ...{ active: true, sub: user.id, username: user.username },
    })
  })

  test('names its user in id_token_hint and claims of the same sector only', async () => {
    const [own, other] = [await enter(apps.own), await enter(apps.other, { redirect_uri: OTHER })]
    const [ownSub, otherSub] = [own, other].map((tokens) => tokens.claims()?.sub ?? '')
    const sub = (value = '') => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) })
    const outcome = async (parameters: Record<string, string>) => {
      const { url } = (await ask(apps.own, parameters)).page
      return url.searchParams.get('error') ?? (url.searchParams.has('code') ? 'code' : url.pathname)
    }
    expect(await outcome({ id_token_hint: own.id_token ?? '' })).toBe('code')
    expect(await outcome({ id_token_hint: other.id_token ?? '' })).toBe('invalid_request')
    expect(await outcome(sub(ownSub))).toBe('code')
    expect(await outcome({ ...sub(ownSub), id_token_hint: own.id_token ?? '' })).toBe('code')
    for (const foreign of [otherSub, user.id, 'x']) expect(await outcome(sub(foreign))).toBe('login_required')
  })

  test('is found for support in both directions', async () => {
    const { sub = '' } = (await enter(apps.own)).claims() ?? {}
    const found = { userId: user.id, subject: sub, subjectType: 'pairwise' }
    expect(await find(apps.own, user.id)).toEqual(found)
    expect(await find(apps.sibling, sub)).toEqual(found)
    expect(await find(apps.open, user.id)).toEqual({
      userId: user.id,
      subject: user.id,
      subjectType: 'public',
    })
    for (const unknown of ['x', sub.slice(0, 12), sub.slice(0, -1), `${sub}A`])
      expect(await find(apps.own, unknown)).toBe(404)
    expect(await find(apps.other, sub)).toBe(404)
  })

  test('signs the user out as an id_token_hint, and is in the logout token', async () => {
    const receiver = await startReceiver()
    await change(apps.own.id, { oidcClientMetadata: { backchannelLogoutUri: receiver.url } })
    const own = newBrowser()
    const begun = await begin(apps.own.configuration)
    const tokens = await redeem(apps.own.configuration, await signIn(own, begun, user.username), begun)
    const query = new URLSearchParams({
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: 'https://app.example/bye',
    })
    expect((await own.open(`${server.issuer}/session/end?${query}`)).url.href).toBe('https://app.example/bye')
    await queueEmpty(server.store)
    const token = new URLSearchParams(receiver.received[0]?.body).get('logout_token') ?? ''
    expect(decodeJwt(token).sub).toBe(tokens.claims()?.sub)
    await receiver.close()
  })
})

describe('an application', () => {
  const create = (fields: object, redirectUris: readonly string[] = [CALLBACK], type = 'SPA') =>
    server.api('POST', '/applications', {
      ...{ name: 'x', type, oidcClientMetadata: { redirectUris } },
      customClientMetadata: { subjectType: 'pairwise', ...fields },
    })

  test.each([
    ['has redirect URIs of several hosts', {}, [CALLBACK, OTHER], 'SPA'],
    ['has none', {}, [], 'SPA'],
    ['runs on a device', {}, ['http://127.0.0.1/callback'], 'Native'],
    ['is a machine', {}, [], 'MachineToMachine'],
    ['has a sector identifier without TLS', { sectorIdentifierUri: 'http://app.example/uris' }, [CALLBACK], 'SPA'],
    [
      'has a sector identifier that does not answer',
      { sectorIdentifierUri: 'https://127.0.0.1:1/x' },
      [CALLBACK],
      'SPA',
    ],
  ])('that %s cannot have pairwise subjects as it is', async (_what, fields, uris, type) => {
    const { status, body } = await create(fields, uris, type)
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
    expect(body.message).toMatch(/sectorIdentifierUri|subjectType/)
  })

  test('keeps the sector that its subjects are derived for', async () => {
    const { body } = await create({})
    const moved = await change(body.id, { oidcClientMetadata: { redirectUris: [OTHER] } })
    expect([moved.status, moved.body.message]).toEqual([400, expect.stringContaining('must keep the host app.example')])
    expect((await change(body.id, { customClientMetadata: {} })).status).toBe(200)
    const uris = { oidcClientMetadata: { redirectUris: [OTHER] }, customClientMetadata: { subjectType: 'pairwise' } }
    expect((await change(body.id, uris)).status).toBe(200)
  })

  test('with a sector identifier shares subjects with those of the same, if the document lists its addresses', async () => {
    let listed: unknown = [CALLBACK, OTHER]
    const host = createServer((_request, response) => response.end(JSON.stringify(listed)))
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    const sectorIdentifierUri = `http://127.0.0.1:${(host.address() as AddressInfo).port}/uris`
    const [one, two] = [await create({ sectorIdentifierUri }), await create({ sectorIdentifierUri }, [OTHER], 'Native')]
    expect([one.status, two.status]).toEqual([200, 200])
    const subjects = await Promise.all(
      [one, two].map(({ body }) => server.api('GET', `/applications/${body.id}/subjects/${user.id}`)),
    )
    expect(subjects[0]?.body.subject).toBe(subjects[1]?.body.subject)
    const more = await change(one.body.id, {
      oidcClientMetadata: { redirectUris: [CALLBACK, 'https://third.example/'] },
    })
    expect([more.status, more.body.message]).toEqual([400, expect.stringContaining('third.example')])
    listed = { uris: [CALLBACK] }
    expect((await create({ sectorIdentifierUri })).status).toBe(400)
    // what does not concern the sector does not ask
    await new Promise((resolve) => host.close(resolve))
    expect((await change(one.body.id, { name: 'Renamed' })).status).toBe(200)
  })
})
