/** Calls in the wrong order, from elsewhere, with anything in them; and the lockout, which is the pages' own. */
import { EXPERIENCE_ROUTES } from '@countersign/contract/api.ts'
import type { Method } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { uploadOf } from '../management/arrange.ts'
import { send } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { eventsSince, type OwnPage, openPage } from './arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0' })
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

const told = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const identity = { identifier: { type: 'username', value: 'somebody' }, password: PASSWORD }
const PROVED = { id: 'A', rawId: 'A', response: { clientDataJSON: 'A', authenticatorData: 'A', signature: 'A' } }
const CALLS: Readonly<Record<string, readonly [Method, '' | `/${string}`, unknown]>> = {
  switch: ['PUT', '/interaction-event', { interactionEvent: 'Register' }],
  captcha: ['GET', '/captcha', undefined],
  show: ['GET', '/interaction', undefined],
  password: ['POST', '/verification/password', identity],
  send: [
    'POST',
    '/verification/verification-code',
    { identifier: { type: 'email', value: 'somebody@example.com' }, interactionEvent: 'ForgotPassword' },
  ],
  code: [
    'POST',
    '/verification/verification-code/verify',
    {
      identifier: { type: 'email', value: 'somebody@example.com' },
      verificationId: '000000000000000000000',
      code: '314159',
    },
  ],
  identity: ['POST', '/verification/new-password-identity', identity],
  token: [
    'POST',
    '/verification/one-time-token/verify',
    { identifier: { type: 'email', value: 'somebody@example.com' }, token: 'none' },
  ],
  socialBegun: [
    'POST',
    '/verification/social/000000000000000000000/authorization-uri',
    { state: 'a-state-of-its-own', redirectUri: 'https://app.example/callback/000000000000000000000' },
  ],
  socialBack: [
    'POST',
    '/verification/social/000000000000000000000/verify',
    { connectorData: { code: 'code', state: 'a-state-of-its-own' } },
  ],
  ssoFound: ['GET', '/sso-connectors?email=ann@acme.example', undefined],
  ssoBegun: [
    'POST',
    '/verification/sso/000000000000000000000/authorization-uri',
    { state: 'a-state-of-its-own', redirectUri: 'https://app.example/callback/000000000000000000000' },
  ],
  ssoBack: [
    'POST',
    '/verification/sso/000000000000000000000/verify',
    { connectorData: { code: 'code', state: 'a-state-of-its-own' } },
  ],
  social: ['POST', '/profile', { type: 'social', verificationId: '000000000000000000000' }],
  sendFactorCode: ['POST', '/verification/mfa-verification-code', { identifierType: 'email' }],
  factorCode: [
    'POST',
    '/verification/mfa-verification-code/verify',
    { verificationId: '000000000000000000000', code: '314159', identifierType: 'email' },
  ],
  totpSecret: ['POST', '/verification/totp/secret', undefined],
  totp: ['POST', '/verification/totp/verify', { code: '314159' }],
  passkey: ['POST', '/verification/web-authn/registration', undefined],
  passkeyMade: [
    'POST',
    '/verification/web-authn/registration/verify',
    {
      verificationId: '000000000000000000000',
      payload: { id: 'A', rawId: 'A', response: { clientDataJSON: 'A', attestationObject: 'A' } },
    },
  ],
  passkeyOptions: ['POST', '/verification/web-authn/authentication', undefined],
  passkeyProved: ['POST', '/verification/web-authn/authentication/verify', { payload: PROVED }],
  signInPasskey: [
    'POST',
    '/verification/sign-in-passkey/authentication',
    { identifier: { type: 'username', value: 'somebody' } },
  ],
  backupCodes: ['POST', '/verification/backup-code/generate', undefined],
  backupCode: ['POST', '/verification/backup-code/verify', { code: '0123456789' }],
  factor: ['POST', '/profile/mfa', { type: 'Totp', verificationId: '000000000000000000000' }],
  trustDevice: ['POST', '/profile/mfa/trusted-device', undefined],
  addSignInPasskey: ['POST', '/profile/mfa/passkey', { verificationId: '000000000000000000000' }],
  skipPasskey: ['POST', '/profile/mfa/passkey-skipped', undefined],
  skipFactor: ['POST', '/profile/mfa/mfa-skipped', undefined],
  identify: ['POST', '/identification', { verificationId: '000000000000000000000' }],
  identifyBare: ['POST', '/identification', {}],
  username: ['POST', '/profile', { type: 'username', value: 'somebody' }],
  secret: ['POST', '/profile', { type: 'password', value: PASSWORD }],
  extra: ['POST', '/profile', { type: 'extraProfile', values: { name: 'Ann' } }],
  email: ['POST', '/profile', { type: 'email', verificationId: '000000000000000000000' }],
  reset: ['PUT', '/profile/password', { password: PASSWORD }],
  avatar: ['POST', '/user-assets/avatar', uploadOf(Buffer.from('GIF89a'))],
  submit: ['POST', '/submit', undefined],
}
const made = (page: OwnPage, name: string) => {
  const [method, path, body] = CALLS[name] ?? ['GET', '/interaction', undefined]
  return page.call(method, path, body)
}

