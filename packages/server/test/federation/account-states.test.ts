/** What becomes of an account at a provider: by what we know of the user, what the provider says, and what the settings are. */
import type { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventsSince, type OwnPage, openPage } from '../experience/arrange.ts'
import { codeOf, useFactors, verifyCode } from '../factors/arrange.ts'
import { connectMessages } from '../management/texts.ts'
import { createApp, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { connect, connectSso, newPerson, startProvider, told, visit } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let trusted: string
let distrusted: string
let synced: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  const config = { ...provider.config, trustVerifiedAddresses: true }
  trusted = await connect(server, 'oidc', config)
  distrusted = await connect(server, 'oidc', provider.config, { target: 'distrusted' })
  synced = await connect(server, 'oidc', config, { target: 'synced', syncProfile: true })
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const begunPage = async (event: 'SignIn' | 'Register' = 'SignIn') => {
  const page = await openPage(server, configuration)
  expect((await page.start(event)).status).toBe(204)
  return page
}
const settings = async (change: object) => expect((await server.api('PATCH', '/sign-in-exp', change)).status).toBe(200)
const identifiers = (names: readonly string[], password = false) => ({
  signUp: { identifiers: names, password, verify: false, secondaryIdentifiers: [] },
})

let count = 0
const address = () => `somebody${++count}@example.com`
/** A user with an address. */
const userWith = async (email: string, isVerified: boolean, more: object = {}) => {
  const { body } = await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD, ...more })
  if (isVerified)
    await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [body.id])
  return body.id as string
}
const identityOf = async (userId: string, target = 'acme') =>
  (await server.api('GET', `/users/${userId}`)).body.identities[target]?.userId
