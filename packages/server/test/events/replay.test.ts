/** Whoever has replayed every event knows which roles and permissions there are, and which role holds which. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { type FeedEvent, readAll } from './feed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

interface State {
  readonly roles: Map<string, { name: string; description: string }>
  readonly scopes: Map<string, { name: string; description: string | null }>
  readonly held: Map<string, Set<string>>
}

const replay = (events: readonly FeedEvent[]): State => {
  const state: State = { roles: new Map(), scopes: new Map(), held: new Map() }
  const deleted = new Set<string>()
  for (const { event, data, roleId } of events as (FeedEvent & { data: never; roleId: string })[]) {
    const { id, name, description } = data as { id: string; name: string; description: string }
    if (event === 'Role.Deleted') {
      state.roles.delete(id)
      state.held.delete(id)
    } else if (event === 'Scope.Deleted') {
      state.scopes.delete(id)
      deleted.add(id)
      for (const scopes of state.held.values()) scopes.delete(id)
    } else if (event === 'Role.Scopes.Updated') {
      // a permission that is being deleted elsewhere may still be named: its deletion is final
      const ids = (data as { id: string }[]).map((scope) => scope.id)
      state.held.set(roleId, new Set(ids.filter((scope) => !deleted.has(scope))))
    } else if (event.startsWith('Role.')) {
      state.roles.set(id, { name, description })
      if (event === 'Role.Created') state.held.set(id, new Set())
    } else if (event.startsWith('Scope.')) state.scopes.set(id, { name, description })
  }
  return state
}

/** The same as the API shows it, of these roles and this resource. */
const actual = async (resourceId: string, roleIds: readonly string[]): Promise<State> => {
  const { api } = server
  const state: State = { roles: new Map(), scopes: new Map(), held: new Map() }
  const { body: scopes } = await api('GET', `/resources/${resourceId}/scopes?page_size=100`)
  for (const { id, name, description } of scopes) state.scopes.set(id, { name, description })
  for (const roleId of roleIds) {
    const { status, body } = await api('GET', `/roles/${roleId}`)
    if (status === 404) continue
    state.roles.set(roleId, { name: body.name, description: body.description })
    const { body: held } = await api('GET', `/roles/${roleId}/scopes?page_size=100`)
    state.held.set(roleId, new Set(held.map(({ id }: { id: string }) => id)))
  }
  return state
}

const ROLES = 3
const SCOPES = 4
const role = fc.nat(ROLES - 1)
const scope = fc.nat(SCOPES - 1)
type Step = readonly [kind: 'add' | 'remove' | 'describe' | 'rename' | 'drop' | 'forget', role: number, scope: number]
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('add', 'remove') },
    { weight: 2, arbitrary: fc.constantFrom('describe', 'rename') },
    { weight: 1, arbitrary: fc.constantFrom('drop', 'forget') },
  ) as fc.Arbitrary<Step[0]>,
  role,
  scope,
)

test('any changes at once: none answers 500, and the replayed events are the state', async () => {
  const { api } = server
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const indicator = `https://${fresh('replay')}.example`
      const { cursor } = await readAll(api)
      const { body: resource } = await api('POST', '/resources', { name: 'x', indicator })
      const path = `/resources/${resource.id}/scopes`
      const scopeIds = await Promise.all(
        Array.from({ length: SCOPES }, async () => (await api('POST', path, { name: fresh('s') })).body.id as string),
      )
      const roleIds = await Promise.all(
        Array.from(
          { length: ROLES },
          async () => (await api('POST', '/roles', { name: fresh('r') })).body.id as string,
        ),
      )
      const run = ([kind, r, s]: Step) => {
        const [roleId, scopeId] = [roleIds[r] ?? '', scopeIds[s] ?? '']
        switch (kind) {
          case 'add':
            return api('POST', `/roles/${roleId}/scopes`, { scopeIds: [scopeId] })
          case 'remove':
            return api('DELETE', `/roles/${roleId}/scopes/${scopeId}`)
          case 'describe':
            return api('PATCH', `${path}/${scopeId}`, { description: fresh('d') })
          case 'rename':
            return api('PATCH', `/roles/${roleId}`, { name: fresh('r') })
          case 'drop':
            return api('DELETE', `/roles/${roleId}`)
          case 'forget':
            return api('DELETE', `${path}/${scopeId}`)
        }
      }
      const answers = await Promise.all(steps.map(run))
      expect(answers.filter(({ status }) => ![200, 201, 204, 404, 422].includes(status))).toEqual([])
      const { events } = await readAll(api, cursor)
      expect(replay(events)).toEqual(await actual(resource.id, roleIds))
      // as many events as changes that were made
      const made = answers.filter(({ status }) => status < 300).length
      expect(events.length).toBe(made + SCOPES + ROLES)
    }),
    { numRuns: 25 },
  )
})