describe('steps in the wrong order', () => {
  // a captcha is passed before anything is begun, and the page may ask where an address leads to
  test.each(Object.keys(CALLS).filter((name) => !['captcha', 'ssoFound'].includes(name)))(
    '%s before anything was begun',
    async (name) => {
      expect(told(await made(await openPage(server, configuration), name))).toEqual([
        404,
        'session.interaction_not_found',
      ])
    },
  )

  test.each<[string, number, string]>([
    ['identity', 400, 'session.invalid_interaction_type'],
    ['identify', 404, 'session.verification_session_not_found'],
    ['identifyBare', 404, 'session.verification_session_not_found'],
    ['username', 404, 'session.identifier_not_found'],
    ['secret', 404, 'session.identifier_not_found'],
    ['extra', 404, 'session.identifier_not_found'],
    ['email', 404, 'session.identifier_not_found'],
    ['reset', 400, 'session.invalid_interaction_type'],
    ['submit', 404, 'session.identifier_not_found'],
  ])('%s when a sign-in has just begun', async (name, status, code) => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    expect(told(await made(page, name))).toEqual([status, code])
  })

  test.each<[string, number, string]>([
    ['identify', 404, 'session.verification_session_not_found'],
    ['identifyBare', 422, 'user.missing_profile'],
    ['email', 404, 'session.verification_session_not_found'],
    ['reset', 400, 'session.invalid_interaction_type'],
    ['submit', 404, 'session.identifier_not_found'],
  ])('%s when a registration has just begun', async (name, status, code) => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    expect(told(await made(page, name))).toEqual([status, code])
  })

  test('a verification of one kind cannot be used for another', async () => {
    const user = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('Register')
    const { body: chosen } = await page.call('POST', '/verification/new-password-identity', identity)
    const { body: proved } = await page.verify(user.username)
    expect(told(await page.call('POST', '/identification', proved))).toEqual([400, 'session.verification_failed'])
    const asEmail = { type: 'email', verificationId: proved.verificationId }
    expect(told(await page.call('POST', '/profile', asEmail))).toEqual([400, 'session.verification_failed'])
    await page.call('PUT', '/interaction-event', { interactionEvent: 'SignIn' })
    expect(told(await page.call('POST', '/identification', chosen))).toEqual([400, 'session.verification_failed'])
    expect((await page.call('POST', '/identification', proved)).status).toBe(204)
    // to switch is to begin again, but for what was proved
    await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    expect(told(await page.call('POST', '/submit'))).toEqual([404, 'session.identifier_not_found'])
  })

  test('password reset is off until a connector can send codes', async () => {
    const page = await openPage(server, configuration)
    expect(told(await page.start('ForgotPassword'))).toEqual([422, 'session.forgot_password_not_enabled'])
    await page.start('SignIn')
    const switched = await page.call('PUT', '/interaction-event', { interactionEvent: 'ForgotPassword' })
    expect(told(switched)).toEqual([400, 'session.not_supported_for_forgot_password'])
  })

  test('an identifier type that the tenant does not use is refused before it is looked up', async () => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    expect(told(await page.verify('ann@example.com', PASSWORD, 'email'))).toEqual([
      422,
      'user.sign_in_method_not_enabled',
    ])
  })
})

