/** A mutant: one change of one file, and how to detect that a test reaches it. */

/**
 * When a mutant is reached: when its code runs, or when it runs with a value for which the change makes a difference.
 */
export interface Probe {
  readonly when: 'runs' | 'truthy' | 'falsy' | 'nullish'
  /** What is wrapped: an expression, a statement, or a block that the probe is prepended to. */
  readonly form: 'expression' | 'statement' | 'block'
  readonly start: number
  readonly end: number
}

/** Offsets are UTF-16 units of the file; [start, end) becomes the replacement. */
export interface Change {
  /** The kind of change, as the report groups them. */
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
  readonly probe: Probe
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** A probe on an expression that is reached whenever it is evaluated. */
export const evaluated = ({ start, end }: Span): Probe => ({ when: 'runs', form: 'expression', start, end })

/** A change of the expression itself. */
export const replaced = (operator: string, node: Span, replacement: string, probe = evaluated(node)): Change => ({
  operator,
  start: node.start,
  end: node.end,
  replacement,
  probe,
})
