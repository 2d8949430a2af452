/** Mutants of literals: texts, flags, arrays, objects, and SQL. */
import type { Node } from 'oxc-parser'
import { calledName } from './call-operators.ts'
import { type Change, evaluated, replaced } from './change.ts'
import { looksLikeSql, PLACEHOLDER, sqlChanges } from './sql-operators.ts'

/** Their texts and objects are names of tables and columns: without them there is no statement, which any test notices. */
const NAMING: ReadonlySet<string | undefined> = new Set(
  `select selectFrom insertInto updateTable deleteFrom innerJoin leftJoin where whereRef on onRef orderBy groupBy returning
  columns column constraint ref table lit raw eb values set inTenant`.split(/\s+/),
)

const isLog = (node: Node, source: string): boolean =>
  node.type === 'CallExpression' &&
  /(^|\.)(log|logger|span|tracer)\b/.test(source.slice(node.callee.start, node.callee.end))

/** Whether emptying a text here would have no effect, or only that of another mutant. */
const isUninteresting = (node: Node, around: readonly Node[], source: string): boolean => {
  const parent = around.at(-1)
  if (!parent || parent.type === 'ExpressionStatement' || parent.type === 'ImportExpression') return true
  if (parent.type === 'BinaryExpression' && /==|^in$/.test(parent.operator)) return true
  if (parent.type === 'SwitchCase' || parent.type === 'MemberExpression') return true
  if (parent.type === 'Property' && parent.key === node && !parent.computed) return true
  const call = around.findLast(({ type }) => type === 'CallExpression')
  return NAMING.has(calledName(call)) || around.some((each) => isLog(each, source))
}

const texts = (node: Node, around: readonly Node[], source: string): Change[] => {
  if (node.type === 'Literal' && typeof node.value === 'string') {
    // a text with spaces is a sentence for people, or SQL
    if (node.value === '' || /\s/.test(node.value) || isUninteresting(node, around, source)) return []
    return [replaced('text emptied', node, "''")]
  }
  if (node.type !== 'TemplateLiteral' || around.at(-1)?.type === 'TaggedTemplateExpression') return []
  const raw = node.quasis.map(({ value }) => value.raw)
  if (raw.some((part) => /\s/.test(part)) || raw.every((part) => part === '')) return []
  return isUninteresting(node, around, source) ? [] : [replaced('text emptied', node, '``')]
}

/** The text between the backticks, with placeholders for interpolated values; as long as in the source. */
const maskedText = (node: Node & { type: 'TemplateLiteral' }, source: string): string => {
  let masked = source.slice(node.start + 1, node.end - 1)
  for (const { start, end } of node.expressions) {
    const from = source.lastIndexOf('${', start) - node.start - 1
    const to = source.indexOf('}', end) - node.start
    masked = masked.slice(0, from) + PLACEHOLDER.repeat(to - from) + masked.slice(to)
  }
  return masked
}

const sqlTexts = (node: Node, around: readonly Node[], source: string): Change[] => {
  const parent = around.at(-1)
  const isTagged = parent?.type === 'TaggedTemplateExpression'
  const isPlain = node.type === 'Literal' && typeof node.value === 'string' && /\s/.test(node.value)
  if (node.type !== 'TemplateLiteral' && !isPlain) return []
  if (isTagged && !/^sql\b/.test(source.slice(parent.tag.start, parent.tag.end))) return []
  const text = node.type === 'TemplateLiteral' ? maskedText(node, source) : source.slice(node.start + 1, node.end - 1)
  if (!isTagged && !looksLikeSql(text)) return []
  const from = node.start + 1
  return sqlChanges(text).map(({ operator, start, end, replacement }) => ({
    operator,
    start: from + start,
    end: from + end,
    // interpolated values are taken from the source again
    replacement: restored(replacement, text.slice(start, end), source.slice(from + start, from + end)),
    probe: evaluated(isTagged ? parent : node),
  }))
}

/** In a replacement that contains the masked original, restores the original. */
const restored = (replacement: string, masked: string, original: string): string =>
  replacement.includes(masked) && masked !== '' ? replacement.replace(masked, () => original) : replacement

const collections = (node: Node, around: readonly Node[]): Change[] => {
  const parent = around.at(-1)
  const call = calledName(parent?.type === 'CallExpression' ? parent : undefined)
  if (node.type === 'ArrayExpression' && node.elements.length > 0)
    return NAMING.has(call) ? [] : [replaced('array emptied', node, '[]')]
  if (node.type !== 'ObjectExpression' || node.properties.length === 0) return []
  if (!NAMING.has(call)) return [replaced('object emptied', node, '{}')]
  if (call !== 'set' || node.properties.length < 2) return []
  return node.properties.map((property, at) => {
    // with the comma before it or, for the first, after it
    const start = node.properties[at - 1]?.end ?? property.start
    const end = at === 0 ? (node.properties[1]?.start ?? property.end) : property.end
    return { operator: 'column not set', start, end, replacement: '', probe: evaluated(node) }
  })
}

const flags = (node: Node): Change[] =>
  node.type === 'Literal' && typeof node.value === 'boolean' ? [replaced('flag', node, String(!node.value))] : []

/** Except texts for people, for the log, and the names of tables and columns. */
export const literalChanges = (node: Node, around: readonly Node[], source: string): Change[] => [
  ...texts(node, around, source),
  ...sqlTexts(node, around, source),
  ...collections(node, around),
  ...flags(node),
]
