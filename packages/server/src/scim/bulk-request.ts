/**
 * The body of Bulk (RFC 7644 section 3.7): its operations, their references, and the order in which they can be
 * performed.
 */
import { refused, ScimError } from './errors.ts'
import { isObject } from './read-resource.ts'

/** Published in `/ServiceProviderConfig`. */
export const MOST_BULK_OPERATIONS = 500

export interface BulkOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly endpoint: 'Users' | 'Groups'
  /** An id, or a reference to one that another operation creates; undefined for POST. */
  readonly target: string | undefined
  readonly bulkId: string | undefined
  readonly version: string | undefined
  readonly data: unknown
}

/** An entry of the request: an operation, or the reason why it is invalid. */
export type BulkEntry = { readonly sent: unknown } & (
  | { readonly operation: BulkOperation }
  | { readonly refusal: ScimError }
)

const METHODS: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']
const REFERENCE = /^bulkId:(.+)$/s

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const operationOf = (sent: unknown): BulkOperation => {
  if (!isObject(sent)) throw refused('invalidSyntax', 'An operation must be an object.')
  const method = text(sent.method)?.toUpperCase() ?? ''
  if (!METHODS.includes(method)) throw refused('invalidSyntax', 'The method must be POST, PUT, PATCH or DELETE.')
  const [, endpoint, target] = /^\/(Users|Groups)(?:\/([^/?#]+))?$/.exec(text(sent.path) ?? '') ?? []
  const isPost = method === 'POST'
  if (endpoint === undefined || isPost !== (target === undefined))
    throw refused(
      'invalidPath',
      'The path must be /Users or /Groups for POST, and name one of their resources otherwise.',
    )
  const bulkId = text(sent.bulkId)
  if (isPost && bulkId === undefined) throw refused('invalidSyntax', 'POST needs a bulkId.')
  if (method !== 'DELETE' && sent.data === undefined) throw refused('invalidValue', 'The operation needs data.')
  return {
    method: method as BulkOperation['method'],
    endpoint: endpoint as BulkOperation['endpoint'],
    target,
    bulkId,
    version: text(sent.version),
    data: sent.data,
  }
}

const entryOf = (sent: unknown): BulkEntry => {
  try {
    return { sent, operation: operationOf(sent) }
  } catch (error) {
    if (error instanceof ScimError) return { sent, refusal: error }
    throw error
  }
}

/** The entries of a request in its order, and after how many errors to stop. Throws 400, 413. */
export const readBulk = (body: unknown): { entries: BulkEntry[]; failOnErrors: number } => {
  if (!isObject(body) || !Array.isArray(body.Operations))
    throw refused('invalidSyntax', 'The body must have Operations.')
  const { failOnErrors, Operations: operations } = body
  if (operations.length > MOST_BULK_OPERATIONS)
    throw new ScimError(413, undefined, `A request has at most ${MOST_BULK_OPERATIONS} operations.`)
  if (failOnErrors !== undefined && !(Number.isInteger(failOnErrors) && Number(failOnErrors) > 0))
    throw refused('invalidValue', 'failOnErrors must be a positive number.')
  return { entries: operations.map(entryOf), failOnErrors: Number(failOnErrors ?? Number.POSITIVE_INFINITY) }
}

/** The bulkIds that a value refers to. */
const references = (value: unknown): string[] => {
  if (typeof value === 'string') return REFERENCE.exec(value)?.slice(1) ?? []
  if (Array.isArray(value)) return value.flatMap(references)
  return isObject(value) ? Object.values(value).flatMap(references) : []
}

/**
 * The indexes of the entries in an order that creates referenced resources first. Circular references keep their place:
 * they refer to something that does not exist yet, and are refused.
 */
export const bulkOrder = (entries: readonly BulkEntry[]): number[] => {
  const creators = new Map(
    entries.flatMap((entry, place): [string, number][] =>
      'operation' in entry && entry.operation.bulkId !== undefined && entry.operation.method === 'POST'
        ? [[entry.operation.bulkId, place]]
        : [],
    ),
  )
  const order = new Set<number>()
  const begun = new Set<number>()
  const visit = (place: number) => {
    if (begun.has(place)) return
    begun.add(place)
    const entry = entries[place]
    if (entry && 'operation' in entry)
      for (const id of references([entry.operation.target, entry.operation.data])) {
        const creator = creators.get(id)
        if (creator !== undefined) visit(creator)
      }
    order.add(place)
  }
  for (const place of entries.keys()) visit(place)
  return [...order]
}

/** The value with ids instead of references. Throws 409 for a reference that no operation has created. */
export const resolveReferences = (value: unknown, created: ReadonlyMap<string, string>): unknown => {
  if (typeof value === 'string') {
    const [, name] = REFERENCE.exec(value) ?? []
    if (name === undefined) return value
    const id = created.get(name)
    if (id === undefined) throw new ScimError(409, undefined, `No earlier operation has created bulkId:${name}.`)
    return id
  }
  if (Array.isArray(value)) return value.map((one) => resolveReferences(one, created))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveReferences(member, created)]))
}