const submitted = async (page: OwnPage) => {
  const { status, body } = await page.call('POST', '/submit')
  expect([status, body.code]).toEqual([200, undefined])
  return (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
}

interface Case {
  readonly what: string
  /** Whether we have verified the address of the user; undefined: no user has it. */
  readonly ours: boolean | undefined
  readonly isSuspended?: true
  /** Whether the user has another account of the provider. */
  readonly hasOther?: true
  /** Whether the account is deleted while the user is at the provider. */
  readonly isDeleted?: true
  /** Whether the address is at the domain of a company whose users sign in at its own provider. */
  readonly isOfCompany?: true
  /** Whether the provider says that it has verified the address. */
  readonly theirs: boolean
  readonly isTrusted: boolean
  readonly automatic?: true
  readonly isWanted?: true
  readonly outcome: 'joined' | 'suspended' | 'unknown' | 'hint' | 'company'
}

const CASES: readonly Case[] = [
  {
    what: 'no user has the address',
    ours: undefined,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'unknown',
  },
  {
    what: 'both sides have verified it, automatic',
    ours: true,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'joined',
  },
  {
    what: 'both sides have verified it, the user wants it',
    ours: true,
    theirs: true,
    isTrusted: true,
    isWanted: true,
    outcome: 'joined',
  },
  { what: 'both sides have verified it, not automatic', ours: true, theirs: true, isTrusted: true, outcome: 'hint' },
  { what: 'we have not verified it', ours: false, theirs: true, isTrusted: true, automatic: true, outcome: 'hint' },
  {
    what: 'we have not verified it, the user wants it',
    ours: false,
    theirs: true,
    isTrusted: true,
    isWanted: true,
    outcome: 'hint',
  },
  {
    what: 'the provider has not verified it',
    ours: true,
    theirs: false,
    isTrusted: true,
    automatic: true,
    outcome: 'unknown',
  },
  {
    what: 'the provider has not verified it, the user wants it',
    ours: true,
    theirs: false,
    isTrusted: true,
    isWanted: true,
    outcome: 'unknown',
  },
  {
    what: 'the provider is not trusted',
    ours: true,
    theirs: true,
    isTrusted: false,
    automatic: true,
    outcome: 'unknown',
  },
  {
    what: 'the provider is not trusted, the user wants it',
    ours: true,
    theirs: true,
    isTrusted: false,
    isWanted: true,
    outcome: 'unknown',
  },
  { what: 'neither side', ours: false, theirs: false, isTrusted: true, automatic: true, outcome: 'unknown' },
  {
    what: 'the user has another account there',
    ours: true,
    hasOther: true,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'hint',
  },
  {
    what: 'the user is suspended',
    ours: true,
    isSuspended: true,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'suspended',
  },
  {
    what: 'the user is deleted meanwhile',
    ours: true,
    isDeleted: true,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'unknown',
  },
  {
    what: 'it is at the domain of a company',
    ours: true,
    isOfCompany: true,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'company',
  },
  {
    what: 'it is at the domain of a company, and the user wants it',
    ours: true,
    isOfCompany: true,
    theirs: true,
    isTrusted: true,
    isWanted: true,
    outcome: 'company',
  },
  {
    what: 'it is at the domain of a company, and we have not verified it',
    ours: false,
    isOfCompany: true,
    theirs: true,
    isTrusted: true,
    automatic: true,
    outcome: 'hint',
  },
]

const ANSWERS = {
  joined: [204],
  suspended: [401, 'user.suspended'],
  unknown: [404, 'user.identity_not_exist'],
  hint: [404, 'user.identity_not_exist'],
  company: [422, 'session.sso_enabled'],
} as const

const COMPANY = 'company-of-the-table.example'

describe('an account at a provider that no user has, at sign-in', () => {
  let company: string
  beforeAll(async () => {
    company = await connectSso(server, provider.config, { domains: [COMPANY] })
    await settings({ singleSignOnEnabled: true })
  })
  afterAll(async () => {
    await server.api('DELETE', `/sso-connectors/${company}`)
  })

  test.each(CASES.map((each) => [each.what, each] as const))('%s', async (_what, each) => {
    await settings({ ...identifiers([]), socialSignIn: { automaticAccountLinking: each.automatic ?? false } })
    const email = each.isOfCompany ? `somebody${++count}@${COMPANY}` : address()
    const id = each.ours === undefined ? undefined : await userWith(email, each.ours)
    if (each.isSuspended) await server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true })
    if (each.hasOther) await server.api('PUT', `/users/${id}/identities/acme`, { userId: `other-of-${id}` })
    const before = id && (await identityOf(id))
    const page = await begunPage()
    const person = newPerson({ email: email.toUpperCase(), email_verified: each.theirs })
    const { body } = await visit(page, provider, each.isTrusted ? trusted : distrusted, person)
    if (each.isDeleted) expect((await server.api('DELETE', `/users/${id}`)).status).toBe(204)
    const linkSocialIdentity = each.isWanted ?? false
    const reply = await page.call('POST', '/identification', { ...body, linkSocialIdentity })
    expect(told(reply)).toEqual(ANSWERS[each.outcome])
    expect(reply.body?.data?.relatedUser?.type).toBe(each.outcome === 'hint' ? 'email' : undefined)
    if (each.outcome !== 'joined') {
      if (!each.isDeleted) expect(id && (await identityOf(id))).toBe(before)
      // the audit log of a user who was refused has the attempt
      const { body: logs } = await server.api('GET', `/logs?userId=${id ?? 'nobody'}&page_size=100`)
      const refused = logs.filter(({ payload }: { payload: { result: string } }) => payload.result === 'Error')
      expect(refused).toHaveLength(each.outcome === 'suspended' ? 1 : 0)
      return
    }
    const { cursor } = await eventsSince(server)
    expect(await submitted(page)).toMatchObject({ sub: id, amr: ['fed'] })
    expect(id && (await identityOf(id))).toBe(person.sub)
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostSignIn'])
    // and the next time it is known
    await settings({ socialSignIn: {} })
    const again = await begunPage()
    const { body: proved } = await visit(again, provider, trusted, { ...person, email: address() })
    expect((await again.call('POST', '/identification', proved)).status).toBe(204)
    expect(await submitted(again)).toMatchObject({ sub: id })
  })
})

