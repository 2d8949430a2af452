import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

describe('the code flow with a real client', () => {
  test('a user signs in through the pages, and the application gets tokens and userinfo', async () => {
    const { configuration, id } = await createApp(server)
    const user = await createUser(server)
    const begun = await begin(configuration)
    const browser = newBrowser()
    const back = await signIn(browser, begun, user.username)
    expect(back.url.searchParams.get('iss')).toBe(server.issuer)
    const tokens = await redeem(configuration, back, begun)
    expect(tokens.access_token).toMatch(/^cs_at_/)
    expect(tokens.refresh_token).toBeUndefined()
    expect(tokens.claims()).toMatchObject({
      iss: server.issuer,
      aud: id,
      sub: user.id,
      username: user.username,
      amr: ['pwd'],
    })
    const userinfo = await client.fetchUserInfo(configuration, tokens.access_token, user.id)
    expect(userinfo).toMatchObject({ sub: user.id, preferred_username: user.username })
  })

  test('a second authorization in the same browser shows no page', async () => {
    const { configuration } = await createApp(server, 'SPA')
    const user = await createUser(server)
    const browser = newBrowser()
    const first = await begin(configuration)
    await redeem(configuration, await signIn(browser, first, user.username), first)
    const second = await begin(configuration, { prompt: 'none' })
    const tokens = await redeem(configuration, await browser.open(second.url), second)
    expect(tokens.claims()?.sub).toBe(user.id)
  })

  test('prompt=none without a session returns login_required', async () => {
    const { configuration } = await createApp(server)
    const { url } = await newBrowser().open((await begin(configuration, { prompt: 'none' })).url)
    expect(url.searchParams.get('error')).toBe('login_required')
    expect(url.searchParams.get('iss')).toBe(server.issuer)
  })

  test('a user registers and is signed in; PostRegister and User.Created are emitted with the account', async () => {
    const { configuration } = await createApp(server)
    const browser = newBrowser()
    const begun = await begin(configuration)
    const page = await browser.open(begun.url)
    const register = await browser.open(new URL(/id="register" href="([^"]+)"/.exec(page.text)?.[1] ?? '', page.url))
    const back = await browser.submit(register, { identifier: 'new_person', password: 'a long enough phrase' })
    const tokens = await redeem(configuration, back, begun)
    const { body } = await server.api('GET', '/events')
    const types = body.events
      .filter(
        (event: { userId?: string; data?: { id: string } }) =>
          (event.userId ?? event.data?.id) === tokens.claims()?.sub,
      )
      .map((event: { event: string }) => event.event)
    expect(types).toEqual(['User.Created', 'PostRegister'])
  })
})

describe('id_token_hint (OpenID Connect Core section 3.1.2.1)', () => {
  const arrange = async () => {
    const { configuration } = await createApp(server, 'SPA')
    const [ann, bob] = [await createUser(server), await createUser(server)]
    const [browser, elsewhere] = [newBrowser(), newBrowser()]
    await signIn(browser, await begin(configuration), ann.username)
    const begun = await begin(configuration)
    const { id_token: ofBob = '' } = await redeem(configuration, await signIn(elsewhere, begun, bob.username), begun)
    const ask = async (parameters: Record<string, string> = {}) => {
      const request = await begin(configuration, { id_token_hint: ofBob, ...parameters })
      return browser.open(request.url)
    }
    return { ann, bob, browser, elsewhere, ask }
  }

  test('a session of another user is not used', async () => {
    const { ask, elsewhere } = await arrange()
    expect((await ask({ prompt: 'none' })).url.searchParams.get('error')).toBe('login_required')
    // there is nothing to choose: who has to sign in is named
    for (const prompt of ['', 'select_account']) expect((await ask({ prompt })).url.pathname).toMatch(/^\/sign-in\//)
    elsewhere.forget()
    expect((await ask()).url.pathname).toMatch(/^\/sign-in\//)
  })

  test('only the user it names can sign in', async () => {
    const { ask, ann, bob, browser } = await arrange()
    const back = await browser.submit(await ask(), { identifier: ann.username, password: PASSWORD })
    expect(back.url.searchParams.get('error')).toBe('login_required')
    const right = await browser.submit(await ask(), { identifier: bob.username, password: PASSWORD })
    expect(right.url.searchParams.has('code')).toBe(true)
    expect((await ask({ prompt: 'none' })).url.searchParams.has('code')).toBe(true)
  })
})

describe('an error page without a redirect', () => {
  test('if the application is deleted during the sign-in', async () => {
    const { configuration, id } = await createApp(server)
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration)).url)
    await server.api('DELETE', `/applications/${id}`)
    const gone = await browser.open(page.url.href.replace(`${server.baseUrl}/sign-in/`, `${server.issuer}/auth/`))
    expect([gone.status, gone.url.origin]).toEqual([400, server.baseUrl])
    expect(gone.text).toContain('The application that sent you here is not known to this server.')
  })

  test('if the parameters are not valid text', async () => {
    const page = await newBrowser().open(`${server.issuer}/auth?client_id=%ff`)
    expect(page.status).toBe(400)
    expect(page.text).toContain('id="explanation"')
  })
})

describe('tokens for an API', () => {
  test("carry the requested permissions that the user's roles hold at the time of issue", async () => {
    const { api } = server
    const indicator = 'https://notes.example/api'
    const { body: resource } = await api('POST', '/resources', { name: 'Notes', indicator })
    const { body: read } = await api('POST', `/resources/${resource.id}/scopes`, { name: 'read:notes' })
    await api('POST', `/resources/${resource.id}/scopes`, { name: 'write:notes' })
    const { body: role } = await api('POST', '/roles', { name: 'Reader', description: '', scopeIds: [read.id] })
    const user = await createUser(server)
    await api('POST', `/users/${user.id}/roles`, { roleIds: [role.id] })
    const { configuration } = await createApp(server, 'SPA')
    const begun = await begin(configuration, {
      resource: indicator,
      scope: 'openid offline_access read:notes write:notes',
    })
    const back = await signIn(newBrowser(), begun, user.username)
    const tokens = await redeem(configuration, back, begun, { resource: indicator })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: indicator, sub: user.id, scope: 'read:notes' })
    expect(tokens.scope).toBe('read:notes')

    const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', { resource: indicator })
    expect(decodeJwt(refreshed.access_token).scope).toBe('read:notes')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    const retried = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', { resource: indicator })
    expect(retried.refresh_token).toBe(refreshed.refresh_token)

    await api('DELETE', `/users/${user.id}/roles/${role.id}`)
    const later = await client.refreshTokenGrant(configuration, refreshed.refresh_token ?? '', { resource: indicator })
    expect(decodeJwt(later.access_token).scope).toBeUndefined()
    expect(later.scope).toBe('')
  })
})
