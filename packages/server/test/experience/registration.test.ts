/** Registering through the Experience API. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import { eventsSince, openPage } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
let applicationId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const app = await createApp(server)
  configuration = app.configuration
  applicationId = app.id
})
afterAll(() => server.close())

const code = ({ body }: { body: { code: string } }) => body.code
const usersNamed = async (name: string) => (await server.api('GET', `/users?search.username=${name}`)).body
const settings = (change: object) => server.api('PATCH', '/sign-in-exp', change)

describe('a registration, step by step', () => {
  test('creates an account with the default roles and signs it in, with one event for each', async () => {
    const { body: role } = await server.api('POST', '/roles', { name: 'Everybody', isDefault: true })
    const { cursor } = await eventsSince(server)
    const page = await openPage(server, configuration)
    const { body } = await page.register('newcomer')
    const tokens = await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)
    const [user] = await usersNamed('newcomer')
    expect(user).toMatchObject({ id: tokens.claims()?.sub, applicationId, hasPassword: true })
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
    // registering signs in (WIRE W8): the account and both events say when
    expect(user.lastSignInAt).toBe(user.createdAt)
    const said = { cimdClientId: null, applicationId, lastSignInAt: new Date(user.createdAt).toISOString() }
    expect(events).toMatchObject([{ data: said }, { user: said }])
    expect((await server.api('GET', `/users/${user.id}/roles`)).body).toMatchObject([{ id: role.id }])
    // the same name and password sign in, also through the page
    const back = await signIn(newBrowser(), await begin(configuration), 'newcomer')
    expect(back.url.searchParams.has('code')).toBe(true)
  })

  test('creates nothing before it is submitted', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'username', value: 'not_yet' }
    const { body } = await page.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
    await page.call('POST', '/identification', body)
    expect(await usersNamed('not_yet')).toEqual([])
  })

  test('takes name, password and profile data in separate steps', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const early = await page.call('POST', '/identification', {})
    expect([early.status, early.body.code]).toEqual([422, 'user.missing_profile'])
    expect(early.body.data).toEqual({ missingProfile: ['username', 'password'] })
    expect((await page.call('POST', '/profile', { type: 'username', value: 'piecemeal' })).status).toBe(204)
    expect((await page.call('POST', '/profile', { type: 'password', value: PASSWORD })).status).toBe(204)
    await page.call('POST', '/profile', { type: 'extraProfile', values: { name: 'Piece', birthdate: '2000-01-01' } })
    expect((await page.call('POST', '/identification', {})).status).toBe(201)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect((await usersNamed('piecemeal'))[0]).toMatchObject({ name: 'Piece', profile: { birthdate: '2000-01-01' } })
  })

  test('refuses at the end a name that came into use in the meantime; another one can be chosen', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const choose = (value: string) =>
      page.call('POST', '/verification/new-password-identity', {
        identifier: { type: 'username', value },
        password: PASSWORD,
      })
    await page.call('POST', '/identification', (await choose('contested')).body)
    await createUser(server, 'Contested')
    const late = await page.call('POST', '/submit')
    expect([late.status, code(late)]).toEqual([422, 'user.username_already_in_use'])
    expect(code(await choose('contested'))).toBe('user.username_already_in_use')
    await page.call('POST', '/identification', (await choose('uncontested')).body)
    expect((await page.call('POST', '/submit')).status).toBe(200)
  })

  test('R-1 twenty concurrent submissions create one user', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'username', value: 'only_one' }
    const { body } = await page.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
    await page.call('POST', '/identification', body)
    const { cursor } = await eventsSince(server)
    const cookie = ['browser', 'interaction']
      .map((name) => `countersign-${name}=${page.browser.cookie(`countersign-${name}`)}`)
      .join('; ')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        send(`${server.baseUrl}/api/experience/submit`, { method: 'POST', headers: { cookie } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await eventsSince(server, cursor)).events.map(({ event }) => event)).toEqual([
      'User.Created',
      'PostRegister',
    ])
    expect(await usersNamed('only_one')).toHaveLength(1)
  })
})

describe('R-1 an interaction creates one account', () => {
  test('from concurrent forms with different names, and from a later one', async () => {
    const browser = newBrowser()
    // the account is made, and the interaction goes on to the consent page
    const { configuration: thirdParty } = await createApp(server, 'SPA', { isThirdParty: true })
    const at = await browser.open((await begin(thirdParty, { scope: 'openid' })).url)
    const form = await browser.open(at.url.href.replace('/sign-in/', '/register/'))
    const names = Array.from({ length: 10 }, (_, index) => `one_of_many_${index}`)
    const pages = await Promise.all(names.map((identifier) => browser.submit(form, { identifier, password: PASSWORD })))
    expect(pages.map(({ status }) => status)).toEqual(names.map(() => 200))
    expect(await usersNamed('one_of_many_%25')).toHaveLength(1)
    const later = await browser.submit(form, { identifier: 'one_of_many_later', password: PASSWORD })
    expect(later.url.pathname).toMatch(/^\/consent\//)
    expect(await usersNamed('one_of_many_%25')).toHaveLength(1)
  })

  test('through the API, which refuses a second registration', async () => {
    const page = await openPage(server, configuration)
    expect((await page.register('first_of_two')).status).toBe(200)
    const again = await page.call('POST', '/submit')
    expect([again.status, code(again)]).toEqual([404, 'session.interaction_not_found'])
    const second = await page.register('second_of_two')
    expect([second.status, code(second)]).toEqual([400, 'session.not_found'])
    expect(await usersNamed('second_of_two')).toEqual([])
  })
})

describe('the tenant’s rules', () => {
  test('for passwords apply to the API and the page, which say what is wrong', async () => {
    await settings({ passwordPolicy: { length: { min: 14, max: 64 }, characterTypes: { min: 2 } } })
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'username', value: 'policied' }
    const weak = await page.call('POST', '/verification/new-password-identity', {
      identifier,
      password: 'horsebattery',
    })
    expect([weak.status, code(weak)]).toEqual([422, 'password.rejected'])
    expect(weak.body.data).toEqual([
      { code: 'password_rejected.too_short', interpolation: { min: 14 } },
      { code: 'password_rejected.character_types', interpolation: { min: 2 } },
    ])
    const entered = await page.call('POST', '/profile', { type: 'password', value: 'horsebattery' })
    expect(code(entered)).toBe('password.rejected')
    const browser = newBrowser()
    const at = await browser.open((await begin(configuration)).url)
    const form = await browser.open(at.url.href.replace('/sign-in/', '/register/'))
    expect(form.text).toContain('At least 14 characters.')
    const refused = await browser.submit(form, { identifier: 'policied', password: 'horsebattery' })
    expect([refused.status, refused.text.includes('A password needs at least 14 characters.')]).toEqual([422, true])
    await settings({ passwordPolicy: {} })
  })

  test('a password cannot contain the name chosen with it', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'username', value: 'magnificent' }
    const named = await page.call('POST', '/verification/new-password-identity', {
      identifier,
      password: 'Magnificent1',
    })
    expect(named.body.data).toEqual([{ code: 'password_rejected.restricted.user_info' }])
  })

  test.each([
    ['ab', 'user.username_too_short'],
    ['abcdefghijk', 'user.username_too_long'],
    ['Abcdef', 'user.username_uppercase_not_allowed'],
    ['abc_def', 'user.username_underscore_not_allowed'],
    ['abc123', 'user.username_numbers_not_allowed'],
  ])('of usernames refuse %s with %s', async (value, expected) => {
    await settings({
      usernamePolicy: {
        minLength: 3,
        maxLength: 10,
        allowedChars: { uppercase: false, underscore: false, numbers: false },
      },
    })
    const page = await openPage(server, configuration)
    await page.start('Register')
    const refused = await page.call('POST', '/profile', { type: 'username', value })
    expect([refused.status, code(refused)]).toEqual([400, expected])
    await settings({ usernamePolicy: {} })
  })

  test('registration that is switched off is refused at every step', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    const identifier = { type: 'username', value: 'too_late' }
    const choice = { identifier, password: PASSWORD }
    const { body } = await page.call('POST', '/verification/new-password-identity', choice)
    await page.call('POST', '/identification', body)
    await settings({ signInMode: 'SignIn' })
    const switched = await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    expect([switched.status, code(switched)]).toEqual([403, 'user.sign_up_method_not_enabled'])
    const refusals = [
      await page.call('POST', '/submit'),
      await page.call('POST', '/identification', body),
      await page.call('POST', '/verification/new-password-identity', choice),
      await page.start('Register'),
    ]
    expect(refusals.map(code)).toEqual(refusals.map(() => 'user.sign_up_method_not_enabled'))
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 422))
    await settings({ signInMode: 'Register' })
    expect(code(await page.start('SignIn'))).toBe('user.sign_in_method_not_enabled')
    const at = await newBrowser().open((await begin(configuration)).url)
    expect(at.url.pathname).toMatch(/^\/register\//)
    expect(at.text).not.toContain('id="sign-in"')
    await settings({ signInMode: 'SignInAndRegister' })
    expect(await usersNamed('too_late')).toEqual([])
  })
})
