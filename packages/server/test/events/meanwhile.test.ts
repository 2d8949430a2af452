/**
 * What a change tells and answers when what it is about ends while it waits for a lock: only of what it did itself, because the
 * change that held the lock has told of the rest.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { createMachine, createOrganization, createRole, createScope, named } from '../organizations/api-arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { readAll } from './feed.ts'
import { queued } from './receiver.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** Resolves when another connection waits for what this one has locked. */
const awaited = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  const waiting = 'SELECT FROM pg_stat_activity WHERE $1::int = ANY (pg_blocking_pids(pid))'
  const isAwaited = () =>
    withClient(server.databaseUrl, async (watching) => (await watching.query(waiting, [rows[0].pid])).rowCount)
  await expect.poll(isAwaited, { timeout: 60_000 }).toBe(1)
}

type Statement = readonly [text: string, values: readonly unknown[]]

/** Begins a transaction with a statement. */
const begun = async (client: pg.Client, [text, values]: Statement): Promise<void> => {
  await client.query('BEGIN')
  await client.query(text, [...values])
}

/** Commits it when another connection waits for it; what else it changes it does then. */
const committed = async (client: pg.Client, last?: Statement): Promise<void> => {
  await awaited(client)
  if (last) await client.query(last[0], [...last[1]])
  await client.query('COMMIT')
}

/** The events that the work has caused. */
const caused = async (work: () => Promise<unknown>) => {
  const { cursor } = await readAll(server.api)
  await work()
  return (await readAll(server.api, cursor)).events
}

interface Ending {
  readonly path: string
  /** Locks what holds the relation. */
  readonly lock: Statement
  readonly begins: Statement
  readonly ends: Statement
}

