/** Tokens of providers: kept only where the connector says so, refreshed on use, and gone with what they belong to (DECISIONS P7). */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { socialTokens } from '@countersign/server/domain/users/provider-tokens.ts'
import { ApiError } from '@countersign/server/kernel/api-error.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import type { Work } from '@countersign/server/storage/unit-of-work.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, openAccountCenter, refusal, signedIn } from '../account/arrange.ts'
import { openPage } from '../experience/arrange.ts'
import { createApp, redeem } from '../sign-in/arrange.ts'
import { connect, connectSso, newPerson, startProvider, visit, visitSso } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let work: Work
let keeping: string
let lasting: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  provider.expiresIn = 300
  configuration = (await createApp(server)).configuration
  const signUp = { identifiers: [], password: false, verify: false, secondaryIdentifiers: [] }
  expect((await server.api('PATCH', '/sign-in-exp', { signUp })).status).toBe(200)
  keeping = await connect(server, 'oidc', provider.config, { target: 'keeping', enableTokenStorage: true })
  const offline = { ...provider.config, scope: 'openid offline_access' }
  lasting = await connect(server, 'oidc', offline, { target: 'lasting', enableTokenStorage: true })
  work = { store: server.store, tenant: await getTenant(server.store, 'default'), caller: systemCaller('test') }
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

const arrived = async (event: 'SignIn' | 'Register', connectorId: string, person: Person) => {
  const page = await openPage(server, configuration)
  expect((await page.start(event)).status).toBe(204)
  const { body } = await visit(page, provider, connectorId, person)
  expect((await page.call('POST', '/identification', body)).status).toBe(event === 'SignIn' ? 204 : 201)
  return page
}

/** Registers, or signs in; the id of the user. */
const enter = async (event: 'SignIn' | 'Register', connectorId: string, person: Person): Promise<string> => {
  const page = await arrived(event, connectorId, person)
  const { status, body } = await page.call('POST', '/submit')
  expect(status).toBe(200)
  const back = await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)
  return back.claims()?.sub ?? ''
}

const secretOf = async (userId: string, target: string) => {
  const { body } = await server.api('GET', `/users/${userId}/identities/${target}?includeTokenSecret=true`)
  return body.tokenSecret
}

/** The tokens of a user, or the code of the error. */
const tokensOf = (userId: string, target: string) =>
  socialTokens(work, userId, target).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    return { code: error.code, accessToken: '' }
  })

const refreshes = () => provider.asked.filter((each) => each === 'refresh').length

test('they are kept for the account, sealed, from the moment they arrive', async () => {
  const person = newPerson()
  const page = await arrived('Register', keeping, person)
  const { body: shown } = await page.call('GET', '/interaction')
  expect(JSON.stringify(shown)).not.toContain('okens')
  const { body } = await page.call('POST', '/submit')
  const userId = (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()?.sub ?? ''
  const { accessToken, ...rest } = await socialTokens(work, userId, 'keeping')
  expect(provider.personOf(accessToken)).toEqual(person)
  const expiresAt = Math.floor(server.clock.now().getTime() / 1000) + 300
  const said = { tokenType: 'bearer', scope: 'openid profile email', expiresAt }
  expect(rest).toEqual(said)
  expect(await secretOf(userId, 'keeping')).toMatchObject({
    userId,
    type: 'federated_token_set',
    metadata: { ...said, hasRefreshToken: false },
    connectorId: keeping,
    identityId: person.sub,
    target: 'keeping',
  })
  const { rows } = await server.store.database.pool.query(
    `SELECT encode(sealed, 'escape') || metadata::text AS kept FROM token_sets
     UNION ALL SELECT state::text FROM interactions UNION ALL SELECT payload::text FROM audit_log`,
  )
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.map(({ kept }) => kept).join('\n')).not.toContain(accessToken)
})

