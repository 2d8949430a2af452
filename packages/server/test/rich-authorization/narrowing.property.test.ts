/** Narrowing (RFC 9396 section 6): whatever a refresh or an exchange names, the token has it only if all of it was approved. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { basic, post, type Reply } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Api, createApi } from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, GRANT } from '../token-exchange/arrange.ts'

type Detail = Readonly<Record<string, unknown>>

const TYPE = 'transfer'
const detail = (to: string, value: string, more: Detail = {}): Detail => ({
  type: TYPE,
  amount: { value, currency: 'EUR' },
  to,
  ...more,
})
/** Two of them are equal: that many transfers were approved. */
const APPROVED = [
  detail('A', '1.00'),
  detail('A', '1.00'),
  detail('B', '2.00', { days: [1, 2], note: null }),
  detail('B', '20.00'),
]

let server: TestServer
let api: Api
let refresh: (details: string) => Promise<Reply>
let exchange: (details: string) => Promise<Reply>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  api = await createApi(server)
  await server.api('POST', `/resources/${api.id}/authorization-details-types`, {
    ...{ type: TYPE, schema: { type: 'object' }, templates: { en: 'Transfer {amount.value}' } },
  })
  const customClientMetadata = { authorizationDetailsTypes: [TYPE], alwaysIssueRefreshToken: true }
  const app = await createApp(server, 'SPA', { customClientMetadata })
  const { username } = await createUser(server)
  const begun = await begin(app.configuration, {
    scope: 'openid offline_access',
    authorization_details: JSON.stringify(APPROVED),
  })
  const browser = newBrowser()
  const back = await browser.submit(await signIn(browser, begun, username), { answer: 'allow' })
  const tokens = await redeem(app.configuration, back, begun)
  let last = tokens.refresh_token ?? ''
  refresh = async (details) => {
    const reply = await post(server, '/token', {
      ...{ grant_type: 'refresh_token', refresh_token: last, client_id: app.id, resource: api.indicator },
      authorization_details: details,
    })
    last = reply.body.refresh_token ?? last
    return reply
  }
  const exchanger = await createExchanger(server)
  await server.api('PATCH', `/applications/${exchanger.id}`, {
    customClientMetadata: { allowTokenExchange: true, authorizationDetailsTypes: [TYPE] },
  })
  exchange = (details) =>
    post(
      server,
      '/token',
      {
        ...{ grant_type: GRANT, subject_token: tokens.access_token, subject_token_type: ACCESS_TOKEN },
        ...{ resource: api.indicator, scope: 'read', authorization_details: details },
      },
      { authorization: basic(exchanger.id, exchanger.secret ?? '') },
    )
})
afterAll(() => server.close())

/** Equal for objects that differ in the order of their members only. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join()}}`
}
const isWithin = (asked: readonly Detail[]): boolean => {
  const left = APPROVED.map(canonical)
  return asked.map(canonical).every((each) => {
    const found = left.indexOf(each)
    if (found >= 0) left.splice(found, 1)
    return found >= 0
  })
}

const reversed = (value: Detail): Detail => Object.fromEntries(Object.entries(value).reverse())
const own = fc.constantFrom(...APPROVED)
const changed = fc.tuple(
  own,
  fc.constantFrom<(each: Detail) => Detail>(
    (each) => ({ ...each, amount: { value: '20.00', currency: 'EUR' } }),
    (each) => ({ ...each, amount: { value: '2', currency: 'EUR' } }),
    (each) => ({ ...each, amount: ['2.00', 'EUR'] }),
    (each) => ({ ...each, to: 'B' }),
    (each) => ({ ...each, days: [2, 1] }),
    (each) => ({ ...each, note: false }),
    (each) => ({ ...each, locations: [api.indicator] }),
    ({ to: _to, ...rest }) => rest,
    ({ note: _note, ...rest }) => rest,
    (each) => ({ ...each, type: 'other' }),
  ),
)
const asked = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: own },
    { weight: 2, arbitrary: own.map(reversed) },
    { weight: 1, arbitrary: changed.map(([each, change]) => change(each)) },
  ),
  { maxLength: 5 },
)

test.each(['refresh', 'exchange'] as const)(
  'a %s gives what was approved, or part of it, and nothing else',
  async (way) => {
    const request = way === 'refresh' ? refresh : exchange
    await fc.assert(
      fc.asyncProperty(asked, async (details) => {
        const { status, body } = await request(JSON.stringify(details))
        if (!isWithin(details)) {
          expect([status, body.error]).toEqual([400, 'invalid_authorization_details'])
          return
        }
        expect(status, JSON.stringify(body)).toBe(200)
        const { authorization_details: issued = [] } = decodeJwt(body.access_token)
        expect(canonical(issued)).toBe(canonical(details))
      }),
      { numRuns: 60 },
    )
  },
)
