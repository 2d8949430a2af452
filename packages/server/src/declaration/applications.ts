/**
 * Applications and the roles that they hold, identified by name: names must be unique to be declared. Who may use them,
 * and what they may ask for, is in application-access.ts.
 */

import type { DeclaredApplication } from '@countersign/contract/declaration.ts'
import { replaceApplicationRoles } from '../domain/access/application-roles.ts'
import { createApplication, updateApplication } from '../domain/applications/applications.ts'
import { CONSOLE_ID } from '../domain/applications/console.ts'
import { DOCUMENT_IDS } from '../domain/applications/document-clients.ts'
import type { ApplicationRow } from '../domain/applications/rows.ts'
import { listSecretsOf } from '../domain/applications/secrets.ts'
import { deleteApplication } from '../domain/organizations/deletions.ts'
import type { RoleRow } from '../domain/permissions/role-rows.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { Fault, type Path } from './fault.ts'
import { additionsAndRemovals, assertDistinct, at, differing, findByName, fromTo, type Journal } from './journal.ts'
import { readPermissions } from './resources.ts'
import { readRoleScopes, readRoles } from './roles.ts'

/** All but those of SAML, which have a section of their own, and the console. */
export const readApplications = ({ tx, tenant }: Unit): Promise<ApplicationRow[]> =>
  tx
    .selectFrom('applications')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('type', '!=', 'SAML')
    .where('id', '!=', CONSOLE_ID)
    .where('id', 'not like', DOCUMENT_IDS)
    // who registered them keeps them as they are, and no file
    .where('registration', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** The ids of the roles of every application. */
export const readHeldRoles = async ({ tx, tenant }: Unit): Promise<Map<string, string[]>> => {
  const rows = await tx
    .selectFrom('applications_roles')
    .select(['application_id', 'role_id'])
    .where(inTenant(tenant.id))
    .execute()
  const held = new Map<string, string[]>()
  for (const { application_id, role_id } of rows)
    held.set(application_id, [...(held.get(application_id) ?? []), role_id])
  return held
}

type Metadata = Readonly<Record<string, unknown>>

/** Metadata is compared field by field, as it is merged: what is not declared stays as it is. */
const differingMetadata = (name: string, present: Metadata, wanted: Metadata | undefined) => {
  const change = differing(present, wanted ?? {})
  const isChanged = Object.keys(change).length > 0
  const details = fromTo(present, change).map((detail) => `${name}.${detail}`)
  return { change: isChanged ? { [name]: change } : {}, details }
}

const create = async (
  unit: Unit,
  journal: Journal,
  fields: DeclaredApplication,
  path: Path,
): Promise<ApplicationRow> => {
  const row = await at(path, () => createApplication.run(unit, fields))
  const [secret] = await listSecretsOf(unit, row.id)
  journal.changes.push({ verb: 'create', what: `application ${row.name}`, details: [] })
  journal.applications.push({ name: row.name, clientId: row.id, ...(secret ? { clientSecret: secret.value } : {}) })
  return row
}

/** Changes what differs; returns what that is. */
/** A file changes the fields that it names; an update replaces `customClientMetadata` as a whole. */
const whole = (
  { custom_client_metadata: present }: ApplicationRow,
  { customClientMetadata: changed }: Record<string, Metadata>,
) => (changed ? { customClientMetadata: { ...present, ...changed } } : {})

const change = async (
  unit: Unit,
  declared: DeclaredApplication,
  before: ApplicationRow,
  path: Path,
): Promise<string[]> => {
  if (declared.type !== before.type)
    throw new Fault([...path, 'type'], `the application exists with the type ${before.type}, which cannot be changed`)
  if (declared.isThirdParty !== undefined && declared.isThirdParty !== before.is_third_party)
    throw new Fault([...path, 'isThirdParty'], 'whether an application is third-party is decided when it is created')
  const present = {
    description: before.description,
    customData: before.custom_data,
    appLevelAccessControlEnabled: before.has_access_control,
  }
  const { description, customData, appLevelAccessControlEnabled } = declared
  const own = differing(present, { description, customData, appLevelAccessControlEnabled })
  const oidc = differingMetadata('oidcClientMetadata', before.oidc_client_metadata, declared.oidcClientMetadata)
  const custom = differingMetadata('customClientMetadata', before.custom_client_metadata, declared.customClientMetadata)
  const details = [...fromTo(present, own), ...oidc.details, ...custom.details]
  if (details.length > 0)
    await at(path, () =>
      updateApplication.run(unit, before.id, { ...own, ...oidc.change, ...whole(before, custom.change) }),
    )
  return details
}

const applyHeldRoles = async (
  unit: Unit,
  id: string,
  names: readonly string[],
  held: readonly string[],
  roles: readonly RoleRow[],
  path: Path,
): Promise<string[]> => {
  const wanted = [...new Set(names)].map((name) => {
    const role = roles.find((each) => each.name === name)
    if (!role) throw new Fault([...path, names.indexOf(name)], `there is no role ${name}`)
    return role
  })
  const present = roles.filter((role) => held.includes(role.id))
  const details = additionsAndRemovals(
    'roles',
    present.map(({ name }) => name),
    wanted.map(({ name }) => name),
  )
  const ids = wanted.map((role) => role.id)
  if (details.length > 0) await at(path, () => replaceApplicationRoles.run(unit, id, ids))
  return details
}

export const applyApplications = async (
  unit: Unit<'Organization.Membership.Updated'>,
  journal: Journal,
  declared: readonly DeclaredApplication[],
): Promise<void> => {
  assertDistinct(
    ['applications'],
    'name',
    declared.map(({ name }) => name),
  )
  const [present, held, roles] = [await readApplications(unit), await readHeldRoles(unit), await readRoles(unit)]
  for (const [index, { roles: names, ...fields }] of declared.entries()) {
    const path = ['applications', index]
    const before = findByName(present, 'applications', fields.name, path)
    const row = before ?? (await create(unit, journal, fields, path))
    const details = before ? await change(unit, fields, before, path) : []
    const own = held.get(row.id) ?? []
    if (names) details.push(...(await applyHeldRoles(unit, row.id, names, own, roles, [...path, 'roles'])))
    if (before && details.length > 0)
      journal.changes.push({ verb: 'change', what: `application ${fields.name}`, details })
  }
  if (!journal.prune) return
  const [scopes, permissions] = [await readRoleScopes(unit), await readPermissions(unit)]
  const isManager = (id: string) =>
    (held.get(id) ?? []).some((roleId) => scopes.get(roleId)?.some(permissions.isManagement) ?? false)
  for (const { id, name } of present.filter((row) => !declared.some((each) => each.name === row.name))) {
    const what = `application ${name}`
    if (isManager(id)) {
      journal.changes.push({ verb: 'keep', what, details: ['it may call the Management API'] })
      continue
    }
    await deleteApplication.run(unit, id)
    journal.changes.push({ verb: 'delete', what, details: [] })
  }
}