test('the next sign-in replaces them, but no refresh token that is issued only once', async () => {
  const person = newPerson()
  const userId = await enter('Register', lasting, person)
  const before = await socialTokens(work, userId, 'lasting')
  expect(before.refreshToken).toBeDefined()
  const { id, createdAt } = await secretOf(userId, 'lasting')
  server.clock.advance(60)
  const scope = { scope: 'openid' }
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  const { body } = await visit(page, provider, lasting, person, scope)
  expect((await page.call('POST', '/identification', body)).status).toBe(204)
  expect((await page.call('POST', '/submit')).status).toBe(200)
  const after = await socialTokens(work, userId, 'lasting')
  expect(after).toMatchObject({ scope: 'openid', refreshToken: before.refreshToken })
  expect(after.accessToken).not.toBe(before.accessToken)
  expect(await secretOf(userId, 'lasting')).toMatchObject({ id, createdAt, metadata: { hasRefreshToken: true } })
})

test('an expired one is refreshed, by one of many that want it', async () => {
  const person = newPerson()
  const userId = await enter('Register', lasting, person)
  const before = await socialTokens(work, userId, 'lasting')
  const asked = refreshes()
  server.clock.advance(300)
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => tokensOf(userId, 'lasting')))
  const [first] = all
  expect(new Set(all.map(({ accessToken }) => accessToken)).size).toBe(1)
  expect(first?.accessToken).not.toBe(before.accessToken)
  expect(provider.personOf(first?.accessToken ?? '')).toEqual(person)
  expect(refreshes()).toBe(asked + 1)
  // and with the refresh token that came with it once more
  server.clock.advance(300)
  expect(provider.personOf((await tokensOf(userId, 'lasting')).accessToken)).toEqual(person)
  expect(refreshes()).toBe(asked + 2)
})

test('a node that stopped while it refreshed holds the others up for 20 seconds', async () => {
  const userId = await enter('Register', lasting, newPerson())
  server.clock.advance(300)
  await server.store.database.pool.query('UPDATE token_sets SET refreshing_until = $2 WHERE user_id = $1', [
    userId,
    new Date(server.clock.now().getTime() + 20_000),
  ])
  const waiting = tokensOf(userId, 'lasting')
  const asked = refreshes()
  server.clock.advance(20)
  expect((await waiting).accessToken).not.toBe('')
  expect(refreshes()).toBe(asked + 1)
})

test('an expired one that cannot be refreshed, or whose refresh token is refused, is said to be expired', async () => {
  const without = await enter('Register', keeping, newPerson())
  const refused = await enter('Register', lasting, newPerson())
  server.clock.advance(300)
  const expired = { code: 'secrets.third_party_token_set.access_token_expired' }
  expect(await tokensOf(without, 'keeping')).toMatchObject(expired)
  provider.lie = 'an error for refresh tokens'
  expect(await tokensOf(refused, 'lasting')).toMatchObject(expired)
  provider.lie = '500 at the token endpoint'
  expect(await tokensOf(refused, 'lasting')).toMatchObject({ code: 'connector.invalid_response' })
  provider.lie = undefined
  const { rows } = await server.store.database.pool.query(
    "SELECT payload->>'kind' AS kind FROM audit_log WHERE payload @> $1 ORDER BY created_at",
    [{ result: 'Error', connectorId: lasting }],
  )
  expect(rows.map(({ kind }) => kind).toSorted()).toEqual(['code', 'provider'])
})