test('a GitLab of the operator’s own is not trusted unless its connector says so', async () => {
  const gitlab = await connect(server, 'gitlab-universal', provider.config, { target: 'gitlab' })
  await settings({ socialSignIn: { automaticAccountLinking: true } })
  const email = address()
  await userWith(email, true)
  const enter = async () => {
    const page = await begunPage()
    const { body } = await visit(page, provider, gitlab, newPerson({ email, email_verified: true }))
    return told(await page.call('POST', '/identification', body))
  }
  expect(await enter()).toEqual(ANSWERS.hint)
  const config = { ...provider.config, trustVerifiedAddresses: true }
  expect((await server.api('PATCH', `/connectors/${gitlab}`, { config })).status).toBe(200)
  expect(await enter()).toEqual(ANSWERS.joined)
  await settings({ socialSignIn: {} })
})

describe('registration', () => {
  test('a new account has name, picture and verified address, and no password', async () => {
    await settings({ ...identifiers(['email'], true), signIn: METHODS })
    const page = await begunPage('Register')
    const email = address()
    const picture = 'https://id.example.com/a.png'
    const person = newPerson({ email, email_verified: true, picture })
    const { body } = await visit(page, provider, trusted, person)
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    const { cursor } = await eventsSince(server)
    const claims = await submitted(page)
    expect(claims?.amr).toEqual(['fed'])
    const { body: user } = await server.api('GET', `/users/${claims?.sub}`)
    expect(user).toMatchObject({ primaryEmail: email, name: person.name, avatar: picture, hasPassword: false })
    expect(user.identities.acme).toMatchObject({ userId: person.sub, details: { email, rawData: { sub: person.sub } } })
    const { rows } = await server.store.database.pool.query('SELECT email_verified_at FROM users WHERE id = $1', [
      user.id,
    ])
    expect(rows[0].email_verified_at).not.toBeNull()
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
    const other = await begunPage('Register')
    const { body: proved } = await visit(other, provider, trusted, person)
    expect(told(await other.call('POST', '/identification', proved))).toEqual([422, 'user.identity_already_in_use'])
  })

  const METHODS = { methods: [{ identifier: 'email', password: true }] }
  test.each<[string, object, boolean, boolean, string[]]>([
    ['an address that is not verified is not taken', { email_verified: false }, true, false, ['email']],
    ['nor one of a provider that is not trusted', { email_verified: true }, false, false, ['email']],
    ['nor one that another user has', { email_verified: true }, true, true, ['email']],
    ['a missing identifier is asked for', { email: undefined }, true, false, ['email']],
  ])('%s', async (_what, claims, isTrusted, isTaken, missingProfile) => {
    await settings({ ...identifiers(['email'], true), signIn: METHODS, socialSignIn: {} })
    const email = address()
    if (isTaken) await userWith(email, true)
    const page = await begunPage('Register')
    const person = newPerson({ email, ...claims })
    const { body } = await visit(page, provider, isTrusted ? trusted : distrusted, person)
    const reply = await page.call('POST', '/identification', body)
    expect(told(reply)).toEqual([422, 'user.missing_profile'])
    expect(reply.body.data.missingProfile).toEqual(missingProfile)
    // unless the settings want none
    await settings({ socialSignIn: { skipRequiredIdentifiers: true } })
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    expect((await server.api('GET', `/users/${(await submitted(page))?.sub}`)).body.primaryEmail).toBeNull()
  })

  test.each<[string, (page: OwnPage, proved: object) => ReturnType<OwnPage['call']>]>([
    ['identified by it', (page, proved) => page.call('POST', '/identification', proved)],
    ['with it added', (page, proved) => page.call('POST', '/profile', { type: 'social', ...proved })],
  ])('an address that the policy blocks is refused: %s', async (_what, enter) => {
    await settings({ ...identifiers(['email'], true), signIn: METHODS, socialSignIn: {} })
    await settings({ emailBlocklistPolicy: { customBlocklist: ['@blocked.example'] } })
    const page = await begunPage('Register')
    const person = newPerson({ email: `somebody${++count}@blocked.example`, email_verified: true })
    const { body } = await visit(page, provider, trusted, person)
    expect(told(await enter(page, body))).toEqual([422, 'session.email_blocklist.email_not_allowed'])
    await settings({ emailBlocklistPolicy: {} })
  })

  test('by social accounts alone, where there is no other way; and not where registration is off', async () => {
    await settings({ ...identifiers([]), signInMode: 'SignInAndRegister' })
    const bare = await begunPage('Register')
    expect(told(await bare.call('POST', '/identification', {}))).toEqual([422, 'user.sign_up_method_not_enabled'])
    const page = await begunPage('Register')
    const { body } = await visit(page, provider, trusted, newPerson())
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    await settings({ signInMode: 'SignIn' })
    expect(told(await page.call('POST', '/submit'))).toEqual([422, 'user.sign_up_method_not_enabled'])
    await settings({ signInMode: 'SignInAndRegister' })
    await submitted(page)
  })
})

