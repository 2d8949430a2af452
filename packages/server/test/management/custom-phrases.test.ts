/** The operator's own phrases: what is accepted, who reads them, and when. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { BUILT_IN_LANGUAGES } from '@countersign/server/languages/choice.ts'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'
import { begin, createApp, newBrowser } from '../sign-in/arrange.ts'
import { call } from './arrange.ts'

let server: TestServer
let configuration: Awaited<ReturnType<typeof createApp>>['configuration']
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
})
afterEach(async () => {
  await server.api('PATCH', '/sign-in-exp', { languageInfo: { autoDetect: true, fallbackLanguage: 'en' } })
  const { body } = await server.api('GET', '/custom-phrases')
  for (const { languageTag } of body) await server.api('DELETE', `/custom-phrases/${languageTag}`)
})
afterAll(() => server.close())

const put = (tag: string, translation: object) => server.api('PUT', `/custom-phrases/${tag}`, translation)

/** The sign-in page for a reader: its language, its title, its button. */
const pageFor = async (ui_locales: string) => {
  const { url } = await begin(configuration, { ui_locales })
  const { text } = await newBrowser().open(url)
  const found = (pattern: RegExp) => pattern.exec(text)?.[1]
  return [found(/<html lang="([^"]*)"/), found(/<h1 id="title">([^<]*)</), found(/id="submit">([^<]*)</)]
}

describe('phrases of a language that the server has', () => {
  test('replace its own key by key, until they are deleted', async () => {
    const { status, body } = await put('de', { continue: 'Los', signIn: 'Einloggen', help: '' })
    expect([status, body]).toMatchObject([
      201,
      { languageTag: 'de', translation: { continue: 'Los', signIn: 'Einloggen' } },
    ])
    // an empty text is none
    expect(body.translation).not.toHaveProperty('help')
    expect(await pageFor('de')).toEqual(['de', 'Einloggen', 'Einloggen'])
    await put('de', { continue: 'Los' })
    expect(await pageFor('de')).toEqual(['de', 'Anmelden', 'Anmelden'])
    expect((await server.api('GET', '/custom-phrases')).body).toEqual([
      { tenantId: 'default', id: body.id, languageTag: 'de', translation: { continue: 'Los' } },
    ])
    expect((await server.api('DELETE', '/custom-phrases/de')).status).toBe(204)
    expect((await server.api('GET', '/custom-phrases/de')).status).toBe(404)
    expect((await server.api('DELETE', '/custom-phrases/de')).status).toBe(404)
  })

  test('of a region are for readers of it, over those of the language', async () => {
    await put('de', { signIn: 'Einloggen', noAccount: 'Kein Konto?' })
    expect((await put('DE-at', { signIn: 'Servus' })).body.languageTag).toBe('de-AT')
    expect(await pageFor('de-AT')).toEqual(['de-AT', 'Servus', 'Servus'])
    expect(await pageFor('de-CH')).toEqual(['de', 'Einloggen', 'Einloggen'])
    expect((await call(server, 'GET', '/.well-known/phrases?lng=de-AT')).body).toMatchObject({
      signIn: 'Servus',
      noAccount: 'Kein Konto?',
      createAccount: 'Konto anlegen',
    })
  })

  test('are escaped where they are shown', async () => {
    await put('en', { signIn: 'Tom & Jerry "x"' })
    expect(await pageFor('en')).toEqual(['en', 'Tom &amp; Jerry &quot;x&quot;', 'Tom &amp; Jerry &quot;x&quot;'])
  })
})

describe('phrases of another language', () => {
  test('add the language: missing phrases are in English, and it can be the fallback language', async () => {
    const fallback = { languageInfo: { autoDetect: true, fallbackLanguage: 'sv' } }
    expect((await server.api('PATCH', '/sign-in-exp', fallback)).body.code).toBe(
      'sign_in_experiences.unsupported_default_language',
    )
    await put('sv', { signIn: 'Logga in' })
    expect(await pageFor('sv-SE')).toEqual(['sv', 'Logga in', 'Logga in'])
    expect((await call(server, 'GET', '/.well-known/phrases?lng=sv')).body.createAccount).toBe('Create an account')
    expect((await server.api('PATCH', '/sign-in-exp', fallback)).status).toBe(200)
    expect(await pageFor('fi')).toEqual(['sv', 'Logga in', 'Logga in'])
    const { status, body } = await server.api('DELETE', '/custom-phrases/sv')
    expect([status, body.code]).toEqual([409, 'localization.cannot_delete_default_language'])
  })

  test('set the direction of its script', async () => {
    await put('fa', { signIn: 'ورود' })
    const page = await newBrowser().open((await begin(configuration, { ui_locales: 'fa' })).url)
    expect(page.text).toContain('<html lang="fa" dir="rtl">')
  })
})

test.each([
  [{ hello: 'x' }, 'hello', 'no such key'],
  [{ input: { username: 'x' } }, 'input', 'no such key'],
  [{ identifier: { name: 'x' } }, 'identifier.name', 'no such key'],
  [{ identifier: 'x' }, 'identifier', 'a text where'],
  [{ signIn: { now: 'x' } }, 'signIn', 'a text where'],
  [{ constructor: 'x' }, 'constructor', 'no such key'],
  [{ signInTo: 'to {app}' }, 'signInTo', 'no placeholder {app}, only {application}'],
  [{ signIn: '{application}' }, 'signIn', 'no placeholder {application}'],
  [{ signIn: '<b>Sign in</b>' }, 'signIn', 'HTML'],
  [{ signIn: 'Sign\nin' }, 'signIn', 'control characters'],
])('400 says which phrase cannot be stored, and why: %j', async (translation, key, reason) => {
  const { status, body } = await put('en', translation)
  expect([status, body.code, body.data]).toEqual([
    400,
    'localization.invalid_translation_structure',
    { key, reason: expect.stringContaining(reason) },
  ])
  expect((await server.api('GET', '/custom-phrases')).body).toEqual([])
})

test.each(['e', 'en-', 'en_US', 'en-a', 'a'.repeat(17)])('%s is no language tag', async (tag) => {
  const { status } = await put(tag, {})
  expect([400, 404]).toContain(status)
})

test('a change takes effect immediately on every node', async () => {
  const node = await server.startNode()
  const headers = { host: new URL(server.baseUrl).host }
  const there = async () =>
    (await send(`${node.url}/api/.well-known/phrases?lng=en`, { method: 'GET', headers })).body.signIn
  expect(await there()).toBe('Sign in')
  await put('en', { signIn: 'Enter' })
  expect((await pageFor('en'))[1]).toBe('Enter')
  await expect.poll(there).toBe('Enter')
  await node.close()
})

test('the phrases of each language are public, and valid as custom phrases', async () => {
  for (const tag of BUILT_IN_LANGUAGES) {
    const { status, body } = await call(server, 'GET', `/.well-known/phrases?lng=${tag}`)
    expect([tag, status]).toEqual([tag, 200])
    expect([tag, (await put(tag, body)).status]).toEqual([tag, 201])
    expect((await server.api('GET', `/custom-phrases/${tag}`)).body.translation).toEqual(body)
  }
  const german = await call(server, 'GET', '/.well-known/phrases', { headers: { 'accept-language': 'de' } })
  expect(german.body.signIn).toBe('Anmelden')
})
