/** `/applications/:applicationId/sign-in-experience`: what is kept of it, and that the pages look like it. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, signIn } from '../sign-in/arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const path = (id: string) => `/applications/${id}/sign-in-experience`
const put = (id: string, body: object) => server.api('PUT', path(id), body)

const LOOK = {
  color: { primaryColor: '#0f766e' },
  branding: { logoUrl: 'https://cdn.example/notes.svg' },
  displayName: 'Notes & more',
  termsOfUseUrl: 'https://notes.example/terms',
  privacyPolicyUrl: 'https://notes.example/privacy',
}

/** What a page shows of a look. */
const seen = ({ text, headers }: { readonly text: string; readonly headers: Headers }) => ({
  accent: /--accent:(#\w+)/.exec(text)?.[1],
  logo: /<p class="logo"><img src="([^"]*)"/.exec(text)?.[1],
  images: /img-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1],
  title: /<title>([^<]*)</.exec(text)?.[1],
  links: [...text.matchAll(/<a id="([\w-]*(?:terms|privacy))" href="([^"]*)"/g)].map(([, ...link]) => link),
})

describe('the branding of an application', () => {
  test('is created with 201, then changed with 200, field by field', async () => {
    const { id } = await createApp(server, 'SPA')
    expect((await server.api('GET', path(id))).status).toBe(404)
    expect((await server.api('GET', `${path(id)}?orEmpty=true`)).body).toMatchObject({ color: {}, displayName: null })
    const made = await put(id, LOOK)
    expect([made.status, made.body]).toEqual([
      201,
      { tenantId: 'default', applicationId: id, customCss: null, ...LOOK },
    ])
    const changed = await put(id, { displayName: '', termsOfUseUrl: '', privacyPolicyUrl: null })
    const left = { ...LOOK, displayName: null, termsOfUseUrl: null, privacyPolicyUrl: null }
    expect([changed.status, changed.body]).toEqual([
      200,
      { tenantId: 'default', applicationId: id, customCss: null, ...left },
    ])
    expect((await server.api('GET', path(id))).body).toEqual(changed.body)
  })

  test.each([
    [{ termsOfUseUrl: 'javascript:alert(1)' }, 400, 'guard.invalid_input'],
    [{ branding: { logoUrl: 'https://user:secret@cdn.example/' } }, 400, 'guard.invalid_input'],
    [{ color: { primaryColor: 'red' } }, 400, 'guard.invalid_input'],
    [{ customCss: 'main {} </style><b>' }, 400, 'guard.invalid_input'],
  ])('is refused: %j', async (body, status, code) => {
    const { id } = await createApp(server, 'SPA')
    const refused = await put(id, body)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect((await server.api('GET', path(id))).status).toBe(404)
  })
})

describe('the pages', () => {
  test("of a first-party application have its branding, those of a third party the tenant's", async () => {
    const tenant = {
      termsOfUseUrl: 'https://tenant.example/terms',
      branding: { darkLogoUrl: 'https://tenant.example/dark.svg' },
    }
    await server.api('PATCH', '/sign-in-exp', tenant)
    const [app, other] = [await createApp(server, 'SPA'), await createApp(server, 'SPA')]
    await put(app.id, LOOK)
    const page = await newBrowser().open((await begin(app.configuration)).url)
    expect(seen(page)).toEqual({
      accent: '#0f766e',
      logo: 'https://cdn.example/notes.svg',
      images: "'self' data: https://cdn.example",
      title: 'Sign in · Notes &amp; more',
      links: [
        ['terms', LOOK.termsOfUseUrl],
        ['privacy', LOOK.privacyPolicyUrl],
      ],
    })
    expect(page.text).toContain('to continue to Notes &amp; more')
    const plain = await newBrowser().open((await begin(other.configuration)).url)
    expect(seen(plain)).toMatchObject({ title: 'Sign in · Notes', links: [['terms', tenant.termsOfUseUrl]] })
    expect(seen(plain).accent).not.toBe('#0f766e')
    await server.api('PATCH', '/sign-in-exp', { termsOfUseUrl: null, branding: {} })
  })

  test('of a third party show its terms at consent, not at the password', async () => {
    const app = await createApp(server, 'SPA', { isThirdParty: true })
    await put(app.id, LOOK)
    const { username } = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(app.configuration)
    expect(seen(await browser.open(begun.url))).toMatchObject({ accent: '#0f766e', links: [] })
    const consent = await signIn(browser, begun, username)
    expect(seen(consent)).toMatchObject({
      title: 'Allow Notes &amp; more?',
      links: [
        ['application-terms', LOOK.termsOfUseUrl],
        ['application-privacy', LOOK.privacyPolicyUrl],
      ],
    })
  })

  test('have the style sheets of tenant, application and organization, in this order; a third party and the console have none', async () => {
    const [app, third] = [await createApp(server, 'SPA'), await createApp(server, 'SPA', { isThirdParty: true })]
    await server.api('PATCH', '/sign-in-exp', { customCss: '.tenant{}' })
    for (const { id } of [app, third]) expect((await put(id, { customCss: '.app{}' })).body.customCss).toBe('.app{}')
    const { body } = await server.api('POST', '/organizations', { name: 'Styled', customCss: '.organization{}' })
    const refused = await server.api('PATCH', `/organizations/${body.id}`, { customCss: '</style>' })
    expect([refused.status, refused.body.code]).toEqual([400, 'guard.invalid_input'])
    const sheets = ({ text }: { readonly text: string }) => text.match(/\.(tenant|app|organization)\{\}/g) ?? []
    const of = { organization_id: body.id }
    const shown = async ({ configuration }: typeof app) =>
      sheets(await newBrowser().open((await begin(configuration, of)).url))
    expect(await shown(app)).toEqual(['.tenant{}', '.app{}', '.organization{}'])
    expect(await shown(third)).toEqual(['.tenant{}', '.organization{}'])
    const query = new URLSearchParams({
      ...{ client_id: 'console', response_type: 'code', scope: 'openid', ...of },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      redirect_uri: `${server.baseUrl}/console/callback`,
    })
    const atConsole = await newBrowser().open(`${server.issuer}/auth?${query}`)
    expect([atConsole.text.includes('id="credentials"'), sheets(atConsole)]).toEqual([true, []])
    await server.api('PATCH', '/sign-in-exp', { customCss: null })
  })

  test('that are custom get it too', async () => {
    const { id } = await createApp(server, 'SPA')
    await put(id, LOOK)
    const read = async (query: string) =>
      (await (await fetch(`${server.baseUrl}/api/.well-known/sign-in-exp${query}`)).json()) as Record<string, unknown>
    expect(await read(`?appId=${id}`)).toMatchObject({
      color: { primaryColor: '#0f766e', darkPrimaryColor: '#9db2ff', isDarkModeEnabled: true },
      branding: LOOK.branding,
    })
    expect(await read('')).toMatchObject({ color: { primaryColor: '#2f4fd0' }, branding: {} })
    expect(await read('?appId=nobody')).toEqual(await read(''))
  })
})
