/** What the tenant demands of its applications. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from '@countersign/contract/declaration.ts'
import { updateSecuritySettings } from '../domain/applications/tenant-security.ts'
import { readSecuritySettings } from '../domain/tenants/security-settings.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { at, differing, fromTo, type Journal } from './journal.ts'

type Declared = NonNullable<Declaration['security']>

export const applySecuritySettings = async (unit: Unit, journal: Journal, declared: Declared): Promise<void> => {
  const before = await readSecuritySettings(unit.tx, unit.tenant.id)
  const after = { ...before, ...declared }
  if (isDeepStrictEqual(after, before)) return
  await at(['security'], () => updateSecuritySettings.run(unit, declared))
  journal.changes.push({
    verb: 'change',
    what: 'security settings',
    details: fromTo({ ...before }, differing({ ...before }, after)),
  })
}
