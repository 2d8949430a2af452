/** Passkeys in Chromium with its virtual authenticator: creation, use as a second factor, and sign-in (DECISIONS O). */
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accessibilityViolations, complaintsOf, launchBrowser } from '@countersign/harness/browser.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { INSTALL_TIMEOUT_MS } from '@countersign/harness/system-program.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import type * as client from 'openid-client'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { type Begun, begin, CALLBACK, createApp, createUser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { freshName } from '../users/arrange.ts'
import { identifyBy, importUsers, told, useFactors } from './arrange.ts'

const PHISHING_RESISTANT = 'urn:countersign:acr:phr'
let server: TestServer
let browser: Browser
let configuration: client.Configuration
const application = createServer((_request, response) => response.end('the application'))
let callback = ''
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await once(application.listen(0, '127.0.0.1'), 'listening')
  callback = `http://localhost:${(application.address() as AddressInfo).port}/callback`
  const app = await createApp(server)
  await server.api('PATCH', `/applications/${app.id}`, { oidcClientMetadata: { redirectUris: [CALLBACK, callback] } })
  configuration = app.configuration
  browser = await launchBrowser()
}, INSTALL_TIMEOUT_MS)
vi.setConfig({ testTimeout: 300_000 })
afterAll(async () => {
  await browser?.close()
  await server?.close()
  application.close()
})

/** An authorization request that leads back to the application. */
const start = (parameters: Record<string, string> = {}) =>
  begin(configuration, { redirect_uri: callback, ...parameters })

interface Device {
  readonly page: Page
  readonly cdp: CDPSession
  readonly authenticatorId: string
  readonly complaints: string[]
}

/** A device with an authenticator under the control of the test, in its own browser context. */
const withDevice = async (work: (device: Device) => Promise<void>, isUserVerified = true) => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    })
    await work({ page, cdp, authenticatorId, complaints: complaintsOf(page) })
  } finally {
    await context.close()
  }
}

const enterPassword = async (page: Page, begun: Begun, username: string) => {
  await page.goto(begun.url.href)
  await page.fill('#identifier', username)
  await page.fill('#password', PASSWORD)
  await page.click('#submit')
}

const claimsOf = async (page: Page, begun: Begun) => {
  await page.waitForURL(`${callback}**`)
  const at = { url: new URL(page.url()), status: 200, headers: new Headers(), text: '' }
  return (await redeem(configuration, at, begun)).claims()
}

/** A user with a passkey on this device. */
const enrolled = async ({ page }: Device, name = '') => {
  await useFactors(server, ['WebAuthn'], 'Mandatory')
  const user = await createUser(server)
  const begun = await start()
  await enterPassword(page, begun, user.username)
  await page.waitForURL('**/set-up-factor/**')
  await page.click('#choose-WebAuthn')
  await page.fill('#name', name)
  await page.click('#use-passkey')
  expect(await claimsOf(page, begun)).toMatchObject({ sub: user.id, acr: PHISHING_RESISTANT })
  await page.context().clearCookies()
  return user
}

test('one is created during sign-in, is required the next time, and signs the user in by itself', async () => {
  await withDevice(async (device) => {
    const { page, cdp, authenticatorId, complaints } = device
    const { id, username } = await enrolled(device)
    const { body: factors } = await server.api('GET', `/users/${id}/mfa-verifications`)
    expect(factors).toMatchObject([{ type: 'WebAuthn', agent: expect.stringContaining('Chrome') }])
    expect(factors[0].name).toBeUndefined()
    const second = await start()
    await enterPassword(page, second, username)
    await page.waitForURL('**/second-factor/**')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.click('#use-passkey')
    expect(await claimsOf(page, second)).toMatchObject({ sub: id, amr: ['pwd', 'hwk', 'mfa'] })
    await page.context().clearCookies()
    const passkeySignIn = { enabled: true, allowAutofill: false }
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn })
    const alone = await start()
    await page.goto(alone.url.href)
    await page.click('#use-passkey')
    expect(await claimsOf(page, alone)).toMatchObject({ sub: id, amr: ['hwk', 'user', 'mfa'], acr: PHISHING_RESISTANT })
    // a step-up that demands a phishing-resistant factor is satisfied
    const stepUp = await start({ acr_values: PHISHING_RESISTANT, prompt: 'none' })
    await page.goto(stepUp.url.href)
    expect(await claimsOf(page, stepUp)).toMatchObject({ sub: id })
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toHaveLength(1)
    expect(complaints).toEqual([])
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: false } })
  })
})

