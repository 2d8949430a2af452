/**
 * R-27 whatever is called in whatever order, in several browsers at once: a session arises only of a first and a second
 * factor of one user, proved in one interaction. `EXPERIENCE_RUNS` makes more runs; a failure prints its seed.
 */
import { EXPERIENCE_ROUTES } from '@countersign/contract/api.ts'
import type { Method } from '@countersign/contract/route.ts'
import type { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import type * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { codeOf } from '../factors/arrange.ts'
import { connect, startProvider } from '../federation/arrange.ts'
import { uploadOf } from '../management/arrange.ts'
import { connectMessages, type Messages } from '../management/texts.ts'
import { createApp, createUser, newBrowser, PASSWORD, redeem } from '../sign-in/arrange.ts'
import { type OwnPage, openPage } from './arrange.ts'

const RUNS = Number(process.env.EXPERIENCE_RUNS ?? 3)
const FACTORS = ['Totp', 'EmailVerificationCode', 'BackupCode']

let server: TestServer
let messages: Messages
let provider: IdentityProvider
let connectorId: string
let configuration: client.Configuration
let people: Person[]
/** What must be nowhere in plain text. */
const secrets: string[] = []
beforeAll(async () => {
  const off = { ADDRESS_FAILURES: '0', ADDRESS_SENDS: '0', ADDRESS_REGISTRATIONS: '0' }
  server = await startTestServer(inject('cluster'), off)
  configuration = (await createApp(server)).configuration
  messages = await connectMessages(server)
  provider = await startProvider(server)
  connectorId = await connect(server, 'oidc', { ...provider.config, trustVerifiedAddresses: true })
  people = [await person('one'), await person('two')]
  const socialSignIn = { automaticAccountLinking: true }
  const settings = {
    socialSignIn,
    mfa: { factors: FACTORS, policy: 'Mandatory' },
    sentinelPolicy: { maxAttempts: 1000 },
  }
  expect((await server.api('PATCH', '/sign-in-exp', settings)).status).toBe(200)
})
afterAll(async () => {
  await server.close()
  await messages.close()
  await provider.close()
})

const person = async (name: string) => {
  const { id, username } = await createUser(server)
  const email = `${name}@example.com`
  await server.api('PATCH', `/users/${id}`, { primaryEmail: email })
  const add = async (type: string) => (await server.api('POST', `/users/${id}/mfa-verifications`, { type })).body
  const { secret } = await add('Totp')
  const { codes } = await add('BackupCode')
  secrets.push(secret, ...codes)
  return { id, username, email, secret: secret as string, codes: [...(codes as string[])] }
}
type Person = Awaited<ReturnType<typeof person>>

/** A browser, and what was really proved in its interaction since that was begun. */
interface Tab {
  page: OwnPage
  first: Set<string>
  second: Set<string>
  /** Whether a new account got a factor. */
  isBound: boolean
  /** The newest verification. */
  id: string
  totpSecret: string
  /** The accounts at the provider that were proved: whose address the provider has verified, if it has. */
  socials: Map<string, string | undefined>
  /** Where the user was sent to last. */
  authorizationUri: string
  steps: number
}
const open = async (): Promise<Tab> => {
  const page = await openPage(server, configuration, newBrowser())
  return {
    page,
    first: new Set(),
    second: new Set(),
    socials: new Map(),
    isBound: false,
    id: '0',
    totpSecret: '',
    authorizationUri: '',
    steps: 0,
  }
}

/** Of every verification of every browser. */
const ids: string[] = ['0'.repeat(21)]
const JUNK = { id: 'A', rawId: 'A', response: { clientDataJSON: 'A', authenticatorData: 'A', signature: 'A' } }
const MADE = { ...JUNK, response: { clientDataJSON: 'A', attestationObject: 'A' } }
const EVENTS = ['SignIn', 'SignIn', 'Register', 'ForgotPassword']
const pick = <T>(all: readonly T[], at: number): T => all[at % all.length] as T

type Act = (tab: Tab, who: Person, n: number) => Promise<unknown>
const post = async (tab: Tab, path: `/${string}`, body?: unknown, method: Method = 'POST') => {
  const reply = await tab.page.call(method, path, body)
  const id = reply.status === 200 ? reply.body?.verificationId : undefined
  if (typeof id === 'string') {
    tab.id = id
    ids.push(id)
  }
  return reply
}
/** The verification of this tab, or any other. */
const someId = (tab: Tab, n: number) => (n % 3 === 0 ? pick(ids, n) : tab.id)
const emailCode = async (send: () => Promise<{ status: number }>, email: string) => {
  const before = messages.codesTo(email).length
  return (await send()).status === 200 ? messages.codeTo(email, before + 1) : '000000'
}

const ACTS: Readonly<Record<string, Act>> = {
  'PUT /experience': async (tab, _who, n) => {
    const { status } = await tab.page.call('PUT', '', { interactionEvent: pick(EVENTS, n) })
    if (status === 204) Object.assign(tab, { first: new Set(), second: new Set(), socials: new Map(), isBound: false })
  },
  'PUT /experience/interaction-event': (tab, _who, n) =>
    post(tab, '/interaction-event', { interactionEvent: pick(EVENTS, n) }, 'PUT'),
  'GET /experience/interaction': (tab) => post(tab, '/interaction', undefined, 'GET'),
  'GET /experience/captcha': (tab) => post(tab, '/captcha', undefined, 'GET'),
  'POST /experience/verification/password': async (tab, who, n) => {
    const password = n % 4 === 0 ? 'wrong' : PASSWORD
    const { status } = await post(tab, '/verification/password', {
      identifier: { type: 'username', value: who.username },
      password,
    })
    if (status === 200) tab.first.add(`${who.id}/password`)
  },
  'POST /experience/verification/social/:connectorId/authorization-uri': async (tab, _who, n) => {
    const body = { state: `state-number-${n}`, redirectUri: `${server.baseUrl}/callback/${connectorId}` }
    const reply = await post(tab, `/verification/social/${connectorId}/authorization-uri`, body)
    if (reply.status === 200) tab.authorizationUri = reply.body.authorizationUri
  },
  'POST /experience/verification/social/:connectorId/verify': async (tab, who, n) => {
    if (tab.authorizationUri === '') return
    // what an attacker writes as their address the provider does not verify
    const isOwn = n % 3 > 0
    const sub = isOwn ? `at-${who.id}` : 'attacker'
    const account = provider.signIn(tab.authorizationUri, { sub, email: who.email, email_verified: isOwn })
    const { status } = await post(tab, `/verification/social/${connectorId}/verify`, { connectorData: account })
    if (status === 200) tab.socials.set(sub, isOwn ? who.id : undefined)
  },
  'GET /experience/sso-connectors': (tab, who) => post(tab, `/sso-connectors?email=${who.email}`, undefined, 'GET'),
  // a social connector is none of single sign-on, and what it says proves nothing there
  'POST /experience/verification/sso/:connectorId/authorization-uri': (tab, _who, n) => {
    const body = { state: `state-number-${n}`, redirectUri: `${server.baseUrl}/callback/${connectorId}` }
    return post(tab, `/verification/sso/${connectorId}/authorization-uri`, body)
  },
  'POST /experience/verification/sso/:connectorId/verify': async (tab, who) => {
    if (tab.authorizationUri === '') return
    const connectorData = provider.signIn(tab.authorizationUri, { sub: `at-${who.id}`, email: who.email })
    await post(tab, `/verification/sso/${connectorId}/verify`, { connectorData })
  },
  'POST /experience/verification/one-time-token/verify': async (tab, who) => {
    const { body } = await server.api('POST', '/one-time-tokens', { email: who.email })
    secrets.push(body.token)
    const identifier = { type: 'email', value: who.email }
    const { status } = await post(tab, '/verification/one-time-token/verify', { identifier, token: body.token })
    if (status === 200) tab.first.add(`${who.id}/email`)
  },
  'POST /experience/verification/verification-code': (tab, who, n) =>
    post(tab, '/verification/verification-code', {
      identifier: { type: 'email', value: who.email },
      interactionEvent: pick(EVENTS, n),
    }),
  'POST /experience/verification/verification-code/verify': async (tab, who, n) => {
    const identifier = { type: 'email', value: n % 2 ? who.email : `new${n}@example.com` }
    const asked = { identifier, interactionEvent: pick(EVENTS, n) }
    const code = await emailCode(() => post(tab, '/verification/verification-code', asked), identifier.value)
    await post(tab, '/verification/verification-code/verify', { identifier, verificationId: someId(tab, n), code })
  },
  'POST /experience/verification/mfa-verification-code': (tab) =>
    post(tab, '/verification/mfa-verification-code', { identifierType: 'email' }),
  'POST /experience/verification/mfa-verification-code/verify': async (tab, who, n) => {
    const send = () => post(tab, '/verification/mfa-verification-code', { identifierType: 'email' })
    // of whoever is identified, a code goes to their address, and to no other
    const counts = people.map(({ email }) => messages.codesTo(email).length)
    if ((await send()).status !== 200) return
    const arrived = () => people.findIndex(({ email }, index) => messages.codesTo(email).length > (counts[index] ?? 0))
    await expect.poll(arrived, { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(0)
    const owner = people[arrived()] ?? who
    // an attacker reads their own mail alone
    const code = owner === who ? (messages.codesTo(owner.email).at(-1) ?? '') : '000000'
    const proof = { verificationId: someId(tab, n), code, identifierType: 'email' }
    const { status } = await post(tab, '/verification/mfa-verification-code/verify', proof)
    if (status === 200) tab.second.add(`${who.id}/email`)
  },
  'POST /experience/verification/totp/verify': async (tab, who, n) => {
    server.clock.advance(30)
    const verificationId = n % 4 === 1 ? { verificationId: someId(tab, n) } : {}
    const code = codeOf(server, verificationId.verificationId && tab.totpSecret ? tab.totpSecret : who.secret)
    const { status } = await post(tab, '/verification/totp/verify', { code, ...verificationId })
    if (status === 200 && !verificationId.verificationId) tab.second.add(`${who.id}/totp`)
  },
  'POST /experience/verification/totp/secret': async (tab) => {
    const { status, body } = await post(tab, '/verification/totp/secret')
    if (status === 200) tab.totpSecret = body.secret
  },
  'POST /experience/verification/backup-code/verify': async (tab, who) => {
    const { status } = await post(tab, '/verification/backup-code/verify', { code: who.codes.pop() ?? '0000000000' })
    if (status === 200) tab.second.add(`${who.id}/backup`)
  },
  'POST /experience/verification/backup-code/generate': (tab) => post(tab, '/verification/backup-code/generate'),
  'POST /experience/verification/new-password-identity': (tab, _who, n) =>
    post(tab, '/verification/new-password-identity', {
      identifier: { type: 'username', value: `new_${n}` },
      password: PASSWORD,
    }),
  'POST /experience/verification/web-authn/registration': (tab) => post(tab, '/verification/web-authn/registration'),
  'POST /experience/verification/web-authn/registration/verify': (tab, _who, n) =>
    post(tab, '/verification/web-authn/registration/verify', { verificationId: someId(tab, n), payload: MADE }),
  'POST /experience/verification/web-authn/authentication': (tab) =>
    post(tab, '/verification/web-authn/authentication'),
  'POST /experience/verification/web-authn/authentication/verify': (tab) =>
    post(tab, '/verification/web-authn/authentication/verify', { payload: JUNK }),
  'POST /experience/verification/sign-in-passkey/authentication': (tab, who) =>
    post(tab, '/verification/sign-in-passkey/authentication', {
      identifier: { type: 'username', value: who.username },
    }),
  'POST /experience/verification/sign-in-passkey/authentication/verify': (tab) =>
    post(tab, '/verification/sign-in-passkey/authentication/verify', { payload: JUNK }),
  'POST /experience/preflight/sign-in-passkey/authentication': (tab) =>
    post(tab, '/preflight/sign-in-passkey/authentication'),
  'POST /experience/identification': (tab, _who, n) =>
    post(tab, '/identification', n % 5 === 0 ? {} : { verificationId: someId(tab, n) }),
  'POST /experience/profile': (tab, _who, n) =>
    post(
      tab,
      '/profile',
      pick(
        [
          { type: 'username', value: `made_${n}` },
          { type: 'password', value: PASSWORD },
          { type: 'email', verificationId: someId(tab, n) },
          { type: 'social', verificationId: someId(tab, n) },
          { type: 'extraProfile', values: { name: 'Ann' } },
        ],
        n,
      ),
    ),
  'POST /experience/user-assets/avatar': (tab) => post(tab, '/user-assets/avatar', uploadOf(Buffer.from('no image'))),
  'PUT /experience/profile/password': (tab) => post(tab, '/profile/password', { password: PASSWORD }, 'PUT'),
  'POST /experience/profile/mfa': async (tab, _who, n) => {
    const { status } = await post(tab, '/profile/mfa', { type: pick(FACTORS, n), verificationId: someId(tab, n) })
    if (status === 204) tab.isBound = true
  },
  'POST /experience/profile/mfa/passkey': (tab, _who, n) =>
    post(tab, '/profile/mfa/passkey', { verificationId: someId(tab, n) }),
  'POST /experience/profile/mfa/passkey-skipped': (tab) => post(tab, '/profile/mfa/passkey-skipped'),
  'POST /experience/profile/mfa/mfa-enabled': (tab) => post(tab, '/profile/mfa/mfa-enabled'),
  'POST /experience/profile/mfa/mfa-skipped': (tab) => post(tab, '/profile/mfa/mfa-skipped'),
  'POST /experience/profile/mfa/mfa-suggestion-skipped': (tab) => post(tab, '/profile/mfa/mfa-suggestion-skipped'),
  'POST /experience/profile/mfa/trusted-device': (tab) => post(tab, '/profile/mfa/trusted-device'),
  'POST /experience/submit': async (tab) => submit(tab),
}
const NAMES = Object.keys(ACTS)

let sessions = 0
/** First factors: the accounts at the provider that a user has, or whose address both sides have verified. */
const firstBySocial = async ({ socials }: Tab): Promise<string[]> => {
  if (socials.size === 0) return []
  const owned = await Promise.all(
    people.map(async ({ id }) => {
      const { body } = await server.api('GET', `/users/${id}`)
      return socials.has(body.identities.acme?.userId) ? [`${id}/social`] : []
    }),
  )
  return [...owned.flat(), ...[...socials.values()].flatMap((id) => (id ? [`${id}/social`] : []))]
}

const submit = async (tab: Tab): Promise<void> => {
  for (const proof of await firstBySocial(tab)) tab.first.add(proof)
  const { status, body } = await post(tab, '/submit')
  if (status !== 200) return
  const { page, first, second, isBound } = tab
  Object.assign(tab, await open())
  if (body.redirectTo === undefined) return
  sessions += 1
  const claims = (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
  const who = people.find(({ id }) => id === claims?.sub)
  if (!who) {
    expect(isBound, 'a new account without a factor').toBe(true)
    return
  }
  const of = (proofs: Set<string>) => [...proofs].flatMap((proof) => (proof.startsWith(who.id) ? [proof] : []))
  const isPermitted = of(first).some((one) => of(second).some((other) => other !== one))
  expect(isPermitted, `of ${[...first]} and ${[...second]}`).toBe(true)
  expect(claims?.amr).toContain('mfa')
}

/** The way to a session, step by step, so that the runs come near one often: 4 means a sign-in, 7 what is right. */
const WAY = [
  'PUT /experience',
  'POST /experience/verification/password',
  'POST /experience/identification',
  'POST /experience/verification/totp/verify',
  'POST /experience/submit',
]
const goOn: Act = async (tab, who) => {
  const name = pick(WAY, tab.steps)
  tab.steps += 1
  await ACTS[name]?.(tab, who, name === 'PUT /experience' ? 4 : 7)
}

test('every route is among the calls', () => {
  expect(NAMES.toSorted()).toEqual(EXPERIENCE_ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted())
})

test('R-27 a session arises of nothing but a first and a second factor of one user', async () => {
  const step = fc.record({
    tab: fc.nat(2),
    name: fc.oneof({ weight: 3, arbitrary: fc.constant('on') }, { weight: 2, arbitrary: fc.constantFrom(...NAMES) }),
    who: fc.nat(1),
    n: fc.nat(119),
  })
  const property = fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (steps) => {
    const tabs = [await open(), await open(), await open()]
    for (const { tab, name, who, n } of steps)
      await (ACTS[name] ?? goOn)(pick(tabs, tab), pick(people, name === 'on' ? tab : who), n)
  })
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
  expect(sessions).toBeGreaterThan(0)
}, 300_000)

test('R-1 no secret of a factor is in events, audit log or database in plain text', async () => {
  const { pool } = server.store.database
  const { rows: tables } = await pool.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
  const dumps = await Promise.all(
    tables.map(async ({ tablename }) => {
      const { rows } = await pool.query(`SELECT coalesce(string_agg(t::text, ' '), '') AS dump FROM "${tablename}" t`)
      return String(rows[0]?.dump)
    }),
  )
  const { body: logs } = await server.api('GET', '/logs?page_size=100')
  const { body: feed } = await server.api('GET', '/events?limit=100')
  const everything = [...dumps, JSON.stringify(logs), JSON.stringify(feed)].join('\n')
  expect(everything).toContain(people[0]?.username)
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const found = secrets.filter((secret) => everything.includes(secret) || everything.includes(hex(secret)))
  expect(found).toEqual([])
  const codes = people.flatMap(({ email }) => messages.codesTo(email))
  expect(codes.filter((code) => everything.includes(`"${code}"`))).toEqual([])
})
