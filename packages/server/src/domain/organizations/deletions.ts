/**
 * Deletions of what roles hold and of members of organizations. Their events tell systems that mirror the tenant what
 * was removed (DECISIONS N1): first that a role holds less or an organization has one member less, then that the entity
 * is gone. What changes is locked first, in the same order as in the operations that add to it, so that the events are
 * in the order of the changes.
 */
import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { eraseApplication } from '../applications/applications.ts'
import { type ApplicationRow, lockApplication } from '../applications/rows.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { assertModifiable, eraseResource, lockDeletable } from '../permissions/resources.ts'
import { announceScopes as announceRoleScopes, lockRolesHolding, takeFromRoles } from '../permissions/role-scopes.ts'
import { eraseScope, idsOfScopes, lockScopes, type ScopeRow, scopeEntity } from '../permissions/scopes.ts'
import { lockUser, type UserRow } from '../users/rows.ts'
import { eraseUser } from '../users/users.ts'
import {
  deleteMembershipsOf,
  emitMembership,
  lockOrganizationsOf,
  type MemberKind,
  type MembershipChange,
} from './membership.ts'
import { announceScopes, lockOrganizationRolesHolding, takeFromOrganizationRoles } from './role-scopes.ts'
import { eraseOrganizationScope, lockOrganizationScope, organizationScopeEntity } from './scopes.ts'

/**
 * Locks a member and its organizations, ends the memberships and emits an event for each organization. Returns the
 * member's row.
 */
const leaveOrganizations = async <R>(
  unit: Unit<'Organization.Membership.Updated'>,
  kind: MemberKind,
  id: string,
  lockMember: (unit: Unit, id: string) => Promise<R>,
): Promise<R> => {
  await lockOrganizationsOf(unit, kind, id)
  const row = await lockMember(unit, id)
  // including those that the member joined while waiting for its row; it can join no more now
  await lockOrganizationsOf(unit, kind, id)
  const organizationIds = await deleteMembershipsOf(unit, kind, id)
  const change: MembershipChange = kind === 'user' ? { removedUserIds: [id] } : { removedApplicationIds: [id] }
  for (const organizationId of organizationIds) emitMembership(unit, organizationId, change)
  unit.concerns('organization', organizationIds)
  return row
}

/** Deletes a user and all that hangs on them, once `lockMember` has locked them and not refused it. */
export const eraseAccount = async (
  unit: Unit<'User.Deleted' | 'Organization.Membership.Updated'>,
  id: string,
  lockMember: (unit: Unit, id: string) => Promise<UserRow> = lockUser,
): Promise<void> => eraseUser(unit, await leaveOrganizations(unit, 'user', id, lockMember))

/** The same for an administrator. Throws 404, 400 `user.cannot_delete_self` when a user deletes themselves. */
export const deleteUser = operation(
  ['User.Deleted', 'Organization.Membership.Updated'],
  async (unit, id: string): Promise<void> => {
    const { actor } = unit.caller
    if (actor.type === 'user' && actor.id === id) throw new ApiError('user.cannot_delete_self')
    await eraseAccount(unit, id)
  },
)

/** Locks an application that the caller may delete. What it holds by its memberships counts: this is asked before they end. */
const lockDeletableApplication = async (unit: Unit, id: string): Promise<ApplicationRow> => {
  const row = await lockApplication(unit, id)
  await assertHolds(unit, 'applications', [id])
  return row
}

/** Deletes an application with its secrets, roles and memberships. Throws 404, 403. */
export const deleteApplication = operation(
  ['Organization.Membership.Updated'],
  async (unit, id: string): Promise<void> => {
    await eraseApplication(unit, await leaveOrganizations(unit, 'application', id, lockDeletableApplication))
  },
)

type Withdrawal = 'Scope.Deleted' | 'Role.Scopes.Updated' | 'OrganizationRole.Scopes.Updated'

/**
 * Deletes permissions of a locked resource, and emits an event for each role that lost one. One role at a time: what a
 * role holds is read only for its own event.
 * @param scopeId only this one
 * @param erase deletes what is locked
 */
const withdraw = async (
  unit: Unit<Withdrawal>,
  resourceId: string,
  scopeId: string | undefined,
  erase: (scopes: readonly ScopeRow[]) => Promise<void>,
): Promise<void> => {
  const ids = idsOfScopes(unit.tenant.id, resourceId, scopeId)
  const ofOrganizations = { table: 'organization_roles_resource_scopes', column: 'scope_id', ids } as const
  const lockHolders = async () => {
    await lockRolesHolding(unit, ids)
    await lockOrganizationRolesHolding(unit, ofOrganizations)
  }
  await lockHolders()
  const scopes = await lockScopes(unit, resourceId, scopeId)
  // including those that were given one while waiting for the permissions; no more can be now
  await lockHolders()
  const roles = await takeFromRoles(unit, ids)
  const organizationRoles = await takeFromOrganizationRoles(unit, ofOrganizations)
  await erase(scopes)
  for (const id of roles) await announceRoleScopes(unit, id)
  for (const id of organizationRoles) await announceScopes(unit, id)
  unit.concerns('role', roles)
  unit.concerns('organizationRole', organizationRoles)
  for (const scope of scopes) {
    unit.emit('Scope.Deleted', { data: scopeEntity(scope) })
    unit.concerns('scope', scope.id, { before: scopeEntity(scope) })
  }
}

/** Deletes a permission and removes it from its roles. Throws 404, 400 for one of the Management API. */
export const deleteScope = operation(
  ['Scope.Deleted', 'Role.Scopes.Updated', 'OrganizationRole.Scopes.Updated'],
  async (unit, resourceId: string, id: string): Promise<void> => {
    await assertModifiable(unit, resourceId)
    await withdraw(unit, resourceId, id, async (scopes) => {
      if (scopes.length === 0) throw notFound('scope', id)
      await eraseScope(unit, resourceId, id)
    })
  },
)

/**
 * Deletes a resource with its permissions and removes them from their roles. Throws 404, 400 for the Management API.
 */
export const deleteResource = operation(
  ['Scope.Deleted', 'Role.Scopes.Updated', 'OrganizationRole.Scopes.Updated'],
  async (unit, id: string): Promise<void> => {
    await lockDeletable(unit, id)
    await withdraw(unit, id, undefined, () => eraseResource(unit, id))
  },
)

/** Deletes an organization permission and removes it from its roles. Throws 404. */
export const deleteOrganizationScope = operation(
  ['OrganizationScope.Deleted', 'OrganizationRole.Scopes.Updated'],
  async (unit, id: string): Promise<void> => {
    const holders = {
      table: 'organization_roles_scopes',
      column: 'organization_scope_id',
      ids: sql`SELECT ${id}`,
    } as const
    await lockOrganizationRolesHolding(unit, holders)
    const row = await lockOrganizationScope(unit, id)
    await lockOrganizationRolesHolding(unit, holders)
    const roles = await takeFromOrganizationRoles(unit, holders)
    await eraseOrganizationScope(unit, id)
    for (const roleId of roles) await announceScopes(unit, roleId)
    unit.concerns('organizationRole', roles)
    unit.emit('OrganizationScope.Deleted', { data: organizationScopeEntity(row) })
    unit.concerns('organizationScope', id, { before: organizationScopeEntity(row) })
  },
)
