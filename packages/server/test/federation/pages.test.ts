/** Sign-in at a provider through the hosted pages: the buttons, the way there and back, and what is said when it fails. */
import type { IdentityProvider, Lie } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectMessages } from '../management/texts.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { connect, heldTimes, newPerson, startProvider } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let connectorId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  connectorId = await connect(server, 'oidc', { ...provider.config, trustVerifiedAddresses: true })
  const settings = { socialSignIn: { skipRequiredIdentifiers: true } }
  expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const tokenIn = ({ text }: Page) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
const interactionIn = ({ url }: Page) => url.pathname.split('/').at(-1) ?? ''

const post = (browser: Browser, path: string, fields: Record<string, string>) =>
  browser.open(`${server.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

/** Presses the button of the provider on the sign-in page; where the browser ends. */
const press = async (browser: Browser, page: Page) => {
  expect(page.text).toContain(`formaction="/social/${interactionIn(page)}"`)
  return post(browser, `/social/${interactionIn(page)}`, { token: tokenIn(page), connector: connectorId })
}

test('a new user creates an account, and signs in with one press the next time', async () => {
  const browser = newBrowser()
  const begun = await begin(configuration)
  provider.person = newPerson({ email: 'ann@example.com', email_verified: true })
  const first = await browser.open(begun.url)
  expect(first.text).not.toContain('Last used')
  const asked = await press(browser, first)
  expect(asked.url.pathname).toMatch(/^\/social\//)
  expect(asked.text).toContain('acme')
  const back = await post(browser, asked.url.pathname, { token: tokenIn(asked) })
  const claims = (await redeem(configuration, back, begun)).claims()
  const { body: user } = await server.api('GET', `/users/${claims?.sub}`)
  expect(user).toMatchObject({ primaryEmail: 'ann@example.com', identities: { acme: { userId: provider.person.sub } } })

  const again = await begin(configuration, { prompt: 'login' })
  const second = await browser.open(again.url)
  expect(second.text).toContain('Last used')
  const end = await press(browser, second)
  expect((await redeem(configuration, end, again)).claims()).toMatchObject({ sub: claims?.sub, amr: ['fed'] })
})

test('an application leads straight to the provider by direct_sign_in, and to the sign-in page by a name that is none', async () => {
  const begun = await begin(configuration, { direct_sign_in: 'social:acme' })
  provider.person = newPerson()
  const browser = newBrowser()
  const asked = await browser.open(begun.url)
  expect(asked.url.pathname).toMatch(/^\/social\//)
  const back = await post(browser, asked.url.pathname, { token: tokenIn(asked) })
  expect((await redeem(configuration, back, begun)).claims()?.amr).toEqual(['fed'])
  const { url } = await newBrowser().open((await begin(configuration, { direct_sign_in: 'social:others' })).url)
  expect(url.pathname).toMatch(/^\/sign-in\//)
})

test('where an identifier is required it is asked for', async () => {
  await server.api('PATCH', '/sign-in-exp', { socialSignIn: {} })
  const browser = newBrowser()
  const begun = await begin(configuration)
  provider.person = newPerson()
  const asked = await press(browser, await browser.open(begun.url))
  const missing = await post(browser, asked.url.pathname, { token: tokenIn(asked) })
  expect(missing.url.pathname).toMatch(/^\/complete-profile\//)
  const end = await post(browser, missing.url.pathname, { token: tokenIn(missing), identifier: 'ann_at_acme' })
  const claims = (await redeem(configuration, end, begun)).claims()
  expect((await server.api('GET', `/users/${claims?.sub}`)).body).toMatchObject({
    username: 'ann_at_acme',
    hasPassword: false,
  })
})

/** How many entries the audit log has of failures of a kind. */
const failuresAt = async (id: string, kind: string): Promise<number> => {
  const { rows } = await server.store.database.pool.query('SELECT id FROM audit_log WHERE payload @> $1', [
    { result: 'Error', connectorId: id, kind },
  ])
  return rows.length
}
const expectFailed = (browser: Browser, page: Page) => {
  expect(page.url.pathname).toMatch(/^\/sign-in\//)
  expect(page.text).toContain('You could not be signed in there.')
  expect(browser.cookie('countersign-session')).toBeUndefined()
}

test.each<[Lie, string]>([
  ['another nonce', 'token'],
  ['alg none', 'token'],
  ['iss of another issuer in the response', 'response'],
  ['500 at the token endpoint', 'provider'],
  ['HTML at the token endpoint', 'provider'],
  ['10 MB at the token endpoint', 'provider'],
  ['an open connection at the token endpoint', 'provider'],
  ['a key that is not its own', 'token'],
  ['an expired ID token', 'token'],
  ['an ID token from the future', 'token'],
])('R-29 %s: the sign-in page says so, the audit log has why, and nobody is signed in', async (lie, kind) => {
  const browser = newBrowser()
  const page = await browser.open((await begin(configuration)).url)
  const before = await failuresAt(connectorId, kind)
  const times = heldTimes()
  provider.lie = lie
  provider.asked.length = 0
  const pressing = press(browser, page)
  if (lie === 'an open connection at the token endpoint') {
    await expect.poll(() => provider.asked, { timeout: 60_000, interval: 10 }).toContain('POST /token')
    times.end()
  }
  expectFailed(browser, await pressing)
  provider.lie = undefined
  times.restore()
  expect(await failuresAt(connectorId, kind)).toBe(before + 1)
})

test('R-29 a provider without metadata is said to have failed, before a user is sent there', async () => {
  const broken = await startProvider(server)
  broken.lie = '500 at discovery'
  const id = await connect(server, 'oidc', broken.config, { target: 'broken' })
  const browser = newBrowser()
  expectFailed(browser, await browser.open((await begin(configuration, { direct_sign_in: 'social:broken' })).url))
  expect(await failuresAt(id, 'provider')).toBe(1)
  await broken.close()
  await server.api('DELETE', `/connectors/${id}`)
  await server.api('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: ['acme'] })
})

/** A user with an account at the provider, who is about to come back from there. */
const comingBack = async () => {
  const user = await createUser(server)
  const person = newPerson()
  const path = `/users/${user.id}` as const
  expect((await server.api('PUT', `${path}/identities/acme`, { userId: person.sub })).status).toBe(201)
  const begun = await begin(configuration)
  const browser = newBrowser(provider.origin)
  const { url } = await press(browser, await browser.open(begun.url))
  const query = new URLSearchParams(provider.signIn(url.href, person))
  const comeBack = () => browser.open(`${server.baseUrl}/callback/${connectorId}?${query}`)
  return { id: user.id, path, person, browser, begun, comeBack }
}

test('the answer of a provider is used up where its user is not let in, and the audit log says why', async () => {
  const { path, person, comeBack } = await comingBack()
  await server.api('PATCH', `${path}/is-suspended`, { isSuspended: true })
  const refused = await comeBack()
  expect(refused.text).toContain('You could not be signed in there.')
  const { body: entries } = await server.api('GET', '/logs?logKey=Interaction.SignIn.Submit&page_size=100')
  const payloads: Record<string, unknown>[] = entries.map(({ payload }: { payload: unknown }) => payload)
  expect(payloads.filter(({ identityId }) => identityId === person.sub)).toMatchObject([
    { result: 'Error', error: 'user.suspended', connectorId },
  ])
  await server.api('PATCH', `${path}/is-suspended`, { isSuspended: false })
  const again = await comeBack()
  expect(again.url.href).toBe(refused.url.href)
})

test('of two equal answers at once one signs in', async () => {
  const { id, begun, comeBack } = await comingBack()
  const ends = await Promise.all([comeBack(), comeBack()])
  const [end, ...others] = ends.filter(({ url }) => url.href.startsWith(CALLBACK))
  expect(others).toEqual([])
  expect(end && (await redeem(configuration, end, begun)).claims()).toMatchObject({ sub: id, amr: ['fed'] })
})

test('where a second factor is needed, who has come back stays identified for its page', async () => {
  const mfa = (change: object) => server.api('PATCH', '/sign-in-exp', { mfa: change })
  await mfa({ factors: ['Totp'], policy: 'PromptAtSignInAndSignUp' })
  const { id, browser, begun, comeBack } = await comingBack()
  const asked = await comeBack()
  expect(asked.url.pathname).toMatch(/^\/set-up-factor\//)
  const end = await browser.submit(asked, { action: 'skip', code: '' })
  expect((await redeem(configuration, end, begun)).claims()).toMatchObject({ sub: id, amr: ['fed'] })
  await mfa({ factors: [], policy: 'UserControlled' })
})

test('an answer in another browser concerns nothing, and neither does a form without its token', async () => {
  const browser = newBrowser()
  const page = await browser.open((await begin(configuration)).url)
  const foreign = await newBrowser().open(
    `${server.baseUrl}/callback/${connectorId}?code=code&state=${interactionIn(page)}.another`,
  )
  expect(foreign.status).toBe(400)
  const forged = await post(browser, `/social/${interactionIn(page)}`, { connector: connectorId })
  expect(forged.url.pathname).toBe(page.url.pathname)
})

describe('the address of an account here', () => {
  const ALWAYS = { password: true, isPasswordPrimary: true }
  const METHODS = [
    { identifier: 'username', verificationCode: false, ...ALWAYS },
    { identifier: 'email', verificationCode: true, ...ALWAYS },
  ]
  let messages: Awaited<ReturnType<typeof connectMessages>>
  beforeAll(async () => {
    messages = await connectMessages(server)
    const change = { signIn: { methods: METHODS }, socialSignIn: { skipRequiredIdentifiers: true } }
    expect((await server.api('PATCH', '/sign-in-exp', change)).status).toBe(200)
  })
  afterAll(() => messages.close())

  let count = 0
  /** A user whose address the provider has verified, and the page that the button leads to. */
  const met = async (isVerified: boolean, claims: object = {}) => {
    const email = `known${++count}@example.com`
    const fields = { username: `known_${count}`, primaryEmail: email, password: PASSWORD }
    const { body: user } = await server.api('POST', '/users', fields)
    if (isVerified)
      await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [user.id])
    const browser = newBrowser()
    const begun = await begin(configuration)
    provider.person = newPerson({ email, email_verified: true, ...claims })
    const page = await press(browser, await browser.open(begun.url))
    const send = (fields: Record<string, string>, at: Page = page) =>
      post(browser, at.url.pathname, { token: tokenIn(at), ...fields })
    return { browser, begun, email, userId: user.id as string, person: provider.person, page, send }
  }
  const identityOf = async (userId: string) =>
    (await server.api('GET', `/users/${userId}`)).body.identities.acme?.userId

  test('the password of the account links the two', async () => {
    const { page, email, send, begun, userId, person } = await met(false)
    expect(page.url.pathname).toMatch(/^\/social\//)
    expect(page.text).toContain(`There is an account with ${email}.`)
    const missing = await send({ link: 'link', password: '' })
    expect(missing.status).toBe(422)
    const wrong = await send({ link: 'link', password: 'not the password' })
    expect([wrong.status, wrong.text.includes('The name or the password is incorrect.')]).toEqual([422, true])
    expect(await identityOf(userId)).toBeUndefined()
    const end = await send({ link: 'link', password: PASSWORD })
    expect((await redeem(configuration, end, begun)).claims()).toMatchObject({ sub: userId, amr: ['pwd'] })
    expect(await identityOf(userId)).toBe(person.sub)
  })

  test('so does a code to the address', async () => {
    const { send, email, begun, userId, person } = await met(false)
    const asked = await send({ link: 'code' })
    expect(asked.url.pathname).toMatch(/^\/sign-in-code\//)
    const end = await send({ code: await messages.codeTo(email) }, asked)
    expect((await redeem(configuration, end, begun)).claims()).toMatchObject({ sub: userId, amr: ['otp'] })
    expect(await identityOf(userId)).toBe(person.sub)
  })

  test('nothing more has to be proved where both sides have verified it, but the user decides', async () => {
    const { page, send, begun, userId, person } = await met(true)
    expect(page.text).not.toContain('name="password"')
    expect(await identityOf(userId)).toBeUndefined()
    const end = await send({ link: 'link' })
    expect((await redeem(configuration, end, begun)).claims()).toMatchObject({ sub: userId, amr: ['fed'] })
    expect(await identityOf(userId)).toBe(person.sub)
  })

  test('the user can have a new account, without the address, or go back and sign in without linking', async () => {
    const { browser, page, send, begun, userId } = await met(false)
    expect(page.text).toContain(`href="${page.url.pathname}?new"`)
    const create = await browser.open(`${server.baseUrl}${page.url.pathname}?new`)
    expect(create.text).toContain('Create an account')
    const end = await send({}, create)
    const { sub } = (await redeem(configuration, end, begun)).claims() ?? {}
    expect(sub).not.toBe(userId)
    expect((await server.api('GET', `/users/${sub}`)).body.primaryEmail).toBeNull()

    const other = await met(false)
    const back = await other.browser.open(`${server.baseUrl}/sign-in/${interactionIn(other.page)}`)
    const signedIn = await other.send({ identifier: other.email, password: PASSWORD }, back)
    expect((await redeem(configuration, signedIn, other.begun)).claims()?.sub).toBe(other.userId)
    expect(await identityOf(other.userId)).toBeUndefined()
  })

  test('one who is only let in is asked to link, and is not offered an account', async () => {
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignIn' })
    const { page, send, begun, userId } = await met(true)
    expect(page.text).not.toContain('Create an account')
    expect((await redeem(configuration, await send({ link: 'link' }), begun)).claims()?.sub).toBe(userId)
    const browser = newBrowser()
    provider.person = newPerson()
    const refused = await press(browser, await browser.open((await begin(configuration)).url))
    expect(refused.text).toContain('You could not be signed in there.')
    await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })
  })

  test('one whom the user has an account of already cannot be linked', async () => {
    const before = await met(true)
    const { sub } = (await redeem(configuration, await before.send({ link: 'link' }), before.begun)).claims() ?? {}
    const browser = newBrowser()
    provider.person = newPerson({ email: before.email, email_verified: true })
    const page = await press(browser, await browser.open((await begin(configuration)).url))
    expect(page.text).not.toContain('name="link"')
    expect(await identityOf(String(sub))).toBe(before.person.sub)
  })
})

test('R-30: a logo may be elsewhere; the policy then names its origin, and no other', async () => {
  const policyOf = async () => {
    const page = await newBrowser().open((await begin(configuration)).url)
    return { text: page.text, images: /img-src ([^;]*)/.exec(page.headers.get('content-security-policy') ?? '')?.[1] }
  }
  expect((await policyOf()).images).toBe("'self' data:")
  const path = `/connectors/${connectorId}` as const
  const logos = { logo: 'https://cdn.example/acme.svg?a=1;b', logoDark: 'http://plain.example/dark.svg' }
  expect((await server.api('PATCH', path, { metadata: logos })).status).toBe(200)
  const { text, images } = await policyOf()
  expect(images).toBe("'self' data: https://cdn.example")
  expect(text).toContain('<img src="https://cdn.example/acme.svg?a=1;b"')
  expect(text).not.toContain('plain.example')
  expect((await server.api('PATCH', path, { metadata: {} })).status).toBe(200)
})

describe('where users sign in elsewhere only', () => {
  const nowhere = { signIn: { methods: [] }, signUp: { identifiers: [], password: false, verify: false } }
  const elsewhere = { socialSignInConnectorTargets: ['acme'], singleSignOnEnabled: false }
  afterAll(async () => {
    const methods = [{ identifier: 'username', password: true }]
    expect((await server.api('PATCH', '/sign-in-exp', { ...elsewhere, signIn: { methods } })).status).toBe(200)
  })

  test('the page shows the buttons, and asks for no name; a password that is posted is not looked at', async () => {
    await server.api('POST', '/users', { username: 'with_password', password: PASSWORD })
    const none = { ...nowhere, socialSignInConnectorTargets: [] }
    expect((await server.api('PATCH', '/sign-in-exp', none)).status).toBe(400)
    const { status } = await server.api('PATCH', '/sign-in-exp', { ...elsewhere, ...nowhere })
    expect(status).toBe(200)
    const browser = newBrowser()
    const begun = await begin(configuration)
    const page = await browser.open(begun.url)
    expect(page.text).toContain('id="social-acme"')
    expect(page.text).not.toMatch(/id="(identifier|password|submit|forgot-password|register)"/)
    const fields = { token: tokenIn(page), identifier: 'with_password', password: PASSWORD }
    expect((await post(browser, page.url.pathname, fields)).status).toBe(422)
    provider.person = newPerson()
    const asked = await press(browser, page)
    const end = await post(browser, asked.url.pathname, { token: tokenIn(asked) })
    expect((await redeem(configuration, end, begun)).claims()?.amr).toEqual(['fed'])
  })

  test('single sign-on asks for the address that leads to a company, and for nothing else', async () => {
    const connector = {
      providerName: 'OIDC',
      connectorName: 'Company',
      domains: ['company.example'],
      config: provider.config,
    }
    expect((await server.api('POST', '/sso-connectors', connector)).status).toBe(200)
    const change = { ...nowhere, socialSignInConnectorTargets: [], singleSignOnEnabled: true }
    expect((await server.api('PATCH', '/sign-in-exp', change)).status).toBe(200)
    const browser = newBrowser()
    const begun = await begin(configuration)
    const page = await browser.open(begun.url)
    expect(page.text).toMatch(/id="identifier"[\s\S]*id="use-sso"/)
    expect(page.text).not.toMatch(/id="(password|submit|social-acme)"/)
    provider.person = newPerson({ email: 'ann@company.example' })
    const fields = { token: tokenIn(page), action: 'sso', identifier: 'ann@company.example' }
    const end = await post(browser, page.url.pathname, fields)
    expect((await redeem(configuration, end, begun)).claims()?.amr).toEqual(['fed'])
  })
})
