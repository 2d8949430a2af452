/**
 * The contract: what the server promises, as values. Browser-safe; depends on the schema library only.
 * This file holds the few schemas that every resource repeats.
 */
import Type, { type TSchema } from 'typebox'

/** An id as the Management API shows it: 21 characters of `[0-9a-z]`, 12 for users and organizations (DECISIONS B1). */
export const Id = Type.String({
  minLength: 1,
  maxLength: 21,
  pattern: '^[0-9a-z-]+$',
  examples: ['a8k2m0q4v6x1c3b5n7z9e'],
})
/** What a client is called in tokens: the id of an application, or the address of the metadata of a client that is none. */
export const ClientId = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The id of an application, or the https address that is the id of a client with a metadata document',
})

/** A moment as the Management API shows it: milliseconds since 1970-01-01T00:00:00Z (DECISIONS B1). */
export const EpochMilliseconds = Type.Integer({
  description: 'Milliseconds since 1970-01-01T00:00:00Z',
  examples: [1_790_000_000_000],
})

/** A moment in a request: one that a date can hold. */
export const Moment = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Milliseconds since 1970-01-01T00:00:00Z',
  examples: [1_790_000_000_000],
})

/**
 * Marks the schema of what lets others in and is shown nonetheless: a password, a key, a token. The one rule for it: only
 * routes that ask for `write:` answer it, because who reads it can do more than read. A test walks the contract.
 */
export const SECRET = { 'x-secret': true } as const

/** A free-form JSON object that the server keeps and never reads. */
export const JsonObject = Type.Record(Type.String(), Type.Unknown())

/** A schema or null, for fields that are always present. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of a closed list of strings. */
export const OneOf = <const T extends readonly string[]>(values: T, options: { description?: string } = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

const searchOf = (what: string) =>
  Type.Optional(
    Type.String({
      maxLength: 256,
      description: `${what}; with \`%\` at either end it is a pattern, in which \`%\` matches any text`,
    }),
  )

/** `search` of a list whose rows have names. */
export const NameSearch = searchOf('A part of the name')

/** The same where an id is found too. */
export const NameOrIdSearch = searchOf('A part of the name, or the whole id')

/** A list of ids in a request: not empty, at most 10,000. Duplicates are allowed and count once. */
export const IdList = Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { minItems: 1, maxItems: 10_000 })

/** A list of ids that replaces another, or of roles to give: as IdList, but it may be empty. */
export const IdListOrNone = Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { maxItems: 10_000 })
