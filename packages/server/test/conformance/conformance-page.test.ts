/** docs/conformance.md: its commands as printed, the browser block that they write, and its tables of modules. */
import { execFile } from 'node:child_process'
import { createPublicKey, X509Certificate } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Guide, type Installation, openInstallation } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { Browser } from '../sign-in/browser.ts'
import { SCOPE_CLAIMS } from './person.ts'
import { type Client, createRelyingParty, type RelyingParty } from './relying-party.ts'
import { type SuiteConfiguration, visit } from './suite-browser.ts'

/** The shell of a guide has no package.json. */
const COMMAND = [
  ['npm run conformance --', `node ${join(import.meta.dirname, '../../../../scripts/conformance/main.ts')}`],
] as const

let server: TestServer
let installation: Installation
let page: Guide
let configuration: SuiteConfiguration
let logout: SuiteConfiguration
let party: RelyingParty
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  installation = await openInstallation(server)
  page = await installation.open('../conformance', COMMAND)
  const made = (await page.all()).join('')
  // a second run creates nothing more
  const again = await installation.open('../conformance', COMMAND)
  expect((await again.all()).join('')).toBe(made)
  await again.close()
  logout = JSON.parse(await readFile(join(installation.directory, 'data/conformance-logout.json'), 'utf8'))
  configuration = JSON.parse(await readFile(join(installation.directory, 'data/conformance-oidc.json'), 'utf8'))
  party = await createRelyingParty(server, { client: clientOf('client') })
})
afterAll(async () => {
  await page.close()
  await installation.close()
  await server.close()
})

const SUITE = 'https://localhost.emobix.co.uk:8443'
const HOME = `${SUITE}/test/a/countersign`
const newBrowser = () => new Browser(SUITE)

const clientOf = (
  member: 'client' | 'client2' | 'client_secret_post',
  authentication: Client['authentication'] = 'client_secret_basic',
): Client => {
  const { client_id: id, client_secret: secret } = configuration[member]
  return { id, secret, authentication }
}

const begin = (own: RelyingParty, parameters: Record<string, string | undefined> = {}) =>
  own.begin({ redirect_uri: `${HOME}/callback`, ...parameters })

describe('the configuration', () => {
  test('finds the server by its discovery document, and uses the addresses of its alias', async () => {
    expect((await fetch(configuration.server.discoveryUrl)).status).toBe(200)
    expect(configuration.server.discoveryUrl).toBe(`${server.issuer}/.well-known/openid-configuration`)
    expect(HOME).toBe(`${SUITE}/test/a/${configuration.alias}`)
  })

  test.each([
    ['client', 'client_secret_basic'],
    ['client2', 'client_secret_basic'],
    ['client_secret_post', 'client_secret_post'],
  ] as const)('signs the user in, who has every claim: %s with %s', async (member, authentication) => {
    const own = await createRelyingParty(server, { client: clientOf(member, authentication) })
    const request = begin(own, { scope: 'openid profile email address phone' })
    const { page: end, done, shown } = await visit(configuration, newBrowser(), request.url)
    expect([done, shown]).toEqual([['Sign in', 'Arrive'], ['Sign in']])
    const userinfo = await own.userinfo(await own.redeem(own.codeOf(end, request), request))
    expect(Object.keys(userinfo)).toEqual(expect.arrayContaining(Object.values(SCOPE_CLAIMS).flat()))
  })

  test('notifies one client of logouts, at its own alias, and no other', async () => {
    const told = logout.client.client_id
    const { body: applications } = await server.api('GET', '/applications?search=Suite')
    expect(applications).toHaveLength(4)
    for (const { id, oidcClientMetadata } of applications)
      expect(oidcClientMetadata.backchannelLogoutUri).toBe(
        id === told ? `${SUITE}/test/a/${logout.alias}/backchannel_logout` : undefined,
      )
    expect(logout.alias).not.toBe(configuration.alias)
    const own = await createRelyingParty(server, {
      client: { id: told, secret: logout.client.client_secret, authentication: 'client_secret_basic' },
    })
    const { url } = own.begin({ redirect_uri: `${SUITE}/test/a/${logout.alias}/callback` })
    expect((await visit(logout, newBrowser(), url)).done).toEqual(['Sign in', 'Arrive'])
  })

  test('sends the form of form_post', async () => {
    const request = begin(party, { response_mode: 'form_post' })
    const { page: end, done } = await visit(configuration, newBrowser(), request.url)
    expect(done).toEqual(['Sign in', 'Send the form of form_post', 'Arrive'])
    expect(end.url.href).toBe(`${HOME}/callback`)
  })

  test('passes without a page if there is a session, and signs in again where required', async () => {
    const browser = newBrowser()
    await visit(configuration, browser, begin(party).url)
    const again = async (prompt: string) => (await visit(configuration, browser, begin(party, { prompt }).url)).done
    expect(await again('none')).toEqual(['Arrive'])
    expect(await again('login')).toEqual(['Sign in', 'Arrive'])
  })

  test('submits the error page as a screenshot', async () => {
    const { url } = begin(party, { redirect_uri: `${HOME}/callback/nowhere` })
    const { page: end, done, shown } = await visit(configuration, newBrowser(), url)
    expect(end.status).toBe(400)
    expect(done).toEqual(['Send the form of form_post', 'Show what was refused'])
    expect(shown).toEqual([expect.stringContaining('not registered')])
  })

  test('signs the user out', async () => {
    const { end_session_endpoint: endpoint } = party.provider.metadata
    const signedIn = async () => {
      const browser = newBrowser()
      const request = begin(party)
      const { page: end } = await visit(configuration, browser, request.url)
      return { browser, tokens: await party.redeem(party.codeOf(end, request), request) }
    }
    const asked = await signedIn()
    const without = await visit(configuration, asked.browser, new URL(endpoint))
    expect([without.done, without.shown]).toEqual([['Sign out', 'Show the page'], ['You are signed out']])
    const { browser, tokens } = await signedIn()
    const query = { id_token_hint: tokens.idToken, post_logout_redirect_uri: `${HOME}/post_logout_redirect` }
    const back = await visit(configuration, browser, new URL(`${endpoint}?${new URLSearchParams(query)}`))
    expect(back.page.url.href).toBe(`${HOME}/post_logout_redirect`)
  })
})

