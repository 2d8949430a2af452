/** The mutants of a file: every change that the operators make to a node of its syntax tree. */
import type { Node } from 'oxc-parser'
import { callChanges } from './call-operators.ts'
import { type Change, replaced } from './change.ts'
import { literalChanges } from './literal-operators.ts'
import { visitProgram } from './syntax.ts'

const RELATIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
])
const ARITHMETIC: ReadonlyMap<string, string> = new Map([
  ['+', '-'],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
])
const ASSIGNMENTS: ReadonlyMap<string, string> = new Map([
  ['+=', '-='],
  ['-=', '+='],
])

/** The test of an `if`, a `while` or a `?:`. */
const testOf = (node: Node | undefined): Node | undefined =>
  node?.type === 'IfStatement' || node?.type === 'ConditionalExpression' || node?.type === 'WhileStatement'
    ? node.test
    : undefined

const conditionals = (node: Node): Change[] => {
  const test = testOf(node)
  if (!test) return []
  const { start, end } = test
  return ([true, false] as const).map((value) => ({
    operator: 'condition',
    start,
    end,
    replacement: String(value),
    probe: { when: value ? 'falsy' : 'truthy', form: 'expression', start, end },
  }))
}

/** One of the two operands alone. */
const logical = (node: Node, source: string): Change[] => {
  if (node.type !== 'LogicalExpression') return []
  const { left, right, operator } = node
  const probe = { form: 'expression', start: left.start, end: left.end } as const
  const rightIsLeft = operator === '&&' ? 'truthy' : operator === '||' ? 'falsy' : 'nullish'
  return [
    replaced('logical operand', node, source.slice(left.start, left.end), { ...probe, when: rightIsLeft }),
    replaced('logical operand', node, source.slice(right.start, right.end)),
  ]
}

const withOperator = (node: Node & { left: Node; right: Node; operator: string }, source: string, operator: string) => {
  const between = source.slice(node.left.end, node.right.start)
  return (
    source.slice(node.start, node.left.end) +
    between.replace(node.operator, operator) +
    source.slice(node.right.start, node.end)
  )
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left) || isText(node.right)))

const binary = (node: Node, parent: Node | undefined, source: string): Change[] => {
  if (node.type === 'AssignmentExpression') {
    const operator = ASSIGNMENTS.get(node.operator)
    return operator ? [replaced('arithmetic', node, withOperator(node, source, operator))] : []
  }
  if (node.type !== 'BinaryExpression') return []
  const arithmetic = ARITHMETIC.get(node.operator)
  if (arithmetic) return isText(node) ? [] : [replaced('arithmetic', node, withOperator(node, source, arithmetic))]
  // the negation of a whole test is killed by whatever kills `true` and `false` in its place
  const [boundary, ...opposite] = RELATIONS.get(node.operator) ?? []
  const isTest = testOf(parent) === node
  const isEquality = node.operator.endsWith('==')
  const operators = isTest ? (isEquality ? [] : [boundary]) : [boundary, ...opposite]
  return operators.flatMap((operator) =>
    operator ? [replaced('comparison', node, withOperator(node, source, operator))] : [],
  )
}

const unary = (node: Node, parent: Node | undefined, source: string): Change[] => {
  if (node.type !== 'UnaryExpression' || (node.operator !== '!' && node.operator !== '-')) return []
  if (testOf(parent) === node) return []
  return [replaced('negation', node, source.slice(node.argument.start, node.argument.end))]
}

const QUIET = /^(await )?(\w+\.)*(log|logger|span|tracer)\b/

/** A removed statement. */
const statements = (node: Node, parent: Node | undefined, source: string): Change[] => {
  const { start, end } = node
  const removed = (operator: string): Change[] => [
    { operator, start, end, replacement: '{}', probe: { when: 'runs', form: 'statement', start, end } },
  ]
  if (node.type === 'ThrowStatement') return removed('throw dropped')
  if (node.type === 'ContinueStatement' || node.type === 'BreakStatement')
    return parent?.type === 'SwitchCase' ? [] : removed('jump dropped')
  if (node.type !== 'ExpressionStatement' || ('directive' in node && node.directive)) return []
  const { expression } = node
  if (expression.type === 'CallExpression' && expression.callee.type === 'Super') return []
  return QUIET.test(source.slice(start, end)) ? [] : removed('statement dropped')
}

const blocks = (node: Node, parent: Node | undefined): Change[] => {
  if (node.type === 'SwitchCase') {
    const [first] = node.consequent
    const last = node.consequent.at(-1)
    if (!first || !last || !node.test) return []
    const probe = { when: 'runs', form: 'statement', start: first.start, end: last.end } as const
    return [{ operator: 'block emptied', start: first.start, end: last.end, replacement: '{}', probe }]
  }
  if (node.type !== 'BlockStatement' || node.body.length === 0) return []
  // for `if` and `else`, a condition that is always true or false has the same effect
  if (parent?.type === 'IfStatement') return []
  const probe = { when: 'runs', form: 'block', start: node.start, end: node.end } as const
  return [{ operator: 'block emptied', start: node.start, end: node.end, replacement: '{}', probe }]
}

/** `a.b` for `a?.b`. */
const optionals = (node: Node, source: string): Change[] => {
  if (node.type !== 'MemberExpression' || !node.optional) return []
  const { object } = node
  const rest = source.slice(object.end, node.end).replace('?.', node.computed ? '' : '.')
  return [
    replaced('optional chaining', node, source.slice(node.start, object.end) + rest, {
      when: 'nullish',
      form: 'expression',
      start: object.start,
      end: object.end,
    }),
  ]
}

/** All changes of a file, in the order of their positions. */
export const changesOf = (path: string, source: string): Change[] => {
  const changes: Change[] = []
  visitProgram(path, source, (node, around) => {
    const parent = around.at(-1)
    changes.push(
      ...conditionals(node),
      ...logical(node, source),
      ...binary(node, parent, source),
      ...unary(node, parent, source),
      ...statements(node, parent, source),
      ...blocks(node, parent),
      ...optionals(node, source),
      ...callChanges(node, parent, source),
      ...literalChanges(node, around, source),
    )
  })
  return changes.toSorted((a, b) => a.start - b.start || b.end - a.end)
}
