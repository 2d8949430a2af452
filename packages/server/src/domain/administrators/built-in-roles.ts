/** The roles of administrators that every tenant has (DECISIONS U1): their permissions are those of this version of the server. */
import { ALL_PERMISSION, AREAS, type Permission } from '@countersign/contract/permissions.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** A permission that an administrator can hold. */
export type Held = typeof ALL_PERMISSION | Permission

/** The role with every permission: the tenant always has a user who holds it, once it has one. */
export const OWNER = 'owner'

const READING: readonly Permission[] = AREAS.map((area) => `read:${area}` as const)

interface BuiltInRole {
  readonly name: string
  readonly description: string
  readonly permissions: readonly Held[]
}

/** By id. */
export const BUILT_IN_ROLES: Readonly<Record<string, BuiltInRole>> = {
  [OWNER]: { name: 'Owner', description: 'Everything', permissions: [ALL_PERMISSION] },
  administrator: {
    name: 'Administrator',
    description: 'Everything except choosing administrators',
    permissions: [
      ...READING,
      ...AREAS.filter((area) => area !== 'administrators').map((area) => `write:${area}` as const),
    ],
  },
  developer: {
    name: 'Developer',
    description: 'Applications, APIs, roles, webhooks and claims scripts; reads everything else',
    permissions: [
      ...READING,
      'write:applications',
      'write:hooks',
      'write:jwt-customizer',
      'write:organization-template',
      'write:resources',
      'write:roles',
    ],
  },
  support: {
    name: 'Support',
    description: 'Users and members of organizations, and acting as a user',
    permissions: [
      'read:applications',
      'read:impersonations',
      'read:logs',
      'read:organization-template',
      'read:organizations',
      'read:resources',
      'read:roles',
      'read:users',
      'write:impersonations',
      'write:organizations',
      'write:subject-tokens',
      'write:user-assets',
      'write:users',
    ],
  },
  auditor: { name: 'Auditor', description: 'Reads everything, changes nothing', permissions: READING },
}

/** What a role holds: one that is built in, what this version of the server says. */
export const permissionsOfRole = (id: string, isBuiltIn: boolean, stored: readonly string[]): readonly string[] =>
  (isBuiltIn ? BUILT_IN_ROLES[id]?.permissions : undefined) ?? stored

/** Registers the roles that a tenant lacks, at its creation and at the start of a later version. */
export const insertBuiltInRoles = async ({ tx, tenant, now }: Unit): Promise<void> => {
  const rows = Object.entries(BUILT_IN_ROLES).map(([id, { name, description }]) => ({
    tenant_id: tenant.id,
    id,
    name,
    description,
    permissions: [],
    is_built_in: true,
    created_at: now,
  }))
  const present = await tx.selectFrom('administrator_roles').select('id').where(inTenant(tenant.id)).execute()
  const missing = rows.filter(({ id }) => !present.some((row) => row.id === id))
  if (missing.length > 0)
    await tx
      .insertInto('administrator_roles')
      .values(missing)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
