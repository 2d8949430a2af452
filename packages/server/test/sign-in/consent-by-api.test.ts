/** Consent to third-party applications is API by API (DECISIONS F4): the same name at another API is another permission. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import {
  createOrganization,
  createOrganizationRole,
  createPermission,
  join,
  mayAsk,
  ORGANIZATIONS,
  refresh,
} from '../organizations/token-arrange.ts'
import { fresh } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'
import type { Browser, Page } from './browser.ts'
import { ask, enter } from './device.ts'

interface Api {
  readonly id: string
  readonly indicator: string
  readonly scopeId: string
}

let server: TestServer
let roleId: string
let calendar: Api
let medical: Api
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
let browser: Browser
let count = 0
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** An API with the permission `read`, which every user holds. */
const createApi = async (name: string, description: string): Promise<Api> => {
  count += 1
  const indicator = `https://api-${count}.example`
  const { body: resource } = await server.api('POST', '/resources', { name, indicator })
  const { body: scope } = await server.api('POST', `/resources/${resource.id}/scopes`, { name: 'read', description })
  await server.api('POST', `/roles/${roleId}/scopes`, { scopeIds: [scope.id] })
  return { id: resource.id, indicator, scopeId: scope.id }
}
beforeEach(async () => {
  roleId = (await server.api('POST', '/roles', { name: fresh('everybody'), isDefault: true })).body.id
  calendar = await createApi('Calendar', 'See your calendar')
  medical = await createApi('Medical <file>', 'Read your medical file')
  app = await createApp(server, 'SPA', { isThirdParty: true })
  await mayAsk(server, app.id, { resourceScopes: [calendar.scopeId, medical.scopeId], userScopes: [ORGANIZATIONS] })
  user = await createUser(server)
  browser = newBrowser()
})

const SCOPE = 'openid offline_access read'
const requested = async (apis: readonly Api[], parameters: Record<string, string> = {}, of = app) => {
  const begun = await begin(of.configuration, { scope: SCOPE, ...parameters })
  for (const { indicator } of apis) begun.url.searchParams.append('resource', indicator)
  return begun
}
/** The page to which a request leads, after a sign-in where there was none. */
const arrive = async (apis: readonly Api[], parameters: Record<string, string> = {}, of = app) => {
  const begun = await requested(apis, parameters, of)
  const opened = await browser.open(begun.url)
  const page = opened.text.includes('name="password"') ? await signIn(browser, begun, user.username) : opened
  return { begun, page }
}
const authorized = async (apis: readonly Api[], parameters: Record<string, string> = {}, of = app) => {
  const { begun, page } = await arrive(apis, parameters, of)
  const back = page.text.includes('id="allow"') ? await browser.submit(page, { answer: 'allow' }) : page
  return redeem(of.configuration, back, begun)
}
/** What a request without any page answers. */
const silently = async (apis: readonly Api[], parameters: Record<string, string> = {}) => {
  const { url } = await browser.open((await requested(apis, { prompt: 'none', ...parameters })).url)
  return url.searchParams.get('error') ?? (url.searchParams.has('code') ? 'a code' : url.pathname)
}
/** Audience and scope of what a refresh token gives for an API, or the error; and the next refresh token. */
const tokenFor = async (api: Api, refreshToken: string | undefined, more: Record<string, string> = {}) => {
  const { error, tokens } = await refresh(app, refreshToken, { resource: api.indicator, ...more })
  if (!tokens) return { got: error }
  const { aud, scope } = decodeJwt(tokens.access_token)
  return { got: [aud, scope], next: tokens.refresh_token }
}
/** The headings of the page with the permissions below each; those of OpenID Connect are under the empty one. */
const listed = ({ text }: Page) => {
  const [first = '', ...sections] = text.split('<section class="api">')
  const items = (part: string) => [...part.matchAll(/<li>(.*?)<\/li>/g)].map(([, item]) => item)
  const heading = (part: string) => /<h[23]>(.*?)<\/h[23]>/.exec(part)?.[1]
  return [['', items(first)], ...sections.map((part) => [heading(part), items(part)])]
}

