/** What the tests of the Account API share: a user with a token of an application, and requests with it. */
import { randomBytes } from 'node:crypto'
import { ACCOUNT_FIELDS } from '@countersign/contract/account-center.ts'
import { ACCOUNT_ROUTES } from '@countersign/contract/api.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { findClient } from '@countersign/server/domain/applications/clients.ts'
import { issueOpaqueToken } from '@countersign/server/domain/issued/opaque-access-tokens.ts'
import { recordGrant } from '@countersign/server/domain/sessions/grants.ts'
import { startSession } from '@countersign/server/domain/sessions/sessions.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import type { BodyOf } from '../protocol/arrange.ts'

export const PASSWORD = 'correct horse battery'

/** Every scope that the Account API knows. */
export const EVERY_SCOPE = [
  ...'openid profile email phone address custom_data identities'.split(' '),
  ...['sessions', 'trusted_devices', 'organizations'].map((name) => `urn:logto:scope:${name}`),
]

/** Every part of the account that users may change. */
export const EVERY_FIELD = Object.fromEntries(ACCOUNT_FIELDS.map((field) => [field, 'Edit']))

export const openAccountCenter = ({ api }: TestServer, settings: object = {}) =>
  api('PATCH', '/account-center', { enabled: true, fields: EVERY_FIELD, reuseVerifications: false, ...settings })

export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly grantId: string
  readonly token: string
}

/** What a sign-in to an application leaves behind, without the pages: a session, a grant and an opaque token. */
export const signedIn = async (
  { store }: TestServer,
  userId: string,
  applicationId: string,
  scopes: readonly string[] = EVERY_SCOPE,
  tenantId = 'default',
): Promise<SignedIn> => {
  const tenant = await getTenant(store, tenantId)
  const client = await findClient(store, tenant, applicationId)
  if (!client) throw new Error('there is no such application')
  const signIn = operation(['Grant.LimitExceeded'], async (unit) => {
    const how = {
      amr: ['pwd'],
      interactionEvent: 'SignIn',
      previousSecret: undefined,
      verificationRecords: [],
    } as const
    const { session } = await startSession(unit, { userId, applicationId, ...how })
    const granted = { scopes, consentedIds: null, isOfDevice: false }
    const grantId = await recordGrant(unit, session, client, granted)
    const { id: sessionId } = session
    return { userId, sessionId, grantId, token: issueOpaqueToken(unit, { grantId, sessionId }, scopes) }
  })
  return perform({ store, tenant, caller: systemCaller('test') }, signIn)
}

/** A new user with a password, signed in to an application. */
export const newHolder = async (
  server: TestServer,
  applicationId: string,
  fields: Partial<BodyOf<'createUser'>> = {},
  scopes?: readonly string[],
): Promise<SignedIn> => {
  const body = { username: `user_${randomBytes(6).toString('hex')}`, password: PASSWORD, ...fields }
  const { id } = await server.client.createUser({ body })
  return signedIn(server, id, applicationId, scopes)
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect
  readonly body: any
  readonly headers: Headers
}

/** A request of the Account API. @param proof the verification that permits it */
export const call = async (
  { baseUrl }: TestServer,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  proof?: string,
): Promise<Answer> => {
  const answer = await fetch(`${baseUrl}/api${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(proof === undefined ? {} : { 'logto-verification-id': proof }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }
}

/** Status and code. */
export const refusal = ({ status, body }: Answer): readonly [number, string] => [status, body?.code]

/** Proves who the user is with the password; returns the verification. */
export const proved = async (server: TestServer, token: string, password = PASSWORD): Promise<string> => {
  const { body } = await call(server, token, 'POST', '/verifications/password', { password })
  return body.verificationRecordId
}

/** Every route, by method and path. */
export const ROUTES = ACCOUNT_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const)

/** A new user with a password, and their requests. */
export const newUser = async (
  server: TestServer,
  applicationId: string,
  fields: Partial<BodyOf<'createUser'>> = {},
) => {
  const holder = await newHolder(server, applicationId, fields)
  const ask = (method: string, path: string, body?: unknown, proof?: string) =>
    call(server, holder.token, method, path, body, proof)
  /** The same with a proof, a new one each time. */
  const change = async (method: string, path: string, body?: unknown) =>
    ask(method, path, body, await proved(server, holder.token))
  return { ...holder, ask, change }
}
export type User = Awaited<ReturnType<typeof newUser>>
