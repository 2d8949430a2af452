/** A detail as a JSON Schema describes it, to fill the preview of a sentence: from its examples and constants, or the names of its members. */

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const SIMPLE: Readonly<Record<string, unknown>> = { number: 1, integer: 1, boolean: true, null: null }

/** @param name of the member that the schema is for: the value of a text that nothing else is known of */
export const sampleOf = (schema: unknown, name: string): unknown => {
  if (!isObject(schema)) return name
  const { examples, enum: choices, properties, items, type } = schema
  if (Object.hasOwn(schema, 'const')) return schema.const
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (Object.hasOwn(schema, 'default')) return schema.default
  if (Array.isArray(choices) && choices.length > 0) return choices[0]
  if (isObject(properties))
    return Object.fromEntries(Object.entries(properties).map(([member, inner]) => [member, sampleOf(inner, member)]))
  if (type === 'array') return [sampleOf(items, name)]
  return typeof type === 'string' && Object.hasOwn(SIMPLE, type) ? SIMPLE[type] : name
}