test('nothing is kept where the connector does not say so, and what was is deleted once it no longer does', async () => {
  const silent = await connect(server, 'oidc', provider.config, { target: 'silent' })
  const nothing = { code: 'secrets.third_party_token_set.token_not_found' }
  const userId = await enter('Register', silent, newPerson())
  expect(await tokensOf(userId, 'silent')).toMatchObject(nothing)
  const other = newPerson()
  const kept = await enter('Register', keeping, other)
  expect(await secretOf(kept, 'keeping')).toBeDefined()
  const { body } = await server.api('PATCH', `/connectors/${keeping}`, { enableTokenStorage: false })
  expect(body.enableTokenStorage).toBe(false)
  expect(await secretOf(kept, 'keeping')).toBeUndefined()
  await server.api('PATCH', `/connectors/${keeping}`, { enableTokenStorage: true })
  expect(await enter('SignIn', keeping, other)).toBe(kept)
  expect(await secretOf(kept, 'keeping')).toBeDefined()
  const change = async (config: object) =>
    expect((await server.api('PATCH', `/connectors/${keeping}`, { config })).status).toBe(200)
  await change({ ...provider.config, scope: 'openid email' })
  expect(await secretOf(kept, 'keeping')).toBeDefined()
  // a refresh token is for the provider that issued it
  await change({ ...provider.config, issuer: 'https://moved.example' })
  expect(await secretOf(kept, 'keeping')).toBeUndefined()
  await change(provider.config)
})

test('they are gone with the secret, the account at the provider, another in its place, and the connector', async () => {
  const own = await connect(server, 'oidc', provider.config, { target: 'own', enableTokenStorage: true })
  const person = newPerson()
  const userId = await enter('Register', own, person)
  const again = async () => {
    await enter('SignIn', own, person)
    return secretOf(userId, 'own')
  }
  const { id } = await secretOf(userId, 'own')
  expect((await server.api('DELETE', `/secrets/${id}`)).status).toBe(204)
  expect((await server.api('DELETE', `/secrets/${id}`)).status).toBe(404)
  expect(await secretOf(userId, 'own')).toBeUndefined()
  const count = async () => {
    const { rows } = await server.store.database.pool.query('SELECT id FROM token_sets WHERE user_id = $1', [userId])
    return rows.length
  }
  expect(await again()).toBeDefined()
  await server.api('DELETE', `/users/${userId}/identities/own`)
  expect(await count()).toBe(0)
  await server.api('PUT', `/users/${userId}/identities/own`, { userId: person.sub })
  expect(await again()).toBeDefined()
  await server.api('PUT', `/users/${userId}/identities/own`, { userId: 'another' })
  expect(await count()).toBe(0)
  await server.api('PUT', `/users/${userId}/identities/own`, { userId: person.sub })
  expect(await again()).toBeDefined()
  expect((await server.api('DELETE', `/connectors/${own}`)).status).toBe(204)
  expect(await count()).toBe(0)
})

test('an operator who gives an account to a user keeps them too; connectors for messages have none', async () => {
  const { body: user } = await server.api('POST', '/users', { username: 'somebody' })
  const begin = { state: 'a-state-of-the-operator', redirectUri: `https://console.example/callback/${keeping}` }
  const { body } = await server.api('POST', `/connectors/${keeping}/authorization-uri`, begin)
  const connectorData = provider.signIn(body.redirectTo, newPerson())
  const brought = { connectorId: keeping, connectorData }
  expect((await server.api('POST', `/users/${user.id}/identities`, brought)).status).toBe(200)
  expect(await secretOf(user.id, 'keeping')).toMatchObject({ userId: user.id })
  const config = { host: 'smtp.example.com', port: 587, fromEmail: 'no-reply@example.com' }
  const connector = { connectorId: 'simple-mail-transfer-protocol', config, enableTokenStorage: true }
  const refused = await server.api('POST', '/connectors', connector)
  expect([refused.status, refused.body.code]).toEqual([422, 'connector.token_storage_not_supported'])
})

