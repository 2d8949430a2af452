/**
 * every value that the server issues, sent to every endpoint that reads one. Only the matching pairs work, and
 * nothing is a 500.
 */
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { signingKeys } from '@countersign/server/domain/tenants/signing-keys.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { mintLogoutToken } from '@countersign/server/tokens/logout-token.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Asking, ask, createAsking, poll } from '../backchannel/arrange.ts'
import { managementToken } from '../management/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { arrange, authorization, basic, issue, post, send } from './arrange.ts'
import { ASSERTION_TYPE, assertionOf, type KeyPair, makeKey, registerKeyClient } from './assertions.ts'

const SESSION = 'countersign-session'
const BROWSER = 'countersign-browser'
const BYE = 'https://app.example/bye'
const SCOPE = 'openid offline_access read:orders'
const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange'
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const PERSONAL_ACCESS_TOKEN = 'urn:countersign:token-type:personal_access_token'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
/** The same application in the form that these tests send. */
let own: { clientId: string; clientSecret: string }
let machine: Awaited<ReturnType<typeof arrange>>
let userId: string
let key: KeyPair
let keyClient: Awaited<ReturnType<typeof registerKeyClient>>
let asking: Asking
let device: Awaited<ReturnType<typeof createApp>>
/** Signed in, so that no further authorization shows a page. */
let browser: ReturnType<typeof newBrowser>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const customClientMetadata = { dangerouslyIntrospectAllTokens: true, allowTokenExchange: true }
  app = await createApp(server, 'Traditional', { customClientMetadata })
  const { body: secrets } = await server.api('GET', `/applications/${app.id}/secrets`)
  own = { clientId: app.id, clientSecret: secrets[0].value }
  machine = await arrange(server)
  key = await makeKey('ES256')
  keyClient = await registerKeyClient(server, [key])
  asking = await createAsking(server)
  const config = { host: 'smtp.example.com', port: 587, fromEmail: 'no-reply@example.com' }
  await server.client.createConnector({ body: { connectorId: SMTP, config } })
  device = await createApp(server, 'Native', { customClientMetadata: { isDeviceFlow: true } })
  const { id, username } = await createUser(server)
  userId = id
  browser = newBrowser()
  await signIn(browser, await begin(app.configuration), username)
})
afterAll(() => server.close())

const authorized = async () => {
  const { indicator: resource } = machine.resource
  const begun = await begin(app.configuration, { scope: SCOPE, resource })
  return { begun, back: await browser.open(begun.url) }
}
const tokens = async () => {
  const { begun, back } = await authorized()
  return redeem(app.configuration, back, begun)
}
const pushed = async () => {
  const { url } = await begin(app.configuration)
  return client.buildAuthorizationUrlWithPAR(app.configuration, Object.fromEntries(url.searchParams))
}
/** A request during sign-in, with the browser that it is bound to. */
const underway = async () => {
  const stranger = newBrowser()
  const page = await stranger.open((await begin(app.configuration)).url)
  return { id: page.url.pathname.split('/').at(-1) ?? '', browser: stranger.cookie(BROWSER) ?? '' }
}

/** A value, and what accompanies it where it is valid. */
interface Made {
  readonly value: string
  readonly verifier?: string
  readonly interaction?: Awaited<ReturnType<typeof underway>>
}

