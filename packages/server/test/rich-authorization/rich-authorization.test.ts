/** Rich authorization requests (RFC 9396): types with their API, what users approve, and which part of it a token has. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { basic, post } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Api, createApi } from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, GRANT } from '../token-exchange/arrange.ts'

const SCHEMA = {
  type: 'object',
  required: ['type', 'instructedAmount', 'creditorName'],
  additionalProperties: false,
  properties: {
    type: { const: 'payment_initiation' },
    locations: { type: 'array', items: { type: 'string' } },
    instructedAmount: {
      type: 'object',
      required: ['currency', 'amount'],
      additionalProperties: false,
      properties: {
        currency: { type: 'string', pattern: '^[A-Z]{3}$' },
        amount: { type: 'string', pattern: '^[0-9]{1,9}\\.[0-9]{2}$' },
      },
    },
    creditorName: { type: 'string', maxLength: 70 },
  },
}
const TEMPLATES = {
  en: 'Pay {instructedAmount.amount} {instructedAmount.currency} to {creditorName}',
  de: '{instructedAmount.amount} {instructedAmount.currency} an {creditorName} zahlen',
}
/** Section 2 of the RFC has one like it. */
const payment = (creditorName = 'Merchant A', amount = '123.50') => ({
  type: 'payment_initiation',
  instructedAmount: { currency: 'EUR', amount },
  creditorName,
})

let server: TestServer
let payments: Api
let accounts: Api
let app: Awaited<ReturnType<typeof createApp>>
let username: string
const types = ['payment_initiation', 'account_information']
const typesOf = (api: Api) => `/resources/${api.id}/authorization-details-types`

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  ;[payments, accounts] = [await createApi(server), await createApi(server)]
  const created = await server.api('POST', typesOf(payments), {
    ...{ type: 'payment_initiation', schema: SCHEMA, templates: TEMPLATES, description: 'A payment' },
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  await server.api('POST', typesOf(accounts), { type: 'account_information', schema: { type: 'object' } })
  app = await createApp(server, 'Traditional', {
    customClientMetadata: { authorizationDetailsTypes: types, alwaysIssueRefreshToken: true },
  })
  username = (await createUser(server)).username
})
afterAll(() => server.close())

const asked = (details: unknown, more: Record<string, string> = {}) =>
  begin(app.configuration, { authorization_details: JSON.stringify(details), ...more })

/** Signs in and approves; gives the page that asked, and the tokens. */
const approved = async (details: unknown, request: Record<string, string> = {}, token: Record<string, string> = {}) => {
  const browser = newBrowser()
  const begun = await asked(details, request)
  const page = await signIn(browser, begun, username)
  const back = await browser.submit(page, { answer: 'allow' })
  return { browser, begun, page, tokens: () => redeem(app.configuration, back, begun, token) }
}

const errorOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (each: unknown) => each,
  )
  return error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError
    ? error.error
    : `no error: ${String(error)}`
}

