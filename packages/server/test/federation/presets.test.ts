/**
 * The providers with their own kind of connector, as they answer: the test provider passes for each of them, because requests to their
 * hosts are led to it.
 */
import type { SocialKind } from '@countersign/contract/social-connector-configs.ts'
import type { IdentityProvider, Person, Role } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import type * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { begin, createApp, newBrowser, redeem } from '../sign-in/arrange.ts'
import { Browser } from '../sign-in/browser.ts'
import { beginAt, comeBack, startProvider, told } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
/** Which hosts were asked. */
const asked = new Set<string>()
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  const { outbound } = server.store
  const send = outbound.send.bind(outbound)
  vi.spyOn(outbound, 'send').mockImplementation((request) => {
    const { host, pathname, search } = new URL(request.url)
    asked.add(host)
    return send({ ...request, url: `${provider.origin}${pathname}${search}` })
  })
  const signUp = { identifiers: [], password: false, verify: false, secondaryIdentifiers: [] }
  expect((await server.api('PATCH', '/sign-in-exp', { signUp })).status).toBe(200)
})
afterEach(() => {
  provider.role = undefined
})
afterAll(async () => {
  vi.restoreAllMocks()
  await provider.close()
  await server.close()
})

/** Sets up a connector of a kind, and offers it alone. */
const connect = async (connectorId: SocialKind, config: object = {}) => {
  const { body: others } = await server.api('GET', '/connectors')
  for (const { id } of others) await server.api('DELETE', `/connectors/${id}`)
  const { clientId, clientSecret } = provider
  const whole = connectorId === 'apple-universal' ? { clientId, ...config } : { clientId, clientSecret, ...config }
  const { status, body } = await server.api('POST', '/connectors', { connectorId, config: whole })
  expect(status).toBe(200)
  const socialSignInConnectorTargets = [body.target]
  expect((await server.api('PATCH', '/sign-in-exp', { socialSignInConnectorTargets })).status).toBe(200)
  asked.clear()
  return body as { id: string; target: string }
}

interface Case {
  readonly connectorId: SocialKind
  readonly role?: Role
  readonly person: Person
  /** What the account is then. */
  readonly known: object
  /** Whether the address is verified here. */
  readonly isVerified: boolean
  readonly hosts: readonly string[]
}

const DIRECTORY = '9188040d-6c67-4c5b-b112-36a304b66dad'
const standard = {
  sub: '17',
  email: 'ann@example.com',
  email_verified: true,
  name: 'Ann',
  picture: 'https://x.example/a',
}
const shown = { id: '17', email: 'ann@example.com', name: 'Ann', avatar: 'https://x.example/a' }

const CASES: readonly Case[] = [
  {
    connectorId: 'google-universal',
    role: { issuer: 'https://accounts.google.com' },
    person: standard,
    known: shown,
    isVerified: true,
    hosts: ['accounts.google.com'],
  },
  {
    connectorId: 'azuread-universal',
    role: {
      issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0',
      tokenIssuer: `https://login.microsoftonline.com/${DIRECTORY}/v2.0`,
    },
    person: { ...standard, tid: DIRECTORY, xms_edov: true },
    known: shown,
    isVerified: false,
    hosts: ['login.microsoftonline.com'],
  },
  {
    connectorId: 'gitlab-universal',
    role: { issuer: 'https://gitlab.com' },
    person: standard,
    known: shown,
    isVerified: true,
    hosts: ['gitlab.com'],
  },
  {
    connectorId: 'slack-universal',
    role: { issuer: 'https://slack.com' },
    person: standard,
    known: shown,
    isVerified: false,
    hosts: ['slack.com'],
  },
  {
    connectorId: 'linkedin-universal',
    person: standard,
    known: shown,
    isVerified: true,
    hosts: ['www.linkedin.com', 'api.linkedin.com'],
  },
  {
    connectorId: 'github-universal',
    person: {
      sub: '17',
      id: 17,
      email: null,
      name: 'Ann',
      avatar_url: 'https://x.example/a',
      emails: [
        { email: 'old@example.com', primary: false, verified: true },
        { email: 'ann@example.com', primary: true, verified: true },
        { email: 'new@example.com', primary: false, verified: false },
      ],
    },
    known: shown,
    isVerified: true,
    hosts: ['github.com', 'api.github.com'],
  },
  {
    connectorId: 'facebook-universal',
    person: {
      sub: '17',
      id: '17',
      email: 'ann@example.com',
      name: 'Ann',
      picture: { data: { url: 'https://x.example/a' } },
    },
    known: shown,
    isVerified: false,
    hosts: ['graph.facebook.com'],
  },
  {
    connectorId: 'x-universal',
    person: {
      sub: '17',
      data: {
        id: '17',
        name: 'Ann',
        confirmed_email: 'ann@example.com',
        profile_image_url: 'https://x.example/a',
      },
    },
    known: shown,
    isVerified: true,
    hosts: ['api.x.com'],
  },
  {
    connectorId: 'discord-universal',
    person: { sub: '17', id: '17', global_name: 'Ann', avatar: 'a1', email: 'ann@example.com', verified: true },
    known: { ...shown, avatar: 'https://cdn.discordapp.com/avatars/17/a1.png' },
    isVerified: true,
    hosts: ['discord.com'],
  },
]

