/** The settings for users' own accounts. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from '@countersign/contract/declaration.ts'
import { changedAccountCenter, readAccountCenter, updateAccountCenter } from '../domain/sign-in/account-center.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { at, differing, fromTo, type Journal } from './journal.ts'

type Declared = NonNullable<Declaration['accountCenter']>

/** The settings as a file declares them. */
export const declaredAccountCenter = async ({ tx, tenant }: Unit): Promise<Declared> => {
  const { webauthnRelatedOrigins, profileFields, ...settings } = await readAccountCenter(tx, tenant.id)
  return {
    ...settings,
    webauthnRelatedOrigins: [...webauthnRelatedOrigins],
    profileFields: profileFields && [...profileFields],
  }
}

export const applyAccountCenter = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const before = await readAccountCenter(unit.tx, unit.tenant.id)
  // of these alone a value of the right type can be refused
  const refusable = (['webauthnRelatedOrigins', 'deleteAccountUrl', 'profileFields'] as const).filter(
    (name) => declared[name] !== undefined,
  )
  const path = ['accountCenter', ...(refusable.length === 1 ? refusable : [])]
  const after = await at(path, async () => changedAccountCenter(before, declared))
  if (isDeepStrictEqual(after, before)) return
  await at(path, () => updateAccountCenter.run(unit, after))
  journal.changes.push({
    verb: 'change',
    what: 'account center',
    details: fromTo({ ...before }, differing({ ...before }, { ...after })),
  })
}
