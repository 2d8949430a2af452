/**
 * R-27 whatever is called in whatever order with a stolen access token: without a fresh proof of the user neither password,
 * identifiers nor factors change, and nothing of another user does. The attacker has an account, a mailbox and an account at the
 * provider of their own, and knows every id. `EXPERIENCE_RUNS` makes more runs; a failure prints its seed.
 */
import { ACCOUNT_ROUTES } from '@countersign/contract/api.ts'
import type { Route } from '@countersign/contract/route.ts'
import type { IdentityProvider } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { testSeed } from '@countersign/harness/test-seed.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { useFactors } from '../factors/arrange.ts'
import { connect, newPerson, startProvider } from '../federation/arrange.ts'
import { connectMessages, type Messages } from '../management/texts.ts'
import { createApp } from '../sign-in/arrange.ts'
import { call, newHolder, openAccountCenter, proved, type SignedIn } from './arrange.ts'
import { Authenticator } from './authenticator.ts'

const RUNS = Number(process.env.EXPERIENCE_RUNS ?? 2)
const STEPS = 60

let server: TestServer
let messages: Messages
let provider: IdentityProvider
let connectorId: string
let appId: string
beforeAll(async () => {
  const off = { ADDRESS_FAILURES: '0', ADDRESS_SENDS: '0', ADDRESS_REGISTRATIONS: '0' }
  server = await startTestServer(inject('cluster'), off)
  appId = (await createApp(server, 'SPA')).id
  messages = await connectMessages(server)
  provider = await startProvider(server)
  connectorId = await connect(server, 'oidc', provider.config)
  await openAccountCenter(server)
  await useFactors(server, ['Totp', 'WebAuthn', 'BackupCode'])
  const { status } = await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 1000 } })
  expect(status).toBe(200)
})
afterAll(async () => {
  await server.close()
  await messages.close()
  await provider.close()
})

let count = 0
const person = async (): Promise<SignedIn & { email: string }> => {
  const email = `owner${++count}@example.com`
  const known = await newHolder(server, appId, { primaryEmail: email, primaryPhone: `4930231${27000 + count}` })
  await server.api('PUT', `/users/${known.userId}/identities/acme`, { userId: `linked-${count}` })
  for (const type of ['Totp', 'BackupCode'])
    await server.api('POST', `/users/${known.userId}/mfa-verifications`, { type })
  return { ...known, email }
}

/** What must not change: the credentials of a user, as they are stored. */
const credentialsOf = async ({ userId }: SignedIn) => {
  const { pool } = server.store.database
  const users = await pool.query(
    'SELECT username, primary_email, primary_phone, password_hash, identities FROM users WHERE id = $1',
    [userId],
  )
  const rows = async (table: string, columns: string) =>
    (await pool.query(`SELECT ${columns} FROM ${table} WHERE user_id = $1 ORDER BY 1`, [userId])).rows
  return {
    ...users.rows[0],
    linked: await rows('user_identities', 'target, identity_id'),
    factors: await rows('factors', 'id, type, name'),
    tokens: await rows('personal_access_tokens', 'name'),
    deletion: await rows('account_deletions', 'user_id'),
    sessions: await rows('sessions', 'id'),
    grants: await rows('grants', 'id'),
  }
}

/** What the attacker has found and made so far. */
interface Attack {
  readonly victim: SignedIn & { email: string }
  readonly bystander: SignedIn & { email: string }
  readonly attacker: SignedIn & { email: string }
  /** Of verifications that were begun or passed with either token. */
  readonly verifications: string[]
  readonly factors: readonly string[]
  mailed: number
}

/** A value for each step: the same numbers make the same attack. */
type Choose = <T>(values: readonly T[]) => T | undefined

