/**
 * The operations on the members of an organization and on their roles in it, the same for users and for applications.
 * Each locks the organization first, so that memberships and their events are consistent.
 */
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { noteRemoved } from '../../storage/noted-removals.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import {
  deleteMember,
  deleteMemberRole,
  deleteOtherMemberRoles,
  deleteOtherMembers,
  emitMembership,
  holdMembers,
  insertMemberRoles,
  insertMembers,
  type MemberKind,
  type MembershipChange,
  organizationApplicationTag,
} from './membership.ts'
import { holdOrganizationRoles, type OrganizationRoleType, organizationRoleIdsByName } from './role-rows.ts'
import { lockOrganization } from './rows.ts'

/** What differs between the two kinds of members. */
interface Members {
  readonly kind: MemberKind
  /** The name of their ids in requests and errors. */
  readonly ids: 'userIds' | 'applicationIds'
  /** The type of the roles that they may have. */
  readonly roleType: OrganizationRoleType
  /** Locks the future members against deletion. Throws 422. */
  readonly hold: (unit: Unit, ids: readonly string[]) => Promise<void>
  /** Throws 403 unless the caller may change these; undefined: all members. */
  readonly assertTheirs: (unit: Unit, organizationId: string, ids?: readonly string[]) => Promise<void>
  /** Throws 403 unless the caller may give these roles. */
  readonly assertGivable: (unit: Unit, roleIds: readonly string[]) => Promise<void>
  /** Names them in the delta of the event. */
  readonly delta: (change: { added?: readonly string[]; removed?: readonly string[] }) => MembershipChange
  /** Tells caches that something about these members has changed. */
  readonly announce: (unit: Unit, organizationId: string, ids: readonly string[]) => void
}

/** The roles that a request names, by id or by name. */
interface RolesOfRequest {
  readonly organizationRoleIds?: readonly string[]
  readonly organizationRoleNames?: readonly string[]
}

const noMember = () => new ApiError('organization.require_membership')

