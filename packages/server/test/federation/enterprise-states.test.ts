/** What becomes of an account at the identity provider of a company: by what we know of the user, and what the provider says. */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { accountOf } from '@countersign/server/domain/federation/account.ts'
import { oidcProviderOf } from '@countersign/server/domain/federation/enterprise/config.ts'
import { ssoPreset } from '@countersign/server/domain/federation/enterprise/presets.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { eventsSince, type OwnPage, openPage } from '../experience/arrange.ts'
import { addTotp, useFactors } from '../factors/arrange.ts'
import { createApp, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { connectSso, newPerson, startProvider, told, visitSso } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let acme: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  acme = await connectSso(server, provider.config, { domains: ['acme.example'] })
  const methods = [
    { identifier: 'username', password: true },
    { identifier: 'email', password: true },
  ]
  await settings({ singleSignOnEnabled: true, signIn: { methods } })
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const settings = async (change: object) => expect((await server.api('PATCH', '/sign-in-exp', change)).status).toBe(200)
const begunPage = async (event: 'SignIn' | 'Register' = 'SignIn') => {
  const page = await openPage(server, configuration)
  expect((await page.start(event)).status).toBe(204)
  return page
}
let count = 0
const fresh = (domain = 'acme.example') => `ann${++count}@${domain}`
const userWith = async (email: string, isVerified: boolean, more: object = {}): Promise<string> => {
  const { body } = await server.api('POST', '/users', { primaryEmail: email, password: PASSWORD, ...more })
  if (isVerified)
    await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [body.id])
  return body.id
}
/** Comes back from the provider, and is identified: the answer. */
const identified = async (page: OwnPage, person: Person, connector = acme) => {
  const { status, body } = await visitSso(page, provider, connector, person)
  expect(status).toBe(200)
  return page.call('POST', '/identification', body)
}
const submitted = async (page: OwnPage) => {
  const { status, body } = await page.call('POST', '/submit')
  expect([status, body.code]).toEqual([200, undefined])
  const claims = (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
  if (!claims) throw new Error('there is no ID token')
  return claims
}
/** A new user, from the first visit to the session: who they are. */
const registered = async (person: Person, connector = acme) => {
  const page = await begunPage()
  const { body } = await visitSso(page, provider, connector, person)
  expect(told(await page.call('POST', '/identification', body))).toEqual([404, 'user.identity_not_exist'])
  expect((await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })).status).toBe(204)
  expect((await page.call('POST', '/identification', body)).status).toBe(201)
  return submitted(page)
}

interface Case {
  readonly what: string
  /** Whether we have verified the address of the user; undefined: no user has it. */
  readonly ours: boolean | undefined
  /** The claim; undefined: it is not there. */
  readonly theirs: boolean | string | undefined
  readonly domain?: string
  readonly isSuspended?: true
  /** Whether the user has another account at the connector. */
  readonly hasOther?: true
  readonly outcome: 'joined' | 'new' | 'new without the address' | 'taken' | 'suspended'
}

