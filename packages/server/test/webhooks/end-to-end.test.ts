/**
 * SPEC 6.1 and 6.2 from end to end: an operation goes in, and the requests that a receiver gets are exactly those of its
 * events, signed, valid by the published schemas, and the same as the feed has them (DECISIONS K1 to K3).
 */
import { createHmac } from 'node:crypto'
import { EVENT_TYPES, NOT_CAUSED_YET } from '@countersign/contract/events.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ask, createAsking, createReachable } from '../backchannel/arrange.ts'
import { readAll } from '../events/feed.ts'
import { type Operation, SPEC_6_2 } from '../events/spec-6-2.ts'
import { openPage } from '../experience/arrange.ts'
import { codeOf, useFactors } from '../factors/arrange.ts'
import { call, managementToken } from '../management/arrange.ts'
import { codeIn, connectMailServer, type MailServer } from '../management/mail.ts'
import { worldsOf } from '../management/worlds.ts'
import { allow, manage, register } from '../registered-clients/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { createHook, type Got, type HookReceiver, receiveHooks, standardSignature } from './arrange.ts'

let server: TestServer
let receiver: HookReceiver
let hook: { id: string; signingKey: string }
let token: string
let worldFor: ReturnType<typeof worldsOf>
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '1000' })
  receiver = await receiveHooks()
  const published = await fetch(`${server.baseUrl}/api/.well-known/webhook-events.json`)
  ajv.addSchema((await published.json()) as object, 'published')
  token = await managementToken(server, 'all')
  worldFor = worldsOf(server)
  hook = await createHook(server, receiver.url, { events: EVENT_TYPES })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const assertSound = ({ headers, raw, body }: Got) => {
  expect(new Webhook(hook.signingKey).verify(raw, headers as Record<string, string>)).toEqual(body)
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': body.id,
    'webhook-signature': standardSignature({ headers, raw, body }, hook.signingKey),
    'logto-signature-sha-256': createHmac('sha256', hook.signingKey).update(raw).digest('hex'),
  })
  // by the document as a whole, which is one of the types and no other, and by that of its own type
  for (const schema of [`published#/$defs/${body.event}`, 'published'])
    expect(ajv.validate(schema, body), `${body.event}: ${ajv.errorsText()}`).toBe(true)
}

let cursor = ''
let seen = 0
/** What has arrived since this was asked last, in the order of the events: each one that was committed, once, sound, and the same. */
const arrived = async () => {
  const feed = await readAll(server.api, cursor)
  cursor = feed.cursor
  await receiver.count(seen + feed.events.length)
  const got = receiver.got.slice(seen).toSorted((a, b) => a.body.sequence - b.body.sequence)
  seen += got.length
  expect(got.map(({ body }) => body)).toEqual(feed.events.map((event) => ({ ...event, hookId: hook.id })))
  for (const one of got) assertSound(one)
  return got.map(({ body }) => body as Got['body'] & Record<string, unknown>)
}

const caused = new Set<string>()
/** What arrives because something is done. */
const causedBy = async (work: () => Promise<unknown>) => {
  await arrived()
  await work()
  const bodies = await arrived()
  for (const { event } of bodies) caused.add(event)
  return bodies
}
const typesOf = (bodies: readonly { readonly event: string }[]) => bodies.map(({ event }) => event)

const titled = (one: Operation) => [`${one.method} ${one.path}${one.when ? ` ${one.when}` : ''}`, one] as const
test.each(SPEC_6_2.map(titled))('SPEC 6.2 %s', async (_, operation) => {
  const { method, path: matchedRoute, at, body, events, fields } = operation
  const world = await worldFor(operation)
  const path = at(world)
  const headers = { 'user-agent': 'the specification' }
  let status = 0
  const bodies = await causedBy(async () => {
    status = (await call(server, method, path, { token, headers, body: body?.(world) })).status
  })
  expect(status).toBeLessThan(300)
  expect(typesOf(bodies)).toEqual(events)
  const { clientId } = server.credentials
  for (const [index, arrival] of bodies.entries()) {
    expect(arrival).toMatchObject(fields?.(world)[index] ?? {})
    expect(arrival).toMatchObject({ path, method, status, matchedRoute, hookId: hook.id })
    expect(arrival).toMatchObject({ ip: '127.0.0.1', userAgent: 'the specification', application: { id: clientId } })
    expect(arrival.createdAt).toBe(server.clock.now().toISOString())
  }
})

