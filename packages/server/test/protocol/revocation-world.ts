/** What the tests of the revocation feed share: a user with a token of every kind, and every way in which tokens end. */
import type { TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { begin, CALLBACK, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { ACCESS_TOKEN, createExchanger, exchange } from '../token-exchange/arrange.ts'
import { type Arranged, arrange, authorization, issue, post, registerApplication } from './arrange.ts'

export interface RevocationWorld {
  readonly server: TestServer
  readonly arranged: Arranged
  /** Serves the API of `arranged`. */
  readonly api: Arranged['client']
  readonly exchanger: Awaited<ReturnType<typeof createExchanger>>
}

export const createRevocationWorld = async (server: TestServer): Promise<RevocationWorld> => {
  const arranged = await arrange(server)
  const introspectionAudiences = [arranged.resource.indicator]
  const api = await registerApplication(server, 'MachineToMachine', { introspectionAudiences })
  const scopeIds = [arranged.scopeIds['read:orders']]
  await server.api('POST', '/roles', { name: 'buyers', scopeIds, isDefault: true })
  return { server, arranged, api, exchanger: await createExchanger(server) }
}

/** A user who is signed in at two applications of a browser, with a token of every kind that the server issues as a JWT. */
export const arrival = async ({ server, arranged, exchanger }: RevocationWorld) => {
  const app = await createApp(server, 'Traditional', { customClientMetadata: { rotateRefreshToken: true } })
  const [secret] = await server.client.listApplicationSecrets({ params: { id: app.id } })
  const own = { clientId: app.id, clientSecret: secret?.value ?? '' }
  const user = await createUser(server)
  const { indicator: resource } = arranged.resource
  const authorized = async (browser: Browser, scope: string) => {
    const begun = await begin(app.configuration, { scope, resource })
    let back = await browser.open(begun.url)
    if (back.text.includes('name="identifier"')) back = await signIn(browser, begun, user.username)
    const tokens = await redeem(app.configuration, back, begun, { resource })
    const code = back.url.searchParams.get('code') ?? ''
    const again = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: begun.verifier, code }
    return {
      jwt: tokens.access_token,
      refresh: tokens.refresh_token ?? '',
      sid: decodeJwt(tokens.access_token).sid as string,
      replay: () => post(server, '/token', again, authorization(own)),
    }
  }
  const browser = newBrowser()
  const offline = await authorized(browser, 'openid offline_access read:orders')
  const bound = await authorized(newBrowser(), 'openid read:orders')
  const { body: exchanged } = await exchange(server.baseUrl, exchanger, {
    subject_token: offline.jwt,
    subject_token_type: ACCESS_TOKEN,
    resource,
    scope: 'read:orders',
  })
  const { token: machine } = await issue(server, arranged)
  const tokens = { offline: offline.jwt, bound: bound.jwt, exchanged: exchanged.access_token as string, machine }
  return { server, machine: arranged.client, app, own, user, browser, offline, bound, tokens }
}
export type Arrival = Awaited<ReturnType<typeof arrival>>
export type Kind = keyof Arrival['tokens']

export const revoke = (server: TestServer, token: string, by: Arrival['own']) =>
  post(server, '/token/revocation', { token }, authorization(by))
const signOut = async ({ server, browser }: Arrival) =>
  browser.submit(await browser.open(`${server.issuer}/session/end`), { confirm: 'yes' })
export const pathOf = ({ user }: Arrival) => `/users/${user.id}`

/** How tokens end, and which: every other stays. */
export const ENDS: readonly (readonly [
  how: string,
  ended: readonly Kind[],
  end: (world: Arrival) => Promise<unknown>,
])[] = [
  ['a token is revoked', ['bound'], ({ server, tokens, own }) => revoke(server, tokens.bound, own)],
  [
    "a machine's token is revoked",
    ['machine'],
    ({ server, tokens, machine }) => revoke(server, tokens.machine, machine),
  ],
  ['a refresh token is revoked', ['offline'], ({ server, offline, own }) => revoke(server, offline.refresh, own)],
  ['a code is used again', ['offline'], ({ offline }) => offline.replay()],
  [
    'a refresh token is used again',
    ['offline'],
    async ({ app, offline }) => {
      const rotated = await client.refreshTokenGrant(app.configuration, offline.refresh)
      await client.refreshTokenGrant(app.configuration, rotated.refresh_token ?? '')
      await client.refreshTokenGrant(app.configuration, offline.refresh).catch(() => undefined)
    },
  ],
  [
    'an administrator revokes a grant',
    ['offline'],
    async (world) => {
      const grant = decodeJwt(world.tokens.offline).jti?.split('.')[1]
      await world.server.api('DELETE', `${pathOf(world)}/grants/${grant}`)
    },
  ],
  [
    'an administrator ends a session',
    ['bound'],
    async (world) => {
      for (const { sid } of [world.bound, world.offline])
        await world.server.api('DELETE', `${pathOf(world)}/sessions/${sid}`)
    },
  ],
  [
    'an administrator ends a session with all its grants',
    ['offline'],
    (world) => world.server.api('DELETE', `${pathOf(world)}/sessions/${world.offline.sid}?revokeGrantsTarget=all`),
  ],
  ['the user signs out', [], (world) => signOut(world)],
  [
    'the user is suspended',
    ['offline', 'bound', 'exchanged'],
    (world) => world.server.api('PATCH', `${pathOf(world)}/is-suspended`, { isSuspended: true }),
  ],
  ['the user is deleted', ['offline', 'bound', 'exchanged'], (world) => world.server.api('DELETE', pathOf(world))],
  [
    'the password is set',
    ['offline', 'bound'],
    (world) => world.server.api('PATCH', `${pathOf(world)}/password`, { password: `${PASSWORD} another` }),
  ],
  [
    'the application is deleted',
    ['offline', 'bound'],
    (world) => world.server.api('DELETE', `/applications/${world.app.id}`),
  ],
]
