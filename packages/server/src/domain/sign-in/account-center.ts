/** The settings of what users do with their own account: so far, at which other origins they use their passkeys (DECISIONS O6). */
import { ApiError } from '../../kernel/api-error.ts'
import { isLoopbackHost } from '../../kernel/network.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { EXPERIENCE_TAG, signInExperience } from './experience.ts'

export interface AccountCenterSettings {
  /** Origins, without a slash at the end. */
  readonly webauthnRelatedOrigins: readonly string[]
}

/** The origin that a text names. Throws 400 unless browsers make passkeys there. */
export const originOf = (text: string): string => {
  const url = URL.parse(text)
  const isOrigin = url !== null && [url.origin, `${url.origin}/`].includes(text)
  if (!isOrigin || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))))
    throw new ApiError('guard.invalid_input', {
      reason: `webauthnRelatedOrigins: ${text} must be an https address without a path, or an http one of a loopback host`,
    })
  return url.origin
}

/** The settings of a tenant, from the cache. */
export const accountCenter = async (store: Store, tenant: Tenant): Promise<AccountCenterSettings> => {
  const { webauthnRelatedOrigins } = await signInExperience(store, tenant)
  return { webauthnRelatedOrigins }
}

const lockSettings = async ({ tx, tenant }: Unit): Promise<AccountCenterSettings> => {
  await tx
    .insertInto('account_centers')
    .values({ tenant_id: tenant.id, webauthn_related_origins: [] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { webauthn_related_origins } = await tx
    .selectFrom('account_centers')
    .select('webauthn_related_origins')
    .where(inTenant(tenant.id))
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { webauthnRelatedOrigins: webauthn_related_origins }
}

/** Changes the settings; what is left out stays. Throws 400. */
export const updateAccountCenter = operation(
  [],
  async (unit, change: Partial<AccountCenterSettings>): Promise<AccountCenterSettings> => {
    const before = await lockSettings(unit)
    const webauthnRelatedOrigins = [
      ...new Set((change.webauthnRelatedOrigins ?? before.webauthnRelatedOrigins).map(originOf)),
    ]
    await unit.tx
      .updateTable('account_centers')
      .set({ webauthn_related_origins: webauthnRelatedOrigins })
      .where(inTenant(unit.tenant.id))
      .execute()
    const after = { webauthnRelatedOrigins }
    unit.concerns('accountCenter', 'default', { before: { ...before }, after })
    unit.changed(EXPERIENCE_TAG)
    return after
  },
)