test('has the name that the user gives it, or else that of its authenticator', async () => {
  const nameOf = async (name: string) => {
    let named: unknown
    await withDevice(async (device) => {
      // an answer without attestation is signed by no one: as if another authenticator had made it
      await device.page.route('**/set-up-factor/**', async (route) => {
        const body = new URLSearchParams(route.request().postData() ?? '')
        const payload = JSON.parse(body.get('payload') || 'null')
        if (!payload) return route.continue()
        const attestation = Buffer.from(payload.response.attestationObject, 'base64url')
        // after the hash of the relying party, the flags and the counter (Web Authentication Level 3, section 6.1)
        const at = attestation.indexOf(hash('sha256', new URL(server.baseUrl).hostname, 'buffer')) + 37
        Buffer.from('d548826e79b4db40a3d811116f7e8349', 'hex').copy(attestation, at)
        payload.response.attestationObject = attestation.toString('base64url')
        body.set('payload', JSON.stringify(payload))
        return route.continue({ postData: body.toString() })
      })
      const { id } = await enrolled(device, name)
      named = (await server.api('GET', `/users/${id}/mfa-verifications`)).body[0].name
    })
    return named
  }
  expect([await nameOf(''), await nameOf('  The blue one\u0007 ')]).toEqual(['Bitwarden', 'The blue one'])
})

/** The response of the authenticator to a page at an address. */
const answeredAt = async (page: Page, address: string, options: PublicKeyCredentialRequestOptionsJSON) => {
  await page.goto(address)
  return page.evaluate(async (asked) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked)
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON()
  }, options)
}

test('another origin is refused until it is a related one; a passkey that is then removed signs no one in', async () => {
  await withDevice(async (device) => {
    const { page } = device
    const { id } = await enrolled(device)
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: true, allowAutofill: false } })
    const relatedOrigins = async () => (await (await fetch(`${server.baseUrl}/.well-known/webauthn`)).json()).origins
    expect(await relatedOrigins()).toEqual([server.baseUrl])
    const own = await openPage(server, configuration)
    await own.start('SignIn')
    const options = (await own.call('POST', '/preflight/sign-in-passkey/authentication')).body.authenticationOptions
    const payload = await answeredAt(page, callback, options)
    const prove = () => own.call('POST', '/verification/sign-in-passkey/authentication/verify', { payload })
    expect(told(await prove())).toEqual([400, 'session.mfa.webauthn_verification_failed'])
    const { origin } = new URL(callback)
    for (const wrong of [`${origin}/path`, 'http://example.com', 'https://user@example.com', '*', 'android:apk'])
      expect(told(await server.api('PATCH', '/account-center', { webauthnRelatedOrigins: [wrong] }))).toEqual([
        400,
        'guard.invalid_input',
      ])
    const related = ['https://account.example.com', origin]
    const set = await server.api('PATCH', '/account-center', { webauthnRelatedOrigins: [...related, `${origin}/`] })
    expect(set).toMatchObject({ status: 200, body: { webauthnRelatedOrigins: related } })
    expect(await relatedOrigins()).toEqual([server.baseUrl, ...related])
    const proved = await prove()
    expect((await own.call('POST', '/identification', proved.body)).status).toBe(204)
    const { body: factors } = await server.api('GET', `/users/${id}/mfa-verifications`)
    await server.api('DELETE', `/users/${id}/mfa-verifications/${factors[0].id}`)
    expect(told(await own.call('POST', '/submit'))).toEqual([422, 'session.invalid_credentials'])
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: false } })
    await server.api('PATCH', '/account-center', { webauthnRelatedOrigins: [] })
  })
})

test('a passkey of another system is imported with its user and signs the user in', async () => {
  await withDevice(async (device) => {
    const { page } = device
    const before = await enrolled(device)
    const [row] = await withClient(server.databaseUrl, async (client) => {
      const { rows } = await client.query(
        `SELECT credential_id, public_key, counter, transports FROM factors WHERE user_id = $1`,
        [before.id],
      )
      return rows
    })
    const passkey = {
      type: 'WebAuthn',
      credentialId: row.credential_id.toString('base64url'),
      publicKey: row.public_key.toString('base64url'),
      counter: Number(row.counter),
      transports: row.transports,
      rpId: new URL(server.baseUrl).hostname,
      name: 'Laptop',
    }
    const line = { username: freshName(), password: PASSWORD, mfaVerifications: [passkey] }
    expect(await importUsers(server, [line])).toMatchObject([{ line: 1, code: 'session.mfa.bind_mfa_existed' }])
    await server.api('DELETE', `/users/${before.id}`)
    const twice = await importUsers(server, [line, { ...line, username: freshName() }])
    expect(twice).toMatchObject([{ line: 2, code: 'session.mfa.bind_mfa_existed' }])
    const { body: users } = await server.api('GET', `/users?search.username=${line.username}`)
    await server.api('PATCH', '/sign-in-exp', {
      passkeySignIn: { enabled: true, showPasskeyButton: true, allowAutofill: false },
    })
    const begun = await start()
    await page.goto(begun.url.href)
    await page.click('#use-passkey')
    expect(await claimsOf(page, begun)).toMatchObject({ sub: users[0].id, acr: PHISHING_RESISTANT })
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: false } })
  })
})

