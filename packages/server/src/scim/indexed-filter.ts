/** The part of a filter that a database index can answer: equalities that must hold regardless of the rest. */
import type { Filter } from './filter.ts'
import { resolvePath } from './paths.ts'
import type { ResourceType } from './schemas.ts'

/** An attribute, such as `emails.value`, and the text that it equals. */
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

/** The equality that the whole filter consists of; undefined: it says more than that, or something else. */
export const onlyEquality = (type: ResourceType, filter: Filter): Equality | undefined => {
  const compared = filter.is === 'valued' ? filter.filter : filter
  return compared.is === 'compared' ? equalitiesOf(type, filter)[0] : undefined
}

/**
 * The equalities with a text that must all hold for the filter to hold. They are not the whole filter: their results
 * have to be tested.
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
