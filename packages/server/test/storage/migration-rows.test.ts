/**
 * Every migration works on rows of the previous version. The rows that this version of the server has written are
 * copied, table by table, into databases of older versions, as far as they have the columns; then these are migrated
 * and served.
 */

import { createDatabase } from '@countersign/harness/cluster.ts'
import { managementClient, requestToken } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { type Migration, migrate, readMigrations } from '../../src/storage/migrate.ts'
import { ask as askForUser, createAsking } from '../backchannel/arrange.ts'
import { type Arranged, arrange, authorization, eventually, post, send } from '../protocol/arrange.ts'
import { askWith, assertionOf, makeKey, registerKeyClient } from '../protocol/assertions.ts'
import { register } from '../registered-clients/arrange.ts'
import { begin, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { ask as askAsDevice, createDevice } from '../sign-in/device.ts'
import {
  type Authorized,
  authorize,
  createRole,
  redeemCode,
  refresh,
  type SignedIn,
  signedInUser,
} from '../sign-in/user-tokens.ts'
import { createReceiver, createStream } from '../signals/arrange.ts'

const migrations = await readMigrations()
const newest = migrations.length
/** The newest version for which `populate` creates rows in every table. */
const POPULATED = 4

let server: TestServer
let machine: Arranged
let known: SignedIn
/** Not redeemed yet. */
let code: Authorized
let tokens: { access_token: string; refresh_token: string }
let revoked: string
/** Has the migrations up to the version whose tests run, and no rows: each version copies it. */
let growing: Awaited<ReturnType<typeof createDatabase>>

/** Creates at least one row in every table in which a migration must find rows. */
const populate = async () => {
  machine = await arrange(server)
  const key = await makeKey('ES256')
  const keyClient = await registerKeyClient(server, [key])
  expect((await askWith(server, keyClient, await assertionOf(server, keyClient, key))).status).toBe(200)
  const asked = { grant_type: 'client_credentials', resource: machine.resource.indicator }
  revoked = (await post(server, '/token', asked, authorization(machine.client))).body.access_token
  await post(server, '/token/revocation', { token: revoked }, authorization(machine.client))

  known = await signedInUser(server)
  const roleId = await createRole(server, [machine.scopeIds['read:orders']])
  await server.api('POST', `/users/${known.user.id}/roles`, { roleIds: [roleId] })
  const scope = 'openid offline_access read:orders'
  const resources = [machine.resource.indicator]
  tokens = (await redeemCode(server, known, await authorize(known, scope, resources))).body
  code = await authorize(known, scope, resources)

  const { url } = await begin(known.app.configuration)
  await post(server, '/request', Object.fromEntries(url.searchParams))
  // an interaction that waits at the sign-in page, after a wrong password
  await signIn(newBrowser(), await begin(known.app.configuration), known.user.username, 'a wrong one')
  expect((await server.api('PATCH', '/sign-in-exp', { signInMode: 'SignInAndRegister' })).status).toBe(200)

  const third = await server.api('POST', '/applications', { name: 'Third', type: 'Traditional', isThirdParty: true })
  await server.api('POST', `/applications/${third.body.id}/user-consent-scopes`, {
    userScopes: ['email'],
    resourceScopes: [machine.scopeIds['read:orders']],
  })
  const device = await createDevice(server)
  expect((await askAsDevice(server, device.id, { scope: 'openid' })).status).toBe(200)
  const config = { host: 'smtp.example.com', port: 587, fromEmail: 'no-reply@example.com' }
  const connectorId = 'simple-mail-transfer-protocol'
  expect((await server.api('POST', '/connectors', { connectorId, config })).status).toBe(200)
  const asking = await createAsking(server)
  const forNobody = { scope: 'openid', login_hint: 'nobody' }
  expect((await askForUser(server, asking, forNobody)).status).toBe(200)
  const sso = { providerName: 'OIDC', connectorName: 'Acme', domains: ['acme.example'] }
  expect((await server.api('POST', '/sso-connectors', sso)).status).toBe(200)
  const template = { languageTag: 'en', templateType: 'SignIn', details: { subject: 'Hello', content: '{{code}}' } }
  expect((await server.api('PUT', '/email-templates', { templates: [template] })).status).toBe(200)
  expect((await server.api('POST', '/one-time-tokens', { email: 'link@example.com' })).status).toBe(201)
  const registration = { mode: 'open' }
  expect((await server.api('PATCH', '/configs/client-registration', registration)).status).toBe(200)
  expect((await server.api('PUT', '/configs/id-token', {})).status).toBe(200)
  expect((await server.api('POST', '/initial-access-tokens', { name: 'first' })).status).toBe(201)
  expect((await register(server, { redirect_uris: ['https://app.example/'] })).status).toBe(201)
  expect((await server.api('PUT', '/custom-phrases/sv', { signIn: 'Logga in' })).status).toBe(201)
  const receiver = await createReceiver(server)
  const { stream_id } = await createStream(receiver)
  await receiver.ask('POST', '/verification', { stream_id })
  await receiver.ask('POST', '/subjects/add', { stream_id, subject: { format: 'opaque', id: known.user.id } })
  // reading them numbers them
  await server.api('GET', '/events')
  await eventually('the audit entries are written', 60_000, async () => {
    const { rows } = await server.store.database.pool.query('SELECT count(*)::int AS entries FROM audit_log')
    return rows[0].entries > 0
  })
}
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  await populate()
  growing = await createDatabase(inject('cluster'), { empty: true })
  await withClient(growing.url, (client) =>
    client.query(
      'CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)',
    ),
  )
})
afterAll(async () => {
  await server.close()
  await growing.drop()
})