const INVALID = 'session.invalid_credentials'
const OTHER = { userId: 'another-account' }

describe('an account at a provider and a user who is known otherwise', () => {
  const known = async () => {
    await settings({ ...identifiers([]), signIn: { methods: [{ identifier: 'username', password: true }] } })
    const username = `user_${++count}`
    const { body } = await server.api('POST', '/users', { username, password: PASSWORD })
    const page = await begunPage()
    const { body: proved } = await page.verify(username)
    expect((await page.call('POST', '/identification', proved)).status).toBe(204)
    return { id: body.id as string, page }
  }

  test('is added to the user, who has then one of the provider', async () => {
    const { id, page } = await known()
    const person = newPerson()
    const { body } = await visit(page, provider, trusted, person)
    expect(told(await page.call('POST', '/profile', { type: 'social', ...body }))).toEqual([204])
    expect(await submitted(page)).toMatchObject({ sub: id, amr: ['pwd'] })
    expect(await identityOf(id)).toBe(person.sub)
    const { page: other } = await known()
    const { body: proved } = await visit(other, provider, trusted, person)
    expect(told(await other.call('POST', '/profile', { type: 'social', ...proved }))).toEqual([
      422,
      'user.identity_already_in_use',
    ])
  })

  test('two interactions that add it at once: one user gets it', async () => {
    const person = newPerson()
    const both = await Promise.all([known(), known()])
    for (const { page } of both) {
      const { body } = await visit(page, provider, trusted, person)
      expect((await page.call('POST', '/profile', { type: 'social', ...body })).status).toBe(204)
    }
    const replies = await Promise.all(both.map(({ page }) => page.call('POST', '/submit')))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(replies.find(({ status }) => status === 422)?.body.code).toBe('user.identity_already_in_use')
  })

  test.each<[string, (id: string) => ReturnType<TestServer['api']>, number, string]>([
    ['the account was taken from', (id) => server.api('DELETE', `/users/${id}/identities/acme`), 422, INVALID],
    [
      'the account is another by now of',
      (id) => server.api('PUT', `/users/${id}/identities/acme`, OTHER),
      422,
      INVALID,
    ],
    ['the operator has deleted', (id) => server.api('DELETE', `/users/${id}`), 422, INVALID],
    [
      'the operator has suspended',
      (id) => server.api('PATCH', `/users/${id}/is-suspended`, { isSuspended: true }),
      401,
      'user.suspended',
    ],
  ])('%s the user since: nobody is signed in', async (_what, change, status, code) => {
    const { id } = await known()
    const person = newPerson()
    await server.api('PUT', `/users/${id}/identities/acme`, { userId: person.sub })
    const page = await begunPage()
    const { body } = await visit(page, provider, trusted, person)
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    expect((await change(id)).status).toBeLessThan(300)
    expect(told(await page.call('POST', '/submit'))).toEqual([status, code])
  })

  test('P1 whose address is at the domain of a company is not signed in by the account that they have', async () => {
    const person = newPerson()
    const id = await userWith(`owner${++count}@owners.example`, true)
    await server.api('PUT', `/users/${id}/identities/acme`, { userId: person.sub })
    const company = await connectSso(server, provider.config, { domains: ['owners.example'] })
    await settings({ singleSignOnEnabled: true })
    const page = await begunPage()
    const { body } = await visit(page, provider, trusted, person)
    expect(told(await page.call('POST', '/identification', body))).toEqual([422, 'session.sso_enabled'])
    await server.api('DELETE', `/sso-connectors/${company}`)
  })

  test('name and picture are taken over at a sign-in where the connector says so', async () => {
    const { id } = await known()
    const person = newPerson({ name: 'Ann at first' })
    for (const [connectorId, target, name] of [
      [trusted, 'acme', null],
      [synced, 'synced', 'Ann by now'],
    ] as const) {
      await server.api('PUT', `/users/${id}/identities/${target}`, { userId: person.sub })
      const page = await begunPage()
      const { body } = await visit(page, provider, connectorId, { ...person, name: 'Ann by now' })
      expect((await page.call('POST', '/identification', body)).status).toBe(204)
      await submitted(page)
      expect((await server.api('GET', `/users/${id}`)).body.name).toBe(name)
    }
  })
})

