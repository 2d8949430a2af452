/** Mutants of calls: links of a chain removed, methods exchanged, operators of the query builder flipped. */
import type { Node } from 'oxc-parser'
import { type Change, evaluated, replaced } from './change.ts'

/** Methods that narrow, order or lock: without them the chain still works, with another result. */
const LINKS: ReadonlySet<string> = new Set(
  `where whereRef on onRef forUpdate forNoKeyUpdate forShare skipLocked limit offset orderBy distinct
  filter slice trim toLowerCase toUpperCase sort toSorted reverse toReversed`.split(/\s+/),
)
const EXCHANGED: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['min', 'max'],
  ['max', 'min'],
])
/** The second argument of these is an operator of SQL. */
const COMPARING: ReadonlySet<string> = new Set(['where', 'whereRef', 'on', 'onRef', 'having', 'eb'])
const FLIPS: ReadonlyMap<string, string> = new Map([
  ['=', '!='],
  ['!=', '='],
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['is', 'is not'],
  ['is not', 'is'],
  ['in', 'not in'],
  ['not in', 'in'],
])

/** The name of the called function or method. */
export const calledName = (node: Node | undefined): string | undefined => {
  if (node?.type !== 'CallExpression') return undefined
  const { callee } = node
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

const JOINING: ReadonlySet<string | undefined> = new Set(['on', 'onRef'])

const links = (node: Node, parent: Node | undefined, source: string): Change[] => {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
  const name = calledName(node)
  const { object } = node.callee
  if (!name || !LINKS.has(name) || node.callee.optional) return []
  // a join without a condition is not valid SQL
  const follows = parent?.type === 'MemberExpression' && parent.property.type === 'Identifier' && parent.property.name
  if (JOINING.has(name) && !JOINING.has(calledName(object)) && !JOINING.has(follows || undefined)) return []
  return [replaced('call dropped', node, source.slice(object.start, object.end))]
}

const exchanges = (node: Node): Change[] => {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
  const { property, object } = node.callee
  if (property.type !== 'Identifier') return []
  const other = EXCHANGED.get(property.name)
  const ofNumbers = property.name === 'min' || property.name === 'max'
  if (!other || (ofNumbers && !(object.type === 'Identifier' && object.name === 'Math'))) return []
  return [replaced('method exchanged', property, other, evaluated(node))]
}

const queryOperators = (node: Node): Change[] => {
  const name = calledName(node)
  if (node.type !== 'CallExpression' || !name || !COMPARING.has(name)) return []
  const operator = node.arguments[1]
  if (operator?.type !== 'Literal' || typeof operator.value !== 'string') return []
  const flipped = FLIPS.get(operator.value)
  return flipped ? [replaced('SQL comparison', operator, `'${flipped}'`)] : []
}

/** Links of optional chains are not changed. */
export const callChanges = (node: Node, parent: Node | undefined, source: string): Change[] => [
  ...links(node, parent, source),
  ...exchanges(node),
  ...queryOperators(node),
]
