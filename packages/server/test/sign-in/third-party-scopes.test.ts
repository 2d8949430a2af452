/** What third-party applications may ask users for (DECISIONS F4): configured, cut before consent, cut again at every token. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, fresh } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'

let server: TestServer
let arranged: Arranged
let other: Arranged
let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  other = await arrange(server)
  const scopeIds = [arranged, other].flatMap((each) => Object.values(each.scopeIds))
  await server.api('POST', '/roles', { name: 'everything', scopeIds, isDefault: true })
})
beforeEach(async () => {
  app = await createApp(server, 'SPA', { isThirdParty: true })
})
afterAll(() => server.close())

const path = (id = app.id) => `/applications/${id}/user-consent-scopes`
const configure = (body: object) => server.api('POST', path(), body)
const scopeId = (name: string) => arranged.scopeIds[name] ?? ''

const SCOPE = 'openid profile email roles offline_access read:orders write:orders'

/** Signs a new user in and agrees; returns what the consent page listed, and the tokens. */
const consented = async (of = app, scope = SCOPE) => {
  const { username } = await createUser(server)
  const browser = newBrowser()
  const begun = await begin(of.configuration, { scope, resource: arranged.resource.indicator })
  const page = await signIn(browser, begun, username)
  const listed = [...page.text.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text)
  const back = page.text.includes('id="allow"') ? await browser.submit(page, { answer: 'allow' }) : page
  return { listed, tokens: await redeem(of.configuration, back, begun) }
}
const refresh = (token: string | undefined, parameters: Record<string, string> = {}) =>
  client.refreshTokenGrant(app.configuration, token ?? '', parameters)
const target = () => ({ resource: arranged.resource.indicator })

describe('an authorization', () => {
  test('of an application that is configured for nothing has openid and offline_access, silently', async () => {
    const { listed, tokens } = await consented()
    expect(listed).toHaveLength(2)
    expect(tokens.scope).toBe('openid offline_access')
    expect(tokens.claims()).not.toHaveProperty('username')
    expect((await refresh(tokens.refresh_token, target())).scope).toBe('')
  })

  test('has exactly what is configured, on the consent page, in the tokens and in the grant', async () => {
    expect((await configure({ userScopes: ['profile'], resourceScopes: [scopeId('read:orders')] })).status).toBe(201)
    const { listed, tokens } = await consented()
    expect(listed).toHaveLength(4)
    expect(listed.join()).not.toContain('write:orders')
    expect(tokens.scope).toBe('openid profile offline_access')
    expect(tokens.claims()).toHaveProperty('username')
    expect(tokens.claims()).not.toHaveProperty('roles')
    expect((await refresh(tokens.refresh_token, target())).scope).toBe('read:orders')
  })

  test('a permission of the same name of another API is not configured with it', async () => {
    await configure({ resourceScopes: [scopeId('read:orders')] })
    const { username } = await createUser(server)
    const browser = newBrowser()
    const both = [arranged.resource.indicator, other.resource.indicator]
    const begun = await begin(app.configuration, { scope: 'openid offline_access read:orders' })
    for (const each of both) begun.url.searchParams.append('resource', each)
    const back = await browser.submit(await signIn(browser, begun, username), { answer: 'allow' })
    const { refresh_token } = await redeem(app.configuration, back, begun)
    const here = await refresh(refresh_token, { resource: arranged.resource.indicator })
    expect(here.scope).toBe('read:orders')
    const there = await refresh(here.refresh_token, { resource: other.resource.indicator })
    expect(there.scope).toBe('')
  })

  test('shows the APIs and their permissions in the order of the request', async () => {
    await configure({ resourceScopes: [arranged, other].flatMap((each) => Object.values(each.scopeIds)) })
    const { username } = await createUser(server)
    const browser = newBrowser()
    const shown = async (names: readonly string[], apis: readonly Arranged[]) => {
      const begun = await begin(app.configuration, { scope: names.join(' ') })
      for (const { resource } of apis) begun.url.searchParams.append('resource', resource.indicator)
      const opened = await browser.open(begun.url)
      const isAsked = opened.text.includes('id="allow"')
      const page = isAsked ? opened : await browser.submit(opened, { identifier: username, password: PASSWORD })
      return [...page.text.matchAll(/<small>(https:[^<]*)<|<li>(.*?)</g)].map(([, api, name]) => api ?? name)
    }
    const names = ['read:orders', 'write:orders']
    for (const apis of [
      [arranged, other],
      [other, arranged],
    ]) {
      names.reverse()
      expect(await shown(names, apis)).toEqual(apis.flatMap(({ resource }) => [resource.indicator, ...names]))
    }
  })

  test('of a first-party application is not limited', async () => {
    const own = await createApp(server, 'SPA')
    const { listed, tokens } = await consented(own)
    expect(listed).toEqual([])
    expect(tokens.scope).toBe('openid profile email roles offline_access')
  })
})

