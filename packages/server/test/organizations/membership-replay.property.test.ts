/** Whoever replays the membership events knows the members: no change is lost, doubled or out of order (DECISIONS K2). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type FeedEvent, readAll } from '../events/feed.ts'
import { createUser, idsOf } from '../users/arrange.ts'
import { createMachine, createOrganization, createRole } from './api-arrange.ts'

const PEOPLE = 4
let server: TestServer
let users: string[]
let machines: string[]
let roles: { users: string; applications: string }
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  users = await Promise.all(Array.from({ length: PEOPLE }, () => createUser(server)))
  machines = await Promise.all(Array.from({ length: PEOPLE }, () => createMachine(server)))
  roles = {
    users: await createRole(server),
    applications: await createRole(server, { type: 'MachineToMachine' }),
  }
})
afterAll(() => server.close())

type Kind = 'users' | 'applications'
type Step =
  | { readonly what: 'add' | 'replace'; readonly kind: Kind; readonly who: readonly number[] }
  | { readonly what: 'remove' | 'giveRole' | 'setRoles'; readonly kind: Kind; readonly who: readonly [number] }

const kind = fc.constantFrom<Kind>('users', 'applications')
const index = fc.nat(PEOPLE - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    what: fc.constantFrom('add' as const, 'replace' as const),
    kind,
    who: fc.array(index, { minLength: 1, maxLength: PEOPLE }),
  }),
  fc.record({
    what: fc.constantFrom('remove' as const, 'giveRole' as const, 'setRoles' as const),
    kind,
    who: fc.tuple(index),
  }),
)

/** Sends a step; what an order of the steps makes impossible may be refused, and nothing may fail. */
const perform = async (organizationId: string, { what, kind, who }: Step): Promise<void> => {
  const all = kind === 'users' ? users : machines
  const ids = who.map((one) => all[one] ?? '')
  const path = `/organizations/${organizationId}/${kind}`
  const members = { [kind === 'users' ? 'userIds' : 'applicationIds']: ids }
  const organizationRoleIds = [roles[kind]]
  const send = {
    add: () => server.api('POST', path, members),
    replace: () => server.api('PUT', path, members),
    remove: () => server.api('DELETE', `${path}/${ids[0]}`),
    giveRole: () => server.api('POST', `${path}/roles`, { ...members, organizationRoleIds }),
    setRoles: () => server.api('PUT', `${path}/${ids[0]}/roles`, { organizationRoleIds }),
  }
  const allowed = { add: [201], replace: [204], remove: [204, 404], giveRole: [201, 422], setRoles: [204, 422] }
  const { status } = await send[what]()
  expect(allowed[what]).toContain(status)
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

test('the events of any changes at once, replayed, are the members', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (rounds) => {
        const { cursor } = await readAll(server.api)
        const organizationId = await createOrganization(server)
        for (const steps of rounds) await Promise.all(steps.map((each) => perform(organizationId, each)))
        const { events } = await readAll(server.api, cursor)
        const changes = events.filter(({ event }) => event === 'Organization.Membership.Updated')
        const listed = async (of: Kind) =>
          idsOf(await server.api('GET', `/organizations/${organizationId}/${of}`)).sort()
        expect(replay(changes, 'addedUserIds', 'removedUserIds')).toEqual(await listed('users'))
        expect(replay(changes, 'addedApplicationIds', 'removedApplicationIds')).toEqual(await listed('applications'))
        const sent = rounds.flat().filter(({ what }) => what === 'add' || what === 'replace')
        expect(changes.length).toBeGreaterThanOrEqual(sent.length)
      },
    ),
    { numRuns: 40 },
  )
})
