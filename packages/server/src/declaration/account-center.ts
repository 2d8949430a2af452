/** The settings for users' own accounts. */
import { isDeepStrictEqual } from 'node:util'
import type { Declaration } from '@countersign/contract/declaration.ts'
import { type AccountCenterSettings, originOf, updateAccountCenter } from '../domain/sign-in/account-center.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { at, fromTo, type Journal } from './journal.ts'

type Declared = NonNullable<Declaration['accountCenter']>

export const readAccountCenter = async ({ tx, tenant }: Unit): Promise<AccountCenterSettings> => {
  const row = await tx
    .selectFrom('account_centers')
    .select('webauthn_related_origins')
    .where(inTenant(tenant.id))
    .executeTakeFirst()
  return { webauthnRelatedOrigins: row?.webauthn_related_origins ?? [] }
}

export const applyAccountCenter = async (
  unit: Unit,
  journal: Journal,
  { webauthnRelatedOrigins: declared }: Declared,
): Promise<void> => {
  if (!declared) return
  const before = await readAccountCenter(unit)
  const path = ['accountCenter', 'webauthnRelatedOrigins']
  const wanted = await at(path, async () => ({ webauthnRelatedOrigins: [...new Set(declared.map(originOf))] }))
  if (isDeepStrictEqual(wanted.webauthnRelatedOrigins, before.webauthnRelatedOrigins)) return
  await at(path, () => updateAccountCenter.run(unit, wanted))
  journal.changes.push({ verb: 'change', what: 'account center', details: fromTo({ ...before }, wanted) })
}