describe('R-29 whose an account at the provider becomes', () => {
  test.each<Case>([
    { what: 'no user has the address', ours: undefined, theirs: undefined, outcome: 'new' },
    { what: 'no user has it, and the provider has verified it', ours: undefined, theirs: true, outcome: 'new' },
    { what: 'no user has it, and it is denied', ours: undefined, theirs: false, outcome: 'new without the address' },
    { what: 'we have verified it', ours: true, theirs: undefined, outcome: 'joined' },
    { what: 'both have verified it', ours: true, theirs: 'true', outcome: 'joined' },
    { what: 'we have, and it is denied', ours: true, theirs: false, outcome: 'new without the address' },
    { what: 'we have not verified it', ours: false, theirs: true, outcome: 'taken' },
    { what: 'we have, and the user is suspended', ours: true, theirs: true, isSuspended: true, outcome: 'suspended' },
    { what: 'the user has another account there', ours: true, theirs: true, hasOther: true, outcome: 'taken' },
    {
      what: 'it is at a domain of others',
      ours: true,
      theirs: true,
      domain: 'others.example',
      outcome: 'new without the address',
    },
    {
      what: 'it is at a subdomain',
      ours: true,
      theirs: true,
      domain: 'sub.acme.example',
      outcome: 'new without the address',
    },
    {
      what: 'no user has one at a domain of others',
      ours: undefined,
      theirs: true,
      domain: 'others.example',
      outcome: 'new without the address',
    },
  ])('$what: $outcome', async ({ ours, theirs, domain, isSuspended, hasOther, outcome }) => {
    const email = fresh(domain)
    const userId = ours === undefined ? undefined : await userWith(email, ours)
    if (isSuspended) await server.api('PATCH', `/users/${userId}/is-suspended`, { isSuspended })
    if (hasOther)
      await identified(await begunPage(), newPerson({ email })).then(async ({ status }) => expect(status).toBe(204))
    if (hasOther) {
      const page = await begunPage()
      await identified(page, newPerson({ email }))
      await submitted(page)
    }
    const person = newPerson({ email, ...(theirs === undefined ? {} : { email_verified: theirs }) })
    if (outcome === 'new' || outcome === 'new without the address') {
      const { sub } = await registered(person)
      const { body } = await server.api('GET', `/users/${sub}`)
      expect([body.primaryEmail, sub === userId]).toEqual([outcome === 'new' ? email : null, false])
      return
    }
    const page = await begunPage()
    const answer = await identified(page, person)
    if (outcome === 'suspended') return expect(told(answer)).toEqual([401, 'user.suspended'])
    if (outcome === 'taken') {
      expect(told(answer)).toEqual([422, 'user.email_already_in_use'])
      return expect((await page.call('POST', '/submit')).status).toBeGreaterThanOrEqual(400)
    }
    expect(answer.status).toBe(204)
    expect((await submitted(page)).sub).toBe(userId)
    // from now on by the account, whatever address the provider reports
    const again = await begunPage()
    expect((await identified(again, { ...person, email: fresh('elsewhere.example') })).status).toBe(204)
    expect((await submitted(again)).sub).toBe(userId)
  })

  test('is shown with the user, and can be taken away', async () => {
    const { api } = server
    const person = newPerson({ name: 'Ann' })
    const { sub } = await registered(person)
    expect((await api('GET', `/users/${sub}`)).body.ssoIdentities).toBeUndefined()
    const { ssoIdentities } = (await api('GET', `/users/${sub}?includeSsoIdentities=true`)).body
    expect(ssoIdentities).toMatchObject([
      {
        ssoConnectorId: acme,
        issuer: provider.issuer,
        identityId: person.sub,
        detail: { id: person.sub, name: 'Ann' },
      },
    ])
    const path = `/users/${sub}/sso-identities/${acme}`
    expect((await api('GET', path)).body).toEqual({ ssoIdentity: ssoIdentities[0] })
    await api('PUT', `/users/${sub}/identities/acme`, { userId: 'social' })
    expect((await api('GET', `/users/${sub}/all-identities`)).body).toEqual({
      socialIdentities: [{ target: 'acme', identity: { userId: 'social' } }],
      ssoIdentities: [{ ssoConnectorId: acme, ssoIdentity: ssoIdentities[0] }],
    })
    // what was proved before it was taken away signs no one in any more
    const page = await begunPage()
    expect((await identified(page, person)).status).toBe(204)
    expect([(await api('DELETE', path)).status, (await api('GET', path)).status]).toEqual([204, 404])
    expect(told(await page.call('POST', '/submit'))).toEqual([422, 'session.invalid_credentials'])
    expect(told(await identified(await begunPage(), person))).toEqual([404, 'user.identity_not_exist'])
  })

  test('equal ids at another connector, or at another issuer of the same, are other users', async () => {
    const other = await connectSso(server, provider.config, { domains: ['other.example'] })
    const person = newPerson({ email: fresh() })
    const { sub } = await registered(person)
    const { sub: elsewhere } = await registered(person, other)
    expect(elsewhere).not.toBe(sub)
    await server.store.database.pool.query(
      `UPDATE user_sso_identities SET issuer = 'https://before.example' WHERE user_id = $1`,
      [elsewhere],
    )
    expect(told(await identified(await begunPage(), person, other))).toEqual([404, 'user.identity_not_exist'])
  })
})