const apply = async (client: pg.Client, { version, name, sql, checksum }: Migration) => {
  await client.query(sql)
  await client.query('INSERT INTO schema_migrations VALUES ($1, $2, $3, now())', [version, name, checksum])
}

let grown = 0
const growTo = (version: number) =>
  withClient(growing.url, async (client) => {
    for (const migration of migrations.slice(grown, version)) await apply(client, migration)
    grown = version
  })

/** The tables of a database with their columns. */
const tablesOf = async (client: pg.Client): Promise<Map<string, string[]>> => {
  const { rows } = await client.query(
    `SELECT table_name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'schema_migrations' AND is_generated = 'NEVER'
     GROUP BY table_name ORDER BY table_name`,
  )
  return new Map(rows.map(({ table_name, columns }) => [table_name, columns]))
}

/** The rows of tables by name, limited to these columns, in a fixed order. */
const rowsOf = async (
  client: pg.Client,
  tables: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, unknown[]>> => {
  const reads = [...tables].map(([table, columns]) => {
    const names = columns.map((column) => client.escapeIdentifier(column)).join(', ')
    return `SELECT '${table}' AS name, coalesce(jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)::text), '[]') AS rows
      FROM (SELECT ${names} FROM ${table}) t`
  })
  const { rows } = await client.query(reads.join(' UNION ALL '))
  return new Map(rows.map(({ name, rows: found }) => [name, found]))
}

/** Tables that are normally empty: a row of each, as a killed server would have left it. */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  outbox: `INSERT INTO outbox (tenant_id, id, type, payload, created_at)
    SELECT tenant_id, 'left-behind', type, payload, created_at FROM events LIMIT 1`,
  // of a kind that no node processes
  dispatches: `INSERT INTO dispatches (tenant_id, id, kind, sealed_payload, created_at, due_at, expires_at)
    SELECT id, 'left-behind', 'none', '', now(), now(), now() + interval '1 day' FROM tenants LIMIT 1`,
  user_signals: `INSERT INTO user_signals (tenant_id, kind, user_id) SELECT tenant_id, 'disabled', id FROM users LIMIT 1`,
  message_sends: `INSERT INTO message_sends (tenant_id, id, recipient_hash, sent_at)
    SELECT id, 'left-behind', '', now() FROM tenants LIMIT 1`,
  verification_codes: `INSERT INTO verification_codes
    (tenant_id, id, purpose, interaction_id, identifier_hash, code_mac, created_at, expires_at)
    SELECT id, 'left-behind', 'SignIn', 'x', '', '', now(), now() + interval '1 day' FROM tenants LIMIT 1`,
}

