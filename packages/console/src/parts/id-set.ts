/** A set of ids as one field of a form: sorted, with spaces between. */

export const idsOf = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter(Boolean))

export const textOfIds = (ids: Iterable<string>): string => [...ids].sort().join(' ')
