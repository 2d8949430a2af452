/**
 * Versions of what is edited (RFC 9110 sections 8.8.3 and 13.1.1): the ETag of what a route shows, and If-Match, which is checked
 * in the transaction of the change, after the thing was locked, so that no second writer comes between. Both follow from
 * `version` of the route.
 */
import { createHash } from 'node:crypto'
import type { EventType } from '@countersign/contract/events.ts'
import type { Version } from '@countersign/contract/route.ts'
import type { Operation, Unit } from '../storage/unit-of-work.ts'

/** The members of objects in the order of their names: what was sent and what was stored can be in different orders. */
const ordered = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** @param shown the answer of the route, without members that its schema does not name */
export const etagOf = (shown: unknown, { ignores }: Version): string => {
  const edited = Object.entries(shown as object).filter(([name]) => !ignores.includes(name))
  const text = JSON.stringify(Object.fromEntries(edited), ordered)
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`
}

/** Whether If-Match names the ETag by strong comparison; `*` names any. */
export const isNamed = (ifMatch: string, etag: string): boolean =>
  ifMatch.trim() === '*' ||
  ifMatch
    .split(',')
    .map((each) => each.trim())
    .includes(etag)

/** The operation, after a check in its transaction. */
export const checkedFirst = <E extends EventType, A extends readonly unknown[], R>(
  { events, run }: Operation<E, A, R>,
  check: (unit: Unit) => Promise<void>,
): Operation<E, A, R> => ({
  events,
  async run(unit, ...args) {
    await check(unit)
    return run(unit, ...args)
  },
})