describe('a change of the configuration', () => {
  test('takes effect at the next refresh: removed scopes are missing, restored ones return', async () => {
    await configure({ userScopes: ['profile'], resourceScopes: [scopeId('read:orders'), scopeId('write:orders')] })
    const { tokens } = await consented()
    const first = await refresh(tokens.refresh_token, target())
    expect(first.scope).toBe('read:orders write:orders')
    expect((await server.api('DELETE', `${path()}/resource-scopes/${scopeId('write:orders')}`)).status).toBe(204)
    expect((await server.api('DELETE', `${path()}/user-scopes/profile`)).status).toBe(204)
    const second = await refresh(first.refresh_token, target())
    expect(second.scope).toBe('read:orders')
    expect(second.claims()).not.toHaveProperty('username')
    const opaque = await refresh(second.refresh_token)
    expect(opaque.scope).toBe('openid offline_access')
    await configure({ resourceScopes: [scopeId('write:orders')] })
    expect((await refresh(opaque.refresh_token, target())).scope).toBe('read:orders write:orders')
  })

  test('never adds what the user did not agree to', async () => {
    const { tokens } = await consented()
    await configure({ userScopes: ['profile'], resourceScopes: [scopeId('read:orders')] })
    const refreshed = await refresh(tokens.refresh_token, target())
    expect(refreshed.scope).toBe('')
    expect(refreshed.claims()).not.toHaveProperty('username')
  })

  test('on another node counts there too', async () => {
    const node = await server.startNode()
    try {
      await configure({ resourceScopes: [scopeId('read:orders')] })
      const { tokens } = await consented()
      const body = (token = '') =>
        new URLSearchParams({ grant_type: 'refresh_token', client_id: app.id, refresh_token: token, ...target() })
      const ask = async (token: string | undefined) =>
        (await fetch(`${node.url}/oidc/token`, { method: 'POST', body: body(token) })).json() as Promise<{
          scope?: string
          refresh_token: string
        }>
      const first = await ask(tokens.refresh_token)
      expect(first.scope).toBe('read:orders')
      await server.api('DELETE', `${path()}/resource-scopes/${scopeId('read:orders')}`)
      let { refresh_token } = first
      const scopeThere = async () => {
        const next = await ask(refresh_token)
        refresh_token = next.refresh_token
        return next.scope
      }
      // the notice takes a moment
      await expect.poll(scopeThere).toBe('')
    } finally {
      await node.close()
    }
  })
})

