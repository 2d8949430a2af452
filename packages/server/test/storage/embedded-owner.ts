/**
 * A process that owns an embedded PostgreSQL, for the tests which kill it. Prints one line of JSON, `{ connection }` or
 * `{ error }`, and one `{ log }` for each message; stops cleanly when its standard input ends, throws when it receives
 * a line there.
 */

import { stderr, stdin, stdout } from 'node:process'
import { startEmbeddedPostgres } from '../../src/storage/embedded/embedded.ts'
import { EmbeddedDatabaseError } from '../../src/storage/embedded/embedded-database-error.ts'

const tell = (message: unknown): void => void stdout.write(`${JSON.stringify(message)}\n`)
const dataDir = process.argv[2] ?? ''

try {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off' },
    log: (message, fields) => tell({ log: message, fields }),
  })
  stdin.on('data', () => {
    throw new Error('the test asked for an uncaught exception')
  })
  stdin.once('end', () => void postgres.stop())
  tell({ connection: postgres.connection })
} catch (error) {
  if (!(error instanceof EmbeddedDatabaseError)) stderr.write(String(error))
  tell({ error: error instanceof EmbeddedDatabaseError ? error.message : `unexpected: ${error}` })
}