/** Copies the rows that this version has written into the database of an older one; returns them. */
const fill = async (client: pg.Client) => {
  const tables = await tablesOf(client)
  await client.query('SET session_replication_role = replica')
  await withClient(server.databaseUrl, async (source) => {
    const written = await rowsOf(source, tables)
    for (const [table, columns] of tables) {
      const names = columns.map((column) => client.escapeIdentifier(column)).join(', ')
      await client.query(
        `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
         SELECT ${names} FROM jsonb_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(written.get(table))],
      )
    }
  })
  await client.query('RESET session_replication_role')
  for (const [table, insert] of Object.entries(LEFT_BEHIND)) if (tables.has(table)) await client.query(insert)
  return { tables, kept: await rowsOf(client, tables) }
}

describe.each(migrations.slice(0, -1).map(({ version }) => version))('rows of version %i', (version) => {
  let url: string
  let drop: () => Promise<void>
  let tables: Map<string, string[]>
  let kept: Map<string, unknown[]>
  beforeAll(async () => {
    await growTo(version)
    const database = await createDatabase(inject('cluster'), { copyOf: growing.name })
    url = database.url
    drop = database.drop
    ;({ tables, kept } = await withClient(url, fill))
  })
  afterAll(() => drop())

  // when you add a table, add rows of it to populate and raise this number
  test.runIf(version <= POPULATED)('every table has some: an empty table would show nothing', () => {
    const empty = [...kept].filter(([, rows]) => rows.length === 0).map(([table]) => table)
    expect(empty).toEqual([])
  })

  test(`are unchanged by the migrations up to ${newest}`, async () => {
    const applied = await migrate({ url }, systemClock)
    expect(applied.map((migration) => migration.version)).toEqual(migrations.slice(version).map((each) => each.version))
    await withClient(url, async (client) => {
      expect(await rowsOf(client, tables)).toEqual(kept)
    })
  })

  describe('and the server works with them', () => {
    let node: Awaited<ReturnType<TestServer['startNode']>>
    let there: TestServer
    beforeAll(async () => {
      node = await server.startNode({ DATABASE_URL: url })
      there = { ...server, baseUrl: node.url, api: managementClient(node.url, server.credentials) }
    })
    afterAll(() => node.close())

    test('machines get tokens, and the Management API finds everything', async () => {
      const { indicator: resource } = machine.resource
      const reply = await requestToken(node.url, machine.client, { resource, scope: 'read:orders' })
      expect(await reply.json()).toMatchObject({ scope: 'read:orders' })
      expect((await there.api('GET', `/applications/${known.app.id}`)).body.name).toBe('Notes')
      expect((await there.api('GET', '/roles')).headers.get('total-number')).toBe(
        (await server.api('GET', '/roles')).headers.get('total-number'),
      )
      const { body } = await post(there, '/token/introspection', { token: revoked }, authorization(machine.client))
      expect(body).toEqual({ active: false })
    })

    test('an outbox row left by an interrupted server becomes an event', async () => {
      await there.api('GET', '/events')
      const { rows } = await node.store.database.pool.query(
        `SELECT (SELECT count(*)::int FROM outbox) AS left, (SELECT count(*)::int FROM events WHERE id = 'left-behind') AS numbered`,
      )
      expect(rows).toEqual([{ left: 0, numbered: 1 }])
    })

    test.runIf(version >= 2)('users keep their passwords and roles', async () => {
      const path = `/users/${known.user.id}`
      expect((await there.api('POST', `${path}/password/verify`, { password: PASSWORD })).status).toBe(204)
      expect((await there.api('GET', `${path}/roles`)).body).toHaveLength(1)
    })

    test.runIf(version >= 3)('sessions, codes, refresh tokens and opaque tokens stay valid', async () => {
      const { indicator: resource } = machine.resource
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      expect((await send(`${node.url}/oidc/me`, { method: 'GET', headers })).status).toBe(200)
      const refreshed = await refresh(there, known, tokens.refresh_token, { resource })
      expect([refreshed.status, refreshed.body.scope]).toEqual([200, 'read:orders'])
      const redeemed = await redeemCode(there, known, code, { resource })
      expect([redeemed.status, redeemed.body.scope]).toEqual([200, 'read:orders'])
      const next = await refresh(there, known, redeemed.body.refresh_token)
      expect(next.status).toBe(200)
      const { url: begun } = await begin(known.app.configuration)
      const cookie = `countersign-session=${known.browser.cookie('countersign-session')}`
      const silent = await send(`${node.url}/oidc/auth${begun.search}`, { method: 'GET', headers: { cookie } })
      expect([silent.status, silent.headers.location]).toEqual([303, expect.stringContaining('code=cs_ac_')])
    })
  })
})
