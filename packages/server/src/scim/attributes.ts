/** Definitions of SCIM attributes (RFC 7643 section 7), and a compact notation for schemas. */

export interface Attribute {
  readonly name: string
  readonly type: 'string' | 'boolean' | 'complex' | 'reference' | 'dateTime' | 'binary'
  readonly multiValued: boolean
  readonly description: string
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable'
  readonly returned: 'always' | 'default'
  readonly uniqueness: 'none' | 'server'
  readonly canonicalValues?: readonly string[]
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

/** The schema of a resource or of an extension. */
export interface Schema {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly attributes: readonly Attribute[]
}

type Options = Partial<Omit<Attribute, 'name' | 'description'>>

/** An attribute; without options a single writable string, case-insensitive. */
export const attribute = (name: string, description: string, options: Options = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...options,
})

/** An attribute with parts. */
export const complex = (
  name: string,
  description: string,
  subAttributes: readonly Attribute[],
  options: Options = {},
) => attribute(name, description, { type: 'complex', subAttributes, ...options })

/** Several values with `value`, `display`, `type` and `primary` (RFC 7643 section 2.4). */
export const plural = (
  name: string,
  description: string,
  canonicalValues: readonly string[] = [],
  ofValue: Options = {},
): Attribute =>
  complex(
    name,
    description,
    [
      attribute('value', 'The value', ofValue),
      attribute('display', 'A display name'),
      attribute('type', 'The kind of the value', canonicalValues.length > 0 ? { canonicalValues } : {}),
      attribute('primary', 'Whether it is the preferred one; true for at most one of them', { type: 'boolean' }),
    ],
    { multiValued: true },
  )

/** The attribute of this name in any case (RFC 7643 section 2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const folded = name.toLowerCase()
  return attributes.find((each) => each.name.toLowerCase() === folded)
}
