/** Nonces of the server in proofs, required of all applications of a tenant, or for tokens of one API (RFC 9449 section 8). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { arrange, askToken, authorization, FORM, form, post, send } from '../protocol/arrange.ts'
import { begin, CALLBACK } from '../sign-in/arrange.ts'
import { signedInUser } from '../sign-in/user-tokens.ts'
import { withSecondTenant } from '../tenants/second-tenant.ts'
import { askWithProof, boundHeaders, makePair, type ProofPair, proofOf } from './proofs.ts'

let server: TestServer
let pair: ProofPair
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  pair = await makePair()
})
afterAll(() => server.close())

const outcome = ({ status, body }: { status: number; body: { error?: string } }) => ({ status, error: body.error })
const NEEDED = { status: 400, error: 'use_dpop_nonce' }

test('nonces are required of every application by the tenant, also at its APIs, and not by another tenant', async () => {
  const ordinary = await arrange(server)
  const { b } = await withSecondTenant(server, 'nonces', 'http://nonces.example')
  const { host, credentials } = b
  const askThere = async (claims: { nonce?: string }) => {
    const dpop = await proofOf(server, pair, { url: 'http://nonces.example/oidc/token', claims })
    const body = form({ grant_type: 'client_credentials', resource: credentials.resource, scope: 'all' })
    return send(`${server.issuer}/token`, {
      headers: { host, 'content-type': FORM, ...authorization(credentials), dpop },
      body,
    })
  }
  await server.api('PATCH', '/configs/security', { dpopNonceRequired: true })
  try {
    const challenged = await askWithProof(server, ordinary, await proofOf(server, pair))
    expect(outcome(challenged)).toEqual(NEEDED)
    const nonce = String(challenged.headers['dpop-nonce'])
    expect((await askToken(server, ordinary.client, { resource: ordinary.resource.indicator })).status).toBe(200)
    const { clientId, clientSecret, resource } = server.credentials
    const asked = await askToken(
      server,
      { clientId, clientSecret },
      { resource, scope: 'all' },
      { dpop: await proofOf(server, pair, { claims: { nonce } }) },
    )
    const url = `${server.baseUrl}/api/roles`
    const list = async (claims: { nonce?: string }) => {
      const headers = await boundHeaders(server, pair, asked.body.access_token, { method: 'GET', url, claims })
      return (await send(url, { method: 'GET', headers })).status
    }
    expect([await list({}), await list({ nonce })]).toEqual([401, 200])
    expect((await askThere({})).status).toBe(200)
    // nonces of one tenant mean nothing at another
    expect(outcome(await askThere({ nonce }))).toEqual(NEEDED)
  } finally {
    await server.api('PATCH', '/configs/security', { dpopNonceRequired: false })
  }
  expect((await askWithProof(server, ordinary, await proofOf(server, pair))).status).toBe(200)
})

test('nonces are required for tokens of an API that is set so, and for pushed requests that name it; a code stays usable', async () => {
  const careful = await arrange(server, { resource: { dpopNonceRequired: true } })
  const challenged = await askWithProof(server, careful, await proofOf(server, pair))
  expect(outcome(challenged)).toEqual(NEEDED)
  const nonce = String(challenged.headers['dpop-nonce'])
  const agreed = await askWithProof(server, careful, await proofOf(server, pair, { claims: { nonce } }))
  expect([agreed.status, agreed.body.token_type]).toEqual([200, 'DPoP'])
  // without a proof there is nothing to carry one
  expect((await askToken(server, careful.client, { resource: careful.resource.indicator })).status).toBe(200)

  const known = await signedInUser(server)
  const { indicator: resource } = careful.resource
  const push = async (claims: { nonce?: string }) => {
    const begun = await begin(known.app.configuration, { scope: 'openid', resource })
    const dpop = await proofOf(server, pair, { url: `${server.issuer}/request`, claims })
    return { begun, reply: await post(server, '/request', Object.fromEntries(begun.url.searchParams), { dpop }) }
  }
  expect(outcome((await push({})).reply)).toEqual(NEEDED)
  const { begun, reply } = await push({ nonce })
  expect(reply.status).toBe(201)
  const url = new URL(`${server.issuer}/auth`)
  url.search = new URLSearchParams({ client_id: known.app.id, request_uri: reply.body.request_uri }).toString()
  const code = (await known.browser.open(url)).url.searchParams.get('code') ?? ''
  const redeem = async (claims: { nonce?: string }) =>
    post(
      server,
      '/token',
      {
        ...{ grant_type: 'authorization_code', client_id: known.app.id, code, redirect_uri: CALLBACK, resource },
        code_verifier: begun.verifier,
      },
      { dpop: await proofOf(server, pair, { claims }) },
    )
  expect(outcome(await redeem({}))).toEqual(NEEDED)
  expect((await redeem({ nonce })).body.token_type).toBe('DPoP')
})
