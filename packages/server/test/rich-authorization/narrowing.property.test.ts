/** Narrowing (RFC 9396 section 6): whatever a refresh or an exchange names, the token has it only if all of it was approved. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { basic, post, type Reply } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Api, createApi } from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, GRANT } from '../token-exchange/arrange.ts'
import { askedOfTransfers, canonical, isWithin, TRANSFERS, TYPE } from './details.ts'

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
    authorization_details: JSON.stringify(TRANSFERS),
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

test.each(['refresh', 'exchange'] as const)(
  'a %s gives what was approved, or part of it, and nothing else',
  async (way) => {
    const request = way === 'refresh' ? refresh : exchange
    await fc.assert(
      fc.asyncProperty(askedOfTransfers, async (details) => {
        const { status, body } = await request(JSON.stringify(details))
        if (!isWithin(TRANSFERS, details)) {
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
