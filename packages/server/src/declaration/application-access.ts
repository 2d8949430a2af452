/**
 * What third-party applications may ask users for, and the roles whose users may use an application. Applied after
 * roles, permissions and the organization template, which both refer to.
 */

import type { DeclaredApplication } from '@countersign/contract/declaration.ts'
import type { UserConsentScopes } from '@countersign/contract/user-consent-scopes.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { readAccessRules, replaceAccessControl } from '../domain/access/access-control.ts'
import { addConsentScopes, type ConsentScopeKind, removeConsentScope } from '../domain/access/consent-scopes.ts'
import type { ApplicationRow } from '../domain/applications/rows.ts'
import { listSamlApplicationsOf } from '../domain/applications/saml-applications.ts'
import type { RoleRow } from '../domain/permissions/role-rows.ts'
import { inTenant } from '../storage/in-tenant.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import { readApplications } from './applications.ts'
import { Fault, type Path } from './fault.ts'
import { additionsAndRemovals, at, type Journal, reportChange } from './journal.ts'
import { readOrganizationScopes } from './organization-template.ts'
import { type Permissions, readPermissions } from './resources.ts'
import { readRoles } from './roles.ts'

export type ConsentScopes = Readonly<Record<ConsentScopeKind, readonly string[]>>

/** What each application may ask for: names of user scopes, ids of permissions. */
export const readConsentScopes = async ({ tx, tenant }: Unit): Promise<(applicationId: string) => ConsentScopes> => {
  const { rows } = await sql<{ id: string; kind: ConsentScopeKind; scope: string }>`
    SELECT application_id AS id, 'user' AS kind, user_scope AS scope
      FROM applications_consent_user_scopes WHERE tenant_id = ${tenant.id}
    UNION ALL SELECT application_id, 'resource', scope_id
      FROM applications_consent_resource_scopes WHERE tenant_id = ${tenant.id}
    UNION ALL SELECT application_id, 'organization', organization_scope_id
      FROM applications_consent_organization_scopes WHERE tenant_id = ${tenant.id}
    UNION ALL SELECT application_id, 'organizationResource', scope_id
      FROM applications_consent_organization_resource_scopes WHERE tenant_id = ${tenant.id}
    ORDER BY 1, 2, 3`.execute(tx)
  const byApplication = Map.groupBy(rows, ({ id }) => id)
  return (applicationId) => {
    const own = Map.groupBy(byApplication.get(applicationId) ?? [], ({ kind }) => kind)
    const of = (kind: ConsentScopeKind) => own.get(kind)?.map(({ scope }) => scope) ?? []
    return {
      user: of('user'),
      resource: of('resource'),
      organization: of('organization'),
      organizationResource: of('organizationResource'),
    }
  }
}

/** The ids of the roles whose users may use each application. */
export const readAccessRoles = async ({ tx, tenant }: Unit): Promise<(applicationId: string) => readonly string[]> => {
  const rows = await tx
    .selectFrom('applications_access_roles')
    .select(['application_id', 'role_id'])
    .where(inTenant(tenant.id))
    .execute()
  const byApplication = Map.groupBy(rows, ({ application_id }) => application_id)
  return (applicationId) => byApplication.get(applicationId)?.map(({ role_id }) => role_id) ?? []
}

/** The ids of the named entities. Throws the fault of a name that does not exist. */
const idsOf = (
  names: readonly string[],
  rows: readonly { readonly id: string; readonly name: string }[],
  kind: string,
  path: Path,
): string[] =>
  [...new Set(names)].map((name) => {
    const row = rows.find((each) => each.name === name)
    if (!row) throw new Fault([...path, names.indexOf(name)], `there is no ${kind} ${name}`)
    return row.id
  })

/** Sorted, so that the same difference is always reported in the same way. */
const namesOf = (rows: readonly { readonly id: string; readonly name: string }[], ids: readonly string[]): string[] =>
  rows
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .sort()

interface Known {
  readonly permissions: Permissions
  readonly organizationScopes: readonly { readonly id: string; readonly name: string }[]
  readonly roles: readonly RoleRow[]
}

/** Where the file has each kind, and the name of its scopes. */
const KINDS = {
  user: 'userScopes',
  resource: 'resourceScopes',
  organization: 'organizationScopes',
  organizationResource: 'organizationResourceScopes',
} as const

const wantedScopes = (
  declared: NonNullable<DeclaredApplication['userConsentScopes']>,
  { permissions, organizationScopes }: Pick<Known, 'permissions' | 'organizationScopes'>,
  path: Path,
): Partial<ConsentScopes> => {
  const { userScopes, resourceScopes, organizationScopes: names, organizationResourceScopes } = declared
  const grants = (given: typeof resourceScopes, key: string) => given && permissions.idsOf(given, [...path, key])
  const wanted = {
    user: userScopes && [...new Set<string>(userScopes)],
    resource: grants(resourceScopes, KINDS.resource),
    organization: names && idsOf(names, organizationScopes, 'organization permission', [...path, KINDS.organization]),
    organizationResource: grants(organizationResourceScopes, KINDS.organizationResource),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, ids]) => ids !== undefined))
}