test('settings that name a connector that is gone can be written back, but it cannot be named anew', async () => {
  const gone = await connect(server, 'oidc', provider.config, { target: 'gone' })
  expect((await server.api('DELETE', `/connectors/${gone}`)).status).toBe(204)
  const { body } = await server.api('GET', '/sign-in-exp')
  expect(body.socialSignInConnectorTargets).toContain('gone')
  await settings({ socialSignInConnectorTargets: body.socialSignInConnectorTargets })
  await settings({
    socialSignInConnectorTargets: body.socialSignInConnectorTargets.filter((each: string) => each !== 'gone'),
  })
  const again = await server.api('PATCH', '/sign-in-exp', { socialSignInConnectorTargets: ['gone'] })
  expect(told(again)).toEqual([400, 'sign_in_experiences.enabled_connector_not_found'])
})

describe('an operator', () => {
  test('gives an account at a provider to a user, by what the user came back with, once', async () => {
    const { body: user } = await server.api('POST', '/users', { username: `user_${++count}` })
    const begin = { state: 'a-state-of-the-operator', redirectUri: `https://console.example/callback/${trusted}` }
    const { status, body } = await server.api('POST', `/connectors/${trusted}/authorization-uri`, begin)
    expect(status).toBe(200)
    const person = newPerson()
    const brought = { connectorId: trusted, connectorData: provider.signIn(body.redirectTo, person) }
    const added = await server.api('POST', `/users/${user.id}/identities`, brought)
    expect([added.status, added.body.acme.userId]).toEqual([200, person.sub])
    expect((await server.api('GET', `/users/${user.id}/identities/acme`)).body.identity.userId).toBe(person.sub)
    expect(told(await server.api('POST', `/users/${user.id}/identities`, brought))).toEqual([
      400,
      'session.connector_session_not_found',
    ])
    const { body: logs } = await server.api('GET', '/logs?logKey=ManagementApi.addUserIdentity&page_size=100')
    expect(logs.map(({ payload }: { payload: { result: string } }) => payload.result)).toContain('Success')
  })

  test('cannot give one to two users, nor find one under a name that every object has', async () => {
    const [ann, bob] = await Promise.all(
      [1, 2].map(async () => (await server.api('POST', '/users', { username: `user_${++count}` })).body.id as string),
    )
    const identity = { userId: newPerson().sub }
    expect((await server.api('PUT', `/users/${ann}/identities/acme`, identity)).status).toBe(201)
    expect((await server.api('PUT', `/users/${ann}/identities/acme`, identity)).status).toBe(200)
    expect(told(await server.api('PUT', `/users/${bob}/identities/acme`, identity))).toEqual([
      422,
      'user.identity_already_in_use',
    ])
    for (const method of ['GET', 'DELETE'] as const)
      expect(told(await server.api(method, `/users/${bob}/identities/constructor`))).toEqual([
        404,
        'user.identity_not_exist',
      ])
  })
})

