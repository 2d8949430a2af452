/** How the command line speaks of failures: one sentence where the cause is the operator's to mend. */
import { isOperatorError } from '../server.ts'

/** Prints the failure to standard error and ends with status 1. An unexpected one is printed with its stack. */
export const fail = (error: unknown): never => {
  const known = isOperatorError(error)
  console.error(known ? error.message : error)
  process.exit(1)
}
