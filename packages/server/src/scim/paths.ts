/** Attribute paths such as `name.givenName` or `urn:…:User:department`, resolved against the schemas. */
import { type Attribute, findAttribute } from './attributes.ts'
import type { ResourceType } from './schemas.ts'

/** The location of a value: extension if any, attribute, and part of it. */
export interface ResolvedPath {
  /** The URN of the extension; undefined: the resource itself. */
  readonly extension: string | undefined
  readonly attribute: Attribute
  readonly sub: Attribute | undefined
}

/** The path without the URN of the schema, and the schema's extension. Undefined for a schema that the resource lacks. */
const withoutUrn = (type: ResourceType, path: string) => {
  if (!/^urn:/i.test(path)) return { extension: undefined, attributes: type.attributes, rest: path }
  const folded = path.toLowerCase()
  for (const schema of [type.schema, ...type.extensions]) {
    if (!folded.startsWith(`${schema.id.toLowerCase()}:`)) continue
    const isCore = schema === type.schema
    return {
      extension: isCore ? undefined : schema.id,
      attributes: isCore ? type.attributes : schema.attributes,
      rest: path.slice(schema.id.length + 1),
    }
  }
  return undefined
}

/** The attribute that a path names, in any case; undefined when the schemas have none. */
export const resolvePath = (type: ResourceType, path: string): ResolvedPath | undefined => {
  const found = withoutUrn(type, path)
  if (!found) return undefined
  const [name = '', subName, ...deeper] = found.rest.split('.')
  const attribute = findAttribute(found.attributes, name)
  if (!attribute || deeper.length > 0) return undefined
  const sub = subName === undefined ? undefined : findAttribute(attribute.subAttributes ?? [], subName)
  return subName !== undefined && !sub ? undefined : { extension: found.extension, attribute, sub }
}

/** The extension whose URN this is, in any case. */
export const extensionNamed = (type: ResourceType, urn: string) =>
  type.extensions.find(({ id }) => id.toLowerCase() === urn.toLowerCase())

/** The value of a path's attribute in a resource in canonical form. */
export const valueAt = (
  resource: Readonly<Record<string, unknown>>,
  { extension, attribute }: ResolvedPath,
): unknown => {
  const holder = extension === undefined ? resource : resource[extension]
  return (holder as Readonly<Record<string, unknown>> | undefined)?.[attribute.name]
}