describe('the configurations of the other plans', () => {
  const configurationOf = async (name: string) =>
    JSON.parse(await readFile(join(installation.directory, `data/conformance-${name}.json`), 'utf8'))

  test('have clients of the profile with the keys and the certificates that they are registered with', async () => {
    const [byKey, byCertificate] = await Promise.all(['fapi2', 'fapi2-mtls'].map(configurationOf))
    const registered = async ({ client_id: id }: { client_id: string }) =>
      (await server.client.getApplication({ params: { id } })).customClientMetadata
    for (const own of [byKey.client, byKey.client2]) {
      const [{ d, ...key }] = own.jwks.keys
      expect(await registered(own)).toMatchObject({ securityProfile: 'fapi2', jwks: { keys: [key] } })
      expect(d).toBeTypeOf('string')
    }
    for (const [own, { cert, key }] of [
      [byCertificate.client, byCertificate.mtls],
      [byCertificate.client2, byCertificate.mtls2],
    ]) {
      const { subject, publicKey } = new X509Certificate(cert)
      expect(await registered(own)).toMatchObject({
        tokenEndpointAuthMethod: 'tls_client_auth',
        tlsClientAuthSubjectDn: subject,
        tlsClientAuthCertificates: [cert],
      })
      expect(createPublicKey(key).equals(publicKey)).toBe(true)
    }
  })

  test('push a request with the key of the first client, which is then asked of its user', async () => {
    const { client: own, server: at, resource } = await configurationOf('fapi2')
    const [jwk] = own.jwks.keys
    const key = (await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
    ])) as CryptoKey
    const skew = { [openid.clockSkew]: Math.round((server.clock.now().getTime() - Date.now()) / 1000) }
    const party = await openid.discovery(
      new URL(at.discoveryUrl),
      own.client_id,
      skew,
      openid.PrivateKeyJwt(
        { key, kid: jwk.kid },
        { [openid.modifyAssertion]: (_, claims) => void Object.assign(claims, { aud: server.issuer }) },
      ),
      { execute: [openid.allowInsecureRequests] },
    )
    const verifier = openid.randomPKCECodeVerifier()
    const url = await openid.buildAuthorizationUrlWithPAR(party, {
      redirect_uri: `${HOME}/callback`,
      scope: own.scope,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const { page: end, done } = await visit(configuration, newBrowser(), url)
    expect(done).toEqual(['Sign in', 'Arrive'])
    const DPoP = openid.getDPoPHandle(party, await openid.randomDPoPKeyPair())
    const tokens = await openid.authorizationCodeGrant(party, end.url, { pkceCodeVerifier: verifier }, undefined, {
      DPoP,
    })
    expect([tokens.token_type, resource.resourceUrl]).toEqual(['dpop', `${server.issuer}/me`])
  })

  test('register clients by themselves', async () => {
    const { server: at, client: none } = await configurationOf('dynamic')
    const { registration_endpoint: endpoint } = await (await fetch(at.discoveryUrl)).json()
    const registered = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [`${HOME}/callback`] }),
    })
    expect([none, registered.status]).toEqual([undefined, 201])
  })
})

test.each([
  [['nonsense'], 'nonsense is no plan. There are: config, basic,'],
  [[], 'Nothing is no plan.'],
  [['basic', '--suite', 'x'], '--suite takes the address of the suite.'],
  [['basic', '--serve', 'localhost'], '--serve takes the host and the port'],
])('npm run conformance with %j says what is wrong', async (options, sentence) => {
  const program = join(import.meta.dirname, '../../../../scripts/conformance/main.ts')
  const failure = await promisify(execFile)(process.execPath, [program, ...options]).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
})

test('the tables list the modules that the tests mirror, each once, with a result that the page explains', async () => {
  const folder = import.meta.dirname
  const files = (await readdir(folder)).filter((name) => /-plan.*\.test\.ts$/.test(name))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const mirrored = texts.flatMap((text) => [...text.matchAll(/'(oidcc-[a-z0-9-]+)(?=[:'])/g)].map(([, name]) => name))
  const rows = [...page.text.matchAll(/^\| `(oidcc-[a-z0-9-]+)`[^|]*\| ([a-z]+)/gm)]
  const modules = rows.map(([, name]) => name ?? '').filter((name) => !name.endsWith('-plan'))
  expect(modules).toEqual([...new Set(modules)])
  expect([...modules].sort()).toEqual([...new Set(mirrored)].sort())
  const explained = [...page.text.matchAll(/^\| (passes|warns|review|skipped|dynamic) \|/gm)].map(([, word]) => word)
  expect(rows.filter(([, name, word]) => !name?.endsWith('-plan') && !explained.includes(word))).toEqual([])
})