describe('a permission', () => {
  test('of an API new to the user is asked for, although one of the same name was granted elsewhere', async () => {
    await authorized([calendar])
    expect(await silently([calendar])).toBe('a code')
    expect(await silently([medical])).toBe('consent_required')
    expect(await silently([calendar, medical])).toBe('consent_required')
    const { begun, page } = await arrive([medical])
    expect(listed(page).at(-1)).toEqual(['Medical &lt;file&gt;', ['Read your medical file<small>read</small>']])
    const back = await browser.submit(page, { answer: 'allow' })
    const { refresh_token } = await redeem(app.configuration, back, begun)
    expect((await tokenFor(medical, refresh_token)).got).toEqual([medical.indicator, 'read'])
    expect(await silently([calendar, medical])).toBe('a code')
  })

  test('is listed under each API that has it, the scopes of OpenID Connect first', async () => {
    const { begun, page } = await arrive([medical, calendar])
    expect(listed(page)).toEqual([
      ['', ['Know who you are', 'Stay signed in while you are away']],
      ['Medical &lt;file&gt;', ['Read your medical file<small>read</small>']],
      ['Calendar', ['See your calendar<small>read</small>']],
    ])
    const tokens = await redeem(app.configuration, await browser.submit(page, { answer: 'allow' }), begun)
    const { got, next } = await tokenFor(medical, tokens.refresh_token)
    expect(got).toEqual([medical.indicator, 'read'])
    expect((await tokenFor(calendar, next)).got).toEqual([calendar.indicator, 'read'])
  })

  test('of two APIs of the same name is distinguished by their indicators', async () => {
    const other = await createApi('Calendar', 'See the calendar of everybody')
    await mayAsk(server, app.id, { resourceScopes: [other.scopeId] })
    const { page } = await arrive([calendar, other])
    expect(listed(page).map(([heading]) => heading)).toEqual([
      '',
      `Calendar<small>${calendar.indicator}</small>`,
      `Calendar<small>${other.indicator}</small>`,
    ])
  })

  test('that was configured after the consent needs a new consent; a refresh does not add it', async () => {
    app = await createApp(server, 'SPA', { isThirdParty: true })
    await mayAsk(server, app.id, { resourceScopes: [calendar.scopeId] })
    const { refresh_token } = await authorized([calendar, medical])
    await mayAsk(server, app.id, { resourceScopes: [medical.scopeId] })
    const { got, next } = await tokenFor(medical, refresh_token)
    expect(got).toEqual([medical.indicator, undefined])
    expect((await tokenFor(calendar, next)).got).toEqual([calendar.indicator, 'read'])
    expect(await silently([calendar, medical])).toBe('consent_required')
    const again = await authorized([calendar, medical])
    expect((await tokenFor(medical, again.refresh_token)).got).toEqual([medical.indicator, 'read'])
  })

  test('that was deleted and created again is another one', async () => {
    await authorized([calendar])
    await server.api('DELETE', `/resources/${calendar.id}/scopes/${calendar.scopeId}`)
    const { body } = await server.api('POST', `/resources/${calendar.id}/scopes`, { name: 'read' })
    await mayAsk(server, app.id, { resourceScopes: [body.id] })
    expect(await silently([calendar])).toBe('consent_required')
  })

  test('of organizations is a separate one, limited to what was consented to', async () => {
    const permissionId = await createPermission(server, 'read')
    const organizationId = await createOrganization(server)
    const role = await createOrganizationRole(server, { organizationScopeIds: [permissionId] })
    await join(server, organizationId, user.id, [role])
    const scope = `${SCOPE} ${ORGANIZATIONS}`
    const { begun, page } = await arrive([calendar], { scope })
    const back = await browser.submit(page, { answer: 'allow', organization: organizationId })
    const before = await redeem(app.configuration, back, begun)
    await mayAsk(server, app.id, { organizationScopes: [permissionId] })
    const there = { organization_id: organizationId }
    expect((await refresh(app, before.refresh_token, there)).tokens?.scope).toBe('')
    expect(await silently([calendar], { scope })).toBe('consent_required')
    const again = await arrive([calendar], { scope })
    expect(listed(again.page).at(-1)).toEqual(['In your organizations', ['read']])
    const agreed = await browser.submit(again.page, { answer: 'allow', organization: organizationId })
    const after = await redeem(app.configuration, agreed, again.begun)
    expect((await refresh(app, after.refresh_token, there)).tokens?.scope).toBe('read')
    await server.api('DELETE', `/organization-scopes/${permissionId}`)
  })
})

describe('an API', () => {
  test('is asked for even without permissions: a token for it identifies the user', async () => {
    await authorized([calendar])
    expect(await silently([medical], { scope: 'openid' })).toBe('consent_required')
    const { page } = await arrive([medical], { scope: 'openid' })
    expect(listed(page)).toEqual([
      ['', ['Know who you are']],
      ['Medical &lt;file&gt;', []],
    ])
    expect(page.text).toContain('<p class="hint">Use it on your behalf, without any particular permission</p>')
  })

  test('that is the default is asked for if the request names none', async () => {
    const setDefault = (api: Api, isDefault: boolean) =>
      server.api('PATCH', `/resources/${api.id}/is-default`, { isDefault })
    await setDefault(calendar, true)
    try {
      expect(listed((await arrive([])).page).at(-1)?.[0]).toBe('Calendar')
      await authorized([])
      expect(await silently([])).toBe('a code')
      await setDefault(medical, true)
      expect(await silently([])).toBe('consent_required')
    } finally {
      await setDefault(medical, false)
    }
  })
})

