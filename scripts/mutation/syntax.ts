/** Syntax trees of the mutated files, and the walk over the parts of a tree that run. */
import { type Node, parseSync, visitorKeys } from 'oxc-parser'

/** What TypeScript wraps around an expression: it is erased when the program runs, the expression is not. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'TSAsExpression',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
])

/** Called for a node with its ancestors, the nearest last. */
export type Visit = (node: Node, around: readonly Node[]) => void

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const childrenOf = (node: Node): Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) => {
    const child: unknown = Reflect.get(node, key)
    return Array.isArray(child) ? child.filter(isNode) : isNode(child) ? [child] : []
  })

const walk = (node: Node, around: readonly Node[], visit: Visit): void => {
  if (node.type === 'ImportDeclaration') return
  if (node.type.startsWith('TS') && !TRANSPARENT.has(node.type)) return
  visit(node, around)
  const within = [...around, node]
  for (const child of childrenOf(node)) walk(child, within, visit)
}

/** Whether the text is TypeScript that can be loaded. Does not check types. */
export const isSound = (text: string): boolean => parseSync('mutant.ts', text).errors.length === 0

/**
 * Visits each node of a TypeScript file that runs, outer ones first, without types and imports. Throws for a syntax
 * error.
 */
export const visitProgram = (path: string, text: string, visit: Visit): void => {
  const { program, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  walk(program, [], visit)
}
