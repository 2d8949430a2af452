/** The failures that the tests of R-7 cause, and what they must look like to a client. */
import type { Store } from '@countersign/server/storage/store.ts'
import type pg from 'pg'
import { expect } from 'vitest'
import { eventually, type Reply } from '../protocol/arrange.ts'

/** A 500 that reveals nothing of its cause. */
export const expectFailure = ({ status, body, text }: Reply) => {
  expect(status).toBeGreaterThanOrEqual(500)
  expect(body).toEqual({
    error: 'server_error',
    error_description: 'something went wrong on the server',
    code: 'oidc.server_error',
    message: 'something went wrong on the server',
    request_id: expect.any(String),
  })
  // an id is of random letters, which may be any of these words
  expect(text.replace(body.request_id, '')).not.toMatch(/sql|relation|table|postgres|connection|token_|terminat/i)
}

/**
 * @param database the connection that causes the failures, owned by the test
 * @param stores of the nodes that send statements to it
 */
export const faultsOf = (database: () => pg.Client, stores: () => readonly Store[]) => {
  /** Causes a failure during the work. */
  const broken = async <T>(breaking: string, mending: string, work: () => Promise<T>): Promise<T> => {
    await database().query(breaking)
    try {
      return await work()
    } finally {
      await database().query(mending)
    }
  }

  const withoutTable = <T>(table: string, work: () => Promise<T>): Promise<T> =>
    broken(`ALTER TABLE ${table} RENAME TO gone`, `ALTER TABLE gone RENAME TO ${table}`, work)

  /** Writes to the table fail: immediately, or only when the transaction commits. */
  const refusingWrites = <T>(table: string, when: 'at once' | 'at commit', work: () => Promise<T>): Promise<T> =>
    broken(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'token_ refused'; END $$;
       CREATE ${when === 'at commit' ? 'CONSTRAINT' : ''} TRIGGER refusing AFTER INSERT OR UPDATE OR DELETE ON ${table}
       ${when === 'at commit' ? 'DEFERRABLE INITIALLY DEFERRED' : ''} FOR EACH ROW EXECUTE FUNCTION refuse()`,
      `DROP TRIGGER refusing ON ${table}; DROP FUNCTION refuse()`,
      work,
    )

  const WAITING = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'countersign' AND wait_event_type = 'Lock'`

  /** Kills the connection of the server in the middle of its statement, which waits for the table. */
  const killedInTheMiddle = async (table: string, request: () => Promise<Reply>): Promise<Reply> => {
    // a batch of audit entries would wait for a lock too, and be mistaken for the request
    for (const { audit } of stores()) await audit.flush()
    await database().query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    try {
      const answered = request()
      await eventually('the server waits for the table, and its connection is gone', 60_000, async () => {
        // within a transaction the list of connections stays as it was when it was first read
        await database().query('SELECT pg_stat_clear_snapshot()')
        const { rowCount } = await database().query(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) waiting`)
        return rowCount === 1
      })
      return await answered
    } finally {
      await database().query('ROLLBACK')
    }
  }
  return { withoutTable, refusingWrites, killedInTheMiddle }
}