test('P1 no account at a provider gets in over the domain of a company', async () => {
  const connector = {
    providerName: 'OIDC',
    connectorName: 'Company',
    domains: ['company.example'],
    config: provider.config,
  }
  const { status, body: company } = await server.api('POST', '/sso-connectors', connector)
  expect(status).toBe(200)
  await settings({
    ...identifiers([]),
    singleSignOnEnabled: true,
    socialSignIn: { automaticAccountLinking: true },
  })
  const email = `ann${++count}@company.example`
  const refused = [422, 'session.sso_enabled']
  const arrive = async (event: 'SignIn' | 'Register', more: object = {}) => {
    const page = await begunPage(event)
    const { body } = await visit(page, provider, trusted, newPerson({ email, email_verified: true }))
    return told(await page.call('POST', '/identification', { ...body, ...more }))
  }
  expect(await arrive('Register')).toEqual(refused)
  const id = await userWith(email, true)
  expect(await arrive('SignIn')).toEqual(refused)
  await settings({ socialSignIn: {} })
  expect(await arrive('SignIn', { linkSocialIdentity: true })).toEqual(refused)
  expect(await identityOf(id)).toBeUndefined()
  await server.api('DELETE', `/sso-connectors/${company.id}`)
  expect(await arrive('SignIn', { linkSocialIdentity: true })).toEqual([204])
})

describe('a user with a second factor', () => {
  const POLICY = 'PromptOnlyAtSignInMandatory'
  const ASKED = [403, 'session.mfa.require_mfa_verification']

  /** The page of a user whose account at the provider is about to become theirs by their address. */
  const joining = async () => {
    const email = address()
    const id = await userWith(email, true)
    const { body: factor } = await server.api('POST', `/users/${id}/mfa-verifications`, { type: 'Totp' })
    const page = await begunPage()
    const person = newPerson({ email, email_verified: true })
    const { body } = await visit(page, provider, trusted, person)
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    return { id, page, person, secret: factor.secret as string }
  }
  const owners = async (sub: string) => {
    const { rows } = await server.store.database.pool.query(
      'SELECT user_id FROM user_identities WHERE identity_id = $1',
      [sub],
    )
    return rows
  }

  test('gets the account at the provider only once the factor is proved, even where the refusal is remembered', async () => {
    await useFactors(server, ['Totp'], POLICY)
    await settings({
      ...identifiers([]),
      adaptiveMfa: { enabled: true },
      socialSignIn: { automaticAccountLinking: true },
    })
    const { id, page, person, secret } = await joining()
    expect(told(await page.call('POST', '/submit'))).toEqual(ASKED)
    expect(await owners(person.sub)).toEqual([])
    expect((await verifyCode(page, codeOf(server, secret))).status).toBe(200)
    expect(await submitted(page)).toMatchObject({ sub: id, amr: ['fed', 'otp', 'mfa'] })
    expect(await owners(person.sub)).toEqual([{ user_id: id }])
    await settings({ adaptiveMfa: { enabled: false } })
  })

  test('proves a factor that is the address, too, which only the provider has verified in this sign-in', async () => {
    const messages = await connectMessages(server)
    await useFactors(server, ['EmailVerificationCode'], POLICY)
    await settings({ ...identifiers([]), socialSignIn: { automaticAccountLinking: true } })
    const { id, page } = await joining()
    const reply = await page.call('POST', '/submit')
    expect([told(reply), reply.body.data.availableFactors]).toEqual([ASKED, ['EmailVerificationCode']])
    expect(await identityOf(id)).toBeUndefined()
    await messages.close()
  })
})
