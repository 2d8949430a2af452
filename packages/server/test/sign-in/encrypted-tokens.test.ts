/** ID tokens and userinfo that are encrypted for the application (OpenID Connect Core section 10.2), read by openid-client. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWK } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from './arrange.ts'

let server: TestServer
let user: Awaited<ReturnType<typeof createUser>>
const browser = newBrowser()
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  user = await createUser(server)
  const app = await createApp(server)
  await signIn(browser, await begin(app.configuration), user.username)
})
afterAll(() => server.close())

const ALGORITHMS = ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'] as const
const CONTENTS = ['A128CBC-HS256', 'A128GCM', 'A256GCM'] as const

const makeKey = async (alg: string, fields: object = { use: 'enc' }) => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: `for ${alg}`, ...fields }
  return { privateKey, jwk }
}

const enter = async ({ configuration }: Awaited<ReturnType<typeof createApp>>) => {
  const begun = await begin(configuration, { prompt: 'none' })
  return redeem(configuration, await browser.open(begun.url), begun)
}

describe.each(ALGORITHMS.map((alg, index) => [alg, CONTENTS[index % 3] ?? CONTENTS[0]] as const))(
  '%s, %s',
  (alg, enc) => {
    test('an ID token is signed and then encrypted, userinfo as it is asked for', async () => {
      const { privateKey, jwk } = await makeKey(alg)
      const settings = {
        jwks: { keys: [jwk] },
        ...{ idTokenEncryptedResponseAlg: alg, idTokenEncryptedResponseEnc: enc },
        ...{
          userinfoEncryptedResponseAlg: alg,
          userinfoEncryptedResponseEnc: enc,
          userinfoSignedResponseAlg: 'ES256' as const,
        },
      }
      const app = await createApp(server, 'Traditional', { customClientMetadata: settings })
      client.enableDecryptingResponses(app.configuration, [enc], { key: privateKey, alg, kid: String(jwk.kid) })
      const tokens = await enter(app)
      expect(tokens.claims()).toMatchObject({ sub: user.id, aud: app.id, iss: server.issuer })
      expect(decodeProtectedHeader(tokens.id_token ?? '')).toMatchObject({ alg, enc, cty: 'JWT', kid: jwk.kid })
      Object.assign(app.configuration.clientMetadata(), { userinfo_signed_response_alg: 'ES256' })
      const said = await client.fetchUserInfo(app.configuration, tokens.access_token, user.id)
      expect(said).toMatchObject({ sub: user.id, username: user.username })
    })
  },
)

test('userinfo that is not signed is encrypted as JSON, with A128CBC-HS256 unless it says otherwise', async () => {
  const { privateKey, jwk } = await makeKey('ECDH-ES', {})
  const customClientMetadata = { jwks: { keys: [jwk] }, userinfoEncryptedResponseAlg: 'ECDH-ES' as const }
  const app = await createApp(server, 'Traditional', { customClientMetadata })
  const { access_token: token } = await enter(app)
  const answer = await fetch(`${server.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(answer.headers.get('content-type')).toBe('application/jwt')
  const { compactDecrypt } = await import('jose')
  const { plaintext, protectedHeader } = await compactDecrypt(await answer.text(), privateKey)
  expect(protectedHeader).toMatchObject({ alg: 'ECDH-ES', enc: 'A128CBC-HS256' })
  expect(JSON.parse(Buffer.from(plaintext).toString())).toMatchObject({ sub: user.id })
})

test('the key is one for encryption, of those that are published too; without one the code is not consumed', async () => {
  const [signing, encrypting] = await Promise.all([makeKey('ES256', { use: 'sig' }), makeKey('ECDH-ES')])
  let keys: JWK[] = [signing.jwk]
  const site = createServer((_request, response) => response.end(JSON.stringify({ keys })))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const jwksUri = `http://127.0.0.1:${(site.address() as AddressInfo).port}/keys`
  const customClientMetadata = { jwksUri, idTokenEncryptedResponseAlg: 'ECDH-ES' as const }
  const app = await createApp(server, 'Traditional', { customClientMetadata })
  client.enableDecryptingResponses(app.configuration, ['A128CBC-HS256'], {
    key: encrypting.privateKey,
    alg: 'ECDH-ES',
    kid: String(encrypting.jwk.kid),
  })
  const begun = await begin(app.configuration, { prompt: 'none' })
  const page = await browser.open(begun.url)
  await expect(redeem(app.configuration, page, begun)).rejects.toMatchObject({
    error: 'invalid_request',
    error_description: 'the client has no key for ECDH-ES',
  })
  keys = [signing.jwk, encrypting.jwk]
  server.clock.advance(31)
  expect((await redeem(app.configuration, page, begun)).claims()?.sub).toBe(user.id)
  site.close()
})

test('what cannot be encrypted is refused when it is stored, by name', async () => {
  const { jwk } = await makeKey('ECDH-ES')
  const reasonOf = async (customClientMetadata: object) => {
    const { status, body } = await server.api('POST', '/applications', { name: 'x', type: 'SPA', customClientMetadata })
    expect(status, JSON.stringify(body)).toBe(400)
    return body.data.reason
  }
  expect(await reasonOf({ idTokenEncryptedResponseAlg: 'RSA-OAEP-256', jwks: { keys: [jwk] } })).toContain(
    'needs a key for RSA-OAEP-256',
  )
  expect(await reasonOf({ userinfoEncryptedResponseAlg: 'ECDH-ES' })).toContain(
    'userinfoEncryptedResponseAlg needs a key',
  )
  expect(await reasonOf({ idTokenEncryptedResponseEnc: 'A256GCM' })).toContain('idTokenEncryptedResponseEnc needs')
  await reasonOf({ idTokenEncryptedResponseAlg: 'RSA1_5', jwks: { keys: [jwk] } })
  await reasonOf({ jwks: { keys: [{ ...jwk, crv: 'secp256k1' }] } })
})
