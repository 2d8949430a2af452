/** Who may register applications dynamically (DECISIONS Y1): the settings of a tenant, and the policies of what may be registered. */
import {
  DEFAULT_REGISTRATION,
  type RegistrationPolicy,
  type RegistrationSettings,
  type RegistrationSettingsChange,
} from '@countersign/contract/client-registration.ts'
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertClientKeys } from '../applications/client-keys.ts'
import { httpUriObjection } from '../applications/redirect-uris.ts'

const REGISTRATION_TAG = 'client-registration'

/** With the defaults of members that were added after it was stored. @param stored undefined: nothing has been set */
const complete = (stored: RegistrationSettings | undefined): RegistrationSettings => ({
  ...DEFAULT_REGISTRATION,
  ...stored,
  policy: { ...DEFAULT_REGISTRATION.policy, ...stored?.policy },
})

/** The settings as they are stored now. */
export const readRegistrationSettings = async (db: Db, tenantId: string): Promise<RegistrationSettings> => {
  const query = db.selectFrom('client_registration_settings').select('settings').where(inTenant(tenantId))
  return complete((await query.executeTakeFirst())?.settings)
}

/** The settings of a tenant, from the cache. */
export const registrationSettings = (store: Store, { id: tenantId }: Tenant): Promise<RegistrationSettings> =>
  store.cache.get(tenantId, 'client-registration', async () => ({
    value: await readRegistrationSettings(store.database.configuration, tenantId),
    tags: [REGISTRATION_TAG],
  }))

/** The settings, locked against other changes and against other registrations, which count one another. */
export const lockRegistrationSettings = async ({ tx, tenant }: Unit): Promise<RegistrationSettings> => {
  const query = tx.selectFrom('client_registration_settings').select('settings').where(inTenant(tenant.id)).forUpdate()
  return complete((await query.executeTakeFirst())?.settings)
}

/** The permissions that a policy names, with their ids; those that no longer exist are left out. */
export const permissionsOfPolicy = async (
  { tx, tenant }: Pick<Unit, 'tx' | 'tenant'>,
  { permissions }: Pick<RegistrationPolicy, 'permissions'>,
): Promise<readonly { readonly id: string; readonly name: string; readonly resource: string }[]> => {
  const named = permissions.flatMap(({ resource, scopes }) => scopes.map((name) => ({ resource, name })))
  if (named.length === 0) return []
  const { rows } = await sql<{ id: string; name: string; resource: string }>`
    SELECT s.id, s.name, r.indicator AS resource
    FROM jsonb_to_recordset(${JSON.stringify(named)}::jsonb) AS n (resource text, name text)
    JOIN resources r ON r.tenant_id = ${tenant.id} AND r.indicator = n.resource AND NOT r.is_management
    JOIN scopes s ON s.tenant_id = r.tenant_id AND s.resource_id = r.id AND s.name = n.name`.execute(tx)
  return rows
}

/** Refuses a policy with a permission that does not exist, or that is one of the Management API; 400. */
export const assertPolicy = async (unit: Unit, policy: RegistrationPolicy): Promise<void> => {
  const known = await permissionsOfPolicy(unit, policy)
  const isKnown = new Set(known.map(({ resource, name }) => `${resource} ${name}`))
  const issues = policy.permissions.flatMap(({ resource, scopes }, index) =>
    scopes
      .filter((name) => !isKnown.has(`${resource} ${name}`))
      .map((name) => ({
        path: `/policy/permissions/${index}`,
        reason:
          resource === unit.tenant.managementApi
            ? 'is a permission of the Management API, which registered applications never get'
            : `${resource} has no permission ${name}`,
      })),
  )
  if (issues[0]) throw new ApiError('guard.invalid_input', { reason: issues[0].reason, issues })
}

/** Refuses issuers of software statements without keys, with two kinds of keys, or named twice; 400. Fetches nothing. */
const assertIssuers = async (issuers: RegistrationSettings['softwareStatementIssuers']): Promise<void> => {
  for (const [index, { issuer, jwks, jwksUri }] of issuers.entries()) {
    const refuse = (reason: string, said: { readonly code?: InputIssueCode } = {}) =>
      new ApiError('guard.invalid_input', {
        reason: `softwareStatementIssuers[${index}] ${reason}`,
        issues: [{ path: `/softwareStatementIssuers/${index}`, reason, ...said }],
      })
    if ((jwks === undefined) === (jwksUri === undefined)) throw refuse('needs either jwks or jwksUri')
    const objection = jwksUri === undefined ? undefined : httpUriObjection(jwksUri)
    if (objection !== undefined) throw refuse(`jwksUri ${objection.reason}`)
    if (issuers.findIndex((one) => one.issuer === issuer) !== index)
      throw refuse('is named twice', { code: 'duplicate' })
    if (jwks) await assertClientKeys(jwks.keys, `/softwareStatementIssuers/${index}/jwks`)
  }
}

/** Changes the settings; what is left out stays, also of the policy. Throws 400 for a policy that names what does not exist, and unusable keys. */
export const updateRegistrationSettings = operation(
  [],
  async (unit, change: Static<typeof RegistrationSettingsChange>): Promise<RegistrationSettings> => {
    const { tx, tenant } = unit
    const first = JSON.stringify(DEFAULT_REGISTRATION)
    await sql`INSERT INTO client_registration_settings (tenant_id, settings) VALUES (${tenant.id}, ${first})
      ON CONFLICT DO NOTHING`.execute(tx)
    const before = await lockRegistrationSettings(unit)
    const after = { ...before, ...change, policy: { ...before.policy, ...change.policy } }
    if (change.policy) await assertPolicy(unit, after.policy)
    await assertIssuers(change.softwareStatementIssuers ?? [])
    await tx
      .updateTable('client_registration_settings')
      .set({ settings: JSON.stringify(after) })
      .where(inTenant(tenant.id))
      .execute()
    unit.concerns('clientRegistration', tenant.id, { before: { ...before }, after: { ...after } })
    unit.changed(REGISTRATION_TAG)
    return after
  },
)
