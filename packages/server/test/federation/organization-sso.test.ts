/** SSO connectors of organizations (DECISIONS P21): which domains lead to them, and whom they must not sign in. */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newUser, openAccountCenter, refusal, type User } from '../account/arrange.ts'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { createApp, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { allowInOrganization, connectSso, newPerson, startProvider, told, visitSso } from './arrange.ts'
import { type NameServer, startNameServer } from './name-server.ts'

let server: TestServer
let names: NameServer
let provider: IdentityProvider
let configuration: client.Configuration
let acme: string
let connector: string
beforeAll(async () => {
  names = await startNameServer()
  server = await startTestServer(inject('cluster'), { DNS_SERVERS: names.address })
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  const methods = ['username', 'email'].map((identifier) => ({ identifier, password: true }))
  const settings = { singleSignOnEnabled: true, signIn: { methods } }
  expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
  acme = await organization('Acme')
  await owned(acme, 'acme.example')
  connector = await connectSso(server, provider.config, { organizationId: acme, domains: ['acme.example'] })
})
afterAll(async () => {
  await names.close()
  await provider.close()
  await server.close()
})

const organization = async (name: string): Promise<string> =>
  (await server.api('POST', '/organizations', { name })).body.id
/** The operator vouches for it. */
const owned = async (organizationId: string, domain: string) =>
  expect(
    (await server.api('POST', `/organizations/${organizationId}/domains`, { domain, isVerified: true })).status,
  ).toBe(201)
const create = (body: object) =>
  server.api('POST', '/sso-connectors', { providerName: 'OIDC', connectorName: 'Own', ...body })

let count = 0
const fresh = (domain = 'acme.example') => `ann${++count}@${domain}`
const userWith = async (email: string, organizationIds: readonly string[] = [acme]): Promise<string> => {
  const { body } = await server.api('POST', '/users', {
    ...{ primaryEmail: email, password: PASSWORD, username: `ann_${++count}` },
  })
  await server.store.database.pool.query('UPDATE users SET email_verified_at = now() WHERE id = $1', [body.id])
  for (const id of organizationIds) await server.api('POST', `/organizations/${id}/users`, { userIds: [body.id] })
  return body.id
}
const begunPage = async (): Promise<OwnPage> => {
  const page = await openPage(server, configuration)
  expect((await page.start('SignIn')).status).toBe(204)
  return page
}
/** Comes back from the provider and is identified: the answer, and what a registration says to it. */
const identified = async (page: OwnPage, person: Person, at = connector) => {
  const { body } = await visitSso(page, provider, at, person)
  const answer = await page.call('POST', '/identification', body)
  if (answer.body?.code !== 'user.identity_not_exist') return answer
  expect((await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })).status).toBe(204)
  return page.call('POST', '/identification', body)
}
const submitted = async (page: OwnPage): Promise<string> => {
  const { status, body } = await page.call('POST', '/submit')
  expect([status, body.code]).toEqual([200, undefined])
  const claims = (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
  return String(claims?.sub)
}
const organizationsOf = async (userId: string): Promise<string[]> =>
  (await server.api('GET', `/users/${userId}/organizations`)).body.map(({ id }: { id: string }) => id)

describe('the domains of an organization', () => {
  test('are proved by a record, and belong to one organization or to the tenant', async () => {
    const { api } = server
    const [mine, other] = [await organization('Mine'), await organization('Other')]
    const add = (id: string, domain: string, more: object = {}) =>
      api('POST', `/organizations/${id}/domains`, { domain, ...more })
    const added = await add(mine, 'MINE.example')
    expect(added.body).toMatchObject({ organizationId: mine, domain: 'mine.example', verifiedAt: null })
    await add(other, 'mine.example')
    const verify = (id: string) => api('POST', `/organizations/${id}/domains/mine.example/verification`)
    const lead = (organizationId: string | undefined) => create({ organizationId, domains: ['mine.example'] })
    expect(told(await lead(mine))).toEqual([422, 'single_sign_on.domain_not_verified'])
    const { name, value } = added.body.record
    for (const reason of ['there is none', 'it has another value']) {
      const refused = await verify(mine)
      expect([...told(refused), refused.body.data.reason]).toEqual([
        422,
        'single_sign_on.domain_record_not_found',
        reason,
      ])
      names.records.set(name, `not ${value}`)
    }
    names.records.set(name, value)
    // the challenge of another organization is another one
    expect(told(await verify(other))).toEqual([422, 'single_sign_on.domain_record_not_found'])
    expect((await verify(mine)).body.verifiedAt).toBe(server.clock.now().getTime())
    names.records.clear()
    expect((await verify(mine)).status).toBe(200)
    const IN_USE = [422, 'single_sign_on.domain_in_use']
    expect(told(await verify(other))).toEqual([422, 'single_sign_on.domain_record_not_found'])
    expect(told(await add(await organization('Third'), 'mine.example'))).toEqual(IN_USE)
    expect(told(await lead(undefined))).toEqual(IN_USE)
    expect(told(await lead(other))).toEqual([422, 'single_sign_on.domain_not_verified'])
    // both organizations call theirs the same
    const { body } = await lead(mine)
    expect((await create({ organizationId: other })).status).toBe(200)
    expect(told(await create({ organizationId: other }))).toEqual([409, 'single_sign_on.duplicate_connector_name'])
    // the tenant was first
    await connectSso(server, provider.config, { domains: ['tenant.example'] })
    expect(told(await add(mine, 'tenant.example', { isVerified: true }))).toEqual(IN_USE)
    expect(told(await add(mine, 'gmail.com', { isVerified: true }))).toEqual([422, 'single_sign_on.forbidden_domains'])
    expect((await api('DELETE', `/organizations/${mine}/domains/mine.example`)).status).toBe(204)
    expect((await api('GET', `/organizations/${mine}/domains`)).body).toEqual([])
    expect((await api('GET', `/sso-connectors/${body.id}`)).body).toMatchObject({ organizationId: mine, domains: [] })
    await api('DELETE', `/organizations/${mine}`)
    expect((await api('GET', `/sso-connectors/${body.id}`)).status).toBe(404)
  })
})

describe('whom the connector of an organization signs in', () => {
  const NOT_THEIRS = [422, 'organization.require_membership']
  const TAKEN = [422, 'user.email_already_in_use']

  test.each<[what: string, person: () => Promise<Person>, outcome: unknown[] | 'joined']>([
    [
      'a member with the address',
      async () => {
        const email = fresh()
        await userWith(email)
        return newPerson({ email })
      },
      'joined',
    ],
    [
      'a member who is in another organization as well',
      async () => {
        const email = fresh()
        await userWith(email, [acme, await organization('Partner')])
        return newPerson({ email })
      },
      'joined',
    ],
    [
      'a user who is no member',
      async () => {
        const email = fresh()
        await userWith(email, [])
        return newPerson({ email })
      },
      NOT_THEIRS,
    ],
    [
      'a member of another organization',
      async () => {
        const email = fresh()
        await userWith(email, [await organization('Partner')])
        return newPerson({ email })
      },
      NOT_THEIRS,
    ],
    [
      'a member with an address at a domain of another organization',
      async () => {
        const email = fresh('partner.example')
        await userWith(email)
        return newPerson({ email, email_verified: true })
      },
      NOT_THEIRS,
    ],
    [
      'nobody yet, at a domain that is not proved',
      async () => newPerson({ email: fresh('others.example') }),
      NOT_THEIRS,
    ],
    ['nobody yet, at a subdomain', async () => newPerson({ email: fresh('sub.acme.example') }), NOT_THEIRS],
    ['nobody yet, without an address', async () => newPerson({}), NOT_THEIRS],
    [
      'nobody yet, with an address that is denied',
      async () => newPerson({ email: fresh(), email_verified: false }),
      NOT_THEIRS,
    ],
    [
      'an administrator who is a member',
      async () => {
        const email = fresh()
        const id = await userWith(email)
        await server.api('PUT', `/administrators/${id}`, { roleIds: ['auditor'] })
        return newPerson({ email })
      },
      NOT_THEIRS,
    ],
    [
      'a member who has become an administrator since',
      async () => {
        const person = newPerson({ email: fresh() })
        const page = await begunPage()
        await identified(page, person)
        await server.api('PUT', `/administrators/${await submitted(page)}`, { roleIds: ['auditor'] })
        return person
      },
      NOT_THEIRS,
    ],
    [
      'a member who has left since',
      async () => {
        const person = newPerson({ email: fresh() })
        const page = await begunPage()
        await identified(page, person)
        await server.api('DELETE', `/organizations/${acme}/users/${await submitted(page)}`)
        return person
      },
      NOT_THEIRS,
    ],
    [
      'a member whose address was never verified here',
      async () => {
        const email = fresh()
        const id = await userWith(email)
        await server.store.database.pool.query('UPDATE users SET email_verified_at = NULL WHERE id = $1', [id])
        return newPerson({ email })
      },
      TAKEN,
    ],
  ])('%s', async (_what, personOf, outcome) => {
    const person = await personOf()
    const page = await begunPage()
    const answer = await identified(page, person)
    if (outcome !== 'joined') {
      expect(told(answer)).toEqual(outcome)
      return expect((await page.call('POST', '/submit')).status).toBeGreaterThanOrEqual(400)
    }
    expect(answer.status).toBe(204)
    const { body } = await server.api('GET', `/users/${await submitted(page)}`)
    expect(body.primaryEmail).toBe(person.email)
  })

  test('a new user becomes a member of this organization and of no other', async () => {
    const other = await organization('Other')
    await server.api('POST', `/organizations/${other}/jit/email-domains`, { emailDomain: 'acme.example' })
    const jit = `/organizations/${other}/jit/sso-connectors`
    for (const method of ['POST', 'PUT'] as const)
      expect(told(await server.api(method, jit, { ssoConnectorIds: [connector] }))).toEqual([
        422,
        'single_sign_on.connector_of_organization',
      ])
    const page = await begunPage()
    await identified(page, newPerson({ email: fresh() }))
    expect(await organizationsOf(await submitted(page))).toEqual([acme])
  })
})

test('P2 an address at the domain leads there, unless its user is no member or an administrator', async () => {
  const found = async (email: string) => {
    const page = await begunPage()
    const { body } = await page.call('GET', `/sso-connectors?email=${encodeURIComponent(email)}`)
    return [body.connectorIds, told(await page.verify(email, PASSWORD, 'email'))]
  }
  const [member, stranger, administrator] = [fresh(), fresh(), fresh()]
  await userWith(member)
  await userWith(stranger, [])
  await server.api('PUT', `/administrators/${await userWith(administrator)}`, { roleIds: ['auditor'] })
  for (const email of [member, fresh()]) expect(await found(email)).toEqual([[connector], [422, 'session.sso_enabled']])
  for (const email of [stranger, administrator]) {
    expect(await found(email)).toEqual([[], [200]])
    expect(told(await (await openPage(server, configuration)).signIn(email, PASSWORD, 'email'))).toEqual([200])
  }
})

describe('P22 members who may look after it', () => {
  const path = (id: string, rest: string) => `/my-account/organizations/${id}/${rest}`
  const NOT_THERE = [404, 'entity.not_exists_with_id']
  let appId: string
  let manager: User
  beforeAll(async () => {
    appId = (await createApp(server, 'SPA')).id
    await openAccountCenter(server)
    manager = await managing(acme, 'manage:sso')
  })
  /** A member whose role has this permission. */
  const managing = async (organizationId: string, permission: string): Promise<User> => {
    const user = await newUser(server, appId)
    await allowInOrganization(server, organizationId, user.userId, permission)
    return user
  }

  test('prove a domain and set up a connector, and members sign in there', async () => {
    const domains = path(acme, 'domains')
    const domain = 'works.example'
    expect(refusal(await manager.ask('POST', domains, { domain }))).toEqual([
      401,
      'verification_record.permission_denied',
    ])
    const added = await manager.change('POST', domains, { domain })
    expect([added.status, added.body.verifiedAt]).toEqual([201, null])
    const connectors = path(acme, 'sso-connectors')
    const input = { providerName: 'OIDC', connectorName: 'Works', config: provider.config, domains: [domain] }
    expect(refusal(await manager.change('POST', connectors, input))).toEqual([
      422,
      'single_sign_on.domain_not_verified',
    ])
    names.records.set(added.body.record.name, added.body.record.value)
    expect((await manager.ask('POST', `${domains}/${domain}/verification`)).body.verifiedAt).not.toBeNull()
    const created = await manager.change('POST', connectors, { ...input, enableTokenStorage: true })
    const { id, redirectUri } = created.body
    expect([created.status, redirectUri]).toEqual([201, `${server.baseUrl}/callback/${id}`])
    const { clientSecret, ...config } = provider.config
    expect(created.body).toMatchObject({ organizationId: acme, isComplete: true, config, domains: [domain] })
    const email = fresh(domain)
    await userWith(email)
    const signsIn = async () => {
      const page = await begunPage()
      expect((await identified(page, newPerson({ email }), id)).status).toBe(204)
      await submitted(page)
    }
    await signsIn()
    const shown = await manager.ask('GET', connectors)
    expect(shown.body.map((each: { id: string }) => each.id).toSorted()).toEqual([connector, id].toSorted())
    expect(JSON.stringify(shown.body)).not.toContain(clientSecret)
    // the secret stays for the same issuer, and goes to no other
    const one = `${connectors}/${id}`
    expect((await manager.change('PATCH', one, { config, connectorName: 'Renamed' })).body.isComplete).toBe(true)
    expect((await server.api('GET', `/sso-connectors/${id}`)).body).toMatchObject({
      connectorName: 'Renamed',
      config: provider.config,
      enableTokenStorage: false,
    })
    const moved = { ...config, issuer: 'https://id.works.example' }
    expect((await manager.change('PATCH', one, { config: moved })).body.isComplete).toBe(false)
    const { body: entries } = await server.api('GET', `/logs?page_size=1&userId=${manager.userId}`)
    expect(JSON.stringify(entries)).not.toContain(clientSecret)
    expect((await manager.change('DELETE', one)).status).toBe(204)
    expect((await manager.change('DELETE', `${domains}/${domain}`)).status).toBe(204)
    expect((await manager.ask('GET', domains)).body.map((each: { domain: string }) => each.domain)).toEqual([
      'acme.example',
    ])
  })

  test('check the provider, and look after the keys of a SAML connector', async () => {
    const asked = await manager.ask('GET', path(acme, `sso-connectors/${connector}/provider-check`))
    expect(asked.body).toEqual({
      ...{ verdict: 'ok', code: 'provider.reached', text: expect.stringContaining(provider.origin) },
      values: { issuer: expect.stringContaining(provider.origin), count: 1 },
    })
    // members have this server ask others only so often, whichever way they do it (DECISIONS P22)
    const look = () => manager.ask('POST', path(acme, 'domains/acme.example/verification'))
    let last = await look()
    for (let count = 2; last.status !== 429 && count <= 40; count += 1) last = await look()
    expect(refusal(last)).toEqual([429, 'request.rate_limited'])
    const check = path(acme, `sso-connectors/${connector}/provider-check`)
    expect(refusal(await manager.ask('GET', check))).toEqual([429, 'request.rate_limited'])
    server.clock.advance(601)
    expect((await manager.ask('GET', check)).status).toBe(200)
    const input = { providerName: 'SAML', connectorName: 'Keys' }
    const { body: saml } = await manager.change('POST', path(acme, 'sso-connectors'), input)
    const keys = path(acme, `sso-connectors/${saml.id}/signing-keys`)
    expect(refusal(await manager.ask('POST', keys, { active: true }))).toEqual([
      401,
      'verification_record.permission_denied',
    ])
    const made = await manager.change('POST', keys, { active: true })
    expect([made.status, made.body.active]).toEqual([201, true])
    expect((await manager.ask('GET', keys)).body).toEqual([made.body])
    const key = `${keys}/${made.body.id}`
    expect(refusal(await manager.change('DELETE', key))).toEqual([
      400,
      'single_sign_on.can_not_delete_active_signing_key',
    ])
    expect((await manager.change('PATCH', key, { active: false })).body.active).toBe(false)
    expect((await manager.change('DELETE', key)).status).toBe(204)
    expect((await manager.change('DELETE', path(acme, `sso-connectors/${saml.id}`))).status).toBe(204)
    const ofOthers = path(acme, `sso-connectors/${await connectSso(server, provider.config)}`)
    for (const rest of ['provider-check', 'signing-keys'])
      expect(refusal(await manager.ask('GET', `${ofOthers}/${rest}`))).toEqual(NOT_THERE)
    const ofOidc = path(acme, `sso-connectors/${connector}/signing-keys`)
    expect(refusal(await manager.change('POST', ofOidc, { active: true }))).toEqual([
      400,
      'single_sign_on.sso_signing_unavailable',
    ])
  })

  test('look after that of no other organization nor of the tenant, and others after none', async () => {
    const other = await organization('Other')
    const tenants = await connectSso(server, provider.config)
    const input = { connectorName: 'Mine' }
    for (const [organizationId, id] of [
      [other, connector],
      [acme, tenants],
      ['000000000000', connector],
    ] as const)
      for (const method of ['PATCH', 'DELETE'])
        expect(refusal(await manager.change(method, path(organizationId, `sso-connectors/${id}`), input))).toEqual(
          NOT_THERE,
        )
    for (const rest of ['domains', 'sso-connectors']) {
      expect(refusal(await manager.ask('GET', path(other, rest)))).toEqual(NOT_THERE)
      const plain = await managing(acme, 'read:sso')
      expect(refusal(await plain.ask('GET', path(acme, rest)))).toEqual([403, 'auth.forbidden'])
      const body = rest === 'domains' ? { domain: 'x.example' } : { providerName: 'OIDC', ...input }
      expect(refusal(await plain.change('POST', path(acme, rest), body))).toEqual([403, 'auth.forbidden'])
      await openAccountCenter(server, { fields: { organizationSso: 'ReadOnly' } })
      expect((await manager.ask('GET', path(acme, rest))).status).toBe(200)
      const answer = await manager.ask('POST', path(acme, rest), body)
      expect(refusal(answer)).toEqual([400, 'account_center.field_not_editable'])
      await openAccountCenter(server)
    }
    // who has left
    await server.api('DELETE', `/organizations/${acme}/users/${manager.userId}`)
    expect(refusal(await manager.ask('GET', path(acme, 'domains')))).toEqual(NOT_THERE)
  })
})

test('only the pages of the organization show it, and no file of the tenant has it', async () => {
  const { body } = await server.api('GET', '/.well-known/sign-in-exp')
  expect(body.ssoConnectors.map(({ id }: { id: string }) => id)).not.toContain(connector)
  const { browser, begun } = await openPage(server, configuration)
  const url = new URL(begun.url)
  expect((await browser.open(url.href)).text).not.toContain(connector)
  url.searchParams.set('organization_id', acme)
  expect((await browser.open(url.href)).text).toContain(`sso-${connector}`)
})
