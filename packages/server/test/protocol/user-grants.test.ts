import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { functionOf } from '../custom-claims/arrange.ts'
import { begin, CALLBACK, createApp, signIn } from '../sign-in/arrange.ts'
import {
  type Api,
  authorize,
  createApi,
  redeemCode,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { post, type Reply } from './arrange.ts'
import { CODE_ROWS, type GrantRow, REFRESH_ROWS } from './user-grants.table.ts'

let server: TestServer
let known: SignedIn
let apis: readonly [Api, Api]
let others: Readonly<Record<'public' | 'confidential', string>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
  await server.api('PATCH', `/applications/${known.app.id}`, {
    oidcClientMetadata: { redirectUris: [CALLBACK, 'https://app.example/other'] },
  })
  apis = [await createApi(server), await createApi(server)]
  others = { public: (await createApp(server, 'SPA')).id, confidential: (await createApp(server)).id }
})
afterAll(() => server.close())

type Parameters = Readonly<Record<string, string>>

/** The right request with the parameter of the row replaced. */
const changed = (right: Parameters, { parameter, values }: GrantRow, challenge: string) => {
  const value = right[parameter] ?? ''
  const placed = values.map((text) =>
    text
      .replaceAll('%V', value)
      .replaceAll('%U', value.toUpperCase())
      .replaceAll('%-', value.slice(0, -1))
      .replaceAll('%0', value.replace('.', '.0'))
      .replaceAll('%~', `${value.slice(0, -1)}${value.endsWith('A') ? 'E' : 'A'}`)
      .replaceAll('%R', apis[0].indicator)
      .replaceAll('%S', apis[1].indicator)
      .replaceAll('%O', others.public)
      .replaceAll('%Q', others.confidential)
      .replaceAll('%H', challenge),
  )
  return { ...right, [parameter]: placed }
}

const outcomeOf = ({ status, body }: Reply): string => {
  if (status !== 200) return `${status} ${body.error}`
  return body.access_token.startsWith('cs_at_') ? 'opaque' : 'JWT'
}

const SCOPE = 'openid offline_access read write'
const authorized = () => authorize(known, SCOPE, [apis[0].indicator])

/** Nothing in a refusal looks like a token, and none of it may be cached. */
const expectAnswer = (reply: Reply, outcome: string) => {
  expect(outcomeOf(reply)).toBe(outcome)
  expect(reply.headers['cache-control']).toBe('no-store')
  if (reply.status === 200) return
  expect(Object.keys(reply.body)).toEqual(['error', 'error_description', 'code', 'message', 'request_id'])
  expect(reply.text).not.toMatch(/cs_(at|rt|ac)_/)
}

describe('SPEC 4.2 authorization_code', () => {
  test.each(CODE_ROWS)('$parameter $what: $outcome', async (row) => {
    const made = await authorized()
    const right = {
      grant_type: 'authorization_code',
      client_id: known.app.id,
      code: made.code,
      redirect_uri: CALLBACK,
      code_verifier: made.begun.verifier,
    }
    const challenge = made.begun.url.searchParams.get('code_challenge') ?? ''
    expectAnswer(await post(server, '/token', changed(right, row, challenge)), row.outcome)
    const again = await redeemCode(server, known, made)
    expect(outcomeOf(again)).toBe(row.spends ? '400 invalid_grant' : 'opaque')
  })
})

describe('SPEC 4.2 refresh_token', () => {
  test.each(REFRESH_ROWS)('$parameter $what: $outcome', async (row) => {
    const { body: first } = await redeemCode(server, known, await authorized())
    const right = { grant_type: 'refresh_token', client_id: known.app.id, refresh_token: first.refresh_token }
    const reply = await post(server, '/token', changed(right, row, ''))
    expectAnswer(reply, row.outcome)
    // after the time for retries only an unspent token is valid
    server.clock.advance(11)
    const again = await refresh(server, known, first.refresh_token)
    expect(outcomeOf(again)).toBe(row.spends ? '400 invalid_grant' : 'opaque')
    if (reply.status === 200) expect(reply.body.refresh_token).not.toBe(first.refresh_token)
  })
})

test('G4 tokens of a grant that outlives its session name no session, and sign no one out without confirmation', async () => {
  const { app, user, browser } = await signedInUser(server)
  const [{ indicator: resource }] = apis
  const own = { app, user, browser }
  const { body: first } = await redeemCode(server, own, await authorize(own, 'openid offline_access', [resource]))
  const signOut = (hint: string) => browser.open(new URL(`${server.issuer}/session/end?id_token_hint=${hint}`))
  expect(decodeJwt(first.id_token)).toHaveProperty('sid')
  expect((await signOut(first.id_token)).text).toContain('You are signed out')
  const script = functionOf('return { token, has: Object.keys(context) }')
  await server.api('PUT', '/configs/jwt-customizer/access-token', { script })
  const { body } = await refresh(server, own, first.refresh_token, { resource })
  await server.api('DELETE', '/configs/jwt-customizer/access-token')
  const claims = decodeJwt(body.access_token)
  expect(claims).toMatchObject({ sub: user.id, auth_time: expect.any(Number), has: ['user', 'application'] })
  for (const each of [claims, claims.token, decodeJwt(body.id_token)]) expect(each).not.toHaveProperty('sid')
  expect(claims.token).not.toHaveProperty('sessionUid')
  await signIn(browser, await begin(app.configuration), user.username)
  expect((await signOut(body.id_token)).text).toContain('Sign out?')
})