describe('what a user approves', () => {
  test('is said in words on the page, also to users of a first-party application, each time anew', async () => {
    const { browser, page } = await approved([payment('Evil "Ltd" <b>\u202ex')])
    expect(page.text).toContain('You approve')
    expect(page.text).toContain('<strong><bdi>123.50</bdi></strong>')
    expect(page.text).toContain('Evil &quot;Ltd&quot; &lt;b&gt;x')
    expect(page.text).not.toContain('\u202e')
    // a value that nobody can see is not a gap in the sentence
    const unseen = await browser.open((await asked([payment(' \u200b\u3164\u202e')])).url)
    expect(unseen.text).toContain('to <strong><bdi>–</bdi></strong>')
    // in the same browser the same payment is another transaction
    const again = await browser.open((await asked([payment()], { ui_locales: 'de' })).url)
    expect(again.text).toContain('Sie genehmigen')
    expect(again.text).toMatch(/EUR<\/bdi><\/strong> an <strong><bdi>Merchant A/)
    const silent = await browser.open((await asked([payment()], { prompt: 'none' })).url)
    expect(silent.url.searchParams.get('error')).toBe('consent_required')
    // without details nothing is asked
    expect((await browser.open((await begin(app.configuration)).url)).url.searchParams.has('code')).toBe(true)
    const refused = await browser.submit(again, { answer: 'deny' })
    expect(refused.url.searchParams.get('error')).toBe('access_denied')
  })

  test('is in the token of its API, in the response, in introspection, and narrowed at refresh as whole objects', async () => {
    const [one, two] = [payment('A'), payment('B', '9.00')]
    const { tokens } = await approved([one, two], { scope: 'openid offline_access' })
    const issued = await tokens()
    expect(issued.authorization_details).toEqual([one, two])
    expect(decodeJwt(issued.access_token)).toMatchObject({
      aud: payments.indicator,
      authorization_details: [one, two],
      acr: expect.any(String),
    })
    const api = await server.client.createApplication({
      body: {
        ...{ name: 'API', type: 'MachineToMachine' },
        customClientMetadata: { introspectionAudiences: [payments.indicator] },
      },
    })
    const [secret] = await server.client.listApplicationSecrets({ params: { id: api.id } })
    const headers = { authorization: basic(api.id, secret?.value ?? '') }
    const told = await post(server, '/token/introspection', { token: issued.access_token }, headers)
    expect(told.body).toMatchObject({ active: true, authorization_details: [one, two] })
    const refresh = (details: unknown, more: Record<string, string> = {}) =>
      client.refreshTokenGrant(app.configuration, issued.refresh_token ?? '', {
        authorization_details: JSON.stringify(details),
        ...more,
      })
    for (const wider of [
      [payment('A', '124.00')],
      [{ ...one, creditorName: 'C' }],
      [one, payment('C')],
      [one, one],
      [{}],
      one,
    ])
      expect(await errorOf(refresh(wider))).toBe('invalid_authorization_details')
    expect(await errorOf(refresh([one], { resource: accounts.indicator }))).toMatch(/^invalid_/)
    const narrowed = await refresh([one])
    expect(decodeJwt(narrowed.access_token).authorization_details).toEqual([one])
    // the grant still has both
    const all = await client.refreshTokenGrant(app.configuration, narrowed.refresh_token ?? '')
    expect(decodeJwt(all.access_token).authorization_details).toEqual([one, two])
    // what the tenant takes away is in no further token
    await server.api('PATCH', `/applications/${app.id}`, {
      customClientMetadata: { authorizationDetailsTypes: ['account_information'], alwaysIssueRefreshToken: true },
    })
    const later = await client.refreshTokenGrant(app.configuration, all.refresh_token ?? '', {
      resource: payments.indicator,
    })
    expect(decodeJwt(later.access_token)).not.toHaveProperty('authorization_details')
    await server.api('PATCH', `/applications/${app.id}`, {
      customClientMetadata: { authorizationDetailsTypes: types, alwaysIssueRefreshToken: true },
    })
  })

  test('goes to each API its own part', async () => {
    const information = { type: 'account_information', actions: ['list'] }
    const { tokens } = await approved([payment(), information], { scope: 'openid offline_access' })
    const first = await tokens()
    // of several APIs none is meant: a token for userinfo, without details
    expect(first.access_token).toMatch(/^cs_at_/)
    const of = async (resource: string) => {
      const { access_token: token } = await client.refreshTokenGrant(app.configuration, first.refresh_token ?? '', {
        resource,
      })
      return decodeJwt(token).authorization_details
    }
    // a rotated token is accepted again for a moment: both are asked with the first
    expect([await of(payments.indicator), await of(accounts.indicator)]).toEqual([[payment()], [information]])
  })
})

describe('a request', () => {
  test.each<[string, unknown]>([
    ['not an array', payment()],
    ['not of objects', ['payment_initiation']],
    ['without a type', [{ creditorName: 'A' }]],
    ['of an unknown type', [{ type: 'nothing' }]],
    ['that breaks the schema', [{ ...payment(), instructedAmount: { currency: 'EUR', amount: '-1' } }]],
    ['with members that the schema lacks', [{ ...payment(), urgent: true }]],
    ['for another location', [{ ...payment(), locations: ['https://other.example'] }]],
    ['with too many', Array.from({ length: 21 }, () => payment())],
  ])('%s is refused, before anyone signs in, and pushed', async (_, details) => {
    const { url } = await newBrowser().open((await asked(details)).url)
    expect(url.searchParams.get('error')).toBe('invalid_authorization_details')
    const pushed = client.buildAuthorizationUrlWithPAR(app.configuration, {
      ...{ redirect_uri: CALLBACK, scope: 'openid', authorization_details: JSON.stringify(details) },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    })
    expect(await errorOf(pushed)).toBe('invalid_authorization_details')
  })

  test('by an application that may not ask for the type is refused like one for a type that is not there', async () => {
    const other = await createApp(server)
    const { url } = await newBrowser().open(
      (await begin(other.configuration, { authorization_details: JSON.stringify([payment()]) })).url,
    )
    expect(url.searchParams.get('error')).toBe('invalid_authorization_details')
    expect(url.searchParams.get('error_description')).toContain('may not ask for the type')
  })

  test('R-35: with any text is refused or approved as it is, never an error of the server', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json({ maxDepth: 4 }),
          fc.json().map((json) => `[${json}]`),
        ),
        async (text) => {
          const { url, status } = await newBrowser().open(
            (await begin(app.configuration, { authorization_details: text })).url,
          )
          expect(status).toBeLessThan(500)
          if (text !== '') expect(url.searchParams.get('error') ?? url.pathname).toMatch(/invalid_|sign-in/)
          expect(url.searchParams.get('error')).not.toBe('server_error')
        },
      ),
      { numRuns: 60 },
    )
  })
})

