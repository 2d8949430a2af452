/** `attributes` and `excludedAttributes` (RFC 7644 section 3.9): which parts of a resource a response contains. */
import { refused } from './errors.ts'
import { extensionNamed, resolvePath } from './paths.ts'
import { isObject, type Resource } from './read-resource.ts'
import type { ResourceType } from './schemas.ts'

/** Attribute names as requested; at most one of the lists. */
export interface Projection {
  readonly attributes: readonly string[]
  readonly excludedAttributes: readonly string[]
}

export const WHOLE: Projection = { attributes: [], excludedAttributes: [] }
const MOST = 200

/** Reads the lists. Throws 400 when both are present. */
export const readProjection = (attributes: readonly string[], excludedAttributes: readonly string[]): Projection => {
  const named = (names: readonly string[]) => names.map((name) => name.trim()).filter((name) => name !== '')
  const projection = { attributes: named(attributes), excludedAttributes: named(excludedAttributes) }
  if (projection.attributes.length > 0 && projection.excludedAttributes.length > 0)
    throw refused('invalidValue', 'attributes and excludedAttributes cannot be combined.')
  if (projection.attributes.length + projection.excludedAttributes.length > MOST)
    throw refused('invalidValue', `At most ${MOST} attributes can be named.`)
  return projection
}

/** Which members of an object a list names: wholly, or some parts of them. */
type Named = Map<string, Set<string> | 'whole'>

/** What a list names of the resource itself, and of each extension by its URN. */
const namedIn = (type: ResourceType, names: readonly string[]) => {
  const core: Named = new Map()
  const extensions = new Map<string, Named | 'whole'>()
  for (const name of names) {
    const extension = extensionNamed(type, name)
    const resolved = extension ? undefined : resolvePath(type, name)
    if (extension) extensions.set(extension.id, 'whole')
    if (!resolved) continue
    const { extension: urn, attribute, sub } = resolved
    const held = urn === undefined ? core : (extensions.get(urn) ?? new Map<string, Set<string> | 'whole'>())
    if (held === 'whole') continue
    if (urn !== undefined) extensions.set(urn, held)
    const parts = held.get(attribute.name)
    if (!sub) held.set(attribute.name, 'whole')
    else if (parts !== 'whole') held.set(attribute.name, new Set(parts).add(sub.name))
  }
  return { core, extensions }
}

const partsOf = (value: unknown, keep: (name: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => partsOf(one, keep))
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => keep(name))) : value
}

const select = (
  object: Resource,
  named: Named | 'whole' | undefined,
  isExcluding: boolean,
  always: readonly string[],
): Resource => {
  if (named === 'whole') return isExcluding ? {} : object
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      const parts = always.includes(name) ? undefined : named?.get(name)
      if (parts === undefined) return isExcluding || always.includes(name) ? [[name, value]] : []
      if (parts === 'whole') return isExcluding ? [] : [[name, value]]
      return [[name, partsOf(value, (part) => parts.has(part) !== isExcluding)]]
    }),
  )
}

const ALWAYS = ['schemas', 'id']

/** Whether a projection keeps any part of an attribute of the resource itself. */
export const shows = (type: ResourceType, { attributes, excludedAttributes }: Projection, name: string): boolean =>
  attributes.length > 0
    ? namedIn(type, attributes).core.has(name)
    : namedIn(type, excludedAttributes).core.get(name) !== 'whole'

/** The resource reduced by the projection; id and schemas always stay. Names that are in no schema are ignored. */
export const project = (
  type: ResourceType,
  resource: Resource,
  { attributes, excludedAttributes }: Projection,
): Resource => {
  const isExcluding = attributes.length === 0
  const names = isExcluding ? excludedAttributes : attributes
  if (names.length === 0) return resource
  const { core: named, extensions } = namedIn(type, names)
  const urns = type.extensions.map(({ id }) => id)
  const core = Object.fromEntries(Object.entries(resource).filter(([name]) => !urns.includes(name)))
  const projected = select(core, named, isExcluding, ALWAYS)
  for (const urn of urns) {
    const held = resource[urn]
    if (!isObject(held)) continue
    const rest = select(held, extensions.get(urn), isExcluding, [])
    if (Object.keys(rest).length > 0) projected[urn] = rest
  }
  return projected
}
