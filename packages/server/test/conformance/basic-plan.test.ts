/**
 * The modules of oidcc-basic-certification-test-plan, and of oidcc-formpost-basic-certification-test-plan, about the
 * results of a request: tokens, userinfo, scopes, codes.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { checkScopeClaims, createPerson } from './person.ts'
import {
  BASIC_PLANS,
  type ClientOptions,
  createRelyingParty,
  type Flow,
  newBrowser,
  type Person,
  REDIRECT_URI,
  type RelyingParty,
  registerClient,
} from './relying-party.ts'
import { checkTokenError, checkTokenResponse, checkUnguessable, checkUserinfo } from './response-checks.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  person = await createPerson(server)
})
afterAll(() => server.close())

/** What an ID token may contain when only `openid` was requested. */
const OWN_CLAIMS = [
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'azp',
  'at_hash',
  'jti',
  'sid',
]

describe.each(BASIC_PLANS)('%s', (_plan, responseMode) => {
  const newParty = async (options: ClientOptions = {}) =>
    createRelyingParty(server, { client: await registerClient(server, options), responseMode })

  let party: RelyingParty
  beforeAll(async () => {
    party = await newParty()
  })

  describe('the flow and its ID token', () => {
    test('oidcc-server: a code flow with an unguessable code and no more claims than requested', async () => {
      expect(party.provider.metadata.token_endpoint_auth_methods_supported).toContain('client_secret_basic')
      const { code, tokens, userinfo } = await party.flow({ person })
      checkUnguessable(code)
      checkUnguessable(tokens.accessToken)
      expect(Object.keys(tokens.claims).filter((name) => !OWN_CLAIMS.includes(name))).toEqual([])
      expect(tokens.claims).not.toHaveProperty('name')
      expect(tokens.claims.nonce).toMatch(/./)
      expect(Object.keys(userinfo)).toEqual(['sub'])
    })

    test('oidcc-server-client-secret-post: the same with the secret in the body', async () => {
      expect(party.provider.metadata.token_endpoint_auth_methods_supported).toContain('client_secret_post')
      await (await newParty({ authentication: 'client_secret_post' })).flow({ person })
    })

    test('oidcc-idtoken-signature: with a kid and RS256, for an application that requests RS256', async () => {
      // the plan has it only for dynamic registration, where RS256 is what a registration without an algorithm means
      expect(party.provider.metadata).not.toHaveProperty('registration_endpoint')
      const own = await newParty({ customClientMetadata: { idTokenSignedResponseAlg: 'RS256' } })
      const { tokens } = await own.flow({ person })
      const header = decodeProtectedHeader(tokens.idToken)
      expect(header.alg).toBe('RS256')
      expect(header.kid).toMatch(/./)
    })

    test('oidcc-idtoken-unsigned: skipped, because discovery does not list unsigned ID tokens; they cannot be registered', async () => {
      const { metadata } = party.provider
      expect(metadata).not.toHaveProperty('registration_endpoint')
      expect(metadata.id_token_signing_alg_values_supported).not.toContain('none')
      const { status, body } = await server.api('POST', '/applications', {
        name: 'Unsigned',
        type: 'Traditional',
        oidcClientMetadata: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
        customClientMetadata: { idTokenSignedResponseAlg: 'none' },
      })
      expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
    })

    test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: then the ID token has none', async () => {
      const { tokens } = await party.flow({ person, parameters: { nonce: undefined } })
      expect(tokens.claims).not.toHaveProperty('nonce')
    })

    test('oidcc-ensure-request-with-valid-pkce-succeeds: the verifier is required and matches', async () => {
      const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
      // RFC 7636 appendix B
      const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
      const request = party.begin({ code_challenge: challenge, code_challenge_method: 'S256' })
      const code = party.codeOf(await party.authorize(request, newBrowser(), person), request)
      await party.userinfo(await party.redeem(code, request, { code_verifier: verifier }))
    })
  })

  describe('userinfo', () => {
    let done: Flow
    beforeAll(async () => {
      done = await party.flow({ person })
    })
    /** Userinfo returns the same as in the flow. */
    const holds = async (init: RequestInit) => {
      const response = await fetch(party.provider.metadata.userinfo_endpoint, init)
      expect(await checkUserinfo(response, person.id, server.clock.now())).toEqual(done.userinfo)
    }
    const bearer = () => ({ authorization: `Bearer ${done.tokens.accessToken}` })

    test('oidcc-userinfo-get: GET with the token in the header', () => holds({ headers: bearer() }))

    test('oidcc-userinfo-post-header: POST with the token in the header', () =>
      holds({ method: 'POST', headers: bearer() }))

    test('oidcc-userinfo-post-body: POST with the token in the body', () =>
      holds({ method: 'POST', body: new URLSearchParams({ access_token: done.tokens.accessToken }) }))
  })

  describe('scopes', () => {
    test.each([
      ['oidcc-scope-profile', 'userinfo has every claim of profile', 'openid profile'],
      ['oidcc-scope-email', 'userinfo has every claim of email', 'openid email'],
      ['oidcc-scope-address', 'userinfo has the address', 'openid address'],
      ['oidcc-scope-phone', 'userinfo has every claim of phone', 'openid phone'],
      ['oidcc-scope-all', 'userinfo has the claims of all four', 'openid address email phone profile'],
      ['oidcc-ensure-other-scope-order-succeeds', 'openid need not come first', 'email openid'],
    ])('%s: %s', async (_name, _what, scope) => {
      expect(party.provider.metadata.scopes_supported).toEqual(expect.arrayContaining(scope.split(' ')))
      checkScopeClaims(scope, await party.flow({ person, parameters: { scope } }))
    })

    test('oidcc-alternate-happy-flow: the order of the parameters does not matter', async () => {
      const request = party.begin({ scope: 'email openid' })
      request.url.search = new URLSearchParams([...request.url.searchParams].reverse()).toString()
      const code = party.codeOf(await party.authorize(request, newBrowser(), person), request)
      const tokens = await party.redeem(code, request)
      checkScopeClaims(request.scope, { tokens, userinfo: await party.userinfo(tokens) })
    })
  })

  describe('codes and refresh tokens', () => {
    const redeemAgain = async ({ code, request }: Flow) => {
      const again = await party.token({ grant_type: 'authorization_code', code, redirect_uri: request.redirectUri })
      expect(again.status).toBe(400)
      expect(await checkTokenError(again)).toBe('invalid_grant')
    }

    test('oidcc-codereuse: an immediate second use is invalid_grant', async () => {
      await redeemAgain(await party.flow({ person }))
    })

    test('oidcc-codereuse-30seconds: so is a later one, and the access token of the first use is revoked', async () => {
      const done = await party.flow({ person })
      server.clock.advance(30)
      await redeemAgain(done)
      const headers = { authorization: `Bearer ${done.tokens.accessToken}` }
      const { status } = await fetch(party.provider.metadata.userinfo_endpoint, { headers })
      expect(status).toBe(401)
    })

    const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' }

    /** A flow and a refresh of its tokens; returns the refresh token that is then valid. */
    const refreshed = async (own: RelyingParty, nonce: Record<string, string>, scope: Record<string, string>) => {
      const { tokens: first, request } = await own.flow({ person, parameters: { ...OFFLINE, ...nonce } })
      const refreshToken = first.refreshToken ?? ''
      expect(refreshToken).toMatch(/^[\x20-\x7e]+$/)
      checkUnguessable(refreshToken)
      server.clock.advance(1)
      const response = await own.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...scope })
      // an ID token of a refresh repeats no nonce (OpenID Connect Core section 12.2)
      const silent = { ...request, nonce: undefined }
      const second = await checkTokenResponse(own.provider, response, silent, server.clock.now())
      checkUnguessable(second.accessToken)
      expect(second.accessToken).not.toBe(first.accessToken)
      if (second.refreshToken !== undefined) checkUnguessable(second.refreshToken)
      for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'azp'])
        expect(second.claims[claim], claim).toEqual(first.claims[claim])
      expect(second.claims.iat).toBe((first.claims.iat ?? 0) + 1)
      checkScopeClaims(OFFLINE.scope, { tokens: second, userinfo: await own.userinfo(second) })
      return second.refreshToken ?? refreshToken
    }

    test('oidcc-refresh-token: returns new tokens of the same sign-in, only to the client that it was issued to', async () => {
      expect(party.provider.metadata.scopes_supported).toContain('offline_access')
      expect(party.provider.metadata.grant_types_supported).toContain('refresh_token')
      const other = await newParty()
      const refreshToken = await refreshed(party, {}, { scope: OFFLINE.scope })
      const ofTheOther = await refreshed(other, { nonce: 'n'.repeat(43) }, {})
      const steals = async (thief: RelyingParty, parameters: Record<string, string>) => {
        const stolen = await thief.token({ grant_type: 'refresh_token', ...parameters })
        expect(stolen.status).toBe(400)
        expect(await checkTokenError(stolen)).toBe('invalid_grant')
      }
      await steals(party, { refresh_token: ofTheOther, scope: OFFLINE.scope })
      await steals(other, { refresh_token: refreshToken })
    })
  })
})
