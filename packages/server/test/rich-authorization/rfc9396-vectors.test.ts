/** The requests that RFC 9396 shows: its types registered at APIs with the locations of the examples, its objects sent and got. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { basic, post } from '../protocol/arrange.ts'
import { CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'

type Detail = Readonly<Record<string, unknown>> & { readonly type: string }

/** Section 2. */
const ACCOUNTS: Detail = {
  type: 'account_information',
  actions: ['list_accounts', 'read_balances', 'read_transactions'],
  locations: ['https://example.com/accounts'],
}
const PAYMENT: Detail = {
  type: 'payment_initiation',
  actions: ['initiate', 'status', 'cancel'],
  locations: ['https://example.com/payments'],
  instructedAmount: { currency: 'EUR', amount: '123.50' },
  creditorName: 'Merchant A',
  creditorAccount: { iban: 'DE02100100109307118603' },
  remittanceInformationUnstructured: 'Ref Number Merchant',
}
/** Section 2.2, and the examples of appendix A. */
const OTHERS: readonly Detail[] = [
  {
    type: 'customer_information',
    locations: ['https://example.com/customers'],
    actions: ['read', 'write'],
    datatypes: ['contacts', 'photos'],
  },
  {
    type: 'openid',
    locations: ['https://op.example.com/userinfo'],
    claims: {
      userinfo: { given_name: { essential: true }, nickname: null, email: { essential: true } },
      id_token: { auth_time: { essential: true } },
    },
  },
  {
    type: 'sign',
    locations: ['https://signing.example.com/signdoc'],
    credentialID: '60916d31-932e-4820-ba82-1fcead1c9ea3',
    documentDigests: [
      { hash: 'sTOgwOm+474gFj0q0x1iSNspKqbcse4IeiqlDg/HWuI=', label: 'Credit Contract' },
      { hash: 'HZQzZmMAIWekfGH0/ZKW1nsdt0xg3H6bZYztgsMTLw0=', label: 'Contract Payment Protection Insurance' },
    ],
    hashAlgorithmOID: '2.16.840.1.101.3.4.2.1',
  },
  {
    type: 'tax_data',
    locations: ['https://taxservice.govehub.no.example.com'],
    actions: 'read_tax_declaration',
    periods: ['2018'],
    duration_of_access: 30,
    tax_payer_id: '23674185438934',
  },
  {
    type: 'patient_record',
    locations: ['https://fhir.example.com/patient'],
    actions: ['read'],
    patient_identifier: [{ system: 'urn:oid:1.2.36.146.595.217.0.1', value: '12345' }],
    reason_for_request: 'Clinical treatment',
    requesting_entity: { type: 'Practitioner' },
  },
]
const ALL = [ACCOUNTS, PAYMENT, ...OTHERS]

/** What accepts values like this one: of its kind, with its members and no others. */
const schemaLike = (value: unknown): Record<string, unknown> => {
  if (value === null) return { type: 'null' }
  if (Array.isArray(value)) return { type: 'array', minItems: 1, items: schemaLike(value[0]) }
  if (typeof value !== 'object') return { type: typeof value }
  const properties = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, schemaLike(each)]))
  return { type: 'object', required: Object.keys(value), additionalProperties: false, properties }
}
const apiOf = ({ locations }: Detail): string => String([locations].flat()[0])

let server: TestServer
let machine: { readonly authorization: string }
const types = ALL.map(({ type }) => type)
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  for (const detail of ALL) {
    const api = await server.client.createResource({ body: { name: detail.type, indicator: apiOf(detail) } })
    await server.client.createAuthorizationDetailsType({
      params: { resourceId: api.id },
      body: { type: detail.type, schema: schemaLike(detail) },
    })
  }
  const body = { name: 'Machine', type: 'MachineToMachine' } as const
  const { id } = await server.client.createApplication({
    body: { ...body, customClientMetadata: { authorizationDetailsTypes: types } },
  })
  const [secret] = await server.client.listApplicationSecrets({ params: { id } })
  machine = { authorization: basic(id, secret?.value ?? '') }
})
afterAll(() => server.close())

test('section 2: a payment and accounts in one pushed request; each API gets its own', async () => {
  const app = await createApp(server, 'Traditional', { customClientMetadata: { authorizationDetailsTypes: types } })
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const nonce = client.randomNonce()
  const url = await client.buildAuthorizationUrlWithPAR(app.configuration, {
    ...{ redirect_uri: CALLBACK, scope: 'openid offline_access', prompt: 'consent', state, nonce },
    ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    authorization_details: JSON.stringify([ACCOUNTS, PAYMENT]),
  })
  const browser = newBrowser()
  const begun = { url, verifier, state, nonce }
  const page = await signIn(browser, begun, (await createUser(server)).username)
  const issued = await redeem(app.configuration, await browser.submit(page, { answer: 'allow' }), begun)
  expect(issued.authorization_details).toBeUndefined()
  for (const detail of [ACCOUNTS, PAYMENT]) {
    const { access_token: token, authorization_details: told } = await client.refreshTokenGrant(
      app.configuration,
      issued.refresh_token ?? '',
      { resource: apiOf(detail) },
    )
    expect([decodeJwt(token).authorization_details, told]).toEqual([[detail], [detail]])
  }
})

test.each(ALL.map((detail) => [detail.type, detail] as const))(
  '%s is granted as it is in the RFC',
  async (_, detail) => {
    const send = (sent: unknown) =>
      post(
        server,
        '/token',
        { grant_type: 'client_credentials', authorization_details: JSON.stringify([sent]) },
        machine,
      )
    const { status, body, text } = await send(detail)
    expect([status, text]).toEqual([200, text])
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: apiOf(detail), authorization_details: [detail] })
    // section 5: unknown members, members of a wrong kind, missing ones, and other locations
    const [last = ''] = Object.keys(detail).slice(-1)
    const { [last]: _left, ...without } = detail
    for (const wrong of [
      { ...detail, unknown: 1 },
      { ...detail, [last]: { wrong: true } },
      without,
      { ...detail, locations: ['https://elsewhere.example'] },
    ])
      expect((await send(wrong)).body.error, JSON.stringify(wrong)).toBe('invalid_authorization_details')
  },
)
