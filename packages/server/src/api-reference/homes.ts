/** Where the fields of a response are shown: an object that several operations answer with stands on the page once. */
import type { Route } from '@countersign/contract/route.ts'
import { nestedObjects, type Schema } from './schema-words.ts'

/** In characters of JSON schema: what is shorter is quicker to read in its place than behind a link. */
const LONG = 700

const keyOf = ({ response }: Route): string => JSON.stringify(nestedObjects((response ?? {}) as Schema))

const depth = ({ path }: Route): number => path.split('/').length

/** Maps each operation whose response is shown elsewhere to where that is: the operation with the shortest path. */
export const homesOf = (routes: readonly Route[]): ReadonlyMap<Route, Route> => {
  const homes = new Map<Route, Route>()
  for (const group of Map.groupBy(routes, keyOf).values()) {
    const [home, ...others] = group.toSorted((a, b) => depth(a) - depth(b))
    if (home && keyOf(home).length > LONG) for (const other of others) homes.set(other, home)
  }
  return homes
}
