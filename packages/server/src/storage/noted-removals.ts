/** What a replacement removed, for the audit entry: what it adds is in the request, but what it removes is not. */
import { cutValue } from './audit-entities.ts'
import type { Unit } from './unit-of-work.ts'

/** Records in the entry what is no longer held. @param type the kind of the ids */
export const noteRemoved = ({ concerns, note }: Unit, type: string, ids: readonly string[]): void => {
  if (ids.length === 0) return
  concerns(type, ids)
  note({ removed: cutValue(ids) })
}
