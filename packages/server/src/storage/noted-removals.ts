/** What a replacement took away, in the audit entry: what it gives is in the request, and what it takes is not. */
import { cutValue } from './audit-entities.ts'
import type { Unit } from './unit-of-work.ts'

/** Names in the entry what is not held any more. @param type what the ids are of */
export const noteRemoved = ({ concerns, note }: Unit, type: string, ids: readonly string[]): void => {
  if (ids.length === 0) return
  concerns(type, ids)
  note({ removed: cutValue(ids) })
}
