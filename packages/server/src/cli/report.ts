/** How the command line prints: failures in one sentence where the operator can fix the cause, and plain tables. */
import { ApiError } from '../kernel/api-error.ts'
import { isOperatorError } from '../operator-error.ts'

const sentence = (error: unknown): string | undefined => {
  if (error instanceof ApiError) return error.sentence
  return isOperatorError(error) ? error.message : undefined
}

/** Prints the failure to standard error and ends with status 1. An unexpected one is printed with its stack. */
export const fail = (error: unknown): never => {
  console.error(sentence(error) ?? error)
  process.exit(1)
}

/** Rows under headings, columns as wide as their widest cell. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(headings), ...rows.map(line)].join('\n')
}
