/** what answers show follows from the permissions that a token carries. The rules are read off the contract. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { Application, HeldRole } from '@countersign/contract/applications.ts'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { Organization, OrganizationRole, OrganizationScope } from '@countersign/contract/organization-entities.ts'
import type { Area } from '@countersign/contract/permissions.ts'
import { Resource, Scope } from '@countersign/contract/resources.ts'
import { Role } from '@countersign/contract/roles.ts'
import { permissionsOf, type Route } from '@countersign/contract/route.ts'
import { User } from '@countersign/contract/user.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  call,
  createWorld,
  GUARDED,
  holdFinePermissions,
  managementToken,
  pathIn,
  titleOf,
  type World,
} from './arrange.ts'

/** Every schema within one, itself included. */
const within = (schema: unknown): Record<string, unknown>[] =>
  typeof schema === 'object' && schema !== null
    ? [schema as Record<string, unknown>, ...Object.values(schema).flatMap(within)]
    : []

const ENTITIES: readonly (readonly [{ readonly properties: object }, Area])[] = [
  [User, 'users'],
  [Application, 'applications'],
  [Role, 'roles'],
  [HeldRole, 'roles'],
  [Organization, 'organizations'],
  [Resource, 'resources'],
  [Scope, 'resources'],
  [OrganizationRole, 'organization-template'],
  [OrganizationScope, 'organization-template'],
]

/** The areas whose entities an answer shows whole: with every field as the entity declares it. */
const shownBy = (route: Route): Area[] => {
  const objects = within(route.response).map(({ properties }) => (properties ?? {}) as Record<string, unknown>)
  return ENTITIES.filter(([entity]) =>
    objects.some((fields) => Object.entries(entity.properties).every(([name, schema]) => fields[name] === schema)),
  ).map(([, area]) => area)
}

const BENEATH: Readonly<Record<string, Area>> = {
  users: 'users',
  applications: 'applications',
  roles: 'roles',
  organizations: 'organizations',
  'organization-roles': 'organization-template',
}

/** What a list stands beneath: the entity of the first parameter of its path. */
const beneath = ({ path }: Route): Area[] => {
  const [, first = '', second = '', ...more] = path.split('/')
  const area = BENEATH[first]
  return area && second.startsWith(':') && more.length > 0 ? [area] : []
}

const reading = GUARDED.filter(({ method }) => method === 'GET')

describe('R-33 the contract', () => {
  test('shows secrets only in routes that require write:, or everything', () => {
    const showing = API_ROUTES.filter(({ response }) => within(response).some((each) => each['x-secret'] === true))
    expect(showing.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['listConnectors', 'getJwtCustomizer', 'getHook', 'listApplicationSecrets']),
    )
    expect(showing.filter((route) => !/^(write:|all$)/.test(route.permission ?? '')).map(titleOf)).toEqual([])
  })

  test.each(reading.map((route) => [titleOf(route), route] as const))(
    '%s asks for the permission of every area whose entities it shows',
    (_title, route) => {
      const areas = new Set(permissionsOf(route).map((permission) => permission.split(':')[1]))
      for (const area of [...shownBy(route), ...beneath(route)]) expect([...areas]).toContain(area)
    },
  )

  test('has routes that show entities of another area, which are detected', () => {
    const foreign = reading.filter((route) => new Set([...shownBy(route), ...beneath(route)]).size > 1)
    expect(foreign.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['listRoleUsers', 'listOrganizationApplications']),
    )
    expect(foreign.every(({ alsoPermission }) => alsoPermission !== undefined)).toBe(true)
  })
})

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await holdFinePermissions(server)
  world = await createWorld(server)
})
afterAll(() => server.close())

const asked = async (path: string, scope: string) =>
  call(server, 'GET', path, { token: await managementToken(server, scope) })

describe('R-33 a permission to read', () => {
  const PASSWORD = 'opensesame'

  test('does not show the password of a mail server or the variables of a script', async () => {
    const config = {
      host: 'smtp.example.com',
      port: 587,
      auth: { user: 'x', pass: PASSWORD },
      fromEmail: 'a@example.com',
    }
    const { body: connector } = await server.api('POST', '/connectors', { connectorId: SMTP, config })
    const script = { script: 'const getCustomJwtClaims = () => ({})', environmentVariables: { KEY: PASSWORD } }
    await server.api('PUT', '/configs/jwt-customizer/access-token', script)
    for (const [path, area] of [
      ['/connectors', 'connectors'],
      [`/connectors/${connector.id}`, 'connectors'],
      ['/configs/jwt-customizer', 'jwt-customizer'],
      ['/configs/jwt-customizer/access-token', 'jwt-customizer'],
    ] as const) {
      const read = await asked(path, `read:${area}`)
      expect(read.status).toBe(403)
      expect(read.body.data).toEqual({ permission: `write:${area}` })
      expect(JSON.stringify((await asked(path, `write:${area}`)).body)).toContain(PASSWORD)
    }
  })

  test.each(reading.filter(({ alsoPermission }) => alsoPermission).map((route) => [titleOf(route), route] as const))(
    'of one area is not enough for %s: neither alone, both together',
    async (_title, route) => {
      const path = pathIn(world, route)
      const needed = permissionsOf(route)
      for (const permission of needed) {
        const { status, headers, body } = await asked(path, permission)
        expect(status).toBe(403)
        expect(body.data).toEqual({ permission: needed.join(' ') })
        expect(headers['www-authenticate']).toContain(
          `Bearer error="insufficient_scope", scope="${needed.join(' ')}", `,
        )
      }
      expect((await asked(path, needed.join(' '))).status).toBe(200)
      expect((await asked(path, 'all')).status).toBe(200)
    },
  )

  test('does not show entities of another area in lists of roles and organizations', async () => {
    const find = async (path: string, scope: string, id: string) =>
      (await asked(path, scope)).body.find((each: { id: string }) => each.id === id)
    const role = (scope: string, id: string) => find('/roles?page_size=100', scope, id)
    expect(await role('read:roles', world.userRoleId)).toMatchObject({ usersCount: 1, featuredUsers: [] })
    expect(await role('read:roles', world.roleId)).toMatchObject({ applicationsCount: 1, featuredApplications: [] })
    expect((await role('read:roles read:users', world.userRoleId)).featuredUsers).toMatchObject([{ id: world.userId }])
    expect((await role('all', world.roleId)).featuredApplications).toMatchObject([{ id: world.applicationId }])
    const organizations = '/organizations?showFeatured=1&page_size=100'
    const { organizationId: id } = world
    expect(await find(organizations, 'read:organizations', id)).toMatchObject({ usersCount: 1, featuredUsers: [] })
    const both = await find(organizations, 'read:organizations read:users', id)
    expect(both.featuredUsers).toMatchObject([{ id: world.userId }])
  })
})