const membership = async (): Promise<Ending> => {
  const [organizationId, id] = [await createOrganization(server), await createMachine(server)]
  return {
    path: `/applications/${id}`,
    lock: ['SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]],
    begins: [
      `INSERT INTO organization_applications (tenant_id, organization_id, application_id, created_at)
       VALUES ('default', $1, $2, now())`,
      [organizationId, id],
    ],
    ends: ['DELETE FROM organization_applications WHERE application_id = $1', [id]],
  }
}

const createPermission = async () => {
  const { body: resource } = await server.api('POST', '/resources', {
    name: 'Orders',
    indicator: `https://${fresh('orders')}.example`,
  })
  const { body: scope } = await server.api('POST', `/resources/${resource.id}/scopes`, { name: 'read' })
  return { resourceId: resource.id as string, id: scope.id as string }
}

const permission = async (): Promise<Ending> => {
  const { resourceId, id } = await createPermission()
  const { body: role } = await server.api('POST', '/roles', { name: fresh('role'), description: 'x' })
  return {
    path: `/resources/${resourceId}/scopes/${id}`,
    lock: ['SELECT FROM roles WHERE id = $1 FOR NO KEY UPDATE', [role.id]],
    begins: [
      `INSERT INTO roles_scopes (tenant_id, role_id, scope_id, role_type, scope_is_management)
       VALUES ('default', $1, $2, 'User', false)`,
      [role.id, id],
    ],
    ends: ['DELETE FROM roles_scopes WHERE scope_id = $1', [id]],
  }
}

const resourceOfOrganizationRole = async (): Promise<Ending> => {
  const { resourceId, id } = await createPermission()
  const roleId = await createRole(server)
  return {
    path: `/resources/${resourceId}`,
    lock: ['SELECT FROM organization_roles WHERE id = $1 FOR NO KEY UPDATE', [roleId]],
    begins: [
      `INSERT INTO organization_roles_resource_scopes
         (tenant_id, organization_role_id, scope_id, role_type, scope_is_management)
       VALUES ('default', $1, $2, 'User', false)`,
      [roleId, id],
    ],
    ends: ['DELETE FROM organization_roles_resource_scopes WHERE scope_id = $1', [id]],
  }
}

const organizationPermission = async (): Promise<Ending> => {
  const [id, roleId] = [await createScope(server), await createRole(server)]
  return {
    path: `/organization-scopes/${id}`,
    lock: ['SELECT FROM organization_roles WHERE id = $1 FOR NO KEY UPDATE', [roleId]],
    begins: [
      `INSERT INTO organization_roles_scopes (tenant_id, organization_role_id, organization_scope_id)
       VALUES ('default', $1, $2)`,
      [roleId, id],
    ],
    ends: ['DELETE FROM organization_roles_scopes WHERE organization_scope_id = $1', [id]],
  }
}

test.each<[string, () => Promise<Ending>, string]>([
  ['a member that an organization removes', membership, 'Organization.Membership.Updated'],
  ['a permission that is removed from a role', permission, 'Role.Scopes.Updated'],
  ['a resource whose permission is removed', resourceOfOrganizationRole, 'OrganizationRole.Scopes.Updated'],
  ['an organization permission that is removed', organizationPermission, 'OrganizationRole.Scopes.Updated'],
])('%s while it is deleted is told of by the one that removed it', async (_what, arrange, event) => {
  const { path, lock, begins, ends } = await arrange()
  const events = await caused(() =>
    withClient(server.databaseUrl, (joining) =>
      withClient(server.databaseUrl, async (leaving) => {
        // one change makes the relation; the next, which holds the other side of it, ends it
        await begun(leaving, lock)
        await begun(joining, begins)
        const deleted = server.api('DELETE', path)
        await committed(joining)
        await committed(leaving, ends)
        expect((await deleted).status).toBe(204)
      }),
    ),
  )
  expect(events.filter((each) => each.event === event)).toEqual([])
})

test('a grant revoked in the meantime is not reported as revoked by the limit', async () => {
  const app = await createApp(server, 'SPA', { customClientMetadata: { maxAllowedGrants: 1 } })
  const user = await createUser(server)
  await signIn(newBrowser(), await begin(app.configuration), user.username)
  const events = await caused(() =>
    withClient(server.databaseUrl, async (revoking) => {
      await begun(revoking, ['DELETE FROM grants WHERE user_id = $1', [user.id]])
      const back = signIn(newBrowser(), await begin(app.configuration), user.username)
      await committed(revoking)
      expect((await back).url.searchParams.has('code')).toBe(true)
    }),
  )
  expect(events.map(({ event }) => event)).not.toContain('Grant.LimitExceeded')
})

test('a session that ends while its user is suspended is reported by what ended it', async () => {
  const app = await createApp(server)
  const backchannelLogoutUri = 'https://app.example/logout'
  await server.api('PATCH', `/applications/${app.id}`, { oidcClientMetadata: { backchannelLogoutUri } })
  const user = await createUser(server)
  const begunRequest = await begin(app.configuration, { scope: 'openid offline_access', prompt: 'consent' })
  await redeem(app.configuration, await signIn(newBrowser(), begunRequest, user.username), begunRequest)
  await withClient(server.databaseUrl, async (ending) => {
    const end = `WITH ended AS (DELETE FROM sessions WHERE user_id = $1)
      UPDATE grants SET session_id = NULL, original_session_id = session_id WHERE user_id = $1`
    await begun(ending, [end, [user.id]])
    const suspended = server.api('PATCH', `/users/${user.id}/is-suspended`, { isSuspended: true })
    await committed(ending)
    expect((await suspended).status).toBe(200)
  })
  expect(await queued(server.store)).toEqual([])
})

test('the message of an invitation that was accepted in the meantime is not sent', async () => {
  const organizationId = await createOrganization(server)
  const { body } = await server.api('POST', '/organization-invitations', {
    organizationId,
    invitee: `${fresh('ann')}@example.com`,
    expiresAt: server.clock.now().getTime() + 3_600_000,
  })
  await withClient(server.databaseUrl, async (accepting) => {
    await begun(accepting, ['SELECT FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]])
    const sent = server.api('POST', `/organization-invitations/${body.id}/message`, {})
    await committed(accepting, [`UPDATE organization_invitations SET status = 'Accepted' WHERE id = $1`, [body.id]])
    expect(named(await sent)).toEqual([422, 'organization.invitation_not_pending', { status: 'Accepted' }])
  })
})
