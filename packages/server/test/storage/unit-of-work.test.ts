/** The unit of work: one operation, one transaction; it commits completely or not at all. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createRole } from '../../src/domain/permissions/roles.ts'
import { getTenant } from '../../src/domain/tenants/tenants.ts'
import { ApiError } from '../../src/kernel/api-error.ts'
import { systemCaller } from '../../src/kernel/caller.ts'
import type { Tenant } from '../../src/kernel/tenant.ts'
import { GIVEN, parameter, shapedStatement } from '../../src/storage/statement.ts'
import { operation, perform, Refusal, type Unit } from '../../src/storage/unit-of-work.ts'
import { fresh } from '../management/arrange.ts'

let server: TestServer
let tenant: Tenant
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  tenant = await getTenant(server.store, 'default')
})
afterAll(() => server.close())

const work = (action: string) => ({ store: server.store, tenant, caller: systemCaller(action) })

/** What a unit with this action left behind: roles by name, events, audit entries. */
const traces = async (action: string, name: string) => {
  const db = server.store.database.kysely
  const count = async (query: ReturnType<typeof sql<{ n: number }>>) => (await query.execute(db)).rows[0]?.n
  return {
    roles: await count(sql`SELECT count(*) AS n FROM roles WHERE name = ${name}`),
    events: await count(sql`SELECT count(*) AS n FROM outbox WHERE payload->'data'->>'name' = ${name}`),
    entries: await count(sql`SELECT count(*) AS n FROM audit_log WHERE key = ${`System.${action}`}`),
  }
}

/** An operation that creates a role and then does something else. */
const createRoleAnd = (then: (unit: Unit<'Role.Created' | 'Role.Scopes.Updated'>) => Promise<void>) =>
  operation(['Role.Created', 'Role.Scopes.Updated'], async (unit, name: string) => {
    const role = await createRole.run(unit, { name })
    await then(unit)
    return role
  })

test('a successful operation leaves its rows, its events and one audit entry with its details', async () => {
  const [action, name] = [fresh('done'), fresh('role')]
  const op = createRoleAnd(async ({ note }) => note({ noted: 'this' }))
  await perform(work(action), op, name)
  expect(await traces(action, name)).toEqual({ roles: 1, events: 1, entries: 1 })
  const { body } = await server.api('GET', `/logs?logKey=System.${action}`)
  expect(body[0].payload).toMatchObject({ result: 'Success', noted: 'this', actor: { type: 'system' } })
})

test('K2: the time of an event is that of its commit, however long its operation waited', async () => {
  const name = fresh('role')
  const begun = server.clock.now().getTime()
  const op = createRoleAnd(async () => server.clock.advance(90))
  await perform(work(fresh('waits')), op, name)
  const { body } = await server.api('GET', '/events?event=Role.Created&limit=100')
  const { createdAt } = body.events.find(({ data }: { data: { name: string } }) => data.name === name)
  expect(new Date(createdAt).getTime()).toBe(begun + 90_000)
})

test.each([
  ['the operation throws', async () => Promise.reject(new Error('no'))],
  ['another of them fails', async ({ send, tx }: Unit) => send(sql`SELECT 1 / 0`.execute(tx))],
])('a statement that no one waits for is undone with the unit when %s', async (_, then) => {
  const name = fresh('sent')
  const op = operation([], async (unit) => {
    const { send, tx } = unit
    send(
      sql`INSERT INTO roles (tenant_id, id, name, description, type, created_at)
      VALUES ('default', ${name}, ${name}, '', 'User', now())`.execute(tx),
    )
    await then(unit)
  })
  await expect(perform(work(fresh('sends')), op)).rejects.toThrow()
  expect(await traces('none', name)).toMatchObject({ roles: 0 })
})

test('the unit throws the failure of an unawaited statement, whatever is awaited after it', async () => {
  const op = operation([], async ({ send, tx }) => {
    send(sql`SELECT 1 / 0`.execute(tx))
    await sql`SELECT 1`.execute(tx)
  })
  await expect(perform(work(fresh('sends')), op)).rejects.toThrow('division by zero')
})