describe('what a user of a company needs', () => {
  test('neither identifiers nor a password nor second factors, and registration may be off', async () => {
    const before = (await server.api('GET', '/sign-in-exp')).body
    await useFactors(server, ['Totp'], 'Mandatory')
    const signUp = { identifiers: ['username'], password: true, verify: false }
    await settings({ signInMode: 'SignIn', signUp })
    const { cursor } = await eventsSince(server)
    const claims = await registered(newPerson({ name: 'Ann', email: fresh() }))
    expect(claims.amr).toEqual(['fed'])
    const { body } = await server.api('GET', `/users/${claims.sub}`)
    expect(body).toMatchObject({ name: 'Ann', username: null, hasPassword: false })
    const { events } = await eventsSince(server, cursor)
    expect(events.map(({ event }) => event)).toEqual(['User.Created', 'PostRegister'])
    const { signInMode, mfa } = before
    await settings({ signInMode, mfa })
  })

  test('name and picture are kept in step only where the connector says so', async () => {
    const synced = await connectSso(server, provider.config, { syncProfile: true })
    for (const [connector, name] of [
      [acme, 'Ann'],
      [synced, 'Ann Smith'],
    ] as const) {
      const person = newPerson({ name: 'Ann' })
      const { sub } = await registered(person, connector)
      const page = await begunPage()
      await identified(page, { ...person, name: 'Ann Smith' }, connector)
      await submitted(page)
      expect((await server.api('GET', `/users/${sub}`)).body.name).toBe(name)
    }
  })

  test('organizations that admit the connector have them as members, with the roles for that', async () => {
    const { body: organization } = await server.api('POST', '/organizations', { name: 'Acme' })
    const { body: role } = await server.api('POST', '/organization-roles', { name: 'employee' })
    const jit = `/organizations/${organization.id}/jit`
    await server.api('POST', `${jit}/sso-connectors`, { ssoConnectorIds: [acme] })
    await server.api('POST', `${jit}/roles`, { organizationRoleIds: [role.id] })
    const { cursor } = await eventsSince(server)
    const { sub } = await registered(newPerson({}))
    const email = fresh()
    const userId = await userWith(email, true)
    const page = await begunPage()
    await identified(page, newPerson({ email }))
    await submitted(page)
    const { body: members } = await server.api('GET', `/organizations/${organization.id}/users`)
    expect(members.map(({ id }: { id: string }) => id).toSorted()).toEqual([sub, userId].toSorted())
    expect(members[0].organizationRoles).toMatchObject([{ name: 'employee' }])
    const { events } = await eventsSince(server, cursor)
    expect(events.filter(({ event }) => event === 'Organization.Membership.Updated')).toHaveLength(2)
    await server.api('DELETE', `${jit}/sso-connectors/${acme}`)
  })

  test.each([
    ['GoogleWorkspace', 'acme.example', true],
    ['GoogleWorkspace', 'ACME.example', true],
    ['GoogleWorkspace', 'others.example', false],
    ['GoogleWorkspace', undefined, false],
    ['OIDC', 'acme.example', true],
    ['OIDC', 'others.example', false],
    ['OIDC', undefined, false],
  ])(
    'at Google, whose accounts may have an address of the company and not be of it: %s, hd %s',
    (name, hd, isLetIn) => {
      const config = { ...CONFIG, ...(name === 'OIDC' ? { issuer: 'https://accounts.google.com' } : {}) }
      const connector = { config, domains: ['acme.example'], preset: ssoPreset(name) }
      const read = () =>
        accountOf(oidcProviderOf(connector), { sub: '1', email: 'ann@acme.example', hd }).isEmailVerified
      if (isLetIn) expect(read()).toBe(true)
      else expect(read).toThrow('none of the companies')
    },
  )
})