describe('R-28 one lockout', () => {
  test('failures through the API and on the page add up and lock both', async () => {
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { cursor } = await eventsSince(server)
    for (let count = 0; count < 5; count += 1) {
      expect(told(await page.verify(username, 'wrong'))).toEqual([422, 'session.invalid_credentials'])
      expect((await signIn(newBrowser(), await begin(configuration), username.toUpperCase(), 'wrong')).status).toBe(422)
    }
    expect(told(await page.verify(username))).toEqual([400, 'session.verification_blocked_too_many_attempts'])
    expect((await signIn(newBrowser(), await begin(configuration), username)).status).toBe(429)
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['Identifier.Lockout'])
    server.clock.advance(15 * 60 + 1)
    expect((await (await openPage(server, configuration)).signIn(username)).status).toBe(200)
  })

  test('its event names the interaction but nothing of the request; the audit entry has the response', async () => {
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    // later than the entries of the tests before this one
    server.clock.advance(1)
    const { cursor } = await eventsSince(server)
    for (let count = 0; count < 10; count += 1) await page.verify(username, 'wrong')
    const { events } = await eventsSince(server, cursor)
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ sessionId: page.interactionId, interactionEvent: 'SignIn' })
    for (const field of ['path', 'method', 'status', 'params', 'matchedRoute'])
      expect(events[0]).not.toHaveProperty(field)
    const { body } = await server.api('GET', '/logs?logKey=ExperienceApi.verifyPassword&page_size=1')
    expect(body[0].payload).toMatchObject({
      result: 'Error',
      request: { method: 'POST', matchedRoute: '/experience/verification/password', status: 422 },
    })
  })

  test('unknown users are locked as known ones are, with the same answers', async () => {
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const plain = ({ requestId: _, ...rest }: { requestId: string }) => rest
    const real = await page.verify(username, 'wrong')
    const nobody = await page.verify('nobody_at_all', 'wrong')
    expect(plain(nobody.body)).toEqual(plain(real.body))
    for (let count = 1; count < 10; count += 1) await page.verify('nobody_at_all', 'wrong')
    expect((await page.verify('nobody_at_all', 'wrong')).body.code).toBe(
      'session.verification_blocked_too_many_attempts',
    )
  })

  test("a success resets the count, and the tenant's settings apply", async () => {
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 3, lockoutDuration: 1 } })
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.verify(username, 'wrong')
    await page.verify(username, 'wrong')
    expect((await page.verify(username)).status).toBe(200)
    for (let count = 0; count < 3; count += 1) await page.verify(username, 'wrong')
    expect((await page.verify(username)).status).toBe(400)
    server.clock.advance(61)
    expect((await page.verify(username)).status).toBe(200)
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
  })

  test('a limit of one attempt applies after each lockout again', async () => {
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 1, lockoutDuration: 1 } })
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { cursor } = await eventsSince(server)
    for (let round = 0; round < 2; round += 1) {
      expect((await page.verify(username, 'wrong')).status).toBe(422)
      expect((await page.verify(username)).status).toBe(400)
      server.clock.advance(61)
    }
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['Identifier.Lockout', 'Identifier.Lockout'])
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
  })

  test('a limit lowered below the count is reached by the next failure, also by concurrent ones', async () => {
    const { username } = await createUser(server)
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    for (let count = 0; count < 8; count += 1) await page.verify(username, 'wrong')
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 3, lockoutDuration: 1 } })
    const { cursor } = await eventsSince(server)
    await Promise.all(Array.from({ length: 8 }, () => page.verify(username, 'wrong')))
    expect((await page.verify(username)).status).toBe(400)
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['Identifier.Lockout'])
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
  })

  test('a failure leaves one entry in the audit log', async () => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { headers } = await page.verify((await createUser(server)).username, 'wrong')
    const { body } = await server.api('GET', '/logs?logKey=ExperienceApi.verifyPassword&page_size=100')
    const entries = body.filter(
      ({ payload }: { payload: { requestId: string } }) => payload.requestId === headers.get('x-request-id'),
    )
    expect(entries).toHaveLength(1)
    expect(entries[0].payload).toMatchObject({ result: 'Error', error: 'session.invalid_credentials' })
  })
})

