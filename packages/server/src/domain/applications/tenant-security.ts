/** Changing what a tenant demands of its applications: only where all of them keep to it, so that none stops working. */
import type { OidcClientMetadata } from '@countersign/contract/client-metadata.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import {
  lockSecuritySettings,
  SECURITY_TAG,
  type SecuritySettings,
  storeSecuritySettings,
} from '../tenants/security-settings.ts'
import { CONSOLE_ID } from './console.ts'
import { DOCUMENT_IDS } from './document-clients.ts'
import { assertSigningKey, brokenRule } from './security-profile.ts'

/** How many applications a refusal names. */
const MOST_NAMED = 20

/** Refuses a profile that an application without one of its own does not keep to, naming each with what is wrong; 400. */
const assertKept = async (unit: Unit): Promise<void> => {
  const rows = await unit.tx
    .selectFrom('applications')
    .select(['id', 'name', 'type', 'oidc_client_metadata', 'custom_client_metadata'])
    .where(inTenant(unit.tenant.id))
    .where('type', '!=', 'SAML')
    .where('id', '!=', CONSOLE_ID)
    .where('id', 'not like', DOCUMENT_IDS)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const issues = rows.flatMap(({ id, name, type, oidc_client_metadata: oidc, custom_client_metadata: custom }) => {
    if (custom.securityProfile !== undefined) return []
    const broken = brokenRule({ type, oidc: oidc as Static<typeof OidcClientMetadata>, custom })
    return broken ? [{ path: '/profile', reason: `${name} (${id}): ${broken.join(' ')}` }] : []
  })
  if (issues.length === 0) return
  throw new ApiError('guard.invalid_input', {
    reason: `${issues.length} applications do not keep to the profile fapi2: ${issues[0]?.reason}`,
    issues: issues.slice(0, MOST_NAMED),
  })
}

/** Changes the settings; what is left out stays. Throws 400 for a profile that an application or the tenant's key does not keep to. */
export const updateSecuritySettings = operation(
  [],
  async (unit, change: Partial<SecuritySettings>): Promise<SecuritySettings> => {
    const before = await lockSecuritySettings(unit)
    const after = { ...before, ...change }
    if (after.profile === 'fapi2' && before.profile !== 'fapi2') {
      await assertSigningKey(unit, 'fapi2')
      await assertKept(unit)
    }
    await storeSecuritySettings(unit, after)
    unit.concerns('securitySettings', unit.tenant.id, { before: { ...before }, after: { ...after } })
    unit.changed(SECURITY_TAG)
    return after
  },
)