const KINDS = {
  'authorization code': async (): Promise<Made> => {
    const { begun, back } = await authorized()
    return { value: back.url.searchParams.get('code') ?? '', verifier: begun.verifier }
  },
  'refresh token': async () => ({ value: (await tokens()).refresh_token ?? '' }),
  'opaque access token': async () => ({ value: (await tokens()).access_token }),
  'JWT access token of a user': async () => {
    const { refresh_token } = await tokens()
    const { indicator: resource } = machine.resource
    return {
      value: (await client.refreshTokenGrant(app.configuration, refresh_token ?? '', { resource })).access_token,
    }
  },
  'JWT access token of a machine': async () => ({ value: (await issue(server, machine)).token }),
  'access token of the Management API': async () => ({ value: await managementToken(server, 'all') }),
  'ID token': async () => ({ value: (await tokens()).id_token ?? '' }),
  'logout token': async () => {
    const { store, clock } = server
    const tenant = await getTenant(store, 'default')
    const [signing] = await signingKeys(store, tenant)
    if (!signing) throw new Error('the tenant has no key')
    const claims = (await tokens()).claims()
    const notice = { clientId: app.id, userId: claims?.sub ?? '', sessionId: String(claims?.sid) }
    return { value: mintLogoutToken(signing, tenant, notice, notice.userId, clock.now()) }
  },
  'pushed request': async () => ({ value: (await pushed()).searchParams.get('request_uri') ?? '' }),
  // a value that is too long for an address is sent by a form posted from another site
  'sign-out request': async () => {
    const long = { client_id: app.id, post_logout_redirect_uri: BYE, state: 'x'.repeat(8000) }
    const { headers } = await post(server, '/session/end', long)
    return { value: new URL(String(headers.location)).searchParams.get('request_uri') ?? '' }
  },
  'session cookie': async () => ({ value: browser.cookie(SESSION) ?? '' }),
  'browser cookie': async () => {
    const interaction = await underway()
    return { value: interaction.browser, interaction }
  },
  'interaction id': async () => {
    const interaction = await underway()
    return { value: interaction.id, interaction }
  },
  'client secret': async () => ({ value: own.clientSecret }),
  'client assertion': async () => ({ value: await assertionOf(server, keyClient, key) }),
  'device code': async () => {
    const { body } = await post(server, '/device/auth', { client_id: device.id, scope: 'openid' })
    return { value: body.device_code }
  },
  'authentication request': async () => {
    const { body } = await ask(server, asking, { scope: 'openid', login_hint: 'nobody' })
    return { value: body.auth_req_id ?? '' }
  },
  'user code': async () => {
    const { body } = await post(server, '/device/auth', { client_id: device.id, scope: 'openid' })
    return { value: body.user_code }
  },
  'subject token': async () => ({ value: (await server.api('POST', '/subject-tokens', { userId })).body.subjectToken }),
  'one-time token': async () => ({
    value: (await server.api('POST', '/one-time-tokens', { email: 'link@example.com' })).body.token,
  }),
  'personal access token': async () => {
    const path = `/users/${userId}/personal-access-tokens`
    return { value: (await server.api('POST', path, { name: crypto.randomUUID() })).body.value }
  },
} satisfies Record<string, () => Promise<Made>>
type Kind = keyof typeof KINDS

interface Outcome {
  readonly status: number
  readonly isAccepted: boolean
}
const token = async (parameters: Record<string, string>, by?: typeof own): Promise<Outcome> => {
  const { status } = await post(server, '/token', parameters, by ? authorization(by) : {})
  return { status, isAccepted: status === 200 }
}
const bearer = async (url: string, value: string): Promise<Outcome> => {
  const { status } = await send(url, { method: 'GET', headers: { authorization: `Bearer ${value}` } })
  return { status, isAccepted: status === 200 }
}
/** Where the authorization endpoint redirects the browser. */
const visit = async (url: string | URL, cookies: Record<string, string> = {}) => {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ')
  const { status, headers } = await send(String(url), { method: 'GET', headers: cookie ? { cookie } : {} })
  return { status, location: headers.location as string | undefined }
}
const authorizeUrl = async (parameters: Record<string, string> = {}) => (await begin(app.configuration, parameters)).url
const errorAt = (location: string | undefined) => new URL(location ?? 'x:').searchParams.get('error')

const exchange = (parameters: Record<string, string>) =>
  token({ grant_type: EXCHANGE_GRANT, resource: machine.resource.indicator, scope: 'x', ...parameters }, own)