const operationsOf = (members: Members) => {
  const { kind, ids: idsName, roleType, hold, assertTheirs, assertGivable, delta, announce } = members
  /** The ids of the roles that a request names, locked against deletion. Throws 422, 403. */
  const holdRoles = async (unit: Unit, request: RolesOfRequest): Promise<string[]> => {
    const byName = await organizationRoleIdsByName(unit, [...new Set(request.organizationRoleNames)])
    const roleIds = [...new Set([...(request.organizationRoleIds ?? []), ...byName])]
    await holdOrganizationRoles(unit, roleIds, roleType)
    await assertGivable(unit, roleIds)
    // by their names too
    unit.concerns('organizationRole', roleIds)
    return roleIds
  }
  const unknownMembers = (unknown: readonly string[]) =>
    new ApiError('entity.relation_foreign_key_not_found', { [idsName]: unknown })

  return {
    /** Adds members; existing members stay as they are. Throws 404, 422. */
    add: operation(
      ['Organization.Membership.Updated'],
      async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
        const memberIds = [...new Set(ids)].sort()
        await lockOrganization(unit, organizationId)
        await hold(unit, memberIds)
        await assertTheirs(unit, organizationId, memberIds)
        const added = await insertMembers(unit, kind, organizationId, memberIds)
        emitMembership(unit, organizationId, delta({ added }))
        announce(unit, organizationId, added)
      },
    ),

    /** Replaces the members of this kind with these. Throws 404, 422. */
    replace: operation(
      ['Organization.Membership.Updated'],
      async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
        const memberIds = [...new Set(ids)].sort()
        await lockOrganization(unit, organizationId)
        await hold(unit, memberIds)
        await assertTheirs(unit, organizationId)
        await assertTheirs(unit, organizationId, memberIds)
        const removed = await deleteOtherMembers(unit, kind, organizationId, memberIds)
        const added = await insertMembers(unit, kind, organizationId, memberIds)
        noteRemoved(unit, kind, removed)
        emitMembership(unit, organizationId, delta({ added, removed }))
        announce(unit, organizationId, [...removed, ...added])
      },
    ),

    /** Removes a member. Throws 404 also for a non-member. */
    remove: operation(
      ['Organization.Membership.Updated'],
      async (unit, organizationId: string, memberId: string): Promise<void> => {
        await lockOrganization(unit, organizationId)
        await assertTheirs(unit, organizationId, [memberId])
        if (!(await deleteMember(unit, kind, organizationId, memberId))) throw notFound('member', memberId)
        emitMembership(unit, organizationId, delta({ removed: [memberId] }))
        announce(unit, organizationId, [memberId])
      },
    ),

    /**
     * Gives each of these roles to each of these members; roles that they already hold stay. Throws 404, 422, 400 for
     * too many pairs.
     */
    assignRoles: operation(
      [],
      async (unit, organizationId: string, ids: readonly string[], roleIds: readonly string[]): Promise<void> => {
        const memberIds = [...new Set(ids)].sort()
        await lockOrganization(unit, organizationId)
        await holdMembers(unit, kind, organizationId, memberIds, unknownMembers)
        await assertTheirs(unit, organizationId, memberIds)
        const organizationRoleIds = await holdRoles(unit, { organizationRoleIds: roleIds })
        await insertMemberRoles(unit, kind, organizationId, memberIds, organizationRoleIds)
        announce(unit, organizationId, memberIds)
      },
    ),

    /** Gives a member roles; roles that it already holds stay. Returns the ids of all named roles. Throws 404, 422. */
    addRoles: operation(
      [],
      async (unit, organizationId: string, memberId: string, request: RolesOfRequest): Promise<string[]> => {
        await lockOrganization(unit, organizationId)
        await holdMembers(unit, kind, organizationId, [memberId], noMember)
        await assertTheirs(unit, organizationId, [memberId])
        const roleIds = await holdRoles(unit, request)
        await insertMemberRoles(unit, kind, organizationId, [memberId], roleIds)
        announce(unit, organizationId, [memberId])
        return roleIds
      },
    ),

    /** Replaces the roles of the member with these. Throws 404, 422. */
    replaceRoles: operation(
      [],
      async (unit, organizationId: string, memberId: string, request: RolesOfRequest): Promise<void> => {
        await lockOrganization(unit, organizationId)
        await holdMembers(unit, kind, organizationId, [memberId], noMember)
        await assertTheirs(unit, organizationId, [memberId])
        const roleIds = await holdRoles(unit, request)
        const removed = await deleteOtherMemberRoles(unit, kind, organizationId, memberId, roleIds)
        noteRemoved(unit, 'organizationRole', removed)
        await insertMemberRoles(unit, kind, organizationId, [memberId], roleIds)
        announce(unit, organizationId, [memberId])
      },
    ),

    /** Takes a role from a member. Throws 404 also if it does not hold the role, 422 for a non-member. */
    removeRole: operation([], async (unit, organizationId: string, memberId: string, roleId: string): Promise<void> => {
      await lockOrganization(unit, organizationId)
      await holdMembers(unit, kind, organizationId, [memberId], noMember)
      await assertTheirs(unit, organizationId, [memberId])
      if (!(await deleteMemberRole(unit, kind, organizationId, memberId, roleId)))
        throw notFound('organization role', roleId)
      announce(unit, organizationId, [memberId])
    }),
  }
}

/** Memberships of users are read each time a token is issued: no cache has to be told. */
export const organizationUsers = operationsOf({
  kind: 'user',
  ids: 'userIds',
  roleType: 'User',
  hold: async (unit, ids) => {
    await holdReferencedRows(unit, 'users', ids, 'userIds')
  },
  assertTheirs: async () => undefined,
  assertGivable: async () => undefined,
  delta: ({ added = [], removed = [] }) => ({ addedUserIds: added, removedUserIds: removed }),
  announce: () => undefined,
})

/**
 * Applications must be machine-to-machine ones. They are configuration: what is built from their memberships is cached.
 */
export const organizationApplications = operationsOf({
  kind: 'application',
  ids: 'applicationIds',
  roleType: 'MachineToMachine',
  hold: async (unit, ids) => {
    const applications = await holdReferencedRows(unit, 'applications', ids, 'applicationIds')
    if (applications.some(({ type }) => type !== 'MachineToMachine')) throw new ApiError('application.invalid_type')
  },
  assertTheirs: (unit, organizationId, ids) =>
    ids ? assertHolds(unit, 'applications', ids) : assertHolds(unit, 'organizations', [organizationId]),
  assertGivable: (unit, roleIds) => assertHolds(unit, 'organizationRoles', roleIds),
  delta: ({ added = [], removed = [] }) => ({ addedApplicationIds: added, removedApplicationIds: removed }),
  announce: ({ changed }, organizationId, ids) =>
    changed(...ids.map((id) => organizationApplicationTag(organizationId, id))),
})
