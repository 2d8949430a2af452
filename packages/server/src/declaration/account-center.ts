/** The settings for users' own accounts. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from '@countersign/contract/declaration.ts'
import { changedAccountCenter, readAccountCenter, updateAccountCenter } from '../domain/sign-in/account-center.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { at, differing, fromTo, type Journal } from './journal.ts'

type Declared = NonNullable<Declaration['accountCenter']>

/** The settings as a file declares them. */
export const declaredAccountCenter = async ({ tx, tenant }: Unit): Promise<Declared> => {
  const { webauthnRelatedOrigins, ...settings } = await readAccountCenter(tx, tenant.id)
  return { ...settings, webauthnRelatedOrigins: [...webauthnRelatedOrigins] }
}

export const applyAccountCenter = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const before = await readAccountCenter(unit.tx, unit.tenant.id)
  // only the origins can be refused
  const path = ['accountCenter', ...(declared.webauthnRelatedOrigins ? ['webauthnRelatedOrigins'] : [])]
  const after = await at(path, async () => changedAccountCenter(before, declared))
  if (isDeepStrictEqual(after, before)) return
  await at(path, () => updateAccountCenter.run(unit, after))
  journal.changes.push({
    verb: 'change',
    what: 'account center',
    details: fromTo({ ...before }, differing({ ...before }, { ...after })),
  })
}