const CONSUMERS = {
  'the exchange as a subject': ({ value }: Made) =>
    exchange({ subject_token: value, subject_token_type: ACCESS_TOKEN }),
  'the exchange as a personal access token': ({ value }: Made) =>
    exchange({ subject_token: value, subject_token_type: PERSONAL_ACCESS_TOKEN }),
  'the exchange as an actor': async ({ value }: Made) => {
    const { value: subject } = await KINDS['subject token']()
    return exchange({
      subject_token: subject,
      subject_token_type: ACCESS_TOKEN,
      actor_token: value,
      actor_token_type: ACCESS_TOKEN,
    })
  },
  'the token endpoint as a code': ({ value, verifier }: Made) =>
    token(
      {
        grant_type: 'authorization_code',
        code: value,
        redirect_uri: CALLBACK,
        code_verifier: verifier ?? 'v'.repeat(43),
      },
      own,
    ),
  'the token endpoint as a refresh token': ({ value }: Made) =>
    token({ grant_type: 'refresh_token', refresh_token: value }, own),
  'the token endpoint as a device code': async ({ value }: Made): Promise<Outcome> => {
    const { status, body } = await post(server, '/token', {
      grant_type: DEVICE_GRANT,
      client_id: device.id,
      device_code: value,
    })
    return { status, isAccepted: status === 200 || body.error === 'authorization_pending' }
  },
  'the token endpoint as an authentication request': async ({ value }: Made): Promise<Outcome> => {
    const { status, body } = await poll(server, asking, value)
    return { status, isAccepted: status === 200 || body.error === 'authorization_pending' }
  },
  'the token endpoint as a client assertion': ({ value }: Made) =>
    token({
      grant_type: 'client_credentials',
      resource: keyClient.resource.indicator,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: value,
    }),
  'the token endpoint as a client secret': async ({ value }: Made): Promise<Outcome> => {
    const { status, body } = await post(
      server,
      '/token',
      { grant_type: 'refresh_token', refresh_token: 'none' },
      { authorization: basic(app.id, value) },
    )
    // after the authentication the refresh token is what is wrong
    return { status, isAccepted: body.error === 'invalid_grant' }
  },
  userinfo: ({ value }: Made) => bearer(`${server.issuer}/me`, value),
  introspection: async ({ value }: Made): Promise<Outcome> => {
    const { status, body } = await post(server, '/token/introspection', { token: value }, authorization(own))
    return { status, isAccepted: body.active }
  },
  'the Management API': ({ value }: Made) => bearer(`${server.baseUrl}/api/roles`, value),
  'the authorization endpoint as a pushed request': async ({ value }: Made): Promise<Outcome> => {
    const url = `${server.issuer}/auth?${new URLSearchParams({ client_id: app.id, request_uri: value })}`
    const { status } = await visit(url)
    return { status, isAccepted: status === 303 }
  },
  'the end of the session as a request': async ({ value }: Made): Promise<Outcome> => {
    const url = `${server.issuer}/session/end?${new URLSearchParams({ client_id: app.id, request_uri: value })}`
    const { status, location } = await visit(url)
    return { status, isAccepted: location?.startsWith(BYE) === true }
  },
  'the authorization endpoint as a hint': async ({ value }: Made): Promise<Outcome> => {
    const { status, location } = await visit(await authorizeUrl({ prompt: 'none', id_token_hint: value }))
    return { status, isAccepted: errorAt(location) === 'login_required' }
  },
  'the authorization endpoint as a session': async ({ value }: Made): Promise<Outcome> => {
    const { status, location } = await visit(await authorizeUrl({ prompt: 'none' }), { [SESSION]: value })
    return { status, isAccepted: new URL(location ?? 'x:').searchParams.has('code') }
  },
  'the authorization endpoint as a browser': async ({ value, interaction }: Made): Promise<Outcome> => {
    const { id } = interaction ?? (await underway())
    const { status } = await visit(`${server.issuer}/auth/${id}`, { [BROWSER]: value })
    return { status, isAccepted: status < 400 }
  },
  'the authorization endpoint as an interaction': async ({ value, interaction }: Made): Promise<Outcome> => {
    const of = interaction ?? (await underway())
    const { status } = await visit(`${server.issuer}/auth/${encodeURIComponent(value)}`, { [BROWSER]: of.browser })
    return { status, isAccepted: status < 400 }
  },
} satisfies Record<string, (made: Made) => Promise<Outcome>>
type Consumer = keyof typeof CONSUMERS

