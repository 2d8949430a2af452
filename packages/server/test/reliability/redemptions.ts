/** The redemptions that are interrupted, and the checks afterwards that each left everything consistent. */
import type { ClusterAddress } from '@countersign/harness/cluster.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { expect } from 'vitest'
import type { Reply } from '../protocol/arrange.ts'
import { createApp } from '../sign-in/arrange.ts'
import {
  type Api,
  authorize,
  createApi,
  redeemCode,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { type Place, type StatementGate, statementGate } from './statement-gate.ts'

export const SECRET_KEY = Buffer.alloc(32, 9).toString('base64')
const CODE = 'UPDATE authorization_codes'
const REFRESH = 'UPDATE refresh_families'
const MOST = 200

/** Everything around the killed node: a surviving node, a browser, and a connection to the database. */
export interface Scene {
  readonly server: TestServer
  readonly gate: StatementGate
  readonly known: SignedIn
  readonly api: Api
  close(): Promise<void>
}

export const setScene = async (cluster: ClusterAddress): Promise<Scene> => {
  const server = await startTestServer(cluster, { SECRET_KEY })
  const gate = await statementGate(cluster)
  const [known, api] = [await signedInUser(server), await createApi(server)]
  return {
    server,
    gate,
    known,
    api,
    async close() {
      await gate.close()
      await server.close()
    },
  }
}

/** The surviving node's clock stands still; the killed node's may be the real one. */
const followTheTime = ({ server: { clock } }: Scene) =>
  clock.advance((performance.timeOrigin + performance.now() - clock.now().getTime()) / 1000)

export const throughGate = ({ server, gate }: Scene): string => {
  const url = new URL(server.databaseUrl.replace('postgres:///', 'postgres://x/'))
  url.searchParams.set('host', gate.address.host)
  url.searchParams.set('port', String(gate.address.port))
  return url.href.replace('postgres://x/', 'postgres:///')
}

/** What the database holds about an application: everything that a redemption writes. */
const stateOf = async ({ server }: Scene, applicationId: string) => {
  const { rows } = await withClient(server.databaseUrl, (client) =>
    client.query(
      `SELECT
        (SELECT count(*)::int FROM grants WHERE application_id = $1) AS grants,
        (SELECT count(*)::int FROM authorization_codes c JOIN grants g ON g.id = c.grant_id
          WHERE g.application_id = $1 AND c.consumed_at IS NOT NULL) AS spent,
        (SELECT count(*)::int FROM refresh_families f JOIN grants g ON g.id = f.grant_id
          WHERE g.application_id = $1) AS families,
        (SELECT coalesce(sum(f.generation), 0)::int FROM refresh_families f JOIN grants g ON g.id = f.grant_id
          WHERE g.application_id = $1) AS generations,
        (SELECT count(*)::int FROM opaque_access_tokens t JOIN grants g ON g.id = t.grant_id
          WHERE g.application_id = $1) AS opaque,
        (SELECT count(*)::int FROM authorization_codes c JOIN grants g ON g.id = c.grant_id
          WHERE g.application_id = $1 AND c.issued_jti IS NOT NULL) AS jwts,
        (SELECT count(*)::int FROM audit_log WHERE application_id = $1 AND key = 'ExchangeTokenBy.AuthorizationCode'
          AND payload->>'result' = 'Success') AS redemptions,
        (SELECT count(*)::int FROM audit_log WHERE application_id = $1 AND key = 'ExchangeTokenBy.RefreshToken'
          AND payload->>'result' = 'Success') AS refreshes`,
      [applicationId],
    ),
  )
  return rows[0]
}

/** A redemption under test: what is prepared, what is sent, and what must hold after an interruption. */
interface Redemption {
  readonly marker: string
  prepare(scene: Scene): Promise<{
    send(where: { readonly url: string }): Promise<Reply>
    /** @param committed whether the database had committed when the kill came */
    check(committed: boolean): Promise<void>
  }>
}

const SCOPE = 'openid offline_access read'
const target = (scene: Scene, kind: 'opaque' | 'JWT'): Record<string, string> =>
  kind === 'JWT' ? { resource: scene.api.indicator } : {}
/** A new application for each kill, so that counts concern only this one. */
const arrange = async (scene: Scene) => {
  followTheTime(scene)
  const known = { ...scene.known, app: await createApp(scene.server, 'SPA') }
  const made = await authorize(known, SCOPE, [scene.api.indicator])
  return { known, made, state: () => stateOf(scene, known.app.id) }
}

const codeRedemption = (kind: 'opaque' | 'JWT'): Redemption => ({
  marker: CODE,
  async prepare(scene) {
    const { server } = scene
    const { known, made, state } = await arrange(scene)
    const more = target(scene, kind)
    const none = { grants: 1, spent: 0, families: 0, generations: 0, opaque: 0, jwts: 0, redemptions: 0, refreshes: 0 }
    const whole = { ...none, spent: 1, families: 1, redemptions: 1, ...(kind === 'JWT' ? { jwts: 1 } : { opaque: 1 }) }
    return {
      send: (where) => redeemCode({ ...server, ...where } as TestServer, known, made, more),
      async check(committed) {
        expect(await state()).toEqual(committed ? whole : none)
        const retried = await redeemCode(server, known, made, more)
        if (committed) {
          // its response was lost: the second use revokes what was issued, and the user authorizes again
          expect([retried.status, retried.body.error]).toEqual([400, 'invalid_grant'])
          expect(await state()).toEqual({ ...none, grants: 0, redemptions: 1 })
          expect((await redeemCode(server, known, await authorize(known, SCOPE, []))).status).toBe(200)
          return
        }
        expect(retried.status).toBe(200)
        expect(await state()).toEqual(whole)
        expect((await refresh(server, known, retried.body.refresh_token)).status).toBe(200)
      },
    }
  },
})

const refreshing = (kind: 'opaque' | 'JWT'): Redemption => ({
  marker: REFRESH,
  async prepare(scene) {
    const { server } = scene
    const { known, made, state } = await arrange(scene)
    const { body: first } = await redeemCode(server, known, made)
    const before = await state()
    const tokens = kind === 'JWT' ? 0 : 1
    return {
      send: (where) => refresh({ ...server, ...where } as TestServer, known, first.refresh_token, target(scene, kind)),
      async check(committed) {
        const after = { ...before, generations: 1, opaque: before.opaque + tokens, refreshes: 1 }
        expect(await state()).toEqual(committed ? after : before)
        // the old token works at every attempt, and returns the same successor
        const retried = await refresh(server, known, first.refresh_token)
        const again = await refresh(server, known, first.refresh_token)
        expect([retried.status, again.status]).toEqual([200, 200])
        expect(again.body.refresh_token).toBe(retried.body.refresh_token)
        expect(await state()).toMatchObject({ grants: 1, families: 1, generations: 1 })
        const next = await refresh(server, known, retried.body.refresh_token)
        expect(next.status).toBe(200)
        expect(await state()).toMatchObject({ grants: 1, families: 1, generations: 2 })
      },
    }
  },
})

export const REDEMPTIONS: readonly (readonly [string, Redemption])[] = [
  ['a code for an opaque token', codeRedemption('opaque')],
  ['a code for a JWT', codeRedemption('JWT')],
  ['a refresh token for an opaque token', refreshing('opaque')],
  ['a refresh token for a JWT', refreshing('JWT')],
]

/** The redemptions whose process is killed: it makes no difference what they issue. */
export const OPAQUE_REDEMPTIONS = REDEMPTIONS.filter(([what]) => what.endsWith('opaque token'))

/** Every position in turn until one is beyond the end of the transaction, and the moment after the commit. */
export const everyPlace = async (
  placeAt: (n: number) => Place,
  kill: (place: Place) => Promise<boolean>,
): Promise<number> => {
  let n = 1
  while (await kill(placeAt(n))) {
    n += 1
    if (n > MOST) throw new Error('the redemption has no end')
  }
  expect(await kill('committed')).toBe(true)
  return n - 1
}
