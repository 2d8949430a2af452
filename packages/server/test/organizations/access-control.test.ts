/** Applications that say who may use them: asked when someone is signed in, and again at every token (SECURITY R-13). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { fresh, post } from '../protocol/arrange.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from '../sign-in/arrange.ts'
import { ask, createDevice, enter } from '../sign-in/device.ts'
import { createOrganization, createOrganizationRole, join, refresh } from './token-arrange.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
let user: Awaited<ReturnType<typeof createUser>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
/** Switched on without a rule, which the API does not allow: what is left when all that a rule names was deleted. */
const guard = async (id: string) => {
  await server.store.database.pool.query('UPDATE applications SET has_access_control = true WHERE id = $1', [id])
  server.store.cache.drop('default', ['*'])
}
beforeEach(async () => {
  app = await createApp(server, 'SPA')
  user = await createUser(server)
  await guard(app.id)
})
afterAll(() => server.close())

const arrive = async (parameters: Record<string, string> = {}, browser = newBrowser()) => {
  const begun = await begin(app.configuration, { scope: 'openid offline_access', ...parameters })
  return { begun, browser, back: await signIn(browser, begun, user.username) }
}
const errorOf = ({ url }: { url: URL }) => url.searchParams.get('error')
const organizationWith = async (roleIds: string[] = []) => {
  const id = await createOrganization(server)
  await join(server, id, user.id, roleIds)
  return id
}
const NOBODY = { userIds: [], userRoleIds: [], organizationIds: [], organizationRoleRules: [] }
const admit = async (rules: Partial<Record<keyof typeof NOBODY, unknown[]>>, id = app.id) => {
  const { status } = await server.api('PUT', `/applications/${id}/access-control`, { ...NOBODY, ...rules })
  expect(status).toBe(200)
}
const inRole = (organizationId: string, roleId: string) => ({
  organizationRoleRules: [{ organizationId, organizationRoleIds: [roleId] }],
})

/** The ways to be let in: each makes it so and returns what ends it. */
const WAYS: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'by name': async () => {
    await admit({ userIds: [user.id] })
    const { id } = await createUser(server)
    return () => admit({ userIds: [id] })
  },
  'by a role': async () => {
    const { body } = await server.api('POST', '/roles', { name: fresh('employee') })
    await server.api('POST', `/users/${user.id}/roles`, { roleIds: [body.id] })
    await admit({ userRoleIds: [body.id] })
    return () => server.api('DELETE', `/users/${user.id}/roles/${body.id}`)
  },
  'by an organization': async () => {
    const id = await organizationWith()
    await admit({ organizationIds: [id] })
    return () => server.api('DELETE', `/organizations/${id}/users/${user.id}`)
  },
  'by a role in an organization': async () => {
    const roleId = await createOrganizationRole(server)
    const id = await organizationWith([roleId])
    await admit(inRole(id, roleId))
    return () => server.api('DELETE', `/organizations/${id}/users/${user.id}/roles/${roleId}`)
  },
}

describe('an application with access control', () => {
  test.each(Object.entries(WAYS))(
    'lets in who is admitted %s, and nobody after that has ended',
    async (_way, letIn) => {
      const end = await letIn()
      const { begun, browser, back } = await arrive()
      const tokens = await redeem(app.configuration, back, begun)
      expect(tokens.claims()?.sub).toBe(user.id)
      const second = await arrive()
      await end()
      // the grant is kept: who is let in again goes on
      expect(await refresh(app, tokens.refresh_token)).toEqual({ status: 400, error: 'access_denied' })
      await expect(redeem(app.configuration, second.back, second.begun)).rejects.toMatchObject({
        error: 'access_denied',
      })
      const silent = await browser.open((await begin(app.configuration, { prompt: 'none' })).url)
      expect(errorOf(silent)).toBe('access_denied')
      expect((await server.api('GET', `/users/${user.id}/grants`)).body.grants).not.toEqual([])
      await admit({ userIds: [user.id] })
      expect((await refresh(app, tokens.refresh_token)).status).toBe(200)
    },
  )

  test.each<[string, () => Promise<unknown>]>([
    ['no rule at all', async () => undefined],
    [
      'a rule for another user',
      async () => {
        const { id } = await createUser(server)
        await admit({ userIds: [id] })
      },
    ],
    [
      'a role that the user does not hold',
      async () => {
        const { body } = await server.api('POST', '/roles', { name: fresh('employee') })
        await admit({ userRoleIds: [body.id] })
      },
    ],
    [
      'an organization of which the user is not a member',
      async () => admit({ organizationIds: [await createOrganization(server)] }),
    ],
    [
      'a role that the user does not hold in the organization',
      async () => {
        const roleId = await createOrganizationRole(server)
        await admit(inRole(await organizationWith(), roleId))
      },
    ],
    [
      'a role that the user holds in another organization',
      async () => {
        const roleId = await createOrganizationRole(server)
        await organizationWith([roleId])
        await admit(inRole(await organizationWith(), roleId))
      },
    ],
    [
      'a rule of another application',
      async () => {
        const { id } = await createApp(server, 'SPA')
        await admit({ userIds: [user.id] }, id)
      },
    ],
  ])('sends back with access_denied, once signed in, who has %s', async (_what, arrange) => {
    await arrange()
    const { begun, back } = await arrive()
    expect(Object.fromEntries(back.url.searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'the user may not use this application',
      state: begun.state,
      iss: server.issuer,
    })
  })

  test('asks who someone is before it says anything', async () => {
    const page = await newBrowser().open((await begin(app.configuration)).url)
    expect(page.url.pathname).toMatch(/^\/sign-in\//)
    const silent = await newBrowser().open((await begin(app.configuration, { prompt: 'none' })).url)
    expect(errorOf(silent)).toBe('login_required')
  })

  test('leaves another account to be chosen, who may', async () => {
    const { browser } = await arrive()
    const admitted = await createUser(server)
    await admit({ userIds: [admitted.id] })
    const begun = await begin(app.configuration, { prompt: 'login' })
    const back = await browser.submit(await browser.open(begun.url), {
      identifier: admitted.username,
      password: PASSWORD,
    })
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(admitted.id)
  })

  test('without the switch, the rules mean nothing', async () => {
    app = await createApp(server, 'SPA')
    const { begun, back } = await arrive()
    expect((await redeem(app.configuration, back, begun)).claims()?.sub).toBe(user.id)
  })

  test('denies a device as well', async () => {
    const device = await createDevice(server)
    await guard(device.id)
    const { body: codes } = await ask(server, device.id, { scope: 'openid' })
    const browser = newBrowser()
    const page = await enter(server, browser, codes.user_code)
    const end = await browser.submit(page, { identifier: user.username, password: PASSWORD })
    expect(end.url.pathname).toBe('/device/denied')
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const { body } = await post(server, '/token', { grant_type, client_id: device.id, device_code: codes.device_code })
    expect(body.error).toBe('access_denied')
  })
})

test('userinfo refuses a token issued before, until the user is admitted again', async () => {
  await admit({ userIds: [user.id] })
  const { begun, back } = await arrive()
  const { access_token } = await redeem(app.configuration, back, begun)
  await admit({ userIds: [(await createUser(server)).id] })
  const refused = client.fetchUserInfo(app.configuration, access_token, user.id)
  await expect(refused).rejects.toMatchObject({ status: 401, cause: [{ parameters: { error: 'invalid_token' } }] })
  await admit({ userIds: [user.id] })
  expect(await client.fetchUserInfo(app.configuration, access_token, user.id)).toMatchObject({ sub: user.id })
})