const RIGHTFUL: Readonly<Record<Kind, readonly Consumer[]>> = {
  'authorization code': ['the token endpoint as a code'],
  'refresh token': ['the token endpoint as a refresh token', 'introspection'],
  'opaque access token': ['userinfo', 'introspection', 'the exchange as a subject', 'the exchange as an actor'],
  'JWT access token of a user': ['introspection', 'the exchange as a subject'],
  'JWT access token of a machine': ['introspection'],
  'access token of the Management API': ['introspection', 'the Management API'],
  'ID token': ['the authorization endpoint as a hint'],
  'logout token': [],
  'pushed request': ['the authorization endpoint as a pushed request'],
  'sign-out request': ['the end of the session as a request'],
  'session cookie': ['the authorization endpoint as a session'],
  'browser cookie': ['the authorization endpoint as a browser'],
  'interaction id': ['the authorization endpoint as an interaction'],
  'client secret': ['the token endpoint as a client secret'],
  'client assertion': ['the token endpoint as a client assertion'],
  'device code': ['the token endpoint as a device code'],
  'authentication request': ['the token endpoint as an authentication request'],
  'user code': [],
  'subject token': ['the exchange as a subject'],
  'one-time token': [],
  'personal access token': ['the exchange as a personal access token'],
}
const kinds = Object.keys(KINDS) as Kind[]
const consumers = Object.keys(CONSUMERS) as Consumer[]

describe.each(kinds)('R-4 a value of the kind: %s', (kind) => {
  test.each(consumers)('R-4 at: %s', async (consumer) => {
    const { status, isAccepted } = await CONSUMERS[consumer](await KINDS[kind]())
    expect(status).toBeLessThan(500)
    expect(isAccepted).toBe(RIGHTFUL[kind].includes(consumer))
  })

  test('R-4 revocation answers 200 to every client, and ends only tokens of the client that asks', async () => {
    const made = await KINDS[kind]()
    const stranger = await post(server, '/token/revocation', { token: made.value }, authorization(machine.client))
    expect(stranger.status).toBe(200)
    const mine = await post(server, '/token/revocation', { token: made.value }, authorization(own))
    expect(mine.status).toBe(200)
    const [rightful] = RIGHTFUL[kind]
    if (!rightful) return
    const revoked = [
      'refresh token',
      'opaque access token',
      'JWT access token of a user',
      'JWT access token of a machine',
    ]
    expect((await CONSUMERS[rightful](made)).isAccepted).toBe(!revoked.includes(kind))
  })
})

/** Opaque values by their prefix. */
const PREFIXED: readonly Kind[] = [
  'authorization code',
  'refresh token',
  'opaque access token',
  'pushed request',
  'sign-out request',
  'session cookie',
  'browser cookie',
  'device code',
  'authentication request',
]
const PREFIX = /cs_[a-z]{2}_/

test.each(PREFIXED)('R-4 the body of another kind behind the right prefix is invalid: %s', async (kind) => {
  const right = PREFIX.exec((await KINDS[kind]()).value)?.[0] ?? ''
  expect(right).not.toBe('')
  for (const other of PREFIXED.filter((each) => each !== kind)) {
    const made = await KINDS[other]()
    const forged = { ...made, value: made.value.replace(PREFIX, right) }
    const asUri = { ...forged, value: `urn:ietf:params:oauth:request_uri:${forged.value.split(':').at(-1)}` }
    for (const consumer of RIGHTFUL[kind]) {
      const outcome = await CONSUMERS[consumer](kind.endsWith(' request') ? asUri : forged)
      expect(outcome.status).toBeLessThan(500)
      expect({ kind, other, consumer, isAccepted: outcome.isAccepted }).toMatchObject({ isAccepted: false })
    }
  }
})