describe('a user registers with an account at', () => {
  test.each(CASES.map((each) => [each.connectorId, each] as const))('%s', async (_kind, each) => {
    const { id, target } = await connect(each.connectorId)
    provider.role = each.role
    const page = await openPage(server, configuration)
    await page.start('Register')
    const { authorizationUri } = await beginAt(page, id)
    const brought = await comeBack(page, id, provider.signIn(authorizationUri, each.person))
    expect(told(brought)).toEqual([200])
    const { body: state } = await page.call('GET', '/interaction')
    expect(state.verificationRecords).toMatchObject([{ type: 'Social', socialUserInfo: each.known }])
    expect((await page.call('POST', '/identification', brought.body)).status).toBe(201)
    const { body } = await page.call('POST', '/submit')
    const claims = (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
    const { body: user } = await server.api('GET', `/users/${claims?.sub}`)
    expect(user).toMatchObject({ name: 'Ann', primaryEmail: each.isVerified ? 'ann@example.com' : null })
    expect(user.identities[target].userId).toBe('17')
    expect([...asked].toSorted()).toEqual(each.hosts.toSorted())
    expect((await server.api('DELETE', `/users/${claims?.sub}`)).status).toBe(204)
  })
})

test('at Microsoft the issuer of a token is that of the directory in it, and of no other host', async () => {
  const { id } = await connect('azuread-universal', { tenantId: 'organizations' })
  const issuer = 'https://login.microsoftonline.com/{tenantid}/v2.0'
  for (const [tokenIssuer, tid] of [
    [`https://login.microsoftonline.com/${DIRECTORY}/v2.0`, '11111111-1111-1111-1111-111111111111'],
    [`https://login.microsoftonline.example/${DIRECTORY}/v2.0`, DIRECTORY],
    ['https://login.microsoftonline.com/../v2.0', '..'],
  ] as const) {
    provider.role = { issuer, tokenIssuer }
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { authorizationUri } = await beginAt(page, id)
    const data = provider.signIn(authorizationUri, { ...standard, tid })
    expect(told(await comeBack(page, id, data))).toEqual([401, 'connector.social_invalid_id_token'])
  }
})

test('Apple: the client secret is a JWT that its key has signed, the answer is a form, and the name comes once, beside it', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const config = { teamId: 'A1B2C3D4E5', keyId: 'F6G7H8J9K0', privateKey: await exportPKCS8(privateKey) }
  const { id } = await connect('apple-universal', config)
  const secrets: unknown[] = []
  provider.role = {
    issuer: 'https://appleid.apple.com',
    acceptsSecret: async (secret) => {
      const options = { issuer: 'A1B2C3D4E5', audience: 'https://appleid.apple.com', currentDate: server.clock.now() }
      const { payload, protectedHeader } = await jwtVerify(secret, publicKey, options)
      secrets.push([payload.sub, protectedHeader, (payload.exp ?? 0) - (payload.iat ?? 0)])
      return payload.sub === provider.clientId
    },
  }
  const before = new Browser('https://appleid.apple.com/')
  const begun = await begin(configuration)
  const page = await before.open(begun.url)
  const tokenIn = ({ text }: { text: string }) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const form = (fields: Record<string, string>) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    redirect: 'manual' as const,
  })
  const button = `${server.baseUrl}${page.url.pathname.replace('sign-in', 'social')}`
  const { href: authorizationUri } = (await before.open(button, form({ token: tokenIn(page), connector: id }))).url
  expect(new URL(authorizationUri).searchParams.get('response_mode')).toBe('form_post')
  const person = { sub: '000017.a', email: 'ann@example.com', email_verified: 'true' }
  const user = JSON.stringify({ name: { firstName: 'Ann', lastName: 'Archer' }, email: 'ann@example.com' })
  // from another site, without cookies
  const callback = `${server.baseUrl}/callback/${id}`
  const posted = await fetch(callback, form({ ...provider.signIn(authorizationUri, person), user }))
  expect(posted.status).toBe(303)
  const browser = newBrowser()
  browser.steal('countersign-browser', before)
  const asks = await browser.open(posted.headers.get('location') ?? '')
  const end = await browser.open(asks.url.href, form({ token: tokenIn(asks) }))
  const claims = (await redeem(configuration, end, begun)).claims()
  expect((await server.api('GET', `/users/${claims?.sub}`)).body).toMatchObject({
    name: 'Ann Archer',
    primaryEmail: 'ann@example.com',
  })
  expect(secrets).toEqual([[provider.clientId, { alg: 'ES256', kid: 'F6G7H8J9K0' }, 300]])
})