describe('the Management API', () => {
  test('lists what is configured, by resource; twice changes nothing', async () => {
    expect((await server.api('GET', path())).body).toEqual({
      organizationScopes: [],
      resourceScopes: [],
      organizationResourceScopes: [],
      userScopes: [],
    })
    const body = {
      userScopes: ['profile', 'email', 'email'],
      resourceScopes: [scopeId('write:orders'), scopeId('read:orders'), other.scopeIds['read:orders']],
      organizationScopes: [],
      organizationResourceScopes: [],
    }
    for (const _ of [1, 2]) expect((await configure(body)).status).toBe(201)
    const of = ({ resource, scopeIds }: Arranged, names: string[]) => ({
      resource: { id: resource.id, name: 'Orders', indicator: resource.indicator },
      scopes: names.map((name) => ({ id: scopeIds[name], name, description: null })),
    })
    const { body: listed } = await server.api('GET', path())
    expect(listed.userScopes).toEqual(['email', 'profile'])
    expect(listed.resourceScopes).toHaveLength(2)
    expect(listed.resourceScopes).toContainEqual(of(arranged, ['read:orders', 'write:orders']))
    expect(listed.resourceScopes).toContainEqual(of(other, ['read:orders']))
  })

  test('asks for the scopes of the Account API, which grant no permission of that name', async () => {
    const own = ['urn:logto:scope:sessions', 'urn:logto:scope:trusted_devices']
    expect((await configure({ userScopes: own })).status).toBe(201)
    expect((await server.api('GET', path())).body.userScopes).toEqual(own)
    const { id } = (await server.api('POST', `/resources/${arranged.resource.id}/scopes`, { name: own[0] })).body
    await server.api('POST', '/roles', { name: 'Namesake', description: '', isDefault: true, scopeIds: [id] })
    const { listed, tokens } = await consented(app, `openid offline_access ${own.join(' ')}`)
    expect(listed).toHaveLength(4)
    expect(tokens.scope).toBe(`openid offline_access ${own.join(' ')}`)
    expect((await refresh(tokens.refresh_token, target())).scope).toBe('')
    expect((await server.api('DELETE', `${path()}/user-scopes/${own[0]}`)).status).toBe(204)
    expect((await server.api('GET', path())).body.userScopes).toEqual(own.slice(1))
  })

  test.each<[string, () => object | Promise<object>, number, string]>([
    ['an unknown permission', () => ({ resourceScopes: ['a'.repeat(21)] }), 422, 'user_consent_scopes_not_found'],
    ['a scope of organizations', () => ({ organizationScopes: ['a'] }), 422, 'user_consent_scopes_not_found'],
    [
      'an unknown permission of APIs in organizations, next to a known one',
      () => ({ organizationResourceScopes: [scopeId('read:orders'), 'a'] }),
      422,
      'user_consent_scopes_not_found',
    ],
    ['one of the Management API', management, 422, 'consent_management_api_scopes_not_allowed'],
  ])('refuses %s, with all that came with it', async (_what, body, status, code) => {
    const refused = await configure({ userScopes: ['profile'], ...(await body()) })
    expect([refused.status, refused.body.code]).toEqual([status, `application.${code}`])
    expect((await server.api('GET', path())).body.userScopes).toEqual([])
  })

  test.each([{ userScopes: ['openid'] }, { userScopes: 'profile' }, { resourceScopes: [''] }])(
    '%j is 400',
    async (body) => {
      expect((await configure(body)).status).toBe(400)
    },
  )

  test('is available for third-party applications', async () => {
    const own = await createApp(server, 'SPA')
    for (const answer of [
      await server.api('GET', path(own.id)),
      await server.api('POST', path(own.id), { userScopes: ['profile'] }),
      await server.api('DELETE', `${path(own.id)}/user-scopes/profile`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'application.third_party_application_only'])
    }
  })

  test('DELETE of what is not configured, or of no kind, is 404', async () => {
    for (const what of [
      'user-scopes/profile',
      `resource-scopes/${scopeId('read:orders')}`,
      'organization-scopes/a',
      'nonsense/profile',
    ]) {
      expect((await server.api('DELETE', `${path()}/${what}`)).status).toBe(404)
    }
  })

  test('a deleted permission is no longer listed', async () => {
    const { body: scope } = await server.api('POST', `/resources/${arranged.resource.id}/scopes`, {
      name: fresh('x').replace(' ', ''),
    })
    await configure({ resourceScopes: [scope.id] })
    await server.api('DELETE', `/resources/${arranged.resource.id}/scopes/${scope.id}`)
    expect((await server.api('GET', path())).body.resourceScopes).toEqual([])
  })
})

async function management(): Promise<object> {
  const { body } = await server.api('GET', '/resources?includeScopes=true')
  const api = body.find(({ indicator }: { indicator: string }) => indicator === server.credentials.resource)
  return { resourceScopes: [api.scopes[0].id] }
}
