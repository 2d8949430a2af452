import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { queueEmpty, type Received, type Receiver, startReceiver } from '../events/receiver.ts'
import { createUser } from '../sign-in/arrange.ts'
import { checkEndpoints, checkReturn, checkSignedOut, endSession, signedIn, wholeRequest } from './logout.ts'
import { readProvider } from './provider.ts'
import { createRelyingParty, type Flow, type RelyingParty, registerClient } from './relying-party.ts'

let server: TestServer
let receiver: Receiver
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  // as the relying party of the suite responds
  receiver = await startReceiver((response) => void response.writeHead(200, { 'cache-control': 'no-store' }).end())
})
afterEach(() => queueEmpty(server.store))
afterAll(async () => {
  await receiver.close()
  await server.close()
})

/** Section 2.5: a form of one parameter, which is a signed JWT. */
const logoutTokenOf = ({ method, path, headers, body }: Received): string => {
  expect(method).toBe('POST')
  expect(path).toBe('/backchannel_logout')
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
  const parameters = [...new URLSearchParams(body)]
  expect(parameters.map(([name]) => name)).toEqual(['logout_token'])
  const token = parameters[0]?.[1] ?? ''
  expect(token, 'signed and not encrypted').toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  return token
}

/** Sections 2.4 and 2.6: signed by a key of the JWKS, of this issuer, for this client, about this user and session. */
const checkLogoutToken = async ({ client, provider }: RelyingParty, token: string, { tokens }: Flow) => {
  const { metadata, jwks, keyOf } = provider
  const { kid, alg = '' } = decodeProtectedHeader(token)
  expect(metadata.id_token_signing_alg_values_supported).toContain(alg)
  expect(jwks.keys.filter((key) => key.kid === kid && key.alg === alg && key.use === 'sig')).toHaveLength(1)
  const now = server.clock.now()
  const { payload } = await jwtVerify(token, keyOf, {
    typ: 'logout+jwt',
    issuer: metadata.issuer,
    currentDate: now,
    requiredClaims: ['exp', 'iat'],
  })
  expect([payload.aud].flat()).toContain(client.id)
  expect(payload.iat).toBeLessThanOrEqual(Math.floor(now.getTime() / 1000))
  expect(payload.jti).toMatch(/./)
  expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expect(payload.sub).toBe(tokens.claims.sub)
  expect(tokens.claims.sid).toMatch(/./)
  expect(payload.sid).toBe(tokens.claims.sid)
  expect(payload).not.toHaveProperty('nonce')
}

test('oidcc-backchannel-logout-discovery-endpoint-verification: discovery promises logout tokens with a sid', async () => {
  const provider = await readProvider(server.issuer)
  checkEndpoints(provider)
  expect(provider.metadata).toMatchObject({
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  })
})

test('oidcc-backchannel-rp-initiated-logout: the client is notified, the user returns, the session has ended', async () => {
  const client = await registerClient(server, {
    oidcClientMetadata: {
      backchannelLogoutUri: `${receiver.url}/backchannel_logout`,
      backchannelLogoutSessionRequired: true,
    },
  })
  const party = await createRelyingParty(server, { client })
  const flow = await signedIn(party, await createUser(server))
  const request = wholeRequest(flow)
  const page = await endSession(party, flow.browser, request)
  await receiver.got(1)
  await checkLogoutToken(party, logoutTokenOf(receiver.received[0] as Received), flow)
  checkReturn(page, request.state)
  await checkSignedOut(party, flow.browser)
})