describe('Google One Tap', () => {
  const connectGoogle = async (oneTap: object = { isEnabled: true, autoSelect: true }) => {
    const { id } = await connect('google-universal', { oneTap })
    provider.role = { issuer: 'https://accounts.google.com' }
    return id
  }
  const attributeIn = (text: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(text)?.[1]
  const post = (browser: Browser, path: string, fields: Record<string, string>) =>
    browser.open(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
  let count = 0
  const newcomer = () => ({ ...standard, sub: `tap-${++count}`, email: `tap${count}@example.com` })
  /** A page of one's own in a browser that has the cookie of the script of Google. */
  const begunPage = async (token = 'of-the-script') => {
    const page = await openPage(server, configuration)
    await page.start('Register')
    page.browser.steal('g_csrf_token', { cookie: () => token } as unknown as Browser)
    return page
  }

  test('signs in from the sign-in page, whose policy lets in the script of Google and no other', async () => {
    const id = await connectGoogle()
    const [browser, begun, person] = [newBrowser(), await begin(configuration), newcomer()]
    const page = await browser.open(begun.url)
    expect(page.text).toContain('<script src="https://accounts.google.com/gsi/client" async></script>')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/script-src [^;]* https:\/\/accounts\.google\.com\/gsi\/client(;| )/)
    expect(policy).toContain('frame-src https://accounts.google.com/gsi/;')
    expect(attributeIn(page.text, 'data-client_id')).toBe(provider.clientId)
    expect(attributeIn(page.text, 'data-auto_select')).toBe('true')
    expect(attributeIn(page.text, 'data-login_uri')).toBe(`${server.baseUrl}/callback/${id}`)
    const credential = await provider.credential(person, attributeIn(page.text, 'data-nonce'))
    const asks = await post(browser, `/callback/${id}`, { credential, g_csrf_token: 'token' })
    expect(asks.text).toContain('Create an account')
    const token = attributeIn(asks.text, 'name="token" value') ?? ''
    const end = await post(browser, asks.url.pathname, { token })
    const claims = (await redeem(configuration, end, begun)).claims()
    expect((await server.api('GET', `/users/${claims?.sub}`)).body.identities.google.userId).toBe(person.sub)
  })

  test('a credential that was made for another page, or for none, signs in nobody', async () => {
    const id = await connectGoogle()
    const [mine, theirs] = [newBrowser(), newBrowser()]
    const page = await mine.open((await begin(configuration)).url)
    const other = await theirs.open((await begin(configuration)).url)
    const nonce = attributeIn(page.text, 'data-nonce') ?? ''
    const foreign = await provider.credential(newcomer(), nonce)
    expect((await post(theirs, `/callback/${id}`, { credential: foreign })).status).toBe(400)
    const forged = `${other.url.pathname.split('/').at(-1)}.${nonce.split('.')[1]}`
    const without = await post(theirs, `/callback/${id}`, { credential: await provider.credential(newcomer()) })
    expect(without.status).toBe(400)
    const wrong = await provider.credential(newcomer(), forged)
    expect((await post(theirs, `/callback/${id}`, { credential: wrong })).text).toContain(
      'You could not be signed in there.',
    )
  })

  test('is verified by the Experience API, with the cookie of the script', async () => {
    const id = await connectGoogle()
    const { body: settings } = await server.api('GET', '/.well-known/sign-in-exp')
    const offered = { isEnabled: true, autoSelect: true, clientId: provider.clientId, connectorId: id }
    expect(settings.googleOneTap).toEqual(offered)
    const page = await begunPage()
    const person = newcomer()
    const credential = await provider.credential(person)
    const mismatch = [403, 'session.csrf_token_mismatch']
    for (const token of ['another', '', undefined])
      expect(
        told(await comeBack(page, id, { credential, ...(token === undefined ? {} : { g_csrf_token: token }) })),
      ).toEqual(mismatch)
    const brought = await comeBack(page, id, { credential, g_csrf_token: 'of-the-script' })
    expect(told(brought)).toEqual([200])
    expect((await page.call('POST', '/identification', brought.body)).status).toBe(201)
    const { body: state } = await page.call('GET', '/interaction')
    expect(state.verificationRecords).toMatchObject([{ type: 'Social', socialUserInfo: { id: person.sub } }])
    // once, in whatever interaction
    const used = [401, 'connector.social_invalid_id_token']
    const same = { credential, g_csrf_token: 'of-the-script' }
    for (const again of [page, await begunPage()]) expect(told(await comeBack(again, id, same))).toEqual(used)
    const { rows } = await server.store.database.pool.query(
      "SELECT count(*)::int AS entries FROM audit_log WHERE payload->>'reason' = 'the ID token was used before'",
    )
    expect(rows[0].entries).toBe(2)
    const other = { ...same, credential: await provider.credential(newcomer()) }
    const pages = [await begunPage(), await begunPage(), await begunPage()]
    const answers = await Promise.all(pages.map((each) => comeBack(each, id, other)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  })

  test.each([
    'aud of another client',
    'iss of another issuer in the ID token',
    'alg none',
    'a key that is not its own',
    'an expired ID token',
    'an ID token from the future',
  ] as const)('a lie: %s', async (lie) => {
    const id = await connectGoogle()
    const page = await begunPage()
    provider.lie = lie
    const credential = await provider.credential(newcomer())
    provider.lie = undefined
    expect(told(await comeBack(page, id, { credential, g_csrf_token: 'of-the-script' }))).toEqual([
      401,
      'connector.social_invalid_id_token',
    ])
  })

  test('is good for ten minutes, and only where it is switched on', async () => {
    const id = await connectGoogle()
    const page = await begunPage()
    const credential = await provider.credential(newcomer())
    server.clock.advance(601)
    const brought = { credential, g_csrf_token: 'of-the-script' }
    expect(told(await comeBack(page, id, brought))).toEqual([401, 'connector.social_invalid_id_token'])
    const off = await connectGoogle({ isEnabled: false })
    const fresh = { ...brought, credential: await provider.credential(newcomer()) }
    expect(told(await comeBack(await begunPage(), off, fresh))).toEqual([400, 'connector.not_enabled'])
    expect((await server.api('GET', '/.well-known/sign-in-exp')).body.googleOneTap).toBeUndefined()
    const { text } = await newBrowser().open((await begin(configuration)).url)
    expect(text).not.toContain('accounts.google.com')
  })
})