describe('R-33 requests from other origins', () => {
  test.each(['https://evil.example', 'null', 'http://localhost', 'HTTP://LOCALHOST:1', ''])(
    'a call with the Origin "%s" is refused, and changes nothing',
    async (origin) => {
      const page = await openPage(server, configuration)
      for (const [method, path, body] of Object.values(CALLS)) {
        expect(told(await page.call(method, path, body, { origin }))).toEqual([403, 'session.csrf_token_mismatch'])
      }
      expect(told(await page.call('PUT', '', { interactionEvent: 'SignIn' }, { origin }))).toEqual([
        403,
        'session.csrf_token_mismatch',
      ])
      expect(told(await made(page, 'show'))).toEqual([404, 'session.interaction_not_found'])
    },
  )

  test.each(EXPERIENCE_ROUTES.map(({ method, path }) => [method, path] as const))(
    '%s %s without the cookies of a browser concerns nothing, whatever interaction it names',
    async (method, path) => {
      const { interactionId } = await openPage(server, configuration)
      const at = path.replace(':connectorId', '000000000000000000000')
      const sent = Object.values(CALLS).find(
        (each) => each[0] === method && `/experience${each[1].split('?')[0]}` === at,
      )
      const body = sent ? sent[2] : path.includes('passkey') ? { payload: PROVED } : { interactionEvent: 'SignIn' }
      const headers = { 'interaction-id': interactionId, authorization: `Bearer ${server.credentials.clientSecret}` }
      const answer = await send(`${server.baseUrl}/api${sent ? `/experience${sent[1]}` : at}`, {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      expect([answer.status, answer.body.code]).toEqual([400, 'session.not_found'])
    },
  )

  test("the server's own Origin is accepted", async () => {
    const page = await openPage(server, configuration)
    const { origin } = new URL(server.baseUrl)
    expect((await page.call('PUT', '', { interactionEvent: 'SignIn' }, { origin })).status).toBe(204)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'what a form can send is refused: %s, with a body or without',
    async (type) => {
      const page = await openPage(server, configuration)
      const typed = { 'content-type': type }
      const text = JSON.stringify({ interactionEvent: 'SignIn' })
      expect(told(await page.call('PUT', '', text, typed))).toEqual([415, 'request.unsupported_media_type'])
      expect(told(await page.call('POST', '/submit', '', typed))).toEqual([415, 'request.unsupported_media_type'])
    },
  )

  test('no script of another origin can read a response', async () => {
    const answer = await send(`${server.baseUrl}/api/experience/interaction`, {
      method: 'GET',
      headers: { origin: 'https://app.example' },
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('R-35 R-37 hostile bodies', () => {
  const BODIES = [
    '{',
    '[]',
    'null',
    '"SignIn"',
    '{}',
    '{"__proto__":{"interactionEvent":"SignIn"}}',
    '{"interactionEvent":["SignIn"]}',
    '{"interactionEvent":"SignIn\\u0000"}',
    '{"identifier":{"type":"userId","value":"x"},"password":"x"}',
    `{"identifier":{"type":"username","value":"x"},"password":"${'x'.repeat(257)}"}`,
    `{"identifier":{"type":"username","value":"${'x'.repeat(257)}"},"password":"x"}`,
    '{"identifier":{"type":"username","value":{"$ne":""}},"password":"x"}',
    '{"identifier":{"type":"username","value":"x"},"password":["x"]}',
    '{"type":"password"}',
    '{"type":"extraProfile","values":[]}',
    '{"type":"extraProfile","values":{"avatar":"javascript:alert(1)"}}',
    '{"type":"extraProfile","values":{"name":""}}',
    '{"type":"customData","values":{"isAdmin":true}}',
    '{"verificationId":{"toString":1}}',
  ]
  test('every route answers each of them with a 4xx', async () => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    for (const { method, path, body: schema } of EXPERIENCE_ROUTES.filter(({ body }) => body)) {
      for (const body of BODIES) {
        const { status } = await page.call(method, path.replace('/experience', '') as '', body)
        const isBareIdentification = path.endsWith('/identification')
        expect(status, `${path} ${body} ${typeof schema}`).toBeGreaterThanOrEqual(400)
        // a passkey is asked for by an identifier alone
        expect(status).toBeLessThan(isBareIdentification || path.includes('passkey') ? 423 : 416)
      }
    }
    const { body } = await page.call('GET', '/interaction')
    expect(body).toMatchObject({ profile: {}, verificationRecords: [] })
  })

  test('a malformed interaction id names nothing', async () => {
    const page = await openPage(server, configuration)
    for (const id of ["' OR 1=1 --", 'x'.repeat(5000), '../..', '0'.repeat(21), '']) {
      const { status } = await page.call('GET', '/interaction', undefined, { 'interaction-id': id })
      expect(status).toBe(400)
    }
  })
})
