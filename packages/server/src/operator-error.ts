/**
 * An error that the operator can fix, explained in one sentence; the command line needs it before it loads anything
 * else.
 */
import { ConfigurationError } from './kernel/configuration.ts'
import { EmbeddedDatabaseError } from './storage/embedded/embedded-database-error.ts'
import { MigrationError } from './storage/migration-error.ts'

/** Whether an error is one sentence for the operator, rather than a fault of the program. */
export const isOperatorError = (error: unknown): error is Error =>
  error instanceof ConfigurationError || error instanceof MigrationError || error instanceof EmbeddedDatabaseError