test('a passkey is offered after a password where passkeys sign users in, whether or not they are second factors', async () => {
  await withDevice(async ({ page, complaints }) => {
    await useFactors(server, ['Totp'])
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: true, allowAutofill: false } })
    const own = await openPage(server, configuration)
    expect(told(await own.signIn((await createUser(server)).username))).toEqual([422, 'user.passkey_preferred'])
    expect((await own.call('POST', '/profile/mfa/passkey-skipped')).status).toBe(204)
    expect((await own.call('POST', '/submit')).status).toBe(200)
    const signIn = async (username: string) => {
      await page.context().clearCookies()
      const begun = await start()
      await enterPassword(page, begun, username)
      return begun
    }
    const skipping = await createUser(server)
    const skipped = await signIn(skipping.username)
    await page.waitForURL('**/set-up-factor/**')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.click('#skip')
    expect(await claimsOf(page, skipped)).toMatchObject({ sub: skipping.id, amr: ['pwd'] })
    expect(await claimsOf(page, await signIn(skipping.username))).toMatchObject({ sub: skipping.id })
    const { id, username } = await createUser(server)
    const made = await signIn(username)
    await page.click('#use-passkey')
    expect(await claimsOf(page, made)).toMatchObject({ sub: id, acr: PHISHING_RESISTANT })
    expect((await server.api('GET', `/users/${id}/logto-configs`)).body.mfa).not.toHaveProperty('enabled')
    // the app is required after a password, but not after a passkey
    await server.api('POST', `/users/${id}/mfa-verifications`, { type: 'Totp' })
    await page.context().clearCookies()
    const alone = await start()
    await page.goto(alone.url.href)
    await page.click('#use-passkey')
    expect(await claimsOf(page, alone)).toMatchObject({ sub: id, acr: PHISHING_RESISTANT })
    expect(complaints).toEqual([])
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: false } })
  })
})

test('the browser offers it in the name field', async () => {
  await withDevice(async (device) => {
    const { page } = device
    const { id } = await enrolled(device)
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: true, showPasskeyButton: false } })
    const begun = await start()
    await page.goto(begun.url.href)
    // the virtual authenticator accepts the offer by itself
    expect(await claimsOf(page, begun)).toMatchObject({ sub: id, acr: PHISHING_RESISTANT })
    await server.api('PATCH', '/sign-in-exp', { passkeySignIn: { enabled: false } })
  })
})

test('an authenticator that did not verify the user creates no passkey, and the page says so', async () => {
  await useFactors(server, ['WebAuthn'], 'Mandatory')
  await withDevice(async ({ page }) => {
    const { username } = await createUser(server)
    await enterPassword(page, await start(), username)
    await page.click('#choose-WebAuthn')
    await page.click('#use-passkey')
    await page.waitForSelector('#passkey-problem:not([hidden])')
  }, false)
})

test('a response to another challenge, origin or account is refused, and so is a counter that does not increase', async () => {
  await withDevice(async (device) => {
    const { page, cdp, authenticatorId } = device
    const { username } = await enrolled(device)
    const begun = await start()
    // the response of the authenticator to the interaction of this browser
    const answered = async (of: Begun) => {
      await enterPassword(page, of, username)
      await page.waitForSelector('form[data-passkey]')
      return page.evaluate(async () => {
        const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
        const options = JSON.parse(form?.dataset.passkey ?? '')
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
        const credential = await navigator.credentials.get({ publicKey })
        return (credential as PublicKeyCredential).toJSON()
      })
    }
    const payload = await answered(begun)
    const verify = async (bytes: object, name = username) => {
      const own = await openPage(server, configuration)
      await identifyBy(own, name)
      return told(await own.call('POST', '/verification/web-authn/authentication/verify', { payload: bytes }))
    }
    const refused = [400, 'session.mfa.webauthn_verification_failed']
    // replayed in another interaction, which has another challenge
    expect(await verify(payload)).toEqual(refused)
    const other = await createUser(server)
    await server.api('POST', `/users/${other.id}/mfa-verifications`, { type: 'Totp' })
    expect(await verify(payload, other.username)).toEqual(refused)
    const clientData = JSON.parse(Buffer.from(payload.response.clientDataJSON, 'base64url').toString())
    const foreign = Buffer.from(JSON.stringify({ ...clientData, origin: 'https://evil.example' })).toString('base64url')
    expect(await verify({ ...payload, response: { ...payload.response, clientDataJSON: foreign } })).toEqual(refused)
    // the page accepts it, once: its counter is stored
    const use = async () => {
      await page.evaluate((text) => {
        const form = document.querySelector<HTMLFormElement>('form[data-passkey]')
        const field = form?.elements.namedItem('payload') as HTMLInputElement
        field.value = text
        form?.submit()
      }, JSON.stringify(payload))
    }
    await use()
    await page.waitForURL(`${callback}**`)
    await page.context().clearCookies()
    // the counter of a copied authenticator is behind the one that was used
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    if (!credential) throw new Error('the authenticator has no credential')
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential, signCount: 0 } })
    const copied = await start()
    await enterPassword(page, copied, username)
    await page.click('#use-passkey')
    await page.waitForSelector('#problem')
  })
})