test('statements run in the order in which they are sent, including the first ones of a unit', async () => {
  const op = operation([], async ({ send, tx }) => {
    const sequence = sql`SELECT set_config('unit.last', coalesce(current_setting('unit.last', true), '') || `
    const say = (word: string) => sql<{ set_config: string }>`${sequence}${word}::text, true)`.execute(tx)
    send(say('a'))
    await Promise.resolve()
    send(say('b'))
    const { rows } = await say('c')
    return rows[0]?.set_config
  })
  expect(await perform(work(fresh('orders')), op)).toBe('abc')
})

test.each([
  ['an error of its own', async () => Promise.reject(new Error('no'))],
  ['an ApiError', async () => Promise.reject(new ApiError('entity.not_found'))],
  ['a statement that fails', async ({ tx }: Unit) => void (await sql`SELECT 1 / 0`.execute(tx))],
  [
    'a violated constraint',
    async (unit: Unit<'Role.Created' | 'Role.Scopes.Updated'>) =>
      void (await createRole.run(unit, { name: 'Management API access' })),
  ],
])('an operation that throws leaves nothing: %s', async (_, then) => {
  const [action, name] = [fresh('thrown'), fresh('role')]
  await expect(perform(work(action), createRoleAnd(then), name)).rejects.toThrow()
  expect(await traces(action, name)).toEqual({ roles: 0, events: 0, entries: 0 })
})

test('a unit whose prepared statements predate a migration is repeated with new ones', async () => {
  const table = fresh('grows').replaceAll('-', '_')
  const db = server.store.database.kysely
  await sql`CREATE TABLE ${sql.table(table)} AS SELECT 1 AS id`.execute(db)
  const op = operation(
    [],
    async ({ tx }) => (await sql`SELECT * FROM ${sql.table(table)} WHERE id = ${1}`.execute(tx)).rows,
  )
  const times = 30
  for (let time = 0; time < times; time += 1) expect(await perform(work(fresh('reads')), op)).toEqual([{ id: 1 }])
  await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN more int DEFAULT 2`.execute(db)
  expect(await perform(work(fresh('reads')), op)).toEqual([{ id: 1, more: 2 }])
})

test('a violated constraint is thrown as the error of the catalogue', async () => {
  const taken = perform(work(fresh('taken')), createRole, { name: 'Management API access' })
  await expect(taken).rejects.toMatchObject({ code: 'role.name_in_use', status: 422 })
})

test('a Refusal commits what was written and then throws its error', async () => {
  const [action, name] = [fresh('refused'), fresh('role')]
  const error = new ApiError('auth.forbidden')
  const op = createRoleAnd(async () => Promise.reject(new Refusal(error)))
  await expect(perform(work(action), op, name)).rejects.toBe(error)
  expect(await traces(action, name)).toEqual({ roles: 1, events: 1, entries: 1 })
  const { body } = await server.api('GET', `/logs?logKey=System.${action}`)
  expect(body[0].payload.result).toBe('Error')
})

test('R-7: when the commit fails the caller gets an error, and nothing is stored', async () => {
  const [action, name] = [fresh('deferred'), fresh('role')]
  await sql`CREATE TABLE deferred (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)`.execute(server.store.database.kysely)
  const op = createRoleAnd(async ({ tx }) => void (await sql`INSERT INTO deferred VALUES (1), (1)`.execute(tx)))
  await expect(perform(work(action), op, name)).rejects.toThrow()
  expect(await traces(action, name)).toEqual({ roles: 0, events: 0, entries: 0 })
})

test('R-7: when the connection breaks before the commit the caller gets an error, nothing is stored, and the next unit works', async () => {
  const [action, name] = [fresh('broken'), fresh('role')]
  const op = createRoleAnd(async ({ tx }) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(tx)
    await sql`SELECT pg_terminate_backend(${rows[0]?.pid})`.execute(server.store.database.kysely)
  })
  await expect(perform(work(action), op, name)).rejects.toThrow()
  expect(await traces(action, name)).toEqual({ roles: 0, events: 0, entries: 0 })
  await perform(work(action), createRole, { name })
  expect(await traces(action, name)).toEqual({ roles: 1, events: 1, entries: 1 })
})

/** Two units that lock two rows in opposite order, each waiting until the other has its first. */
const lockBoth = (first: string, second: string, met: { arrive(): Promise<void> }) => {
  let runs = 0
  const op = operation(['Role.Created', 'Role.Scopes.Updated'], async (unit, name: string) => {
    runs += 1
    await createRole.run(unit, { name })
    const lock = (id: string) => sql`SELECT FROM resources WHERE id = ${id} FOR UPDATE`.execute(unit.tx)
    await lock(first)
    if (runs === 1) await met.arrive()
    await lock(second)
  })
  return { op, runs: () => runs }
}

test('the victim of a deadlock is retried: both succeed, and each leaves its events and entries once', async () => {
  const indicator = () => `https://${fresh('lock')}.example`
  const make = async () => (await server.api('POST', '/resources', { name: 'x', indicator: indicator() })).body.id
  const [x, y] = [await make(), await make()]
  let arrived = 0
  const both = Promise.withResolvers<void>()
  const met = {
    arrive: () => {
      arrived += 1
      if (arrived === 2) both.resolve()
      return both.promise
    },
  }
  const [one, two] = [lockBoth(x, y, met), lockBoth(y, x, met)]
  const [actionOne, actionTwo, nameOne, nameTwo] = [fresh('dl'), fresh('dl'), fresh('role'), fresh('role')]
  await Promise.all([perform(work(actionOne), one.op, nameOne), perform(work(actionTwo), two.op, nameTwo)])
  expect(one.runs() + two.runs()).toBeGreaterThanOrEqual(3)
  expect(await traces(actionOne, nameOne)).toEqual({ roles: 1, events: 1, entries: 1 })
  expect(await traces(actionTwo, nameTwo)).toEqual({ roles: 1, events: 1, entries: 1 })
})

