/** How a test follows a guide: what it checks in each step, and the actions of a user in between. */
import type { Guide, Installation } from '@countersign/harness/guide.ts'

export interface Place extends Installation {
  /** The ports of the two applications that a guide starts: not the printed ones, which another program may use. */
  readonly ports: readonly [string, string]
}

/** Follows one guide from its first step to its last. It may have been followed here before, and so may all others. */
export type Walk = (place: Place) => Promise<void>

/** Opens a guide, does something with it, and ends its shell. */
export const withGuide = async (
  place: Place,
  name: string,
  work: (guide: Guide) => Promise<void>,
  replaced?: Parameters<Installation['open']>[1],
): Promise<void> => {
  const guide = await place.open(name, replaced)
  try {
    await work(guide)
  } finally {
    await guide.close()
  }
}
