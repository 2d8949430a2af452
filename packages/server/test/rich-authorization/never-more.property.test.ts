/**
 * What was approved never grows (RFC 9396): through the redemption of a code, of a device and of a backchannel request, then a refresh and two
 * exchanges in a row, each token has at most the details of the one that it came of.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ask as askBackchannel, createAsking, createReachable, linkIn } from '../backchannel/arrange.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { basic, post, type Reply } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { ask as askDevice, createDevice } from '../sign-in/device.ts'
import { type Api, createApi } from '../sign-in/user-tokens.ts'
import { ACCESS_TOKEN, createExchanger, GRANT } from '../token-exchange/arrange.ts'
import { askedOfTransfers, canonical, type Detail, isWithin, TRANSFERS, TYPE } from './details.ts'

type Form = Readonly<Record<string, string>>
/** The user approves the details; gives the token request that redeems it, but for what that asks for. */
type Approve = (details: string) => Promise<Form>

const SCOPE = 'openid offline_access'
let server: TestServer
let mail: MailServer
let api: Api
let browser: Browser
let user: Awaited<ReturnType<typeof createReachable>>
let exchanger: Awaited<ReturnType<typeof createExchanger>>
const ways: Record<string, { readonly approve: Approve; readonly headers: Form }> = {}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mail = await connectMailServer(server)
  api = await createApi(server)
  await server.api('POST', `/resources/${api.id}/authorization-details-types`, {
    ...{ type: TYPE, schema: { type: 'object' }, templates: { en: 'Transfer {amount.value}' } },
  })
  user = await createReachable(server)
  const settings = { authorizationDetailsTypes: [TYPE] }
  const app = await createApp(server, 'SPA', { customClientMetadata: settings })
  browser = newBrowser()
  await signIn(browser, await begin(app.configuration), user.username)
  const device = await createDevice(server)
  const asking = await createAsking(server)
  exchanger = await createExchanger(server)
  for (const [id, more] of [
    [device.id, { isDeviceFlow: true }],
    [asking.id, { backchannelTokenDeliveryMode: 'poll' }],
    [exchanger.id, { allowTokenExchange: true }],
  ] as const) {
    const body = { customClientMetadata: { ...settings, ...more } }
    expect((await server.api('PATCH', `/applications/${id}`, body)).status).toBe(200)
  }

  ways.code = {
    headers: {},
    approve: async (details) => {
      const begun = await begin(app.configuration, { scope: SCOPE, authorization_details: details })
      const { url } = await browser.submit(await browser.open(begun.url), { answer: 'allow' })
      return {
        ...{ grant_type: 'authorization_code', client_id: app.id, code: url.searchParams.get('code') ?? '' },
        ...{ redirect_uri: CALLBACK, code_verifier: begun.verifier },
      }
    },
  }
  ways.device = {
    headers: {},
    approve: async (details) => {
      const { body } = await askDevice(server, device.id, { scope: SCOPE, authorization_details: details })
      const page = await browser.open(body.verification_uri_complete)
      await browser.submit(await browser.submit(page, { user_code: body.user_code }), { answer: 'allow' })
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      return { grant_type, client_id: device.id, device_code: body.device_code }
    },
  }
  const own = newBrowser()
  ways.backchannel = {
    headers: { authorization: basic(asking.id, asking.secret) },
    approve: async (details) => {
      const before = mail.mails.length
      const hint = { scope: SCOPE, login_hint: user.username }
      const { body } = await askBackchannel(server, asking, { ...hint, authorization_details: details })
      const page = await own.submit(await own.open(await linkIn(mail, before + 1)), {})
      const isSignIn = page.url.pathname.includes('/sign-in/')
      const asked = isSignIn ? await own.submit(page, { identifier: user.username, password: PASSWORD }) : page
      await own.submit(asked, { answer: 'allow' })
      return { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: body.auth_req_id ?? '' }
    },
  }
})
afterAll(async () => {
  await mail.close()
  await server.close()
})

const detailsOf = ({ body }: Reply): readonly Detail[] =>
  (decodeJwt(body.access_token).authorization_details ?? []) as Detail[]
const token = (fields: Form, headers: Form, details?: readonly Detail[]): Promise<Reply> =>
  post(
    server,
    '/token',
    { ...fields, resource: api.indicator, ...(details && { authorization_details: JSON.stringify(details) }) },
    headers,
  )
const exchange = (subject: string, details?: readonly Detail[]): Promise<Reply> =>
  token(
    { grant_type: GRANT, subject_token: subject, subject_token_type: ACCESS_TOKEN, scope: 'read' },
    { authorization: basic(exchanger.id, exchanger.secret ?? '') },
    details,
  )

/** A reply has what was asked for if that is within what there was, and is refused otherwise. Returns whether it is a token. */
const isToken = (reply: Reply, before: readonly Detail[], asked: readonly Detail[]): boolean => {
  const isAllowed = isWithin(before, asked)
  if (isAllowed) {
    expect(reply.status, reply.text).toBe(200)
    expect(canonical(detailsOf(reply))).toBe(canonical(asked))
  } else expect([reply.status, reply.body.error]).toEqual([400, 'invalid_authorization_details'])
  return isAllowed
}

const approved = fc.subarray(TRANSFERS, { minLength: 1 })

test.each(['code', 'device', 'backchannel'])(
  'of what is approved by a %s a token has what it asks for, and what comes of it has no more',
  async (name) => {
    const way = ways[name]
    if (!way) throw new Error(`there is no ${name}`)
    const { approve, headers } = way
    const some = fc.oneof(fc.subarray(TRANSFERS, { maxLength: 2 }), askedOfTransfers)
    await fc.assert(
      fc.asyncProperty(approved, some, some, some, async (all, first, second, third) => {
        const got = await token(await approve(JSON.stringify(all)), headers, first)
        if (!isToken(got, all, first)) return

        const subject = got.body.access_token
        const on = await exchange(subject, second)
        if (isToken(on, first, second)) isToken(await exchange(on.body.access_token, third), second, third)
        // without a word: all that the subject has
        const whole = await exchange(subject)
        expect(canonical(detailsOf(whole))).toBe(canonical(first))

        const { client_id } = decodeJwt<{ client_id: string }>(subject)
        const refresh = { grant_type: 'refresh_token', refresh_token: got.body.refresh_token, client_id }
        const later = await token(refresh, headers)
        // a refresh goes back to what was approved, and no further
        expect(canonical(detailsOf(later))).toBe(canonical(all))
      }),
      { numRuns: 8, examples: [[TRANSFERS, TRANSFERS.slice(0, 3), TRANSFERS.slice(1, 2), TRANSFERS.slice(0, 2)]] },
    )
  },
)