test('nested operations share the transaction', async () => {
  const [action, name] = [fresh('nested'), fresh('role')]
  const op = operation(['Role.Created', 'Role.Scopes.Updated'], async (unit) => {
    await createRole.run(unit, { name })
    await createRole.run(unit, { name: `${name}b` })
    throw new Error('late')
  })
  await expect(perform(work(action), op)).rejects.toThrow('late')
  expect(await traces(action, name)).toEqual({ roles: 0, events: 0, entries: 0 })
  expect(await traces(action, `${name}b`)).toEqual({ roles: 0, events: 0, entries: 0 })
})

test('every connection is returned to the pool', async () => {
  const op = createRoleAnd(async () => Promise.reject(new Error('no')))
  await Promise.allSettled(Array.from({ length: 50 }, () => perform(work('many'), op, fresh('role'))))
  const { pool } = server.store.database
  // background work of the server may hold one briefly
  await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount]).toEqual([0, 0])
})

test('rows that reference a tenant or a grant without a foreign key are deleted with it', async () => {
  const db = server.store.database.kysely
  const id = fresh('tenant')
  const entries = async () =>
    (await sql<{ n: number }>`SELECT count(*) AS n FROM audit_log WHERE tenant_id = ${id}`.execute(db)).rows[0]?.n
  const write = () =>
    sql`INSERT INTO audit_log (tenant_id, id, key, payload, created_at) VALUES (${id}, ${fresh('entry')}, 'k', '{}', now())`.execute(
      db,
    )
  const create = () =>
    sql`INSERT INTO tenants (id, name, base_url, created_at) VALUES (${id}, 'x', ${`https://${id}.example`}, now())`.execute(
      db,
    )
  await create()
  await write()
  expect(await entries()).toBe(1)
  await sql`DELETE FROM tenants WHERE id = ${id}`.execute(db)
  expect(await entries()).toBe(0)
  // a unit that was running when its tenant was deleted
  await write()
  await create()
  expect(await entries()).toBe(0)

  const { body: user } = await server.api('POST', '/users', { username: fresh('user').replaceAll('-', '_') })
  const { body: app } = await server.api('POST', '/applications', { name: 'x', type: 'Traditional' })
  await sql`INSERT INTO grants (tenant_id, id, user_id, application_id, scopes, created_at, expires_at)
    VALUES ('default', ${id}, ${user.id}, ${app.id}, '{}', now(), now())`.execute(db)
  await sql`INSERT INTO opaque_access_tokens (tenant_id, hash, grant_id, scopes, created_at, expires_at)
    VALUES ('default', ${id}, ${id}, '{}', now(), now())`.execute(db)
  await sql`DELETE FROM grants WHERE id = ${id}`.execute(db)
  const { rows } = await sql`SELECT FROM opaque_access_tokens WHERE grant_id = ${id}`.execute(db)
  expect(rows).toEqual([])
})

