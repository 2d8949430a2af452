import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { begin, CALLBACK } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import { createApi, type SignedIn, signedInUser } from '../sign-in/user-tokens.ts'
import { authorization, post } from './arrange.ts'
import { FURTHER_ROWS, type Outcome, type ParameterRow, SPEC_ROWS } from './authorization-request.table.ts'

let server: TestServer
let known: SignedIn
let ids: Readonly<Record<ParameterRow['app'], string>>
let secret: string
let indicators: readonly [string, string]
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
  const register = async (type: string, customClientMetadata = {}) => {
    const oidcClientMetadata = { redirectUris: [CALLBACK] }
    const application = { name: 'x', type, oidcClientMetadata, customClientMetadata }
    return (await server.api('POST', '/applications', application)).body.id as string
  }
  ids = {
    public: known.app.id,
    confidential: await register('Traditional'),
    machine: await register('MachineToMachine'),
    device: await register('Native', { isDeviceFlow: true }),
  }
  secret = (await server.api('GET', `/applications/${ids.confidential}/secrets`)).body[0].value
  indicators = [(await createApi(server)).indicator, (await createApi(server)).indicator]
})
afterAll(() => server.close())

/** The request of a row: everything is valid except the one parameter. */
const requestOf = async ({ app, parameter, values }: ParameterRow): Promise<URLSearchParams> => {
  const { url } = await begin(known.app.configuration, { state: 'the state' })
  const parameters = new URLSearchParams(url.search)
  parameters.set('client_id', ids[app])
  parameters.delete(parameter)
  for (const value of values) {
    const placed = value
      .replaceAll('%R', indicators[0])
      .replaceAll('%S', indicators[1])
      .replaceAll('%C', ids[app])
      .replaceAll('%U', ids[app].toUpperCase())
    parameters.append(parameter, placed)
  }
  return parameters
}

const outcomeOf = ({ url, status, text }: Page): Outcome => {
  if (url.href.startsWith(CALLBACK)) {
    const error = url.searchParams.get('error')
    return error === null && url.searchParams.has('code') ? 'code' : `error ${error}`
  }
  if (status === 400 && text.includes('id="explanation"')) return 'page'
  return status === 200 && text.includes('<form') ? 'question' : `error ${status}`
}

const holds = async (row: ParameterRow, send: (parameters: URLSearchParams) => Promise<Page>) => {
  const parameters = await requestOf(row)
  const page = await send(parameters)
  expect(outcomeOf(page)).toBe(row.outcome)
  if (row.outcome === 'page' || row.outcome === 'question') {
    expect(page.headers.get('location')).toBeNull()
    expect(page.text).not.toContain('undefined')
    expect(page.text).not.toContain('id="detail"')
    return expect(page.url.origin).toBe(server.baseUrl)
  }
  // every response to the application names its issuer, and returns the state
  expect(page.url.searchParams.get('iss')).toBe(server.issuer)
  if (row.parameter !== 'state') expect(page.url.searchParams.get('state')).toBe('the state')
  else if (row.outcome === 'code') expect(page.url.searchParams.get('state')).toBe(row.values[0] ?? null)
  if (row.outcome !== 'code') expect(page.url.searchParams.get('error_description')).toMatch(/^[a-z].{5,}/)
}

describe.each([
  ['SPEC 4.1', SPEC_ROWS],
  ['DECISIONS F2', FURTHER_ROWS],
] as const)('%s', (_source, rows) => {
  test.each(rows)('GET, $app: $parameter $what: $outcome', (row) =>
    holds(row, (parameters) => known.browser.open(`${server.issuer}/auth?${parameters}`)),
  )

  test.each(rows)('POST, $app: $parameter $what: $outcome', (row) =>
    holds(row, (body) => known.browser.open(`${server.issuer}/auth`, { method: 'POST', body })),
  )
})

/** The response to a pushed request that would have this outcome in a browser. */
const pushed = ({ outcome, parameter, app }: ParameterRow) => {
  if (outcome === 'code' || outcome === 'question') return [201, undefined]
  if (parameter === 'client_id') return app === 'public' ? 'refused' : [400, 'unauthorized_client']
  const [, error] = outcome.split(' ')
  const isKnown = error === 'invalid_scope' || error === 'invalid_target'
  return [400, isKnown ? error : 'invalid_request']
}
const pushable = [...SPEC_ROWS, ...FURTHER_ROWS].filter(
  // rows of PAR itself, or of an application that does not authenticate by its id alone
  ({ parameter, app }) => parameter !== 'request_uri' && (app === 'public' || app === 'confidential'),
)

test.each(pushable)('RFC 9126 pushed by $app: $parameter $what, which is $outcome in a browser', async (row) => {
  const parameters = await requestOf(row)
  const body = Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name)]))
  const headers = row.app === 'confidential' ? authorization({ clientId: ids[row.app], clientSecret: secret }) : {}
  const reply = await post(server, '/request', body, headers)
  const wanted = pushed(row)
  if (wanted === 'refused') expect([400, 401]).toContain(reply.status)
  else expect([reply.status, reply.body.error]).toEqual(wanted)
})

test('SPEC 4.1 the resource of the request is stored: the code is valid for it and no other', async () => {
  const begun = await begin(known.app.configuration, { scope: 'openid', resource: indicators[0] })
  const { url } = await known.browser.open(begun.url)
  const checks = { pkceCodeVerifier: begun.verifier, expectedState: begun.state, expectedNonce: begun.nonce }
  const redeem = (resource: string) => client.authorizationCodeGrant(known.app.configuration, url, checks, { resource })
  await expect(redeem(indicators[1])).rejects.toMatchObject({ error: 'invalid_target' })
  expect((await redeem(indicators[0])).token_type).toBe('bearer')
})
