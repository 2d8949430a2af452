/** How much one event can contain, and how more is split over several (DECISIONS K2). */

/** The most ids or entities in one list of one event. */
export const MOST_IN_EVENT = 5000

interface Part<T> {
  readonly items: readonly T[]
  /** `part` and `parts`, numbered from 1, as in the events; nothing if one event is enough. */
  readonly numbering: { readonly part?: number; readonly parts?: number }
}

/** Splits a list over as few events as possible; an empty list is one event. */
export const inParts = <T>(items: readonly T[]): Part<T>[] => {
  const parts = Math.max(1, Math.ceil(items.length / MOST_IN_EVENT))
  return Array.from({ length: parts }, (_, index) => ({
    items: items.slice(index * MOST_IN_EVENT, (index + 1) * MOST_IN_EVENT),
    numbering: parts > 1 ? { part: index + 1, parts } : {},
  }))
}
