/** Sign-in to SAML applications, with node-saml as the service provider: what it gets, and how it is refused. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { fresh } from '../protocol/arrange.ts'
import { PASSWORD } from '../sign-in/arrange.ts'
import {
  ACS,
  authnRequest,
  catchUp,
  createSamlApp,
  ENTITY_ID,
  FORMATS,
  formOf,
  newBrowser,
  newKey,
  newUser,
  redirectOf,
  responseOf,
  serviceProvider,
  signInAt,
  statusOf,
} from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
beforeEach(() => catchUp(server))
afterAll(() => server.close())

describe('the persistent name', () => {
  test('is the same at every sign-in and another at another application; the session signs in to the second', async () => {
    const { username } = await newUser(server)
    const browser = newBrowser()
    const names: string[] = []
    for (const _ of [1, 2]) {
      const { id } = await createSamlApp(server)
      const sp = await serviceProvider(server, id)
      for (const relayState of ['first', 'second']) {
        const address = await sp.getAuthorizeUrlAsync(relayState, undefined, {})
        const page = names.length === 0 ? await signInAt(browser, address, username) : await browser.open(address)
        const { action, fields } = formOf(page)
        expect([action, fields.RelayState]).toEqual([ACS, relayState])
        const { profile } = await sp.validatePostResponseAsync(fields)
        expect(profile).toMatchObject({ nameIDFormat: FORMATS.persistent, spNameQualifier: ENTITY_ID })
        names.push(profile?.nameID ?? '')
      }
    }
    expect(names[0]).toMatch(/^[\w-]{43}$/)
    expect([names[1], names[3]]).toEqual([names[0], names[2]])
    expect(names[2]).not.toBe(names[0])
  })
})

test('attributes are what is mapped, whatever characters they have; the assertion is encrypted for the application', async () => {
  const name = `<Bobby & "Tables"> ]]> \u0001é😀`
  const key = await newKey()
  const { body: user } = await server.api('POST', '/users', {
    username: 'bobby',
    primaryEmail: 'bobby@example.com',
    password: PASSWORD,
    name,
    customData: { a: ['<b>'] },
  })
  const { pool } = server.store.database
  await pool.query('UPDATE users SET email_verified_at = created_at WHERE id = $1', [user.id])
  const { body: role } = await server.api('POST', '/roles', { name: fresh('role') })
  await server.api('POST', `/users/${user.id}/roles`, { roleIds: [role.id] })
  const { id } = await createSamlApp(server, {
    nameIdFormat: FORMATS.email,
    attributeMapping: { sub: 'id', name: 'na"><me', email: 'mail', roles: 'roles', custom_data: 'data', gender: 'sex' },
    encryption: { encryptAssertion: true, encryptThenSign: true, certificate: key.certificate },
    signResponse: false,
  })
  const sp = await serviceProvider(server, id, { decryptionPvk: key.privateKey })
  const page = await signInAt(newBrowser(), await sp.getAuthorizeUrlAsync('', undefined, {}), user.username)
  const xml = responseOf(page)
  expect([xml.includes('EncryptedAssertion'), xml.includes(user.primaryEmail)]).toEqual([true, false])
  const { profile } = await sp.validatePostResponseAsync(formOf(page).fields)
  expect(profile?.nameID).toBe(user.primaryEmail)
  expect(profile?.attributes).toEqual({
    id: user.id,
    'na"><me': name.replace('\u0001', '\uFFFD'),
    mail: user.primaryEmail,
    roles: role.name,
    data: '{"a":["<b>"]}',
  })
})

test('the assertion says when, how and how long; only it is signed where the response is not to be', async () => {
  const { id: userId, username } = await newUser(server)
  const { id } = await createSamlApp(server, { nameIdFormat: FORMATS.unspecified, signResponse: false })
  const browser = newBrowser()
  const request = authnRequest(server, id, { attributes: { ID: '_mine' } })
  const xml = responseOf(await signInAt(browser, redirectOf(server, id, request), username))
  const at = (seconds: number) =>
    new Date(server.clock.now().getTime() + seconds * 1000).toISOString().replace(/\.\d+/, '')
  expect(xml.match(/<ds:Signature /g)).toHaveLength(1)
  expect(xml).toContain(`>${userId}</saml:NameID>`)
  expect(xml).toContain(
    `<saml:SubjectConfirmationData NotOnOrAfter="${at(300)}" Recipient="${ACS}" InResponseTo="_mine"/>`,
  )
  expect(xml).toContain(`<saml:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${at(300)}">`)
  expect(xml).toContain(`<saml:Audience>${ENTITY_ID}</saml:Audience>`)
  expect(xml).toContain(`AuthnInstant="${at(0)}"`)
  expect(xml).toContain('<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport<')
  const { body: sessions } = await server.api('GET', `/users/${userId}/sessions`)
  expect(JSON.stringify(sessions)).toContain(id)
})

test('a transient name lasts as long as the session', async () => {
  const { username } = await newUser(server)
  const { id } = await createSamlApp(server, { nameIdFormat: FORMATS.transient })
  const nameFor = async (browser: ReturnType<typeof newBrowser>, signsIn: boolean) => {
    const address = redirectOf(server, id, authnRequest(server, id))
    const page = signsIn ? await signInAt(browser, address, username) : await browser.open(address)
    return /<saml:NameID[^>]*>([^<]+)</.exec(responseOf(page))?.[1]
  }
  const [one, other] = [newBrowser(), newBrowser()]
  const first = await nameFor(one, true)
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(await nameFor(one, false)).toBe(first)
  expect(await nameFor(other, true)).not.toBe(first)
})

describe('the POST binding', () => {
  test('takes signed requests from a form of another site, whose cookies are not sent', async () => {
    const [{ username }, key] = [await newUser(server), await newKey()]
    const { id } = await createSamlApp(server, {
      requestCertificates: [key.certificate],
      requireSignedRequests: true,
    })
    const sp = await serviceProvider(server, id, {
      privateKey: key.privateKey,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      skipRequestCompression: true,
    })
    const fields = (await sp.getAuthorizeMessageAsync('deep link')) as Record<string, string>
    const start = { method: 'POST', body: new URLSearchParams(fields) }
    const browser = newBrowser()
    const page = await browser.submit(await browser.open(sp.options.entryPoint ?? '', start), {
      identifier: username,
      password: PASSWORD,
    })
    const form = formOf(page)
    expect(form.fields.RelayState).toBe('deep link')
    expect((await sp.validatePostResponseAsync(form.fields)).profile?.nameID).toMatch(/^[\w-]{43}$/)
  })
})

describe('what the request wants', () => {
  test('ForceAuthn asks for a sign-in although there is a session; IsPassive never asks', async () => {
    const { username } = await newUser(server)
    const { id } = await createSamlApp(server)
    const asking = (attributes: Record<string, string>) =>
      redirectOf(server, id, authnRequest(server, id, { attributes }))
    const browser = newBrowser()
    expect(statusOf(await browser.open(asking({ IsPassive: 'true' })))).toEqual(['Responder', 'NoPassive'])
    expect(statusOf(await signInAt(browser, asking({}), username))).toEqual(['Success'])
    expect(statusOf(await browser.open(asking({ IsPassive: '1' })))).toEqual(['Success'])
    const page = await browser.open(asking({ ForceAuthn: 'true' }))
    expect(page.url.pathname).toMatch(/^\/sign-in\//)
    const both = await browser.open(asking({ ForceAuthn: 'true', IsPassive: 'true' }))
    expect(statusOf(both)).toEqual(['Responder', 'NoPassive'])
  })

  test.each([
    ['one factor', 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password', 'exact', ['Success']],
    ['something unknown', 'urn:example:dna', 'exact', ['Responder', 'NoAuthnContext']],
    ['better than several factors', 'https://refeds.org/profile/mfa', 'better', ['Responder', 'NoAuthnContext']],
  ])('RequestedAuthnContext: %s', async (_, wanted, comparison, status) => {
    const { username } = await newUser(server)
    const { id } = await createSamlApp(server)
    const content = `<samlp:RequestedAuthnContext Comparison="${comparison}"><saml:AuthnContextClassRef>${wanted}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`
    const address = redirectOf(server, id, authnRequest(server, id, { content }))
    const browser = newBrowser()
    const first = await browser.open(address)
    const page = status.length === 1 ? await browser.submit(first, { identifier: username, password: PASSWORD }) : first
    expect(statusOf(page)).toEqual(status)
    if (status.length === 1) expect(responseOf(page)).toContain(`<saml:AuthnContextClassRef>${wanted}<`)
  })

  test('RequestedAuthnContext: several factors, for a user who has one and cannot set up another', async () => {
    const { username } = await newUser(server)
    const { id } = await createSamlApp(server)
    const content = `<samlp:RequestedAuthnContext><saml:AuthnContextClassRef>https://refeds.org/profile/mfa</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`
    const page = await signInAt(newBrowser(), redirectOf(server, id, authnRequest(server, id, { content })), username)
    expect(statusOf(page)).toEqual(['Responder', 'NoAuthnContext'])
  })

  test('a NameID of another format, another binding, another user: the application is told', async () => {
    const { username } = await newUser(server)
    const { id } = await createSamlApp(server)
    const open = (more: Parameters<typeof authnRequest>[2]) =>
      newBrowser().open(redirectOf(server, id, authnRequest(server, id, more)))
    const policy = `<samlp:NameIDPolicy Format="${FORMATS.email}"/>`
    expect(statusOf(await open({ content: policy }))).toEqual(['Requester', 'InvalidNameIDPolicy'])
    const ProtocolBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact'
    expect(statusOf(await open({ attributes: { ProtocolBinding } }))).toEqual(['Requester', 'UnsupportedBinding'])
    const content = '<saml:Subject><saml:NameID>someone-else</saml:NameID></saml:Subject>'
    const address = redirectOf(server, id, authnRequest(server, id, { content }))
    const page = await signInAt(newBrowser(), address, username)
    expect(statusOf(page)).toEqual(['Responder', 'UnknownPrincipal'])
    expect(responseOf(page)).not.toContain('<saml:Assertion')
  })

  test('one of the registered addresses, by URL or index', async () => {
    const { username } = await newUser(server)
    const other = 'https://sp.example/other'
    const { id } = await createSamlApp(server, { otherAcsUrls: [other] })
    const browser = newBrowser()
    const asking = (attributes: Record<string, string>) =>
      redirectOf(server, id, authnRequest(server, id, { attributes }))
    await signInAt(browser, asking({}), username)
    for (const [attributes, to] of [
      [{ AssertionConsumerServiceURL: other }, other],
      [{ AssertionConsumerServiceIndex: '1' }, other],
      [{ AssertionConsumerServiceIndex: '0' }, ACS],
    ] as const)
      expect(formOf(await browser.open(asking(attributes))).action).toBe(to)
  })
})

describe('who may sign in', () => {
  test('a user whom the access rules do not admit is refused, and the application is told', async () => {
    const [{ username }, admitted] = [await newUser(server), await newUser(server)]
    const { id } = await createSamlApp(server)
    const rules = { userIds: [admitted.id], userRoleIds: [], organizationIds: [], organizationRoleRules: [] }
    const set = await server.api('PUT', `/applications/${id}/access-control`, rules)
    expect(set.status).toBeLessThan(300)
    const change = await server.api('PATCH', `/saml-applications/${id}`, { appLevelAccessControlEnabled: true })
    expect(change.status).toBe(200)
    const address = () => redirectOf(server, id, authnRequest(server, id))
    expect(statusOf(await signInAt(newBrowser(), address(), username))).toEqual(['Responder', 'RequestDenied'])
    expect(statusOf(await signInAt(newBrowser(), address(), admitted.username))).toEqual(['Success'])
  })

  test('a user without a verified address has no NameID in the format emailAddress', async () => {
    const { username } = await newUser(server)
    const { id } = await createSamlApp(server, { nameIdFormat: FORMATS.email })
    const page = await signInAt(newBrowser(), redirectOf(server, id, authnRequest(server, id)), username)
    expect(statusOf(page)).toEqual(['Responder', 'AuthnFailed'])
  })
})

test('a sign-in starts here only where the application allows it, and its response answers no request', async () => {
  const { username } = await newUser(server)
  const { id } = await createSamlApp(server)
  const address = `${server.baseUrl}/api/saml/${id}/authn?RelayState=${encodeURIComponent('/inbox')}`
  const refused = await newBrowser().open(address)
  expect([refused.status, refused.text.includes('SAMLRequest is missing')]).toEqual([400, true])
  await server.api('PATCH', `/saml-applications/${id}`, { allowIdpInitiated: true })
  const page = await signInAt(newBrowser(), address, username)
  expect([statusOf(page), formOf(page).fields.RelayState]).toEqual([['Success'], '/inbox'])
  expect(responseOf(page)).not.toContain('InResponseTo')
})

test('a key that becomes active signs from then on; without one the user is told', async () => {
  const { username } = await newUser(server)
  const { id } = await createSamlApp(server)
  const path = `/saml-applications/${id}/secrets`
  const { body: added } = await server.api('POST', path, { lifeSpanInYears: 1 })
  const old = await serviceProvider(server, id)
  expect(old.options.idpCert).toHaveLength(2)
  const browser = newBrowser()
  await signInAt(browser, redirectOf(server, id, authnRequest(server, id)), username)
  expect((await server.api('PATCH', `${path}/${added.id}`, { active: true })).body.active).toBe(true)
  const { body: keys } = await server.api('GET', path)
  expect(keys.map(({ active }: { active: boolean }) => active).toSorted()).toEqual([false, true])
  const page = await browser.open(await old.getAuthorizeUrlAsync('', undefined, {}))
  expect(responseOf(page)).toContain(added.certificate.replace(/-----[^-]+-----|\s/g, ''))
  expect((await old.validatePostResponseAsync(formOf(page).fields)).profile?.nameID).toBeTruthy()
  expect((await server.api('DELETE', `${path}/${added.id}`)).body.code).toBe(
    'application.saml.can_not_delete_active_secret',
  )
  await server.api('PATCH', `${path}/${added.id}`, { active: false })
  const without = await browser.open(redirectOf(server, id, authnRequest(server, id)))
  expect([without.status, without.text.includes('no active key')]).toEqual([400, true])
})