describe('concurrent short units', () => {
  /** Performs all concurrently, so that they share a transaction. */
  const together = (...ops: readonly Parameters<typeof perform<never, [], unknown>>[1][]) =>
    Promise.allSettled(ops.map((op) => perform({ ...work(fresh('together')), isShort: true }, op)))
  const insertRole = ({ tx }: Unit, name: string) =>
    sql`INSERT INTO roles (tenant_id, id, name, description, type, created_at)
      VALUES ('default', ${name}, ${name}, '', 'User', now())`.execute(tx)
  const transactionOf = async ({ tx }: Unit) =>
    (await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(tx)).rows[0]?.id
  /** A unit that writes a role, with the transactions in which it was attempted. */
  const writer = () => {
    const name = fresh('role')
    const attempts: (string | undefined)[] = []
    const op = operation([], async (unit) => {
      attempts.push(await transactionOf(unit))
      await insertRole(unit, name)
      return name
    })
    return { op, name, attempts }
  }
  const rolesNamed = async (name: string) => (await traces('none', name)).roles

  test('share a transaction, and leave one entry each', async () => {
    const [first, second] = [writer(), writer()]
    const [action, other] = [fresh('first'), fresh('second')]
    const results = await Promise.all([
      perform({ ...work(action), isShort: true }, first.op),
      perform({ ...work(other), isShort: true }, second.op),
    ])
    expect(results).toEqual([first.name, second.name])
    expect(first.attempts).toHaveLength(1)
    expect(second.attempts).toEqual(first.attempts)
    expect(await traces(action, first.name)).toEqual({ roles: 1, events: 0, entries: 1 })
    expect(await traces(other, second.name)).toEqual({ roles: 1, events: 0, entries: 1 })
  })

  test('continue without one that is refused before it has changed anything', async () => {
    const error = new ApiError('entity.not_found')
    const { op, name, attempts } = writer()
    const reader = operation([], async (unit) => {
      await transactionOf(unit)
      throw error
    })
    expect(await together(reader, op)).toMatchObject([{ reason: error }, { value: name }])
    expect(attempts).toHaveLength(1)
    expect(await rolesNamed(name)).toBe(1)
  })

  test.each<[string, (unit: Unit) => Promise<unknown>, RegExp]>([
    ['throws', async () => Promise.reject(new Error('no')), /^no$/],
    ['sends a statement that fails', async ({ tx }) => sql`SELECT 1 / 0`.execute(tx), /division by zero/],
    ['leaves a statement that fails', async ({ tx, send }) => send(sql`SELECT 1 / 0`.execute(tx)), /division by zero/],
    [
      'does not report that one failed',
      async ({ tx }) => sql`SELECT 1 / 0`.execute(tx).catch(() => undefined),
      /transaction is aborted/,
    ],
  ])('are done without one that has changed something and %s', async (_, then, message) => {
    const { op, name, attempts } = writer()
    const bad = fresh('role')
    const failing = operation([], async (unit) => {
      await insertRole(unit, bad)
      await then(unit)
    })
    const [failed, done] = await together(failing, op)
    expect(failed).toMatchObject({ reason: { message: expect.stringMatching(message) } })
    expect(done).toMatchObject({ value: name })
    expect(new Set(attempts).size).toBe(2)
    expect([await rolesNamed(bad), await rolesNamed(name)]).toEqual([0, 1])
  })

  test('commit together with a Refusal that must be stored', async () => {
    const error = new ApiError('auth.forbidden')
    const { op, name, attempts } = writer()
    const kept = fresh('role')
    const refusing = operation([], async (unit) => {
      await insertRole(unit, kept)
      throw new Refusal(error)
    })
    expect(await together(refusing, op)).toMatchObject([{ reason: error }, { value: name }])
    expect(attempts).toHaveLength(1)
    expect([await rolesNamed(kept), await rolesNamed(name)]).toEqual([1, 1])
  })

  test('do not wait for one that waits for a lock', async () => {
    const locked = writer()
    await perform(work(fresh('locked')), locked.op)
    const holder = await server.store.database.pool.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT FROM roles WHERE name = $1 FOR UPDATE', [locked.name])
    const { op, name } = writer()
    const waiting = operation([], async ({ tx }) => {
      await sql`UPDATE roles SET description = 'changed' WHERE name = ${locked.name}`.execute(tx)
    })
    const place = { ...work(fresh('locks')), isShort: true }
    const [waited, done] = [perform(place, waiting), perform(place, op)]
    expect(await done).toBe(name)
    await holder.query('ROLLBACK')
    holder.release()
    await waited
  })

  test('do not wait for long transactions', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = Array.from({ length: 3 }, () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const op = operation([], async () => {
        begin()
        await released
      })
      return { begun, op }
    })
    const performed: Promise<void>[] = []
    for (const { begun, op } of slow) {
      performed.push(perform({ ...work(fresh('slow')), isShort: true }, op))
      await begun
    }
    const { op, name } = writer()
    expect(await perform({ ...work(fresh('quick')), isShort: true }, op)).toBe(name)
    release()
    await Promise.all(performed)
  })

  describe('and send the same statement', () => {
    const rename = shapedStatement<{ name: string; together: number }>()
    /** Changes the description of a role and divides one by a number; returns how many did so in one statement. */
    const renameSql = () => sql<{ name: string; together: number }>`
      UPDATE roles r SET description = ${parameter('description', 'text')}
      FROM ${GIVEN} WHERE r.tenant_id = 'default' AND r.name = ${parameter('name', 'text')}
        AND 1 / ${parameter('divisor', 'integer')} = 1
      RETURNING given.n, r.name, (SELECT count(*) FROM ${GIVEN}) AS together`
    const renamed = (unit: Unit, name: string, divisor = 1) =>
      rename(unit, '', renameSql, { name, description: `now ${name}`, divisor })
    const seen = shapedStatement<{ description: string }>()
    const seenSql = () => sql<{ description: string }>`
      SELECT given.n, r.description FROM ${GIVEN}, roles r
      WHERE r.tenant_id = 'default' AND r.name = ${parameter('name', 'text')}`
    const descriptionOf = async (unit: Unit, name: string) => (await seen(unit, '', seenSql, { name }))[0]?.description
    const newRole = async () => {
      const { op, name } = writer()
      await perform(work(fresh('role')), op)
      return name
    }

    test('send it once, and each gets its own result', async () => {
      const names = [await newRole(), await newRole(), 'none', await newRole()]
      const results = await together(...names.map((name) => operation([], (unit) => renamed(unit, name))))
      const answers = names.map((name) => ({ value: name === 'none' ? [] : [{ name, together: 4 }] }))
      expect(results).toMatchObject(answers)
      for (const name of names) {
        const description = await perform(work(fresh('reads')), operation([], descriptionOf), name)
        expect(description).toBe(name === 'none' ? undefined : `now ${name}`)
      }
    })

    test('succeed without one for which it fails', async () => {
      const [bad, good] = [await newRole(), await newRole()]
      const [failed, done] = await together(
        operation([], (unit) => renamed(unit, bad, 0)),
        operation([], (unit) => renamed(unit, good)),
      )
      expect(failed).toMatchObject({ reason: { message: 'division by zero' } })
      expect(done).toMatchObject({ value: [{ name: good, together: 1 }] })
    })

    test('continue without one that is refused because it changed nothing', async () => {
      const [error, name] = [new ApiError('entity.not_found'), await newRole()]
      const transactions: (string | undefined)[] = []
      const refused = operation([], async (unit) => {
        if ((await renamed(unit, 'none')).length === 0) throw error
      })
      const done = operation([], async (unit) => {
        transactions.push(await transactionOf(unit))
        return renamed(unit, name)
      })
      expect(await together(refused, done)).toMatchObject([{ reason: error }, { value: [{ name }] }])
      expect(transactions).toHaveLength(1)
    })

    test('see in it the effects of their earlier statements', async () => {
      const [other, own] = [await newRole(), fresh('role')]
      const results = await together(
        operation([], (unit) => descriptionOf(unit, other)),
        operation([], async (unit) => {
          unit.send(insertRole(unit, own))
          unit.send(renamed(unit, own))
          return descriptionOf(unit, own)
        }),
      )
      expect(results).toMatchObject([{ value: '' }, { value: `now ${own}` }])
    })
  })
})