describe('the tokens of the identity provider of a company', () => {
  let company: string
  let appId: string
  beforeAll(async () => {
    const config = { ...provider.config, scope: 'openid offline_access' }
    company = await connectSso(server, config, { enableTokenStorage: true })
    expect((await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })).status).toBe(200)
    await openAccountCenter(server)
    appId = (await createApp(server, 'SPA')).id
  })

  /** Signs in there, and registers with the first time; the id of the user. */
  const enterCompany = async (person: Person, isNew: boolean): Promise<string> => {
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    const { body } = await visitSso(page, provider, company, person)
    if (isNew) await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    expect((await page.call('POST', '/identification', body)).status).toBe(isNew ? 201 : 204)
    const { body: end } = await page.call('POST', '/submit')
    return (await redeem(configuration, await page.browser.open(end.redirectTo), page.begun)).claims()?.sub ?? ''
  }
  const keptOf = async (userId: string) => {
    const path = `/users/${userId}/sso-identities/${company}?includeTokenSecret=true` as const
    return (await server.api('GET', path)).body.tokenSecret
  }

  test('are kept, refreshed, and given to the user’s own applications', async () => {
    const person = newPerson()
    const userId = await enterCompany(person, true)
    expect(await keptOf(userId)).toMatchObject({
      userId,
      ssoConnectorId: company,
      issuer: provider.config.issuer,
      identityId: person.sub,
      metadata: { hasRefreshToken: true },
    })
    const all = async (query: string) => (await server.api('GET', `/users/${userId}/all-identities${query}`)).body
    const [bare] = (await all('')).ssoIdentities
    expect(Object.keys(bare)).toEqual(['ssoConnectorId', 'ssoIdentity'])
    expect((await all('?includeTokenSecret=true')).ssoIdentities).toEqual([
      { ...bare, tokenSecret: await keptOf(userId) },
    ])
    const { token } = await signedIn(server, userId, appId)
    const path = `/my-account/sso-identities/${company}/access-token`
    const ask = async () => (await call(server, token, 'GET', path)).body.access_token
    const first = await ask()
    expect(provider.personOf(first)).toEqual(person)
    expect((await call(server, token, 'GET', '/my-account')).body.ssoIdentities).toMatchObject([
      { ssoConnectorId: company, identityId: person.sub },
    ])
    server.clock.advance(300)
    const second = await ask()
    expect(second).not.toBe(first)
    expect(provider.personOf(second)).toEqual(person)
    const weak = await signedIn(server, userId, appId, ['openid', 'profile'])
    expect(refusal(await call(server, weak.token, 'GET', path))).toEqual([403, 'auth.forbidden'])
    expect((await call(server, weak.token, 'GET', '/my-account')).body.ssoIdentities).toBeUndefined()
    const { id } = await createApp(server, 'SPA', { isThirdParty: true })
    const foreign = await signedIn(server, userId, id)
    expect(refusal(await call(server, foreign.token, 'GET', path))).toEqual([
      403,
      'auth.third_party_application_forbidden',
    ])
    const stranger = await enterCompany(newPerson(), true)
    expect(await keptOf(stranger)).toBeDefined()
    await server.api('DELETE', `/users/${stranger}/sso-identities/${company}`)
    const other = await signedIn(server, stranger, appId)
    expect(refusal(await call(server, other.token, 'GET', path))).toEqual([
      404,
      'secrets.third_party_token_set.token_not_found',
    ])
  })

  test('are deleted when the connector keeps none any more, and when it moves to another provider', async () => {
    const person = newPerson()
    const userId = await enterCompany(person, true)
    const change = async (fields: object) => {
      const { status, body } = await server.api('PATCH', `/sso-connectors/${company}`, fields)
      expect(status).toBe(200)
      return body.enableTokenStorage
    }
    expect(await change({ enableTokenStorage: false })).toBe(false)
    expect(await keptOf(userId)).toBeUndefined()
    expect(await enterCompany(person, false)).toBe(userId)
    expect(await keptOf(userId)).toBeUndefined()
    expect(await change({ enableTokenStorage: true })).toBe(true)
    expect(await enterCompany(person, false)).toBe(userId)
    expect(await keptOf(userId)).toBeDefined()
    await change({ config: { ...provider.config, issuer: 'https://moved.example' } })
    expect(await keptOf(userId)).toBeUndefined()
  })

  test('are not to be had from SAML', async () => {
    const connector = { providerName: 'SAML', connectorName: 'Saml', enableTokenStorage: true }
    const { status, body } = await server.api('POST', '/sso-connectors', connector)
    expect([status, body.code]).toEqual([422, 'connector.token_storage_not_supported'])
  })
})