describe('SPEC 6.1 and 6.3, events that users cause', () => {
  let mail: MailServer
  let app: Awaited<ReturnType<typeof createApp>>
  beforeAll(async () => {
    mail = await connectMailServer(server)
    app = await createApp(server)
    const method = { password: true, verificationCode: false, isPasswordPrimary: true }
    await server.api('PATCH', '/sign-in-exp', {
      signIn: { methods: ['username', 'email'].map((identifier) => ({ identifier, ...method })) },
      signUp: { identifiers: ['email'], password: true, verify: true },
    })
  })
  afterAll(() => mail.close())

  /** The code of the only mail that comes when something is sent. */
  const mailedCode = async (send: () => Promise<Page>) => {
    const before = mail.mails.length
    const page = await send()
    await mail.got(before + 1)
    return { page, code: codeIn(mail) }
  }
  /** A user who has what registering asks for, so that signing in asks for nothing more. */
  const createPerson = async () => {
    const user = await createUser(server)
    await server.api('PATCH', `/users/${user.id}`, { primaryEmail: `${user.username}@example.com` })
    return user
  }
  const interactionOf = ({ url }: Page) => url.pathname.split('/').at(-1) ?? ''
  const open = async (browser: Browser, what = 'sign-in') => {
    const page = await browser.open((await begin(app.configuration)).url)
    return browser.open(`${server.baseUrl}/${what}/${interactionOf(page)}`)
  }
  const askForCode = async (browser: Browser, email: string) =>
    browser.submit(await open(browser, 'forgot-password'), { identifier: email })

  /** What everything says that is done in an interaction (WIRE W6). */
  const within = (sessionId: string, interactionEvent: string, application = app.id) => ({
    ip: '127.0.0.1',
    userAgent: expect.stringMatching(/^node/),
    interactionEvent,
    sessionId,
    applicationId: application,
    application: { id: application, type: expect.any(String), name: 'Notes', description: null },
  })
  /** What interaction events say besides. */
  const told = (user: { readonly id: string; readonly name?: string }) => ({
    userId: user.id,
    user: expect.objectContaining(user),
    userIp: '127.0.0.1',
  })

  test('a registration: User.Created, PostRegister, and the membership by email domain', async () => {
    // the worlds of the routes have fields of profiles, which new users would be asked for
    await server.api('PATCH', '/sign-in-exp', { signUpProfileFields: [] })
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Joined' })
    const domain = 'joined.example'
    await server.api('POST', `/organizations/${organization.id}/jit/email-domains`, { emailDomain: domain })
    const email = `ann@${domain}`
    const browser = newBrowser()
    let interaction = ''
    const bodies = await causedBy(async () => {
      const form = await open(browser, 'register')
      interaction = interactionOf(form)
      const sent = await mailedCode(() => browser.submit(form, { identifier: email, password: PASSWORD }))
      const back = await browser.submit(sent.page, { code: sent.code })
      expect(back.url.searchParams.has('code')).toBe(true)
    })
    expect(typesOf(bodies)).toEqual(['User.Created', 'Organization.Membership.Updated', 'PostRegister'])
    const [created, joined, registered] = bodies
    const user = created?.data as unknown as { id: string }
    for (const one of bodies) expect(one).toMatchObject(within(interaction, 'Register'))
    expect(created).toMatchObject({ data: { primaryEmail: email, applicationId: app.id } })
    expect(joined).toMatchObject({ organizationId: organization.id, addedUserIds: [user.id] })
    expect(registered).toMatchObject({ userId: user.id, user, userIp: '127.0.0.1' })
  })

  test('a sign-in: PostSignIn, and User.Data.Updated when something was entered', async () => {
    const user = await createPerson()
    let interaction = ''
    const plain = await causedBy(async () => {
      const browser = newBrowser()
      const form = await open(browser)
      interaction = interactionOf(form)
      const back = await browser.submit(form, { identifier: user.username, password: PASSWORD })
      expect(back.url.searchParams.has('code')).toBe(true)
    })
    expect(typesOf(plain)).toEqual(['PostSignIn'])
    expect(plain[0]).toMatchObject({ ...within(interaction, 'SignIn'), ...told(user) })

    const changed = await causedBy(async () => {
      const page = await openPage(server, app.configuration)
      interaction = page.interactionId
      await page.start('SignIn')
      await page.call('POST', '/identification', (await page.verify(user.username)).body)
      await page.call('POST', '/profile', { type: 'extraProfile', values: { name: 'Ann' } })
      expect((await page.call('POST', '/submit')).status).toBe(200)
    })
    expect(typesOf(changed)).toEqual(['User.Data.Updated', 'PostSignIn'])
    for (const one of changed) expect(one).toMatchObject(within(interaction, 'SignIn'))
    expect(changed[0]).toMatchObject({ data: { id: user.id, name: 'Ann' } })
    expect(changed[1]).toMatchObject(told({ ...user, name: 'Ann' }))
  })

  test('a forgotten password: User.Data.Updated and PostResetPassword', async () => {
    const user = await createPerson()
    const email = `${user.username}@example.com`
    const browser = newBrowser()
    let interaction = ''
    const bodies = await causedBy(async () => {
      const sent = await mailedCode(() => askForCode(browser, email))
      interaction = interactionOf(sent.page)
      const done = await browser.submit(sent.page, { code: sent.code, password: 'a wholly different phrase' })
      expect(done.text).toContain('Your password was changed')
    })
    expect(typesOf(bodies)).toEqual(['User.Data.Updated', 'PostResetPassword'])
    for (const one of bodies) expect(one).toMatchObject(within(interaction, 'ForgotPassword'))
    expect(bodies[0]).toMatchObject({ data: { id: user.id, primaryEmail: email } })
    expect(bodies[1]).toMatchObject(told(user))
  })

  test('ten wrong passwords: Identifier.Lockout, once', async () => {
    const { username } = await createUser(server)
    const browser = newBrowser()
    const form = await open(browser)
    const bodies = await causedBy(async () => {
      for (let count = 0; count < 12; count += 1)
        await browser.submit(form, { identifier: username, password: 'wrong' })
    })
    expect(typesOf(bodies)).toEqual(['Identifier.Lockout'])
    expect(bodies[0]).toMatchObject({ ...within(interactionOf(form), 'SignIn'), type: 'username', value: username })
  })

  test('a code too many: Message.RateLimited', async () => {
    const recipient = 'nobody@example.com'
    let interaction = ''
    const bodies = await causedBy(async () => {
      const statuses = []
      for (let count = 0; count < 11; count += 1) {
        const page = await askForCode(newBrowser(), recipient)
        interaction = interactionOf(page)
        statuses.push(page.status)
      }
      expect(statuses).toEqual([...Array(10).fill(200), 429])
    })
    expect(typesOf(bodies)).toEqual(['Message.RateLimited'])
    const own = { action: 'VerificationCodeSend', recipient }
    expect(bodies[0]).toMatchObject({ ...within(interaction, 'ForgotPassword'), ...own })
  })

  test('a device that is trusted: TrustedDevice.Created, and TrustedDevice.Deleted when an operator ends it', async () => {
    await useFactors(server, ['Totp'])
    await server.api('PATCH', '/sign-in-exp', { trustedDevice: { enabled: true } })
    const { id, username } = await createPerson()
    const { secret } = (await server.api('POST', `/users/${id}/mfa-verifications`, { type: 'Totp' })).body
    let interaction = ''
    const created = await causedBy(async () => {
      const browser = newBrowser()
      const form = await open(browser)
      interaction = interactionOf(form)
      const factor = await browser.submit(form, { identifier: username, password: PASSWORD })
      const back = await browser.submit(factor, { code: codeOf(server, secret), trust: '1' })
      expect(back.url.searchParams.has('code')).toBe(true)
    })
    expect(typesOf(created)).toEqual(['TrustedDevice.Created', 'PostSignIn'])
    const data = { id: expect.any(String), userId: id, expiresAt: expect.stringMatching(/Z$/) }
    expect(created[0]).toMatchObject({ ...within(interaction, 'SignIn'), data })
    const [device] = (await server.api('GET', `/users/${id}/trusted-devices`)).body
    const path = `/users/${id}/trusted-devices/${device.id}`
    const deleted = await causedBy(() => server.api('DELETE', path))
    expect(typesOf(deleted)).toEqual(['TrustedDevice.Deleted'])
    expect(deleted[0]).toMatchObject({ data: created[0]?.data, path, method: 'DELETE' })
  })

  test('an unusual sign-in: PostSignInAdaptiveMfaTriggered, although it is not concluded', async () => {
    await useFactors(server, ['Totp'], 'PromptOnlyAtSignInMandatory')
    await server.api('PATCH', '/sign-in-exp', { adaptiveMfa: { enabled: true } })
    const { id, username } = await createPerson()
    await server.api('POST', `/users/${id}/mfa-verifications`, { type: 'Totp' })
    let interaction = ''
    const bodies = await causedBy(async () => {
      const browser = newBrowser()
      const form = await open(browser)
      interaction = interactionOf(form)
      await browser.submit(form, { identifier: username, password: PASSWORD })
    })
    expect(typesOf(bodies)).toEqual(['PostSignInAdaptiveMfaTriggered'])
    const rule = { rule: 'new_device', details: { windowDays: 180 } }
    const result = { requiresMfa: true, triggeredRules: expect.arrayContaining([rule]) }
    const own = { userId: id, adaptiveMfaResult: result }
    expect(bodies[0]).toMatchObject({ ...within(interaction, 'SignIn'), ...own })
    await server.api('PATCH', '/sign-in-exp', { adaptiveMfa: {}, mfa: { factors: [], policy: 'NoPrompt' } })
  })

  test('an application that registers itself and leaves: Application.Registered, Application.Unregistered', async () => {
    await allow(server, { mode: 'open' })
    const metadata = { redirect_uris: ['https://app.example/'], client_name: 'Passing by' }
    const bodies = await causedBy(async () => {
      const { body } = await register(server, metadata)
      await manage('DELETE', body, body.registration_access_token)
    })
    expect(typesOf(bodies)).toEqual(['Application.Registered', 'Application.Unregistered'])
    const data = { name: 'Passing by', type: 'Traditional' }
    expect(bodies[0]).toMatchObject({ data, initialAccessTokenId: null })
    expect(bodies[1]).toMatchObject({ data, reason: 'client' })
  })

  test('a device too many: Grant.LimitExceeded', async () => {
    const { configuration, id } = await createApp(server, 'SPA', { customClientMetadata: { maxAllowedGrants: 1 } })
    const user = await createPerson()
    const bodies = await causedBy(async () => {
      for (let device = 0; device < 2; device += 1) {
        server.clock.advance(1)
        await signIn(newBrowser(), await begin(configuration), user.username)
      }
    })
    expect(typesOf(bodies)).toEqual(['PostSignIn', 'PostSignIn', 'Grant.LimitExceeded'])
    expect(bodies[2]).toMatchObject({
      userId: user.id,
      applicationId: id,
      revokedGrantIds: [expect.stringMatching(/^[0-9a-z]{21}$/)],
      maxAllowedGrants: 1,
      preRevocationActiveGrantCount: 2,
      ip: '127.0.0.1',
      userAgent: expect.stringMatching(/^node/),
      application: { id, type: 'SPA', name: 'Notes', description: null },
    })
  })

  test('an application that asks for users without a browser: BackchannelAuthentication.Requested, with who is asked', async () => {
    const asking = await createAsking(server)
    const user = await createReachable(server)
    const request = { scope: 'openid', binding_message: 'W4SCT', requested_expiry: '60' }
    const bodies = await causedBy(async () => {
      for (const login_hint of ['nobody', user.username]) await ask(server, asking, { ...request, login_hint })
    })
    const type = 'BackchannelAuthentication.Requested'
    expect(typesOf(bodies)).toEqual([type, type])
    const resources = ['urn:countersign:resource:default']
    const both = { applicationId: asking.id, scopes: ['openid'], resources, bindingMessage: 'W4SCT', ip: '127.0.0.1' }
    const expiresAt = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const [inVain, asked] = bodies
    expect(inVain).toMatchObject({ ...both, expiresAt, notAsked: 'the hint names no user' })
    expect(asked).toMatchObject({ ...both, expiresAt, userId: user.id })
    expect([inVain?.userId, asked?.notAsked]).toEqual([undefined, undefined])
    // neither the secret of the application nor the link
    expect(JSON.stringify(bodies)).not.toMatch(/cs_b[al]_/)
  })
})

test('every type of SPEC 6.1 was caused here and arrived, but for those that nothing causes yet', () => {
  expect(EVENT_TYPES.filter((type) => !caused.has(type))).toEqual(NOT_CAUSED_YET)
})

test('a schema that accepted everything would prove nothing', () => {
  const [one] = receiver.got
  for (const wrong of [{ hookId: undefined }, { data: {} }, { event: 'Role.Renamed' }, { createdAt: 'yesterday' }])
    expect(ajv.validate('published', JSON.parse(JSON.stringify({ ...one?.body, ...wrong })))).toBe(false)
})