const CONFIG = { clientId: 'client', clientSecret: 'secret' }

describe('P2 an address at the domain of a connector', () => {
  const REFUSED = [422, 'session.sso_enabled']
  const enter = (page: OwnPage, value: string) => page.verify(value, PASSWORD, 'email')

  test('leads to it, and takes neither password nor registration', async () => {
    const email = fresh()
    await userWith(email, true)
    const page = await begunPage()
    const found = await page.call('GET', `/sso-connectors?email=${encodeURIComponent(email.toUpperCase())}`)
    expect(found.body).toEqual({ connectorIds: [acme] })
    expect((await page.call('GET', '/sso-connectors?email=ann@others.example')).body).toEqual({ connectorIds: [] })
    const answer = await enter(page, email)
    expect([...told(answer), answer.body.data]).toEqual([...REFUSED, { connectorIds: [acme] }])
    const before = (await server.api('GET', '/sign-in-exp')).body.signUp
    await settings({ signUp: { identifiers: ['email'], password: true, verify: false } })
    const registration = await begunPage('Register')
    const identity = { identifier: { type: 'email', value: fresh() }, password: PASSWORD }
    expect(told(await registration.call('POST', '/verification/new-password-identity', identity))).toEqual(REFUSED)
    await settings({ signUp: before })
  })

  test('its user signs in there, by whatever name; those who are exempt may do without', async () => {
    const username = `ann_${++count}`
    const email = fresh()
    const userId = await userWith(email, true, { username })
    const page = await begunPage()
    const { body } = await page.verify(username)
    expect(told(await page.call('POST', '/identification', body))).toEqual(REFUSED)
    const unknown = await server.api('PATCH', '/sign-in-exp', { singleSignOnExemptUserIds: ['nobody'] })
    expect(told(unknown)).toEqual([422, 'entity.relation_foreign_key_not_found'])
    await settings({ singleSignOnExemptUserIds: [userId] })
    expect((await (await openPage(server, configuration)).signIn(username)).status).toBe(200)
    expect((await (await openPage(server, configuration)).signIn(email, PASSWORD, 'email')).status).toBe(200)
    // whatever the policy says
    await useFactors(server, ['Totp'])
    const careful = await begunPage()
    const { body: proof } = await careful.verify(username)
    expect((await careful.call('POST', '/identification', proof)).status).toBe(204)
    const missing = await careful.call('POST', '/submit')
    expect([told(missing), missing.body.data.skippable]).toEqual([[422, 'user.missing_mfa'], false])
    expect(await addTotp(careful)).toBeTruthy()
    expect((await careful.call('POST', '/submit')).status).toBe(200)
    const again = await (await openPage(server, configuration)).signIn(username)
    expect(told(again)).toEqual([403, 'session.mfa.require_mfa_verification'])
    await settings({ singleSignOnExemptUserIds: [], mfa: { factors: [], policy: 'NoPrompt' } })
  })

  test('signs in as everywhere while single sign-on is off', async () => {
    const email = fresh()
    await userWith(email, true)
    await settings({ singleSignOnEnabled: false })
    const page = await begunPage()
    expect((await page.call('GET', `/sso-connectors?email=${email}`)).body).toEqual({ connectorIds: [] })
    expect((await enter(page, email)).status).toBe(200)
    const redirectUri = `${server.baseUrl}/callback/${acme}`
    const begun = await page.call('POST', `/verification/sso/${acme}/authorization-uri`, {
      state: '12345678',
      redirectUri,
    })
    expect(told(begun)).toEqual([400, 'connector.not_enabled'])
    await settings({ singleSignOnEnabled: true })
  })
})