const labelsOf = (
  kind: ConsentScopeKind,
  ids: readonly string[],
  { permissions, organizationScopes }: Pick<Known, 'permissions' | 'organizationScopes'>,
) => {
  if (kind === 'user') return ids
  if (kind !== 'organization') return permissions.labels(ids)
  return namesOf(organizationScopes, ids)
}

/** How the scopes of one application, or of all clients with documents, are changed. */
interface ScopeChanges {
  add(scopes: Static<typeof UserConsentScopes>): Promise<void>
  remove(kind: ConsentScopeKind, scope: string): Promise<void>
}

/** Changes what differs; returns what that is. */
export const changeConsentScopes = async (
  { add, remove }: ScopeChanges,
  declared: NonNullable<DeclaredApplication['userConsentScopes']>,
  present: ConsentScopes,
  known: Pick<Known, 'permissions' | 'organizationScopes'>,
  path: Path,
): Promise<string[]> => {
  const wanted = wantedScopes(declared, known, path)
  const details: string[] = []
  for (const kind of Object.keys(wanted) as ConsentScopeKind[]) {
    const ids = wanted[kind] ?? []
    const key = KINDS[kind]
    const gained = ids.filter((each) => !present[kind].includes(each))
    const lost = present[kind].filter((each) => !ids.includes(each))
    for (const each of lost) await remove(kind, each)
    if (gained.length > 0) await at([...path, key], () => add({ [key]: gained }))
    details.push(
      ...additionsAndRemovals(`userConsentScopes.${key}`, labelsOf(kind, lost, known), labelsOf(kind, gained, known)),
    )
  }
  return details
}

const applyConsentScopes = async (
  unit: Unit,
  { id, is_third_party }: ApplicationRow,
  declared: NonNullable<DeclaredApplication['userConsentScopes']>,
  present: ConsentScopes,
  known: Known,
  path: Path,
): Promise<string[]> => {
  if (!is_third_party) throw new Fault(path, 'only a third-party application has these')
  const changes: ScopeChanges = {
    add: (scopes) => addConsentScopes.run(unit, id, scopes),
    remove: (kind, scope) => removeConsentScope.run(unit, id, kind, scope),
  }
  return changeConsentScopes(changes, declared, present, known, path)
}

/** Changes which roles let their users in; returns what differs. The rules for users and organizations stay. */
const applyAccessControl = async (
  unit: Unit,
  { id, type }: ApplicationRow,
  names: readonly string[],
  held: readonly string[],
  { roles }: Known,
  path: Path,
): Promise<string[]> => {
  if (type === 'MachineToMachine') throw new Fault(path, 'users do not use an application of this type')
  const wanted = idsOf(names, roles, 'role', [...path, 'userRoles'])
  const details = additionsAndRemovals('accessControl.userRoles', namesOf(roles, held), namesOf(roles, wanted))
  if (details.length === 0) return []
  const rules = await readAccessRules(unit.tx, unit.tenant.id, id)
  await at([...path, 'userRoles'], () => replaceAccessControl.run(unit, id, { ...rules, userRoleIds: wanted }))
  return details
}

/** Those of SAML have no consent, and are in a section of their own. */
type WithAccess = Pick<DeclaredApplication, 'name' | 'userConsentScopes' | 'accessControl'>

const SECTIONS = {
  applications: { kind: 'application', read: readApplications },
  samlApplications: {
    kind: 'SAML application',
    read: async (unit: Unit) => (await listSamlApplicationsOf(unit)).map(({ row }) => row),
  },
} as const

/** @param declared existing applications, each with a unique name */
export const applyApplicationAccess = async (
  unit: Unit,
  journal: Journal,
  section: keyof typeof SECTIONS,
  declared: readonly WithAccess[],
): Promise<void> => {
  const { kind, read } = SECTIONS[section]
  if (!declared.some(({ userConsentScopes, accessControl }) => userConsentScopes ?? accessControl)) return
  const [rows, consented, admitted] = [await read(unit), await readConsentScopes(unit), await readAccessRoles(unit)]
  const known: Known = {
    permissions: await readPermissions(unit),
    organizationScopes: await readOrganizationScopes(unit),
    roles: await readRoles(unit),
  }
  for (const [index, { name, userConsentScopes, accessControl }] of declared.entries()) {
    const row = rows.find((each) => each.name === name)
    if (!row) continue
    const path = [section, index]
    const what = `${kind} ${name}`
    const details: string[] = []
    if (userConsentScopes) {
      const at = [...path, 'userConsentScopes']
      details.push(...(await applyConsentScopes(unit, row, userConsentScopes, consented(row.id), known, at)))
    }
    if (accessControl?.userRoles) {
      const at = [...path, 'accessControl']
      details.push(...(await applyAccessControl(unit, row, accessControl.userRoles, admitted(row.id), known, at)))
    }
    // the initial state of a new one is not reported
    if (!journal.changes.some((change) => change.verb === 'create' && change.what === what))
      reportChange(journal, what, details)
  }
}
