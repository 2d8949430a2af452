/** The npm packages of Logto, unchanged, as the clients of this server (DECISIONS: their SDKs work with us). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import BrowserClient, { createRequester, UserScope } from '@logto/client'
import NodeClient from '@logto/node'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createOrganization, createOrganizationRole, createPermission, join } from '../organizations/token-arrange.ts'
import { CALLBACK, createApp, createUser, newBrowser, PASSWORD } from './arrange.ts'

const ORDERS = 'https://orders.example/api'
const BYE = 'https://app.example/bye'

let server: TestServer
let user: { id: string; username: string }
let organizationId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  user = await createUser(server)
  const { api } = server
  const { body: resource } = await api('POST', '/resources', { name: 'Orders', indicator: ORDERS })
  const scopeIds = []
  for (const name of ['read:orders', 'write:orders'])
    scopeIds.push((await api('POST', `/resources/${resource.id}/scopes`, { name })).body.id)
  const role = { name: 'Clerk', description: '', type: 'User', scopeIds: scopeIds.slice(0, 1) }
  const { body: clerk } = await api('POST', '/roles', role)
  await api('POST', `/users/${user.id}/roles`, { roleIds: [clerk.id] })
  organizationId = await createOrganization(server, 'Our company')
  const organizationScopeIds = [await createPermission(server, 'invite:member')]
  const resourceScopeIds = scopeIds.slice(1)
  const held = await createOrganizationRole(server, { organizationScopeIds, resourceScopeIds }, { name: 'Buyer' })
  await join(server, organizationId, user.id, [held])
})
afterAll(() => server.close())

/** What an application gives these clients: somewhere to keep things, and a way to send the browser elsewhere. */
const adapterOf = () => {
  const kept = new Map<string, string>()
  let target = ''
  return {
    kept,
    target: () => target,
    adapter: {
      storage: {
        getItem: async (key: string) => kept.get(key) ?? null,
        setItem: async (key: string, value: string) => void kept.set(key, value),
        removeItem: async (key: string) => void kept.delete(key),
      },
      navigate: (url: string) => {
        target = url
      },
    },
  }
}

const settings = {
  endpoint: '',
  resources: [ORDERS],
  scopes: ['read:orders', 'write:orders', 'email', 'custom_data', UserScope.Organizations, 'invite:member'],
}

const nodeClient = async () => {
  const app = await createApp(server, 'Traditional')
  const { body: secrets } = await server.api('GET', `/applications/${app.id}/secrets`)
  const around = adapterOf()
  const config = { ...settings, endpoint: server.baseUrl, appId: app.id, appSecret: secrets[0].value }
  const credentials = Buffer.from(`${app.id}:${secrets[0].value}`).toString('base64')
  const authentication = { headers: { authorization: `Basic ${credentials}` }, parameters: {} }
  return { ...around, authentication, client: new NodeClient(config, around.adapter) }
}

const browserClient = async () => {
  const app = await createApp(server, 'SPA')
  const around = adapterOf()
  const random = () => Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64url')
  const digest = async (text: string) =>
    Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url')
  const client = new BrowserClient(
    { ...settings, endpoint: server.baseUrl, appId: app.id },
    {
      ...around.adapter,
      requester: createRequester(fetch),
      generateState: random,
      generateCodeVerifier: random,
      generateCodeChallenge: digest,
    },
  )
  return { ...around, authentication: { headers: {}, parameters: { client_id: app.id } }, client }
}

