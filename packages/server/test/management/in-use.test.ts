/** Deleting what something else refers to: it is deleted, nothing names it any more, and what is left can be read. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { call, createWorld, GUARDED, managementToken, pathIn, type World } from './arrange.ts'

let server: TestServer
let token: string
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  token = await managementToken(server, 'all')
  world = await createWorld(server)
  const { api } = server
  // beside what a world has: rules that name a role, a user and an organization, and permissions to ask for
  const guest = `/applications/${world.thirdPartyId}`
  await api('PUT', `${guest}/access-control`, {
    userIds: [world.userId],
    userRoleIds: [world.userRoleId],
    organizationIds: [world.organizationId],
    organizationRoleRules: [{ organizationId: world.organizationId, organizationRoleIds: [world.organizationRoleId] }],
  })
  await api('PATCH', guest, { appLevelAccessControlEnabled: true })
  await api('POST', `${guest}/user-consent-scopes`, {
    organizationScopes: [world.organizationScopeId],
    organizationResourceScopes: [world.scopeId],
  })
})
afterAll(() => server.close())

/** What tells of the past goes on naming what was. */
const OF_THE_PAST = /^\/(logs|events|hooks)/
const READING = GUARDED.filter(({ method, path }) => method === 'GET' && !OF_THE_PAST.test(path))

const everyAnswer = async (): Promise<string> => {
  const answers = await Promise.all(
    READING.map(async (route) => {
      const path = pathIn(world, route)
      const { status, text } = await call(server, 'GET', `${path}${route.list ? '?page_size=100' : ''}`, { token })
      if (status >= 500) throw new Error(`${path} answered ${status}: ${text}`)
      return status === 200 ? text : ''
    }),
  )
  return answers.join('\n')
}

test.each<[string, keyof World, readonly (keyof World)[]]>([
  ['/organization-scopes', 'organizationScopeId', []],
  ['/organization-roles', 'organizationRoleId', []],
  ['/roles', 'userRoleId', []],
  ['/roles', 'roleId', []],
  ['/resources', 'resourceId', ['scopeId']],
  ['/connectors', 'connectorId', []],
  ['/sso-connectors', 'ssoConnectorId', ['ssoSigningKeyId']],
  ['/hooks', 'hookId', []],
  ['/users', 'userId', ['sessionId', 'grantId']],
  ['/organizations', 'organizationId', ['invitationId']],
  ['/applications', 'thirdPartyId', []],
  ['/applications', 'applicationId', []],
  ['/applications', 'webApplicationId', []],
])('%s/:%s', async (path, name, along) => {
  const gone = [name, ...along].map((each) => world[each])
  const before = await everyAnswer()
  // hooks are read by routes that tell of the past
  if (name !== 'hookId') for (const id of gone) expect(before).toContain(id)
  expect((await server.api('DELETE', `${path}/${world[name]}`)).status).toBe(204)
  expect((await server.api('DELETE', `${path}/${world[name]}`)).status).toBe(404)
  const after = await everyAnswer()
  for (const id of gone) expect(after).not.toContain(id)
})
