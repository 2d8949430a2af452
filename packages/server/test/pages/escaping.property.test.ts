import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, signIn } from '../sign-in/arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const ATTACKS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  '</title></style></textarea><svg onload=alert(1)>',
  '&lt;script&gt;',
  'javascript:alert(1)',
  '<!--',
  ']]>',
  '{{7*7}}',
  '{user}{application}',
  '\u202e<b>',
  ' \u2028',
]

const hostile = fc.oneof(
  fc.constantFrom(...ATTACKS),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '/', '=', ' ', 'a', '`'), { minLength: 1, maxLength: 30 })
    .map((parts) => parts.join('')),
)

/** The elements of a document with their attributes, but for what a person or an application may say in them, and ids. */
const skeleton = (text: string): string[] =>
  (text.match(/<(?:[^"<>]|"[^"]*")*>/g) ?? [])
    .map((tag) => tag.replace(/ value="[^"]*"/, '').replace(/[0-9a-z]{21}"/, '"'))
    .filter((tag) => !tag.startsWith('<style'))

/** Every < and > of a document is one of a tag; nothing that was said opened or closed one. */
const sameBut = (text: string, harmless: string) => {
  expect(skeleton(text)).toEqual(skeleton(harmless))
  const rest = (document: string) => document.replaceAll(/<(?:[^"<>]|"[^"]*")*>/g, '').match(/[<>]/g)
  expect(rest(text.replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>/g, ''))).toBeNull()
}

const open = async (url: URL | string) => newBrowser().open(url)

test('R-30 names of applications, login hints and codes are escaped on every page', async () => {
  const { id, configuration } = await createApp(server, 'SPA')
  const harmless = await open((await begin(configuration, { login_hint: 'ada' })).url)
  const device = await open(`${server.baseUrl}/device?user_code=ada`)
  await fc.assert(
    fc.asyncProperty(hostile, hostile, async (name, hint) => {
      const { status } = await server.api('PATCH', `/applications/${id}`, { name })
      // a name that the Management API does not take is not shown
      fc.pre(status === 200 && hint.trim() !== '')
      sameBut((await open((await begin(configuration, { login_hint: hint })).url)).text, harmless.text)
      const entry = await open(`${server.baseUrl}/device?${new URLSearchParams({ user_code: hint })}`)
      sameBut(entry.text, device.text)
    }),
    { numRuns: 60 },
  )
})

test('R-30 names of users are escaped on every page', async () => {
  const app = await createApp(server, 'SPA')
  const user = await createUser(server)
  const browser = newBrowser()
  await signIn(browser, await begin(app.configuration), user.username)
  const chooser = async () =>
    (await browser.open((await begin(app.configuration, { prompt: 'select_account' })).url)).text
  await server.api('PATCH', `/users/${user.id}`, { name: 'Ada' })
  const harmless = await chooser()
  expect(harmless).toContain('<strong>Ada</strong>')
  await fc.assert(
    fc.asyncProperty(hostile, async (name) => {
      const { status } = await server.api('PATCH', `/users/${user.id}`, { name })
      fc.pre(status === 200)
      sameBut(await chooser(), harmless)
    }),
    { numRuns: 40 },
  )
})

test('R-24 no parameter makes a page redirect the browser to another origin', async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      '//evil.example',
      '/\\evil.example',
      'https:evil.example',
      '%0d%0aLocation:x',
      '..;',
      '..',
      '@evil.example',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  )
  const ways = [
    'sign-in',
    'register',
    'forgot-password',
    'reset-password',
    'consent',
    'device',
    'select-account',
    'oidc/auth',
  ] as const
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...ways), segment, async (way, text) => {
      fc.pre(text.isWellFormed() && !['.', '..'].includes(text))
      const response = await fetch(`${server.baseUrl}/${way}/${encodeURIComponent(text)}`, { redirect: 'manual' })
      expect([400, 404]).toContain(response.status)
      expect(response.headers.get('location')).toBeNull()
    }),
    { numRuns: 120 },
  )
})

test('R-30 direction controls in a name do not affect the text around it', async () => {
  const { id, configuration } = await createApp(server, 'SPA')
  const shownAs = async (name: string) => {
    expect((await server.api('PATCH', `/applications/${id}`, { name })).status).toBe(200)
    return (await open((await begin(configuration)).url)).text
  }
  const turned = await shownAs('Shop\u202e moc.knab\u2066')
  expect(turned).toContain('Shop moc.knab')
  expect(turned).not.toMatch(/[\u202e\u2066]/)
  expect(await shownAs('חנות')).toContain('\u2068חנות\u2069')
})
