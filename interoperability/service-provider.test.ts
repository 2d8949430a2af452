/** SAML connectors with an identity provider by pysaml2 and xmlsec1, which is installed with pip; xmlsec1 has to be there. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { newCertifiedKey } from '@countersign/server/kernel/certificates.ts'
import { systemClock } from '@countersign/server/kernel/clock.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from '../packages/server/test/experience/arrange.ts'
import { createApp, redeem } from '../packages/server/test/sign-in/arrange.ts'

const run = promisify(execFile)
const environment = join(import.meta.dirname, '../node_modules/.cache/interoperability')
const python = join(environment, 'bin/python')

const BASE = 'https://idp.example'
let server: TestServer
let configuration: client.Configuration
let directory: string
const at = (name: string) => join(directory, name)

beforeAll(async () => {
  if (!existsSync(python)) {
    await run('python3', ['-m', 'venv', environment])
    await run(join(environment, 'bin/pip'), ['install', '--quiet', 'pysaml2==7.5.5'])
  }
  directory = await mkdtemp(join(tmpdir(), 'countersign-interoperability-'))
  const now = systemClock.now().getTime()
  const key = await newCertifiedKey('pysaml2', new Date(now - 86_400_000), new Date(now + 86_400_000))
  await writeFile(at('key.pem'), key.privateKey)
  await writeFile(at('certificate.pem'), key.certificate)
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
  expect((await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })).status).toBe(200)
})
afterAll(async () => {
  await server?.close()
  await rm(directory, { recursive: true })
})

const pysaml2 = async (settings: object, ...args: string[]): Promise<string> => {
  await writeFile(
    at('settings.json'),
    JSON.stringify({
      ...{ base: BASE, xmlsec: '/usr/bin/xmlsec1', key: at('key.pem'), certificate: at('certificate.pem') },
      ...settings,
    }),
  )
  const { stdout } = await run(python, [
    join(import.meta.dirname, 'identity_provider.py'),
    at('settings.json'),
    ...args,
  ])
  return stdout.trim()
}

/** pysaml2 reads the clock of the machine, and that of the server stands still. */
const setClock = (): void => {
  const behind = Math.floor((systemClock.now().getTime() - server.clock.now().getTime()) / 1000)
  if (behind > 0) server.clock.advance(behind)
}

/** A user signs in for the first time: the claims of the ID token. */
const signIn = async (connector: string, settings: object, options: object) => {
  const page = await openPage(server, configuration)
  expect((await page.start('Register')).status).toBe(204)
  const state = 'a-state-at-random'
  const redirectUri = `${server.baseUrl}/callback/${connector}`
  const path = `/verification/sso/${connector}`
  const begun = await page.call('POST', `${path}/authorization-uri`, { state, redirectUri })
  expect(begun.status).toBe(200)
  const { search, searchParams: query } = new URL(begun.body.authorizationUri)
  const response = await pysaml2(settings, 'respond', search.slice(1), JSON.stringify(options))
  setClock()
  const SAMLResponse = Buffer.from(response).toString('base64')
  const posted = await fetch(`${server.baseUrl}/api/authn/single-sign-on/saml/${connector}`, {
    method: 'POST',
    body: new URLSearchParams({ SAMLResponse, RelayState: query.get('RelayState') ?? '' }),
    redirect: 'manual',
  })
  const connectorData = Object.fromEntries(new URL(posted.headers.get('location') ?? '').searchParams)
  expect(connectorData.state).toBe(state)
  const { verificationId } = begun.body
  const verified = await page.call('POST', `${path}/verify`, { connectorData, verificationId })
  expect([verified.status, verified.body.code]).toEqual([200, undefined])
  expect((await page.call('POST', '/identification', { verificationId })).status).toBe(201)
  const { body } = await page.call('POST', '/submit')
  return (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
}

describe('pysaml2 as the identity provider', () => {
  test.each([
    { signs: 'assertion', encrypts: false, signed: false },
    { signs: 'response', encrypts: false, signed: false },
    { signs: 'both', encrypts: false, signed: false },
    { signs: 'assertion', encrypts: false, signed: true },
    { signs: 'assertion', encrypts: true, signed: true },
    { signs: 'response', encrypts: true, signed: true },
  ])('signs $signs, encrypts $encrypts, signed requests $signed', async ({ signs, encrypts, signed }) => {
    const user = `user-${signs}-${encrypts}-${signed}`
    const mail = `${user.toLowerCase()}@acme.example`
    const metadata = await pysaml2({ signed }, 'metadata')
    const input = { providerName: 'SAML', connectorName: user, config: { metadata }, domains: ['acme.example'] }
    const { body: connector } = await server.api('POST', '/sso-connectors', input)
    expect(connector.isComplete).toBe(true)
    if (signed) await server.api('POST', `/sso-connectors/${connector.id}/signing-keys`, { active: true })
    const sp = await (await fetch(`${server.baseUrl}/enterprise-sso/${connector.id}`)).text()
    await writeFile(at('sp.xml'), sp)
    const claims = await signIn(
      connector.id,
      { sp: at('sp.xml'), signed },
      { user, mail, name: 'Ann', signs, encrypts },
    )
    expect((await server.api('GET', `/users/${claims?.sub}`)).body).toMatchObject({ primaryEmail: mail, name: 'Ann' })
  })
})
