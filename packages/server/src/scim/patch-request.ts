/** The body of a PATCH (RFC 7644 section 3.5.2), read as identity providers send it. */
import { refused } from './errors.ts'
import { isObject } from './read-resource.ts'

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove'
  readonly path: string | undefined
  readonly value: unknown
}

const MOST_OPERATIONS = 1000
const OPS: readonly string[] = ['add', 'replace', 'remove']

const memberOf = (object: Record<string, unknown>, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1]

const operationOf = (sent: unknown): PatchOperation => {
  if (!isObject(sent)) throw refused('invalidSyntax', 'An operation must be an object.')
  // Entra writes Add, Replace and Remove
  const op = String(memberOf(sent, 'op')).toLowerCase()
  if (!OPS.includes(op)) throw refused('invalidSyntax', 'The op of an operation must be add, replace or remove.')
  const [path, value] = [memberOf(sent, 'path') ?? undefined, memberOf(sent, 'value')]
  if (path !== undefined && typeof path !== 'string') throw refused('invalidPath', 'A path must be a string.')
  if (op === 'remove' && (path === undefined || path === '')) throw refused('noTarget', 'The op remove needs a path.')
  if (op !== 'remove' && value === undefined) throw refused('invalidValue', 'The ops add and replace need a value.')
  return { op: op as PatchOperation['op'], path: path === '' ? undefined : path, value }
}

/** How many changes an operation makes: without a path each member of its value is one. */
const changesOf = ({ path, value }: PatchOperation): number =>
  path === undefined && isObject(value) ? Object.keys(value).length : 1

/** The operations of a body, in order. Throws 400. */
export const readPatch = (body: unknown): PatchOperation[] => {
  const operations = isObject(body) ? memberOf(body, 'operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0)
    throw refused('invalidSyntax', 'The body must have Operations.')
  const read = operations.map(operationOf)
  if (read.reduce((sum, operation) => sum + changesOf(operation), 0) > MOST_OPERATIONS)
    throw refused('invalidSyntax', `A PATCH has at most ${MOST_OPERATIONS} operations.`)
  return read
}

/**
 * Each operation with a path: the members of a value without a path become separate operations; their names may be
 * paths (`name.givenName`), as Entra sends them. Throws 400.
 */
export const withPaths = ({ op, path, value }: PatchOperation): (PatchOperation & { readonly path: string })[] => {
  if (path !== undefined) return [{ op, path, value }]
  if (!isObject(value)) throw refused('invalidValue', 'Without a path the value must be an object.')
  return Object.entries(value).map(([name, member]) => ({ op, path: name, value: member }))
}
