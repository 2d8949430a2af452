/** What the ID tokens of the tenant say about users. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from '@countersign/contract/declaration.ts'
import { readIdTokenSettings, updateIdTokenSettings } from '../domain/tenants/id-token-settings.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { at, differing, fromTo, type Journal } from './journal.ts'

type Declared = NonNullable<Declaration['idToken']>

export const applyIdTokenSettings = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const before = await readIdTokenSettings(unit.tx, unit.tenant.id)
  const after = { ...before, ...declared }
  if (isDeepStrictEqual(after, before)) return
  await at(['idToken'], () => updateIdTokenSettings.run(unit, declared))
  journal.changes.push({
    verb: 'change',
    what: 'ID token settings',
    details: fromTo({ ...before }, differing({ ...before }, after)),
  })
}
