/** What a filter says that an index of the database answers: equalities that must hold whatever the rest of it says. */
import type { Filter } from './filter.ts'
import { resolvePath } from './paths.ts'
import type { ResourceType } from './schemas.ts'

/** An attribute, as `emails.value`, and the text that it equals. */
export interface Equality {
  readonly path: string
  readonly value: string
}

const equality = (type: ResourceType, path: string, value: string): Equality[] => {
  const resolved = resolvePath(type, path)
  if (!resolved || resolved.extension !== undefined) return []
  const { attribute, sub } = resolved
  const part = sub ?? attribute.subAttributes?.find(({ name }) => name === 'value')
  return [{ path: part ? `${attribute.name}.${part.name}` : attribute.name, value }]
}

/**
 * The equalities with a text of which each must hold for the filter to hold. Not all that the filter says: what they find has
 * to be tested.
 */
export const equalitiesOf = (type: ResourceType, filter: Filter): Equality[] => {
  switch (filter.is) {
    case 'and':
      return [...equalitiesOf(type, filter.left), ...equalitiesOf(type, filter.right)]
    case 'compared': {
      const { path, operator, value } = filter
      return operator === 'eq' && typeof value === 'string' ? equality(type, path, value) : []
    }
    case 'valued': {
      const within = (inner: Filter): Equality[] => {
        if (inner.is === 'and') return [...within(inner.left), ...within(inner.right)]
        if (inner.is !== 'compared' || inner.operator !== 'eq' || typeof inner.value !== 'string') return []
        return equality(type, `${filter.path}.${inner.path}`, inner.value)
      }
      return within(filter.filter)
    }
    default:
      return []
  }
}
