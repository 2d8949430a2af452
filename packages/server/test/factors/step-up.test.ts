/** An API behind the guard that demands a stronger and recent sign-in, and a client that sends its user to it (RFC 9470). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expressGuard } from '../../../guard/src/adapters/express.ts'
import { type Begun, begin, createApp, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { type Api, createApi } from '../sign-in/user-tokens.ts'
import { codeOf, createTotpUser, useFactors } from './arrange.ts'

const MFA = 'urn:countersign:acr:mfa'
let server: TestServer
let api: Api
let app: Awaited<ReturnType<typeof createApp>>
let close: () => void
let transfers: URL
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  api = await createApi(server)
  app = await createApp(server)
  await useFactors(server, ['Totp'])
  const required = { acrValues: [MFA, 'urn:countersign:acr:phr'], maxAgeSeconds: 300 }
  const now = () => server.clock.now()
  const protect = expressGuard({ issuer: server.issuer, audience: api.indicator, now })(required)
  const http = createServer((request, response) => {
    protect(request, response, () => response.end('transferred'))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  transfers = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/transfers`)
  close = () => {
    http.close()
    http.closeAllConnections()
  }
})
afterAll(async () => {
  close()
  await server.close()
})

/** Calls the API as a client does; gives the status, or what the challenge asks for. */
const call = async (token: string) => {
  const options = { [oauth.allowInsecureRequests]: true }
  try {
    return (await oauth.protectedResourceRequest(token, 'POST', transfers, undefined, undefined, options)).status
  } catch (error) {
    if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
    return error.cause[0]?.parameters
  }
}

test('a client that is told to sends its user to the sign-in again, and the API takes the new token', async () => {
  const { username, id, secret } = await createTotpUser(server, app.configuration)
  await server.api('PATCH', `/users/${id}/logto-configs`, { mfa: { skipMfaOnSignIn: true } })
  const browser = newBrowser()
  const authorized = async (begun: Begun, useCode: boolean) => {
    let page = await browser.open(begun.url)
    if (!page.url.searchParams.has('code'))
      page = await browser.submit(page, { identifier: username, password: PASSWORD })
    if (useCode) page = await browser.submit(page, { code: codeOf(server, secret) })
    return redeem(app.configuration, page, begun, { resource: api.indicator })
  }
  const asking = (more: Record<string, string> = {}) => begin(app.configuration, { resource: api.indicator, ...more })
  const weak = await authorized(await asking(), false)
  const challenge = await call(weak.access_token)
  expect(challenge).toEqual({
    error: 'insufficient_user_authentication',
    error_description: expect.any(String),
    acr_values: `${MFA} urn:countersign:acr:phr`,
    max_age: '300',
  })
  const { acr_values = '', max_age = '' } = challenge as Record<string, string>
  const strong = await authorized(await asking({ acr_values, max_age }), true)
  expect(await call(strong.access_token)).toBe(200)
  // a session that is strong but too old is not enough either, and a silent request cannot help
  server.clock.advance(301)
  const old = await authorized(await asking(), false)
  expect(await call(old.access_token)).toMatchObject({ max_age: '300' })
  const silent = await asking({ acr_values, max_age, prompt: 'none' })
  expect((await browser.open(silent.url)).url.searchParams.get('error')).toBe('login_required')
  const again = await authorized(await asking({ acr_values, max_age }), true)
  expect(await call(again.access_token)).toBe(200)
})