describe('a page of consent', () => {
  test('that lists less than is requested by now is shown again instead of accepted', async () => {
    app = await createApp(server, 'SPA', { isThirdParty: true })
    await mayAsk(server, app.id, { resourceScopes: [calendar.scopeId] })
    const { begun, page } = await arrive([calendar, medical])
    expect(listed(page).at(-1)).toEqual(['Medical &lt;file&gt;', []])
    await mayAsk(server, app.id, { resourceScopes: [medical.scopeId] })
    const shown = await browser.submit(page, { answer: 'allow' })
    expect([shown.status, listed(shown).at(-1)?.[1]]).toEqual([400, ['Read your medical file<small>read</small>']])
    const back = await browser.submit(shown, { answer: 'allow' })
    const { refresh_token } = await redeem(app.configuration, back, begun)
    expect((await tokenFor(medical, refresh_token)).got).toEqual([medical.indicator, 'read'])
  })

  test.each<[string, (sessionId: string) => unknown]>([
    ['a version that stored names', () => ['openid', 'offline_access', 'read']],
    ['a page that listed less', (sessionId) => ({ sessionId, ids: [calendar.id, calendar.scopeId] })],
  ])('whose answer was recorded by %s is shown again', async (_by, consented) => {
    const { page } = await arrive([calendar, medical])
    const { pool } = server.store.database
    const { rows } = await pool.query('SELECT id FROM sessions WHERE user_id = $1', [user.id])
    const id = page.url.pathname.split('/').at(-1)
    const state = JSON.stringify({ consented: consented(rows[0].id) })
    await pool.query('UPDATE interactions SET state = state || $1 WHERE id = $2', [state, id])
    const next = await browser.open(new URL(`${server.issuer}/auth/${id}`))
    expect(listed(next)).toEqual(listed(page))
    expect((await browser.submit(next, { answer: 'allow' })).url.searchParams.has('code')).toBe(true)
  })

  test('of a device lists permissions by API too, and its consent counts', async () => {
    app = await createApp(server, 'Native', { isThirdParty: true, customClientMetadata: { isDeviceFlow: true } })
    await mayAsk(server, app.id, { resourceScopes: [calendar.scopeId] })
    const parameters = [['scope', SCOPE], ...[calendar, medical].map(({ indicator }) => ['resource', indicator])]
    const { body: codes } = await ask(server, app.id, parameters)
    const page = await browser.submit(await enter(server, browser, codes.user_code), {
      identifier: user.username,
      password: 'correct horse battery',
    })
    expect(listed(page).slice(1)).toEqual([
      ['Calendar', ['See your calendar<small>read</small>']],
      ['Medical &lt;file&gt;', []],
    ])
    await browser.submit(page, { answer: 'allow' })
    await mayAsk(server, app.id, { resourceScopes: [medical.scopeId] })
    const { device_code } = codes
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: app.id,
      device_code,
    })
    const response = await fetch(`${server.issuer}/token`, { method: 'POST', body })
    const { refresh_token } = (await response.json()) as { refresh_token: string }
    const { got, next } = await tokenFor(calendar, refresh_token)
    expect(got).toEqual([calendar.indicator, 'read'])
    expect((await tokenFor(medical, next)).got).toEqual([medical.indicator, undefined])
  })
})

describe('a grant of an earlier version, which stored names only', () => {
  const forget = (applicationId: string) =>
    server.store.database.pool.query('UPDATE grants SET consented_ids = NULL WHERE application_id = $1', [
      applicationId,
    ])

  test('of a third-party application needs a new consent, and gives access to no API until then', async () => {
    const { refresh_token } = await authorized([calendar], { scope: `${SCOPE} ${ORGANIZATIONS}` })
    await forget(app.id)
    expect(await silently([calendar])).toBe('consent_required')
    expect(await silently([], { scope: 'openid' })).toBe('consent_required')
    expect(await tokenFor(calendar, refresh_token)).toEqual({ got: 'invalid_grant' })
    const inOrganization = await refresh(app, refresh_token, { organization_id: 'a'.repeat(12) })
    expect(inOrganization.error).toBe('invalid_grant')
    // what OpenID Connect's scopes mean was always the same
    expect((await refresh(app, refresh_token)).status).toBe(200)
    const again = await authorized([calendar])
    expect((await tokenFor(calendar, again.refresh_token)).got).toEqual([calendar.indicator, 'read'])
    expect(await silently([calendar])).toBe('a code')
    expect(await silently([medical])).toBe('consent_required')
  })

  test('of a first-party application remains valid', async () => {
    const own = await createApp(server, 'SPA')
    const { refresh_token } = await authorized([calendar], {}, own)
    const { rows } = await server.store.database.pool.query(
      'SELECT consented_ids FROM grants WHERE application_id = $1',
      [own.id],
    )
    expect(rows).toEqual([{ consented_ids: null }])
    const { tokens } = await refresh(own, refresh_token, { resource: calendar.indicator })
    expect(tokens?.scope).toBe('read')
    expect((await arrive([calendar, medical], { prompt: 'none' }, own)).page.url.searchParams.has('code')).toBe(true)
  })
})
