/**
 * Membership events, replayed, are the members: no change is lost, doubled or out of order, also when users and applications
 * are deleted (DECISIONS K2, N1).
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type FeedEvent, readAll } from '../events/feed.ts'
import { createUser, idsOf } from '../users/arrange.ts'
import { createMachine, createOrganization, createRole } from './api-arrange.ts'

const PEOPLE = 4
const ORGANIZATIONS = 2
let server: TestServer
let roles: Record<Kind, string>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  roles = {
    users: await createRole(server),
    applications: await createRole(server, { type: 'MachineToMachine' }),
  }
})
afterAll(() => server.close())

type Kind = 'users' | 'applications'
interface Step {
  readonly what: 'add' | 'replace' | 'remove' | 'giveRole' | 'setRoles' | 'delete'
  readonly kind: Kind
  readonly where: number
  readonly who: readonly number[]
}

const index = fc.nat(PEOPLE - 1)
const place = {
  kind: fc.constantFrom<Kind>('users', 'applications'),
  where: fc.nat(ORGANIZATIONS - 1),
}
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constantFrom('add' as const, 'replace' as const),
      ...place,
      who: fc.array(index, { minLength: 1, maxLength: PEOPLE }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constantFrom('remove' as const, 'giveRole' as const, 'setRoles' as const),
      ...place,
      who: fc.tuple(index),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), ...place, who: fc.tuple(index) }) },
)

/** What a run begins with: organizations without members, users and machines. */
interface World extends Record<Kind, readonly string[]> {
  readonly organizations: readonly string[]
}
const createWorld = async (): Promise<World> => {
  const [organizations, users, applications] = await Promise.all([
    Promise.all(Array.from({ length: ORGANIZATIONS }, () => createOrganization(server))),
    Promise.all(Array.from({ length: PEOPLE }, () => createUser(server))),
    Promise.all(Array.from({ length: PEOPLE }, () => createMachine(server))),
  ])
  return { organizations, users, applications }
}

/**
 * Sends a step; what an order of the steps makes impossible may be refused, and nothing may fail. Returns whether it changed
 * members.
 */
const perform = async (world: World, { what, kind, where, who }: Step): Promise<boolean> => {
  const ids = who.map((one) => world[kind][one] ?? '')
  const path = `/organizations/${world.organizations[where]}/${kind}`
  const members = { [kind === 'users' ? 'userIds' : 'applicationIds']: ids }
  const organizationRoleIds = [roles[kind]]
  const send = {
    add: () => server.api('POST', path, members),
    replace: () => server.api('PUT', path, members),
    remove: () => server.api('DELETE', `${path}/${ids[0]}`),
    giveRole: () => server.api('POST', `${path}/roles`, { ...members, organizationRoleIds }),
    setRoles: () => server.api('PUT', `${path}/${ids[0]}/roles`, { organizationRoleIds }),
    delete: () => server.api('DELETE', `/${kind}/${ids[0]}`),
  }
  const allowed = {
    add: [201, 422],
    replace: [204, 422],
    remove: [204, 404],
    giveRole: [201, 422],
    setRoles: [204, 422],
    delete: [204, 404],
  }
  const { status } = await send[what]()
  expect(allowed[what]).toContain(status)
  return status < 300 && ['add', 'replace', 'remove'].includes(what)
}

/** The members as the events tell it; each addition of who is no member, each removal of one. */
const replay = (events: readonly FeedEvent[], added: string, removed: string): string[] => {
  const members = new Set<string>()
  for (const event of events) {
    for (const id of (event[removed] ?? []) as string[]) expect(members.delete(id)).toBe(true)
    for (const id of (event[added] ?? []) as string[]) {
      expect(members.has(id)).toBe(false)
      members.add(id)
    }
  }
  return [...members].sort()
}

test('the replayed events of any concurrent changes give the members', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (rounds) => {
        const { cursor } = await readAll(server.api)
        const world = await createWorld()
        const made: boolean[] = []
        for (const steps of rounds) made.push(...(await Promise.all(steps.map((each) => perform(world, each)))))
        const { events } = await readAll(server.api, cursor)
        const changes = events.filter(({ event }) => event === 'Organization.Membership.Updated')
        for (const organizationId of world.organizations) {
          const listed = async (of: Kind) =>
            idsOf(await server.api('GET', `/organizations/${organizationId}/${of}`)).sort()
          const own = changes.filter((change) => change.organizationId === organizationId)
          expect(replay(own, 'addedUserIds', 'removedUserIds')).toEqual(await listed('users'))
          expect(replay(own, 'addedApplicationIds', 'removedApplicationIds')).toEqual(await listed('applications'))
        }
        expect(changes.filter(({ matchedRoute }) => `${matchedRoute}`.startsWith('/organizations')).length).toBe(
          made.filter(Boolean).length,
        )
      },
    ),
    { numRuns: 40 },
  )
})

test('deleting a user in thousands of organizations emits an event for each', async () => {
  const COUNT = 2500
  const userId = await createUser(server)
  const { cursor } = await readAll(server.api)
  await sql`
    WITH made AS (
      INSERT INTO organizations (tenant_id, id, name, created_at)
      SELECT 'default', 'many' || n, 'many', now() FROM generate_series(1, ${COUNT}::int) AS n RETURNING tenant_id, id)
    INSERT INTO organization_users (tenant_id, organization_id, user_id, created_at)
    SELECT tenant_id, id, ${userId}, now() FROM made`.execute(server.store.database.kysely)
  expect((await server.api('DELETE', `/users/${userId}`)).status).toBe(204)
  const { events } = await readAll(server.api, cursor)
  const left = events.slice(0, -1).map(({ event, organizationId, removedUserIds }) => {
    expect({ event, removedUserIds }).toEqual({ event: 'Organization.Membership.Updated', removedUserIds: [userId] })
    return organizationId
  })
  expect(new Set(left).size).toBe(COUNT)
  expect(events.at(-1)).toMatchObject({ event: 'User.Deleted', data: { id: userId }, sequence: expect.any(Number) })
})
