/**
 * The initial data of a new tenant (DECISIONS A3): the Management API, its permissions, a role, an application, a key.
 */

import { ALL_PERMISSION, MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { addApplicationRoles } from '../access/application-roles.ts'
import { BUILT_IN_ROLES, insertBuiltInRoles } from '../administrators/built-in-roles.ts'
import { createApplication } from '../applications/applications.ts'
import { CONSOLE_ID, insertConsole } from '../applications/console.ts'
import { listSecretsOf } from '../applications/secrets.ts'
import { addSigningKey } from '../tenants/signing-keys.ts'
import { insertTenant } from '../tenants/tenants.ts'

/** What `DATA_DIR/management.json` holds. */
export interface ManagementCredentials {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly resource: string
}

const MANAGEMENT_ROLE = 'Management API access'
const MANAGEMENT_APPLICATION = 'Management API client'

const permissionRows = ({ tenant, now }: Unit, resourceId: string) =>
  MANAGEMENT_PERMISSIONS.map(({ name, description }) => ({
    tenant_id: tenant.id,
    id: newId(),
    resource_id: resourceId,
    is_management: true,
    name,
    description,
    created_at: now,
  }))

/** Creates the unit's tenant with its initial data; returns the credentials of its first application. */
export const setUpTenant = operation([], async (unit): Promise<ManagementCredentials> => {
  const { tx, tenant, now } = unit
  await insertTenant.run(unit)
  await addSigningKey(unit, 'ES256', now)
  await insertConsole(unit)
  await insertBuiltInRoles(unit)
  const resourceId = newId()
  await tx
    .insertInto('resources')
    .values({
      tenant_id: tenant.id,
      id: resourceId,
      name: 'Management API',
      indicator: tenant.managementApi,
      is_management: true,
      created_at: now,
    })
    .execute()
  const permissions = permissionRows(unit, resourceId)
  await tx.insertInto('scopes').values(permissions).execute()
  const roleId = newId()
  await tx
    .insertInto('roles')
    .values({
      tenant_id: tenant.id,
      id: roleId,
      name: MANAGEMENT_ROLE,
      description: 'Every operation of the Management API',
      type: 'MachineToMachine',
      created_at: now,
    })
    .execute()
  await tx
    .insertInto('roles_scopes')
    .values(
      permissions
        .filter(({ name }) => name === ALL_PERMISSION)
        .map(({ id }) => ({
          tenant_id: tenant.id,
          role_id: roleId,
          scope_id: id,
          role_type: 'MachineToMachine',
          scope_is_management: true,
        })),
    )
    .execute()
  const application = await createApplication.run(unit, { name: MANAGEMENT_APPLICATION, type: 'MachineToMachine' })
  await addApplicationRoles.run(unit, application.id, [roleId])
  const [secret] = await listSecretsOf(unit, application.id)
  return {
    baseUrl: tenant.baseUrl,
    clientId: application.id,
    clientSecret: secret?.value ?? '',
    resource: tenant.managementApi,
  }
})

/** The permissions of the Management API that this version of the server knows and the tenant lacks. */
export const missingPermissions = async (store: Store, { id: tenantId }: Tenant): Promise<string[]> => {
  const rows = await store.database.kysely
    .selectFrom('scopes')
    .select('name')
    .where(inTenant(tenantId))
    .where('is_management', '=', true)
    .execute()
  const present = new Set(rows.map(({ name }) => name))
  return MANAGEMENT_PERMISSIONS.map(({ name }) => name).filter((name) => !present.has(name))
}

/** Whether the tenant lacks something of the console that this version of the server has built in. */
export const lacksConsole = async (store: Store, { id: tenantId }: Tenant): Promise<boolean> => {
  const db = store.database.kysely
  const [console, roles] = await Promise.all([
    db
      .selectFrom('applications')
      .select('id')
      .where(inTenant(tenantId))
      .where('id', '=', CONSOLE_ID)
      .executeTakeFirst(),
    db
      .selectFrom('administrator_roles')
      .select('id')
      .where(inTenant(tenantId))
      .where('id', 'in', Object.keys(BUILT_IN_ROLES))
      .execute(),
  ])
  return !console || roles.length < Object.keys(BUILT_IN_ROLES).length
}

/** Registers the console and the roles of administrators that are built in. Emits no events: they belong to the server. */
export const registerConsole = operation([], async (unit): Promise<void> => {
  await insertConsole(unit)
  await insertBuiltInRoles(unit)
})

/** Registers them. Emits no events: they belong to the server, not to the tenant. */
export const registerPermissions = operation([], async (unit, names: readonly string[]): Promise<void> => {
  const { tx, tenant } = unit
  const resource = await tx
    .selectFrom('resources')
    .select('id')
    .where(inTenant(tenant.id))
    .where('is_management', '=', true)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('scopes')
    .values(permissionRows(unit, resource.id).filter(({ name }) => names.includes(name)))
    .onConflict((conflict) => conflict.constraint('scopes_name_key').doNothing())
    .execute()
  unit.note({ permissions: names })
})
