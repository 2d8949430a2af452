/** Sample payloads, generated from the schemas of the catalogue, for testing a hook. */
import { EVENTS, type EventType } from '@countersign/contract/events.ts'

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minimum?: number
}

const sampleOf = (schema: Schema, name: string): unknown => {
  if (schema.const !== undefined) return schema.const
  const [choice] = schema.enum ?? schema.examples ?? []
  if (choice !== undefined) return choice
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((field) => [field, sampleOf(schema.properties?.[field] ?? {}, field)]),
      )
    case 'array':
      return schema.items ? [sampleOf(schema.items, name)] : []
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      return `sample-${name}`
  }
}

/** Plausible values for the fields of an event of this type. */
export const samplePayload = (type: EventType): Record<string, unknown> =>
  sampleOf(EVENTS[type].fields as Schema, 'event') as Record<string, unknown>
