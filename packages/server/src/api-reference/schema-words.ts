/** A JSON schema in plain words: what kind of value it is, and what it must keep to. */
import { grouped } from './text.ts'

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time (ISO 8601)', uri: 'URI', email: 'email address' }

const code = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

/** The schemas that a value may follow: the branches of a union, or the schema itself. */
export const branches = (schema: Schema): readonly Schema[] => schema.anyOf ?? [schema]

const plural = (word: string): string => (word.includes(' ') || word === 'URI' ? word : `${word}s`)

const single = (schema: Schema): string => {
  if (schema.const !== undefined) return code(schema.const)
  if (schema.type === 'array') {
    const items = schema.items ? branches(schema.items).map((item) => plural(single(item))) : ['any values']
    return `list of ${unique(items).join(' or ')}`
  }
  if (schema.type === 'string') return FORMATS[schema.format ?? ''] ?? 'string'
  return schema.type ?? 'any value'
}

/** What kind of value it is: "string or null", "list of objects". */
export const typeWords = (schema: Schema): string => unique(branches(schema).map(single)).join(' or ')

const range = (unit: string, least: number | undefined, most: number | undefined): string[] => {
  const of = (count: number) => (unit ? ` ${count === 1 ? unit : `${unit}s`}` : '')
  if (least !== undefined && most !== undefined) return [`${grouped(least)} to ${grouped(most)}${of(most)}`]
  if (least !== undefined) return [`at least ${grouped(least)}${of(least)}`]
  if (most !== undefined) return [`at most ${grouped(most)}${of(most)}`]
  return []
}

const rulesOf = (schema: Schema): string[] => [
  ...(schema.enum ? [`one of ${schema.enum.map(code).join(', ')}`] : []),
  ...range('character', schema.minLength, schema.maxLength),
  ...range('', schema.minimum, schema.maximum),
  ...range('item', schema.minItems, schema.maxItems),
  ...(schema.uniqueItems ? ['no duplicates'] : []),
  ...(schema.pattern ? [`matches ${code(schema.pattern)}`] : []),
  ...(schema.patternProperties && !schema.properties ? ['with fields of any name'] : []),
  ...(schema.properties && schema.additionalProperties === true ? ['further fields may come'] : []),
  ...(schema.items ? branches(schema.items).flatMap((item) => rulesOf(item).map((rule) => `each ${rule}`)) : []),
  ...(schema.anyOf ?? []).flatMap(rulesOf),
  ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
]

/** What the value must keep to, as phrases; code stands between backticks. */
export const ruleWords = (schema: Schema): string[] => {
  const rules = unique(rulesOf(schema))
  // what every entry must be need not be said again where the value itself must be it
  return rules.filter((rule) => !(rule.startsWith('each ') && rules.includes(rule.slice('each '.length))))
}

/** The object schemas below a value, whose fields are worth a list of their own. */
export const nestedObjects = (schema: Schema): readonly Schema[] =>
  branches(schema).flatMap((branch) => {
    if (branch.type === 'array') return branch.items ? nestedObjects(branch.items) : []
    return branch.properties && Object.keys(branch.properties).length > 0 ? [branch] : []
  })