describe.each([
  ['@logto/node', nodeClient],
  ['@logto/client', browserClient],
])('%s', (_name, make) => {
  test('signs in, gets tokens for an API and for userinfo, refreshes them, and signs out', async () => {
    const { client, target, kept, authentication } = await make()
    const browser = newBrowser()
    await client.signIn({ redirectUri: CALLBACK })
    const back = await browser.submit(await browser.open(target()), { identifier: user.username, password: PASSWORD })
    await client.handleSignInCallback(back.url.href)
    expect(await client.isAuthenticated()).toBe(true)
    expect(await client.getIdTokenClaims()).toMatchObject({ sub: user.id, iss: server.issuer })
    expect(await client.fetchUserInfo()).toMatchObject({ sub: user.id, username: user.username, custom_data: {} })

    const first = decodeJwt(await client.getAccessToken(ORDERS))
    expect(first).toMatchObject({ aud: ORDERS, sub: user.id, scope: 'read:orders' })
    expect(await client.getAccessTokenClaims(ORDERS)).toMatchObject({ aud: ORDERS })
    await client.clearAccessToken()
    expect(decodeJwt(await client.getAccessToken(ORDERS)).jti).not.toBe(first.jti)

    const refreshToken = kept.get('refreshToken') ?? ''
    await client.signOut(BYE)
    expect(kept.has('refreshToken')).toBe(false)
    const left = await browser.submit(await browser.open(target()), { confirm: 'yes' })
    expect(left.url.href).toBe(BYE)
    // the client revoked its refresh token
    const again = await fetch(`${server.issuer}/token`, {
      method: 'POST',
      headers: authentication.headers,
      body: new URLSearchParams({
        ...authentication.parameters,
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      }),
    })
    expect({ status: again.status, body: await again.json() }).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })

  test('gets tokens of an organization, and of an API in it', async () => {
    const { client, target } = await make()
    const browser = newBrowser()
    await client.signIn({ redirectUri: CALLBACK })
    expect(new URL(target()).searchParams.getAll('resource')).toContain('urn:logto:resource:organizations')
    const back = await browser.submit(await browser.open(target()), { identifier: user.username, password: PASSWORD })
    await client.handleSignInCallback(back.url.href)
    expect(await client.getIdTokenClaims()).toMatchObject({ organizations: [organizationId] })
    expect(await client.fetchUserInfo()).toMatchObject({
      organization_data: [{ id: organizationId, name: 'Our company', description: null }],
    })
    expect(await client.getOrganizationTokenClaims(organizationId)).toMatchObject({
      aud: `urn:logto:organization:${organizationId}`,
      scope: 'invite:member',
    })
    expect(decodeJwt(await client.getAccessToken(ORDERS, organizationId))).toMatchObject({
      aud: ORDERS,
      scope: 'read:orders write:orders',
      organization_id: organizationId,
    })
    await expect(client.getOrganizationToken('000000000000')).rejects.toThrow()
  })

  test('reports why userinfo and a new token are refused', async () => {
    const { client, target } = await make()
    const browser = newBrowser()
    const person = await createUser(server)
    await client.signIn({ redirectUri: CALLBACK })
    const page = await browser.open(target())
    await client.handleSignInCallback(
      (await browser.submit(page, { identifier: person.username, password: PASSWORD })).url.href,
    )
    await server.api('PATCH', `/users/${person.id}/is-suspended`, { isSuspended: true })
    const refused = (code: string) => ({ name: 'LogtoRequestError', code, message: expect.stringMatching(/\w{3}/) })
    await expect(client.fetchUserInfo()).rejects.toMatchObject(refused('oidc.invalid_token'))
    await client.clearAccessToken()
    await expect(client.getAccessToken(ORDERS)).rejects.toMatchObject(refused('oidc.invalid_grant'))
  })

  test('getAccessToken is refused for a resource that was not requested', async () => {
    const { client, target } = await make()
    const browser = newBrowser()
    await client.signIn({ redirectUri: CALLBACK, loginHint: user.username, prompt: undefined })
    const page = await browser.open(target())
    expect(page.text).toContain(`value="${user.username}"`)
    await client.handleSignInCallback(
      (await browser.submit(page, { identifier: user.username, password: PASSWORD })).url.href,
    )
    await expect(client.getAccessToken('https://other.example')).rejects.toThrow()
  })
})