test('a machine gets what it asks for, of its types; an exchange never has more than its subject', async () => {
  const machine = await server.client.createApplication({
    body: {
      ...{ name: 'Robot', type: 'MachineToMachine' },
      customClientMetadata: { authorizationDetailsTypes: types },
    },
  })
  const [secret] = await server.client.listApplicationSecrets({ params: { id: machine.id } })
  const headers = { authorization: basic(machine.id, secret?.value ?? '') }
  const got = await post(
    server,
    '/token',
    { grant_type: 'client_credentials', authorization_details: JSON.stringify([payment()]) },
    headers,
  )
  expect(got.status, got.text).toBe(200)
  expect(decodeJwt(got.body.access_token)).toMatchObject({
    aud: payments.indicator,
    authorization_details: [payment()],
  })
  const { tokens } = await approved([payment('A'), payment('B')])
  const { access_token: subject } = await tokens()
  const exchanger = await createExchanger(server)
  await server.api('PATCH', `/applications/${exchanger.id}`, {
    customClientMetadata: { allowTokenExchange: true, authorizationDetailsTypes: types },
  })
  const exchange = (details?: unknown) =>
    post(
      server,
      '/token',
      {
        ...{ grant_type: GRANT, subject_token: subject, subject_token_type: ACCESS_TOKEN },
        resource: payments.indicator,
        scope: 'read',
        ...(details === undefined ? {} : { authorization_details: JSON.stringify(details) }),
      },
      { authorization: basic(exchanger.id, exchanger.secret ?? '') },
    )
  const wider = await exchange([payment('C')])
  expect(wider.body.error, wider.text).toBe('invalid_authorization_details')
  const part = await exchange([payment('B')])
  expect(part.status, part.text).toBe(200)
  expect(decodeJwt(part.body.access_token).authorization_details).toEqual([payment('B')])
})

test('discovery names the types while there are any; one whose API is gone is gone', async () => {
  const supported = async () =>
    (await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json())
      .authorization_details_types_supported
  expect(await supported()).toEqual([...types].sort())
  const api = await createApi(server)
  const { body } = await server.api('POST', typesOf(api), { type: 'short_lived', schema: { type: 'object' } })
  await expect.poll(supported).toContain('short_lived')
  expect(
    (await server.api('POST', typesOf(accounts), { type: 'short_lived', schema: { type: 'object' } })).status,
  ).toBe(422)
  expect((await server.api('GET', `${typesOf(accounts)}/${body.id}`)).status).toBe(404)
  await server.api('DELETE', `/resources/${api.id}`)
  await expect.poll(supported).not.toContain('short_lived')
})

test.each<[string, object, string]>([
  ['a reference', { type: 'object', properties: { a: { $ref: '#' } } }, 'invalid_schema'],
  ['no object', { type: 'string' }, 'invalid_schema'],
  [
    'a pattern that takes exponential time',
    { type: 'object', properties: { a: { pattern: '(?=a)' } } },
    'invalid_schema',
  ],
  ['an unknown keyword', { type: 'object', format: 'x' }, 'invalid_schema'],
])('a schema with %s is refused', async (_, schema, code) => {
  const { status, body } = await server.api('POST', typesOf(payments), { type: 'broken', schema })
  expect([status, body.code]).toEqual([400, `authorization_details.${code}`])
})
