/** Figures, their targets, and how both are printed. */

export interface Figure {
  readonly name: string
  readonly value: string
  /** What it cost PostgreSQL, as text; omitted where that was not or cannot be measured. */
  readonly postgres?: string | undefined
  /** The target, as text. */
  readonly target?: string
  readonly isReached?: boolean
}

export interface Section {
  readonly title: string
  readonly figures: readonly Figure[]
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The median of several measurements of the same, with their minimum and maximum. */
export const spread = (values: readonly number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`

/**
 * Microseconds of PostgreSQL's CPU of several measurements of the same, as text.
 * @param values undefined if it cannot be read on this machine
 */
export const postgresCpu = (values: readonly (number | undefined)[], each = ''): string | undefined => {
  const known = values.filter((value) => value !== undefined)
  if (known.length < values.length || known.length === 0) return undefined
  return `${known.length === 1 ? median(known).toFixed(0) : spread(known, 0)} µs${each}`
}

/** A figure with an upper limit. */
export const atMost = (name: string, value: number, shown: string, target: number, unit: string): Figure => ({
  name,
  value: shown,
  target: `at most ${target}${unit}`,
  isReached: value <= target,
})

const verdict = ({ isReached }: Figure): string => (isReached === undefined ? '' : isReached ? 'ok' : 'OVER')

/** A section as a table of Markdown, aligned for a terminal. */
export const printed = ({ title, figures }: Section): string => {
  const rows = [
    ['', 'measured', 'PostgreSQL CPU', 'to reach', ''],
    ...figures.map((figure) => [
      figure.name,
      figure.value,
      figure.postgres || '-',
      figure.target ?? '',
      verdict(figure),
    ]),
  ]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`
  return [`### ${title}`, '', line(head), rule, ...body.map(line), ''].join('\n')
}
