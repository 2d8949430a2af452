/** The settings of what users do with their own account, and at which other origins they use their passkeys (DECISIONS O6, T1). */
import type { AccountAccess, AccountField } from '@countersign/contract/account-center.ts'
import type { Selectable } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { isLoopbackHost } from '../../kernel/network.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { EXPERIENCE_TAG } from './experience.ts'
import { webAddress } from './settings.ts'
import { assertSignUpFields } from './sign-up-fields.ts'

export interface AccountCenterSettings {
  /** Whether users have the Account API. */
  readonly enabled: boolean
  /** What they may do with each part of their account; one that is not named is Off. */
  readonly fields: Readonly<Partial<Record<AccountField, AccountAccess>>>
  /** Whether a verification permits any number of changes until it expires. */
  readonly reuseVerifications: boolean
  /** For how long an account that its user deletes is kept; 0: it is deleted at once. */
  readonly deletionDelayDays: number
  /** Origins, without a slash at the end. */
  readonly webauthnRelatedOrigins: readonly string[]
  /** Where pages of an account link to for its deletion: http or https. */
  readonly deleteAccountUrl: string | null
  /** For pages of an account, in addition to their own. */
  readonly customCss: string | null
  /** The fields of the profile that pages of an account show, in this order; null: the operator has not chosen. */
  readonly profileFields: readonly { readonly name: string }[] | null
}

const COLUMNS = [
  'enabled',
  'fields',
  'reuse_verifications',
  'deletion_delay_days',
  'webauthn_related_origins',
  'delete_account_url',
  'custom_css',
  'profile_fields',
] as const
type Row = Pick<Selectable<Tables['account_centers']>, (typeof COLUMNS)[number]>

/** Of a tenant that has set nothing, as in the migration. */
const DELETION_DELAY_DAYS = 14

/** @param row undefined: nothing has been set */
const settingsOf = (row: Row | undefined): AccountCenterSettings => ({
  enabled: row?.enabled ?? false,
  fields: (row?.fields ?? {}) as AccountCenterSettings['fields'],
  reuseVerifications: row?.reuse_verifications ?? false,
  deletionDelayDays: row?.deletion_delay_days ?? DELETION_DELAY_DAYS,
  webauthnRelatedOrigins: row?.webauthn_related_origins ?? [],
  deleteAccountUrl: row?.delete_account_url ?? null,
  customCss: row?.custom_css ?? null,
  profileFields: row?.profile_fields?.map((name) => ({ name })) ?? null,
})

/** The settings as they are stored now. */
export const readAccountCenter = async (db: Db, tenantId: string): Promise<AccountCenterSettings> =>
  settingsOf(await db.selectFrom('account_centers').select(COLUMNS).where(inTenant(tenantId)).executeTakeFirst())

/** The origin that a text names. Throws 400 unless browsers make passkeys there. */
const originOf = (text: string): string => {
  const url = URL.parse(text)
  const isOrigin = url !== null && [url.origin, `${url.origin}/`].includes(text)
  if (!isOrigin || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))))
    throw new ApiError('guard.invalid_input', {
      reason: `webauthnRelatedOrigins: ${text} must be an https address without a path, or an http one of a loopback host`,
      issues: [{ path: '/webauthnRelatedOrigins', reason: `${text} is not an origin`, code: 'origin' }],
    })
  return url.origin
}

/** The settings of a tenant, from the cache. */
export const accountCenter = (store: Store, { id: tenantId }: Tenant): Promise<AccountCenterSettings> =>
  store.cache.get(tenantId, 'account-center', async () => ({
    value: await readAccountCenter(store.database.configuration, tenantId),
    tags: [EXPERIENCE_TAG],
  }))

/** The names once each, as they are stored. Throws 400 for one that is there twice. */
const namesOf = (named: readonly { readonly name: string }[] | null): AccountCenterSettings['profileFields'] => {
  if (new Set(named?.map(({ name }) => name)).size < (named?.length ?? 0))
    throw new ApiError('guard.invalid_input', { reason: 'profileFields contains a field twice' })
  return named?.map(({ name }) => ({ name })) ?? null
}

const lockSettings = async ({ tx, tenant }: Unit): Promise<AccountCenterSettings> => {
  await tx
    .insertInto('account_centers')
    .values({ tenant_id: tenant.id, webauthn_related_origins: [] })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return settingsOf(
    await tx.selectFrom('account_centers').select(COLUMNS).where(inTenant(tenant.id)).forUpdate().executeTakeFirst(),
  )
}

/** The settings after a change: what it leaves out stays, also among the fields. Throws 400. Does not look whether profile fields exist. */
export const changedAccountCenter = (
  before: AccountCenterSettings,
  change: Partial<AccountCenterSettings>,
): AccountCenterSettings => ({
  enabled: change.enabled ?? before.enabled,
  fields: { ...before.fields, ...change.fields },
  reuseVerifications: change.reuseVerifications ?? before.reuseVerifications,
  deletionDelayDays: change.deletionDelayDays ?? before.deletionDelayDays,
  webauthnRelatedOrigins: [...new Set((change.webauthnRelatedOrigins ?? before.webauthnRelatedOrigins).map(originOf))],
  deleteAccountUrl:
    change.deleteAccountUrl === undefined
      ? before.deleteAccountUrl
      : webAddress('deleteAccountUrl', change.deleteAccountUrl),
  customCss: change.customCss === undefined ? before.customCss : change.customCss || null,
  profileFields: change.profileFields === undefined ? before.profileFields : namesOf(change.profileFields),
})

/** Changes the settings; what is left out stays. Throws 400, also `custom_profile_fields.entity_not_exists_with_names`. */
export const updateAccountCenter = operation(
  [],
  async (unit, change: Partial<AccountCenterSettings>): Promise<AccountCenterSettings> => {
    const before = await lockSettings(unit)
    const after = changedAccountCenter(before, change)
    await assertSignUpFields(unit, change.profileFields)
    await unit.tx
      .updateTable('account_centers')
      .set({
        enabled: after.enabled,
        fields: JSON.stringify(after.fields),
        reuse_verifications: after.reuseVerifications,
        deletion_delay_days: after.deletionDelayDays,
        webauthn_related_origins: [...after.webauthnRelatedOrigins],
        delete_account_url: after.deleteAccountUrl,
        custom_css: after.customCss,
        profile_fields: after.profileFields?.map(({ name }) => name) ?? null,
      })
      .where(inTenant(unit.tenant.id))
      .execute()
    unit.concerns('accountCenter', 'default', { before: { ...before }, after: { ...after } })
    unit.changed(EXPERIENCE_TAG)
    return after
  },
)
