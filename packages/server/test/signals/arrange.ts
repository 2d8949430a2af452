/** What the tests of Shared Signals share: receivers, their streams, and users who are signed in there. */
import type { TestServer } from '@countersign/harness/server.ts'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { expect } from 'vitest'
import { authorization, type BodyOf, fresh, post, type Reply, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'

type Setting = NonNullable<NonNullable<BodyOf<'createApplication'>['customClientMetadata']>['sharedSignals']>
type Metadata = NonNullable<BodyOf<'createApplication'>['customClientMetadata']>

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type/'
const RISC = 'https://schemas.openid.net/secevent/risc/event-type/'
export const SSF = 'https://schemas.openid.net/secevent/ssf/event-type/'
export const URIS = {
  'session-revoked': `${CAEP}session-revoked`,
  'credential-change': `${CAEP}credential-change`,
  'token-claims-change': `${CAEP}token-claims-change`,
  'account-disabled': `${RISC}account-disabled`,
  'account-enabled': `${RISC}account-enabled`,
  'account-purged': `${RISC}account-purged`,
  'identifier-changed': `${RISC}identifier-changed`,
}
const ALL = Object.keys(URIS) as Setting['events']

/** A web application that is a receiver, with a token for its stream. */
export const createReceiver = async (server: TestServer, setting: Partial<Setting> = {}, metadata: Metadata = {}) => {
  const { client: management, issuer } = server
  const { id: clientId } = await management.createApplication({
    body: {
      name: fresh('Receiver'),
      type: 'Traditional',
      oidcClientMetadata: { redirectUris: [CALLBACK], postLogoutRedirectUris: [] },
      customClientMetadata: { ...metadata, sharedSignals: { events: ALL, ...setting } },
    },
  })
  const [secret] = await management.listApplicationSecrets({ params: { id: clientId } })
  const own = { clientId, clientSecret: secret?.value ?? '' }
  const tokenFor = async (scope: string): Promise<string> => {
    const { status, body } = await post(
      server,
      '/token',
      { grant_type: 'client_credentials', scope },
      authorization(own),
    )
    expect({ status, body }).toMatchObject({ status: 200, body: { scope } })
    return body.access_token
  }
  const token = await tokenFor('ssf.manage')
  const ask = (method: string, path: string, body?: unknown, as = token): Promise<Reply> =>
    send(`${issuer}/ssf${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    client.ClientSecretBasic(own.clientSecret),
    {
      execute: [client.allowInsecureRequests],
    },
  )
  return { server, own, id: clientId, token, tokenFor, ask, configuration }
}
export type TestReceiver = Awaited<ReturnType<typeof createReceiver>>

/** Creates the stream for all events, or these. */
export const createStream = async ({ ask }: TestReceiver, more: object = {}) => {
  const { status, body } = await ask('POST', '/streams', { events_requested: Object.values(URIS), ...more })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body as { readonly stream_id: string; readonly delivery: { readonly endpoint_url: string } }
}

export interface Told {
  readonly jti: string
  readonly txn?: string
  readonly sub_id: Readonly<Record<string, unknown>>
  readonly events: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Verifies a security event token as a receiver does. */
export const verifySet = async ({ server, id }: Pick<TestReceiver, 'server' | 'id'>, token: string): Promise<Told> => {
  const keys = createLocalJWKSet(await (await fetch(`${server.issuer}/jwks`)).json())
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: server.issuer,
    audience: id,
    typ: 'secevent+jwt',
    currentDate: server.clock.now(),
  })
  expect(protectedHeader.typ).toBe('secevent+jwt')
  for (const name of ['sub', 'exp']) expect(payload).not.toHaveProperty(name)
  return payload as unknown as Told
}

/** One poll that does not wait. */
export const poll = async (receiver: TestReceiver, streamId: string, body: object = {}) => {
  const reply = await receiver.ask('POST', `/poll/${streamId}`, { returnImmediately: true, ...body })
  expect({ status: reply.status, body: reply.body }).toMatchObject({ status: 200 })
  const sets = reply.body.sets as Record<string, string>
  const told = await Promise.all(Object.values(sets).map((token) => verifySet(receiver, token)))
  expect(told.map(({ jti }) => jti)).toEqual(Object.keys(sets))
  return { told, hasMore: reply.body.moreAvailable === true }
}

/** What waits, which is acknowledged: each event by the end of its type. */
export const takeAll = async (receiver: TestReceiver, streamId: string) => {
  const { told } = await poll(receiver, streamId)
  await poll(receiver, streamId, { ack: told.map(({ jti }) => jti), maxEvents: 0 })
  return told.map((each) => {
    const [[uri, payload] = ['', {}]] = Object.entries(each.events)
    return { type: uri.split('/').at(-1), payload, subject: each.sub_id, txn: each.txn }
  })
}

/** A user who has signed in at the receiver. */
export const arrive = async (receiver: TestReceiver, scope = 'openid') => {
  const { server, configuration } = receiver
  const user = await createUser(server)
  const browser = newBrowser()
  const begun = await begin(configuration, {
    scope,
    ...(scope.includes('offline_access') ? { prompt: 'consent' } : {}),
  })
  const back = await signIn(browser, begun, user.username)
  const tokens = await redeem(configuration, back, begun)
  const { sub, sid } = decodeJwt<{ sid: string }>(tokens.id_token ?? '')
  return { ...user, sub: sub ?? '', sid, browser, tokens, path: `/users/${user.id}` }
}
