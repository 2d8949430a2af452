/** Two administrators change the same thing: with If-Match the second is refused, and learns who was first. */
import type { Route } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { call, createWorld, fresh, GUARDED, managementToken, pathIn, titleOf, type World } from './arrange.ts'
import { configOf } from './mail.ts'

let server: TestServer
let token: string
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  token = await managementToken(server, 'all')
  world = await createWorld(server)
})
afterAll(() => server.close())

const name = () => ({ name: fresh('changed') })
/** A change of each thing that has a version, another one at each call. */
const CHANGES: Readonly<Record<string, (world: World) => unknown>> = {
  updateAuthorizationDetailsType: () => ({ description: fresh('description') }),
  updateResource: name,
  updateRole: name,
  updateUser: name,
  updateApplication: name,
  updateSamlApplication: name,
  updateOrganization: name,
  updateOrganizationRole: name,
  updateOrganizationScope: name,
  updateScimDirectory: name,
  updateAdministratorRole: name,
  updateHook: name,
  updateSsoConnector: () => ({ connectorName: fresh('changed') }),
  updateConnector: ({ mailPort }) => ({
    config: { ...configOf({ port: Number(mailPort) }), fromEmail: `${fresh('sender')}@example.com` },
  }),
  updateSignInExperience: () => ({ supportEmail: `${fresh('support')}@example.com` }),
  updateAccountCenter: () => ({ webauthnRelatedOrigins: [`https://${fresh('account')}.example`] }),
  updateJwtCustomizer: () => ({ tokenSample: { of: fresh('sample') } }),
  putJwtCustomizer: () => ({ script: `const getCustomJwtClaims = () => ({ a: '${fresh('claim')}' })` }),
  putCaptchaProvider: () => ({ config: { type: 'Turnstile', siteKey: fresh('site'), secretKey: 'secret' } }),
  putCustomPhrases: () => ({ signIn: fresh('Hello') }),
  putApplicationSignInExperience: () => ({ displayName: fresh('Shown') }),
  putSsoIdpInitiatedConfig: ({ webApplicationId }) => ({
    ...{ defaultApplicationId: webApplicationId, autoSendAuthorizationRequest: true },
    redirectUri: `https://web.example/callback`,
    authParameters: { scope: fresh('scope') },
  }),
  replaceCustomProfileField: () => ({ type: 'Text', required: false, label: fresh('Label') }),
  replaceAccessControl: ({ userId, freeUserId }) => {
    isTurned = !isTurned
    const none = { userRoleIds: [], organizationIds: [], organizationRoleRules: [] }
    return { userIds: [isTurned ? userId : freeUserId], ...none }
  },
}
let isTurned = false

const VERSIONED = GUARDED.filter(({ version }) => version)
const WRITING = VERSIONED.filter(({ method }) => method === 'PATCH' || method === 'PUT')
const named = (routes: readonly Route[]) => routes.map((route) => [titleOf(route), route] as const)

const asked = (route: Route, method: string, body?: unknown, ifMatch?: string) =>
  call(server, method, pathIn(world, route), {
    ...{ token, body },
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  })
const etagOf = async (route: Route): Promise<string> => {
  const { status, headers } = await asked(route, 'GET')
  expect(status).toBe(200)
  return String(headers.etag)
}

test('all routes at the path of one with a version have the same version', () => {
  for (const { path, version } of VERSIONED)
    for (const route of GUARDED.filter((each) => each.path === path)) expect(route.version).toEqual(version)
})

test.each(named(WRITING))('%s: of two changes of the same version one is made', async (_, route) => {
  const change = CHANGES[route.id]
  if (!change) throw new Error(`${route.id}: no change is known`)
  const seen = await etagOf(route)
  const bodies = [change(world), change(world)]
  const answers = await Promise.all(bodies.map((body) => asked(route, route.method, body, seen)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([route.status, 412])
  const [made] = answers.filter(({ status }) => status === route.status)
  const [refused] = answers.filter(({ status }) => status === 412)
  expect(refused?.body).toMatchObject({
    code: 'request.precondition_failed',
    data: {
      changedBy: { type: 'application', id: server.credentials.clientId, name: expect.any(String) },
      changedAt: server.clock.now().getTime(),
    },
  })
  // the answer to the change has the version that the next reader gets, and one without the header is made
  const left = await etagOf(route)
  expect(left).toMatch(/^"[\w-]{27}"$/)
  expect(left).not.toBe(seen)
  expect(made?.headers.etag).toBe(left)
  expect((await asked(route, route.method, change(world))).status).toBe(route.status)
  expect((await asked(route, route.method, change(world), '*')).status).toBe(route.status)
})

const DELETING = VERSIONED.filter(({ method }) => method === 'DELETE')
test.each(named(DELETING))('%s: what was changed since it was seen stays', async (_, route) => {
  for (const old of ['"old"', `W/${await etagOf(route)}`])
    expect(await asked(route, 'DELETE', undefined, old)).toMatchObject({ status: 412 })
  expect(await etagOf(route)).toBeTruthy()
})

test('a sign-in is no change of a user; what was seen as it is can be deleted', async () => {
  const [route] = VERSIONED.filter(({ id }) => id === 'getUser')
  if (!route) throw new Error('there is no such route')
  const seen = await etagOf(route)
  await server.store.database.pool.query('UPDATE users SET last_sign_in_at = $1, updated_at = $1 WHERE id = $2', [
    new Date(),
    world.userId,
  ])
  const shown = await call(server, 'GET', `${pathIn(world, route)}?includeSsoIdentities=true`, { token })
  expect(shown.headers.etag).toBe(seen)
  expect(await asked(route, 'DELETE', undefined, `"another", ${seen}`)).toMatchObject({ status: 204 })
  expect(await asked(route, 'DELETE', undefined, seen)).toMatchObject({ status: 404 })
})