test('a prepared statement writes and reads values as the driver does, before and after its columns are known', async () => {
  const client = await server.store.database.pool.connect()
  try {
    const twice = async (text: string, values: unknown[]) => {
      const byDriver = await client.query(text, values)
      const expected = { command: byDriver.command, rowCount: byDriver.rowCount, rows: byDriver.rows }
      const name = fresh('statement')
      for (const result of [
        await client.query({ name, text, values }),
        ...(await Promise.all([client.query({ name, text, values }), client.query({ name, text, values })])),
      ]) {
        expect(result).toMatchObject(expected)
        expect(result.fields.map((field) => field.name)).toEqual(byDriver.fields.map((field) => field.name))
      }
    }
    const text = `SELECT $1::text AS a, $2::text[] AS b, $3::timestamptz AS c, $4::timestamptz AS d, $5::integer AS e,
      $6::boolean AS f, $7::bytea AS g, $8::jsonb AS h, $9::text AS i, $10::bigint AS j, $11::jsonb AS k FROM generate_series(1, 2)`
    const times = [new Date('2026-02-03T04:05:06.789Z'), new Date('+010026-02-03T04:05:06.789Z')]
    const [bytes, list] = [Buffer.from([0, 92, 255]), ['a,b', 'c"d\\e', '{}', '', 'NULL', 'ü']]
    await twice(text, ['é “\\” 😀', list, ...times, -7, false, bytes, '{"x": [1]}', null, 5, '[]'])
    // a value that is left to the driver
    await twice(text, ['', [], ...times, 0, true, Buffer.alloc(0), { y: 2 }, undefined, '9007199254740991', null])
    await twice('UPDATE tenants SET id = id WHERE id = $1', [fresh('tenant')])
    await twice('UPDATE tenants SET id = id WHERE id = $1 RETURNING id', ['default'])
    const division = { name: fresh('statement'), text: 'SELECT 6 / $1::integer AS quotient' }
    const divided = await Promise.allSettled([0, 2, 0, 3].map((by) => client.query({ ...division, values: [by] })))
    expect(divided).toMatchObject([
      { reason: { code: '22012' } },
      { value: { rows: [{ quotient: 3 }] } },
      { reason: { code: '22012' } },
      { value: { rows: [{ quotient: 2 }] } },
    ])
  } finally {
    client.release()
  }
})
