/**
 * Applies a PATCH to a resource in canonical form (RFC 7644 section 3.5.2). A value path without a match is created
 * from its filter, because Entra replaces values that it has never sent.
 */
import { type Attribute, findAttribute } from './attributes.ts'
import { refused, ScimError } from './errors.ts'
import type { Filter } from './filter.ts'
import { entryTest } from './match.ts'
import { type PatchPath, parsePatchPath } from './patch-path.ts'
import { type PatchOperation, withPaths } from './patch-request.ts'
import { isObject, type Resource, readResource } from './read-resource.ts'
import type { ResourceType } from './schemas.ts'

/** Maximum of values of one attribute while a PATCH is applied: more would be refused at its end. */
const MOST_VALUES = 200

const tooMany = ({ name }: Attribute) => refused('invalidValue', `${name} has too many values.`)

/** The value that a filter of equalities describes; undefined for any other filter. */
const demanded = (filter: Filter): Resource | undefined => {
  if (filter.is === 'compared' && filter.operator === 'eq') return { [filter.path]: filter.value }
  if (filter.is !== 'and') return undefined
  const [left, right] = [demanded(filter.left), demanded(filter.right)]
  return left && right && { ...left, ...right }
}

/** The values of an attribute, with the names of their parts spelled as in the schema. */
const entriesOf = ({ subAttributes = [] }: Attribute, value: unknown): Resource[] => {
  const entries = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return entries.map((entry) =>
    isObject(entry)
      ? Object.fromEntries(
          Object.entries(entry).map(([name, part]) => [findAttribute(subAttributes, name)?.name ?? name, part]),
        )
      : { value: entry },
  )
}

/** If a value becomes primary, the others no longer are. */
const withOnePrimary = (entries: Resource[], written: readonly Resource[]): Resource[] => {
  const primary = written.findLast((entry) => entry.primary === true || String(entry.primary).toLowerCase() === 'true')
  return primary
    ? entries.map((entry) => (entry !== primary && entry.primary === true ? { ...entry, primary: false } : entry))
    : entries
}

/** The same text for equal values, whatever the order of their parts. */
const keyOf = (entry: Resource): string =>
  JSON.stringify(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))

const added = (before: Resource[], more: readonly Resource[]): Resource[] => {
  const held = new Set(before.map(keyOf))
  const fresh = more.filter((entry) => !held.has(keyOf(entry)))
  return withOnePrimary([...before, ...fresh], fresh)
}

const isNamed = (entry: Resource, values: readonly Resource[]): boolean =>
  values.some(({ value }) => value !== undefined && value === entry.value)

/** The values of a multi-valued attribute after an operation. */
const changedValues = (
  before: Resource[],
  { attribute, sub, filter }: PatchPath,
  { op, value, path }: PatchOperation,
) => {
  if (!filter && !sub) {
    const values = entriesOf(attribute, value)
    if (values.length > MOST_VALUES) throw tooMany(attribute)
    if (op === 'add') return added(before, values)
    if (op === 'replace') return values
    // Entra names the values to remove in `value`
    return values.length > 0 ? before.filter((entry) => !isNamed(entry, values)) : []
  }
  const test = filter ? entryTest(attribute, filter) : () => true
  if (op === 'remove') {
    if (!sub) return before.filter((entry) => !test(entry))
    return before.map((entry) => (test(entry) ? { ...entry, [sub.name]: undefined } : entry))
  }
  const part: Resource | undefined = sub ? { [sub.name]: value } : entriesOf(attribute, value)[0]
  if (!part) throw refused('invalidValue', `${path ?? attribute.name} needs a value.`)
  const written: Resource[] = []
  const entries = before.map((entry) => {
    if (!test(entry)) return entry
    const isMerged = sub !== undefined || op === 'add'
    const changed = isMerged ? { ...entry, ...part } : part
    written.push(changed)
    return changed
  })
  if (written.length > 0) return withOnePrimary(entries, written)
  const wanted = filter ? demanded(filter) : {}
  if (!wanted) throw refused('noTarget', `${path ?? attribute.name} matches nothing.`)
  return added(before, entriesOf(attribute, { ...wanted, ...part }))
}

const changedSingle = (before: unknown, { attribute, sub }: PatchPath, { op, value }: PatchOperation): unknown => {
  if (!sub) {
    if (op === 'remove') return undefined
    // adding to a complex attribute leaves its other parts unchanged
    return attribute.type === 'complex' && op === 'add' && isObject(before) && isObject(value)
      ? { ...before, ...value }
      : value
  }
  const held = isObject(before) ? before : {}
  return { ...held, [sub.name]: op === 'remove' ? undefined : value }
}

/** Ignored members of a value without a path: those that every resource repeats. */
const REPEATED = new Set(['schemas', 'id', 'meta'])

const applyOne = (
  type: ResourceType,
  resource: Resource,
  operation: PatchOperation & { path: string },
  isOwnPath: boolean,
) => {
  const { path, op, value } = operation
  if (!isOwnPath && REPEATED.has(path.toLowerCase())) return
  const target = parsePatchPath(type, path)
  if ('wholeExtension' in target) {
    const held = resource[target.wholeExtension]
    if (op !== 'remove' && !isObject(value)) throw refused('invalidValue', `${path} must be an object.`)
    resource[target.wholeExtension] = op === 'remove' ? undefined : { ...(held as Resource), ...(value as Resource) }
    return
  }
  const { extension, attribute, sub } = target
  if ((sub ?? attribute).mutability === 'readOnly') {
    if (!isOwnPath) return
    throw refused('mutability', `${path} cannot be written.`)
  }
  const holder: Resource = extension === undefined ? resource : { ...(resource[extension] as Resource) }
  const before = holder[attribute.name]
  const after = attribute.multiValued
    ? changedValues(entriesOf(attribute, before), target, operation)
    : changedSingle(before, target, operation)
  if (Array.isArray(after) && after.length > MOST_VALUES) throw tooMany(attribute)
  holder[attribute.name] = after
  if (extension !== undefined) resource[extension] = holder
}

const isUnknownMember = (error: unknown): boolean => error instanceof ScimError && error.scimType === 'invalidPath'

/** The resource after all operations, in canonical form; the given one is not modified. Throws 400. */
export const applyPatch = (type: ResourceType, before: Resource, operations: readonly PatchOperation[]): Resource => {
  const resource: Resource = { ...before }
  for (const operation of operations)
    for (const each of withPaths(operation)) {
      const isOwnPath = operation.path !== undefined
      try {
        applyOne(type, resource, each, isOwnPath)
      } catch (error) {
        // like unknown members of a PUT
        if (isOwnPath || !isUnknownMember(error)) throw error
      }
    }
  return readResource(type, Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== undefined)))
}