const BODIES: Readonly<Record<string, (attack: Attack, choose: Choose) => unknown>> = {
  updateMyAccount: (_, choose) => choose([{ username: `taken${++count}` }, { username: null }, { name: 'Mallory' }]),
  updateMyProfile: () => ({ nickname: 'Mallory' }),
  deleteMyAccount: () => undefined,
  setMyPassword: () => ({ password: 'a password of the attacker' }),
  setMyEmail: ({ attacker, bystander, ...attack }, choose) => ({
    email: choose([`new.${attacker.email}`, bystander.email]),
    newIdentifierVerificationRecordId: choose(attack.verifications) ?? 'x',
  }),
  setMyPhone: ({ verifications }, choose) => ({
    phone: '4930231999999',
    newIdentifierVerificationRecordId: choose(verifications) ?? 'x',
  }),
  addMyIdentity: ({ verifications }, choose) => ({ newIdentifierVerificationRecordId: choose(verifications) ?? 'x' }),
  replaceMyIdentity: ({ verifications }, choose) => ({
    newIdentifierVerificationRecordId: choose(verifications) ?? 'x',
  }),
  putMyProviderToken: ({ verifications }, choose) => ({ verificationRecordId: choose(verifications) ?? 'x' }),
  createMyFactor: ({ verifications }, choose) =>
    choose([
      { type: 'TOTP', secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' },
      { type: 'BackupCode', codes: Array.from({ length: 10 }, (_, index) => `abcdef012${index}`) },
      { type: 'WebAuthn', newIdentifierVerificationRecordId: choose(verifications) ?? 'x' },
    ]),
  replaceMyTotp: () => ({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', code: '000000' }),
  renameMyPasskey: () => ({ name: 'Mallory' }),
  updateMyFactorSettings: () => ({ skipMfaOnSignIn: true }),
  updateMyFactorChoices: () => ({ mfa: { enabled: false, skipped: true } }),
  createMyToken: () => ({ name: `stolen ${++count}` }),
  renameMyToken: () => ({ currentName: 'x', name: 'y' }),
  deleteMyToken: () => ({ name: 'x' }),
  addMyOrganizationDomain: () => ({ domain: 'stolen.example' }),
  createMyOrganizationSsoConnector: () => ({ providerName: 'OIDC', connectorName: `Stolen ${++count}` }),
  updateMyOrganizationSsoConnector: () => ({ connectorName: 'Stolen' }),
  createMyOrganizationSsoSigningKey: () => ({ active: true }),
  updateMyOrganizationSsoSigningKey: () => ({ active: true }),
  answerMyInvitation: () => ({ status: 'Accepted' }),
  verifyMyPassword: () => ({ password: 'a guess' }),
  verifyMyTotp: () => ({ code: '000000' }),
  sendMyCode: ({ victim, bystander }, choose) => ({
    identifier: { type: 'email', value: choose([victim.email, bystander.email]) },
  }),
  verifyMyCode: ({ victim, attacker, verifications }, choose) => ({
    identifier: { type: 'email', value: choose([victim.email, attacker.email]) },
    verificationId: choose(verifications) ?? 'x',
    code: '000000',
  }),
  beginMySocialVerification: () => ({
    connectorId,
    state: `state-${++count}-at-random`,
    redirectUri: `https://app.example/callback/${connectorId}`,
  }),
  verifyMyPasskey: ({ verifications }, choose) => ({
    verificationRecordId: choose(verifications) ?? 'x',
    payload: new Authenticator(server.baseUrl).get({ challenge: 'AAAA' }),
  }),
  verifyMyNewPasskey: ({ verifications }, choose) => ({
    verificationRecordId: choose(verifications) ?? 'x',
    payload: new Authenticator(server.baseUrl).create({ challenge: 'AAAA' }),
  }),
  verifyMySocialAccount: ({ verifications }, choose) => ({
    verificationRecordId: choose(verifications) ?? 'x',
    connectorData: { state: 'x', code: 'x' },
  }),
}

/** Every route that changes something, and those that read for a proof. */
const TARGETS = ACCOUNT_ROUTES.filter(({ method, proof }) => method !== 'GET' || proof)

const pathOf = ({ path }: Route, { victim, bystander, factors }: Attack, choose: Choose): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const known: Readonly<Record<string, readonly string[]>> = {
      target: ['acme'],
      verificationId: factors,
      sessionId: [victim.sessionId, bystander.sessionId],
      grantId: [victim.grantId, bystander.grantId],
    }
    return choose(known[name] ?? ['x']) ?? 'x'
  })

const keep = ({ verifications }: Attack, body: { verificationRecordId?: unknown } | undefined): void => {
  if (typeof body?.verificationRecordId === 'string') verifications.push(body.verificationRecordId)
}

/** What the attacker can really verify, with the stolen token or with their own. */
const EFFORTS: readonly ((attack: Attack) => Promise<void>)[] = [
  async (attack) => void attack.verifications.push(await proved(server, attack.attacker.token)),
  async (attack) => {
    const identifier = { type: 'email', value: `new.${attack.attacker.email}` }
    const { token } = attack.victim
    const { status, body } = await call(server, token, 'POST', '/verifications/verification-code', { identifier })
    if (status !== 201) return
    attack.mailed += 1
    const code = await messages.codeTo(identifier.value, attack.mailed)
    const { verificationRecordId: verificationId } = body
    const brought = { identifier, verificationId, code }
    const answer = await call(server, token, 'POST', '/verifications/verification-code/verify', brought)
    expect(answer.status).toBe(200)
    keep(attack, answer.body)
  },
  async (attack) => {
    const { token } = attack.victim
    const { body } = await call(server, token, 'POST', '/verifications/web-authn/registration')
    const { verificationRecordId, registrationOptions } = body
    const payload = new Authenticator(server.baseUrl).create(registrationOptions)
    const path = '/verifications/web-authn/registration/verify'
    const answer = await call(server, token, 'POST', path, { verificationRecordId, payload })
    expect(answer.status).toBe(200)
    keep(attack, answer.body)
  },
  async (attack) => {
    const { token } = attack.victim
    const asked = BODIES.beginMySocialVerification?.(attack, ([first]) => first)
    const { body } = await call(server, token, 'POST', '/verifications/social', asked)
    const connectorData = provider.signIn(body.authorizationUri, newPerson())
    const { verificationRecordId } = body
    const answer = await call(server, token, 'POST', '/verifications/social/verify', {
      verificationRecordId,
      connectorData,
    })
    expect(answer.status).toBe(200)
    keep(attack, answer.body)
  },
]

test('every route that writes is called, with a body where it takes one', () => {
  const writing = ACCOUNT_ROUTES.filter(({ method }) => method !== 'GET')
  expect(writing.filter((route) => !TARGETS.includes(route))).toEqual([])
  expect(TARGETS.filter(({ id, body }) => body && !BODIES[id]).map(({ id }) => id)).toEqual([])
})

test('R-27 a stolen access token changes no credentials of its user and nothing of another', async () => {
  const numbers = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), { minLength: STEPS, maxLength: STEPS })
  const attacked = async (steps: readonly (readonly [number, number, number, number])[]) => {
    const [victim, bystander, attacker] = [await person(), await person(), await person()]
    const { rows } = await server.store.database.pool.query('SELECT id FROM factors WHERE user_id = ANY($1)', [
      [victim.userId, bystander.userId],
    ])
    const factors = rows.map(({ id }: { id: string }) => id)
    const attack: Attack = { victim, bystander, attacker, verifications: [], factors, mailed: 0 }
    const before = [await credentialsOf(victim), await credentialsOf(bystander)]
    // each of these and each route once, and then whatever comes
    const all = [
      ...EFFORTS.map((_, index) => [0, index, index, index] as const),
      ...TARGETS.map((_, index) => [1, index, index, 3 * index + 1] as const),
    ]
    for (const [kind, which, how, by] of [...all, ...steps]) {
      const choose: Choose = (values) => values[how % Math.max(values.length, 1)]
      if (kind % 5 === 0) await EFFORTS[which % EFFORTS.length]?.(attack)
      else {
        const route = TARGETS[which % TARGETS.length] as Route
        const proof = by % 3 === 0 ? undefined : attack.verifications[by % Math.max(attack.verifications.length, 1)]
        const body = BODIES[route.id]?.(attack, choose)
        const path = pathOf(route, attack, choose)
        const answer = await call(server, victim.token, route.method, path, body, proof)
        expect([`${route.method} ${path}`, answer.status]).not.toEqual([`${route.method} ${path}`, 500])
        keep(attack, answer.body)
      }
    }
    expect([await credentialsOf(victim), await credentialsOf(bystander)]).toEqual(before)
    // the same calls with a proof of the user do change them
    const proof = await proved(server, victim.token)
    const changed = await call(
      server,
      victim.token,
      'POST',
      '/my-account/password',
      { password: 'of the owner' },
      proof,
    )
    expect(changed.status).toBe(204)
    expect(await credentialsOf(victim)).not.toEqual(before[0])
  }
  await fc.assert(fc.asyncProperty(numbers, attacked), { numRuns: RUNS, seed: testSeed, endOnFailure: true })
}, 300_000)

test('R-35, R-37: no route answers 500, whatever the address and the body', async () => {
  const { token } = await person()
  const BODY = [
    'null',
    '[]',
    '"x"',
    '7',
    '{',
    '{"a":"\\u0000"}',
    '{"__proto__":1}',
    '{"password":7,"type":[],"code":{}}',
    '',
  ]
  const IN_PATH = ['%00', "'", '..%2f..', 'x'.repeat(400), '%F0%9F%94%91', '%ff', '-1']
  for (const { method, path, id } of ACCOUNT_ROUTES) {
    // the one that would end what is tested with
    if (id === 'deleteMyAccount') continue
    const places = path.includes(':') ? IN_PATH.map((each) => path.replaceAll(/:\w+/g, each)) : [path]
    for (const place of places) {
      for (const body of method === 'GET' ? [undefined] : BODY) {
        const { status } = await fetch(`${server.baseUrl}/api${place}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body === undefined ? {} : { body }),
        })
        expect([`${method} ${place} ${body}`, status < 500]).toEqual([`${method} ${place} ${body}`, true])
      }
    }
  }
}, 300_000)
