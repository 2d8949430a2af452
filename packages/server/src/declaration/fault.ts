/**
 * The set-up of a tenant as a file (`countersign apply`, `countersign export`): read with the position of everything in it,
 * compared with what is there, and applied by the operations of the domain in one transaction. Depends on domain, storage
 * and the kernel; the environment is handed in.
 *
 * This file: what is wrong with a declaration, and where.
 */
import { ConfigurationError } from '../kernel/configuration.ts'

/** The path of something: keys and positions from the top. */
export type Path = readonly (string | number)[]

/** One error at a place. */
export class Fault extends Error {
  readonly path: Path
  constructor(path: Path, reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.path = path
  }
}

/** Something wrong at a place of the text; both are counted from 1. */
export interface Problem {
  readonly line: number
  readonly column: number
  readonly reason: string
}

/** All errors, each on a line that begins with file, line and column. */
export class DeclarationError extends ConfigurationError {
  readonly problems: readonly Problem[]
  /** @param problems without them it is the text as a whole */
  constructor(message: string, problems: readonly Problem[] = [{ line: 1, column: 1, reason: message }]) {
    super(message)
    this.problems = problems
  }
}
