import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'
import type { Browser, Page } from './browser.ts'

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

describe('the answer to a sign-in', () => {
  /** The answer to the form itself, without following redirects. */
  const answerTo = async (page: Page, browser: Browser, fields: Record<string, string>) => {
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(page.text) ?? []
    return fetch(page.url, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `countersign-browser=${browser.cookie('countersign-browser')}` },
      body: new URLSearchParams({ token, ...fields }),
    })
  }
  const setBy = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split('=')[0])
  const signInPage = async (parameters: Record<string, string> = {}) => {
    const { configuration, id } = await createApp(server, 'SPA')
    const { username, id: userId } = await createUser(server)
    const browser = newBrowser()
    const page = await browser.open((await begin(configuration, parameters)).url)
    return { id, userId, browser, page, fields: { identifier: username, password: PASSWORD } }
  }
  const entriesOf = async (applicationId: string, logKey: string) =>
    (await server.api('GET', `/logs?applicationId=${applicationId}&logKey=${logKey}`)).body as { payload: object }[]

  test('is the code, with the cookies of the session; the audit log has an entry for each', async () => {
    const { id, userId, browser, page, fields } = await signInPage()
    const answer = await answerTo(page, browser, fields)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback\?code=cs_ac_/)
    expect(setBy(answer)).toEqual(expect.arrayContaining(['countersign-session', 'countersign-accounts']))
    const [[signedIn, ...others], authorized] = [
      await entriesOf(id, 'Interaction.SignIn.Submit'),
      await entriesOf(id, 'Interaction.Authorize'),
    ]
    expect(signedIn?.payload).toMatchObject({ result: 'Success', userId })
    expect(others).toEqual([])
    expect(authorized.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ result: 'Success', userId, scope: 'openid profile', grantId: expect.any(String) }),
    ])
  })

  test('is no page with the code for form_post, because reloading it would send the password again', async () => {
    const { browser, page, fields } = await signInPage({ response_mode: 'form_post' })
    const answer = await answerTo(page, browser, fields)
    expect(answer.status).toBe(303)
    const next = answer.headers.get('location') ?? ''
    expect(next).toMatch(/\/oidc\/auth\/[0-9a-z]{21}$/)
    const cookie = [`countersign-browser=${browser.cookie('countersign-browser')}`]
      .concat(answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? ''))
      .join('; ')
    expect(await (await fetch(next, { headers: { cookie } })).text()).toMatch(/name="code" value="cs_ac_/)
  })

  test('is one code for one of ten equal forms; the others leave no session and no event', async () => {
    const { id, userId, browser, page, fields } = await signInPage()
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerTo(page, browser, fields)))
    const codes = answers.filter((answer) => answer.headers.get('location')?.includes('code='))
    expect(codes).toHaveLength(1)
    expect(answers.filter((answer) => setBy(answer).includes('countersign-session'))).toEqual(codes)
    expect((await server.api('GET', `/users/${userId}/sessions`)).body.sessions).toHaveLength(1)
    const { events } = await readAll(server.api)
    expect(events.filter((each) => each.event === 'PostSignIn' && each.userId === userId)).toHaveLength(1)
    expect(await entriesOf(id, 'Interaction.Authorize')).toHaveLength(1)
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
