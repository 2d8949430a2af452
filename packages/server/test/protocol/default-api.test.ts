import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type Api,
  authorize,
  createApi,
  createRole,
  kindOf,
  redeemCode,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { type Reply, send } from './arrange.ts'
import { CHANGE_ROWS, KIND_ROWS, type KindRow, NARROW_ROWS, type Outcome } from './default-api.table.ts'

let server: TestServer
let apis: Readonly<Record<'A' | 'D' | 'U', Api>>
let known: SignedIn
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  apis = { A: await createApi(server), D: await createApi(server), U: await createApi(server) }
  known = await signedInUser(server)
  const roleId = await createRole(server, [apis.A.scopeIds.read, apis.D.scopeIds.read])
  await server.api('POST', `/users/${known.user.id}/roles`, { roleIds: [roleId] })
})
afterAll(() => server.close())

type Name = KindRow['asked'][number]
const indicatorOf = (name: Name): string => (name === 'X' ? 'https://nobody.example' : apis[name].indicator)
const indicators = (names: readonly Name[]) => names.map(indicatorOf)

const setDefault = async (name: Name | 'none') => {
  for (const each of ['A', 'D'] as const) {
    await server.api('PATCH', `/resources/${apis[each].id}/is-default`, { isDefault: each === name })
  }
}

/** The two ways to get a token, both from the same authorization. */
const WAYS = {
  'a code': async (scope: string, authorized: readonly Name[]) => {
    const made = await authorize(known, scope, indicators(authorized))
    return (asked: readonly Name[]) => redeemCode(server, known, made, { resource: indicators(asked) })
  },
  'a refresh token': async (scope: string, authorized: readonly Name[]) => {
    const made = await authorize(known, scope, indicators(authorized))
    const { body } = await redeemCode(server, known, made)
    return (asked: readonly Name[]) => refresh(server, known, body.refresh_token, { resource: indicators(asked) })
  },
}

const userinfo = async (token: string): Promise<number> =>
  (await send(`${server.issuer}/me`, { method: 'GET', headers: { authorization: `Bearer ${token}` } })).status

/** The kind, and everything that follows from it. */
const expectOutcome = async (reply: Reply, outcome: Outcome, withOpenid: boolean) => {
  expect(kindOf(reply)).toBe(outcome === 'A' || outcome === 'D' ? apis[outcome].indicator : outcome)
  if (reply.status !== 200) return expect(reply.body).not.toHaveProperty('access_token')
  const isJwt = outcome !== 'opaque'
  // a JWT has permissions, an opaque token has OpenID Connect scopes
  expect(reply.body.scope?.split(' ').includes('read') ?? false).toBe(isJwt)
  expect(reply.body.scope?.split(' ').includes('openid') ?? false).toBe(!isJwt && withOpenid)
  expect('id_token' in reply.body).toBe(withOpenid)
  expect(await userinfo(reply.body.access_token)).toBe(!isJwt && withOpenid ? 200 : isJwt ? 401 : 403)
}

describe.each(Object.entries(WAYS))('SPEC 2.3 %s', (_way, prepare) => {
  describe.each(['none', 'D'] as const)('default API %s', (defaultApi) => {
    beforeAll(() => setDefault(defaultApi))

    test.each(KIND_ROWS.filter((row) => row.defaultApi === defaultApi))(
      'authorized for $authorized, asked for $asked: $withOpenid with openid, $withoutOpenid without',
      async (row) => {
        for (const withOpenid of [true, false]) {
          const ask = await prepare(`${withOpenid ? 'openid ' : ''}offline_access read`, row.authorized)
          await expectOutcome(await ask(row.asked), withOpenid ? row.withOpenid : row.withoutOpenid, withOpenid)
        }
      },
    )
  })

  test.each(CHANGE_ROWS)('$guarantee', async ({ defaultBefore, defaultAfter, asked, withoutOpenid }) => {
    await setDefault(defaultBefore)
    const ask = await prepare('offline_access read', [])
    await setDefault(defaultAfter)
    await expectOutcome(await ask(asked), withoutOpenid, false)
  })

  test('an API that was deleted in the meantime is not a valid target', async () => {
    await setDefault('none')
    const gone = await createApi(server)
    const made = await authorize(known, 'offline_access', [gone.indicator])
    const { body } = await redeemCode(server, known, made)
    await server.api('DELETE', `/resources/${gone.id}`)
    const reply = await refresh(server, known, body.refresh_token, { resource: gone.indicator })
    expect(kindOf(reply)).toBe('invalid_target')
  })
})

describe('SPEC 2.3 a refresh with fewer scopes', () => {
  beforeAll(() => setDefault('D'))

  test.each(NARROW_ROWS)('$scope: $outcome', async ({ scope, outcome }) => {
    const made = await authorize(known, 'openid offline_access read', [])
    const { body } = await redeemCode(server, known, made)
    const reply = await refresh(server, known, body.refresh_token, { scope })
    expect(kindOf(reply)).toBe(outcome === 'D' ? apis.D.indicator : outcome)
    if (outcome === 'D') expect(reply.body.scope).toBe(scope === 'read' ? 'read' : '')
  })
})
