/**
 * Who is in an organization, and with which roles: the statements for users and applications alike. The operations are
 * in members.ts; just-in-time provisioning and invitations add members too.
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { MOST_IN_EVENT } from '../../storage/event-parts.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** What differs between members that are users and members that are applications. */
export const MEMBERS = {
  user: { table: 'organization_users', roles: 'organization_user_roles', column: 'user_id' },
  application: {
    table: 'organization_applications',
    roles: 'organization_application_roles',
    column: 'application_id',
  },
} as const
export type MemberKind = keyof typeof MEMBERS

/** The tag of everything cached that was built from the membership of an application or its roles. */
export const organizationApplicationTag = (organizationId: string, applicationId: string) =>
  `organization-application:${organizationId}:${applicationId}`

/** The most pairs of member and role that one request may create. */
const MOST_PAIRS = 100_000

const namesOf = (kind: MemberKind) => {
  const { table, roles, column } = MEMBERS[kind]
  return { table: sql.table(table), roles: sql.table(roles), column: sql.ref(column) }
}

/** Makes these members; returns the ids of the new ones. They exist: the caller has checked. */
export const insertMembers = async (
  { tx, tenant, now }: Unit,
  kind: MemberKind,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const { table, column } = namesOf(kind)
  const { rows } = await sql<{ id: string }>`
    INSERT INTO ${table} (tenant_id, organization_id, ${column}, created_at)
    SELECT ${tenant.id}, ${organizationId}, m.id, ${now} FROM unnest(${ids}::text[]) AS m (id)
    ON CONFLICT DO NOTHING
    RETURNING ${column} AS id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Removes all other members; returns the ids of the removed ones. Their roles end with the membership. */
export const deleteOtherMembers = async (
  { tx, tenant }: Unit,
  kind: MemberKind,
  organizationId: string,
  ids: readonly string[],
): Promise<string[]> => {
  const { table, column } = namesOf(kind)
  const { rows } = await sql<{ id: string }>`
    DELETE FROM ${table} m
    WHERE m.tenant_id = ${tenant.id} AND m.organization_id = ${organizationId}
      AND NOT EXISTS (SELECT FROM unnest(${ids}::text[]) AS kept (id) WHERE kept.id = m.${column})
    RETURNING m.${column} AS id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Removes one member; returns whether it was a member. */
export const deleteMember = async (
  { tx, tenant }: Unit,
  kind: MemberKind,
  organizationId: string,
  id: string,
): Promise<boolean> => {
  const { table, column } = namesOf(kind)
  const { rows } = await sql`
    DELETE FROM ${table}
    WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId} AND ${column} = ${id}
    RETURNING ${column}`.execute(tx)
  return rows.length > 0
}

export interface MembershipChange {
  readonly addedUserIds?: readonly string[]
  readonly removedUserIds?: readonly string[]
  readonly addedApplicationIds?: readonly string[]
  readonly removedApplicationIds?: readonly string[]
}

/**
 * Emits Organization.Membership.Updated: one event without a delta when nothing changed, and several with `part`
 * and `parts` if one cannot hold all ids (DECISIONS K2).
 */
export const emitMembership = (
  { emit }: Unit<'Organization.Membership.Updated'>,
  organizationId: string,
  change: MembershipChange,
): void => {
  const lists = Object.entries(change).filter((entry): entry is [string, readonly string[]] => entry[1].length > 0)
  const parts = Math.max(1, ...lists.map(([, ids]) => Math.ceil(ids.length / MOST_IN_EVENT)))
  for (let part = 1; part <= parts; part += 1) {
    const some = lists.map(
      ([name, ids]) => [name, ids.slice((part - 1) * MOST_IN_EVENT, part * MOST_IN_EVENT)] as const,
    )
    emit('Organization.Membership.Updated', {
      organizationId,
      ...Object.fromEntries(some.filter(([, ids]) => ids.length > 0)),
      ...(parts > 1 ? { part, parts } : {}),
    })
  }
}

/** Locks the organizations that a user or an application is a member of against other changes of their members. */
export const lockOrganizationsOf = async ({ tx, tenant }: Unit, kind: MemberKind, id: string): Promise<void> => {
  const { table, column } = namesOf(kind)
  await sql`
    SELECT FROM organizations
    WHERE tenant_id = ${tenant.id}
      AND id IN (SELECT organization_id FROM ${table} WHERE tenant_id = ${tenant.id} AND ${column} = ${id})
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
}

/**
 * Ends every membership of a user or an application, with its roles; returns the ids of the organizations, which the caller
 * has locked. Events report what is deleted, not what was read before the lock.
 */
export const deleteMembershipsOf = async ({ tx, tenant }: Unit, kind: MemberKind, id: string): Promise<string[]> => {
  const { table, column } = namesOf(kind)
  const { rows } = await sql<{ id: string }>`
    DELETE FROM ${table} WHERE tenant_id = ${tenant.id} AND ${column} = ${id} RETURNING organization_id AS id`.execute(
    tx,
  )
  return rows.map((row) => row.id).sort()
}

/**
 * Locks members against the end of their membership and other changes of their roles. Throws 422 naming those who are
 * not members.
 */
export const holdMembers = async (
  { tx, tenant }: Unit,
  kind: MemberKind,
  organizationId: string,
  ids: readonly string[],
  refuse: (unknown: readonly string[]) => ApiError,
): Promise<void> => {
  const { table, column } = namesOf(kind)
  const { rows } = await sql<{ id: string }>`
    SELECT ${column} AS id FROM ${table}
    WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId} AND ${column} = ANY(${ids}::text[])
    ORDER BY ${column} FOR NO KEY UPDATE`.execute(tx)
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw refuse(unknown)
}

/** Gives roles to members; roles that they already hold stay. Throws 400 for more pairs than one request may create. */
export const insertMemberRoles = async (
  { tx, tenant, now, caller: { actor } }: Unit,
  kind: MemberKind,
  organizationId: string,
  ids: readonly string[],
  roleIds: readonly string[],
): Promise<void> => {
  if (ids.length * roleIds.length > MOST_PAIRS)
    throw new ApiError('guard.invalid_input', { reason: `more than ${MOST_PAIRS} pairs of member and role` })
  const { roles, column } = namesOf(kind)
  // who gave a role is recorded for users
  const [into, origin] =
    kind === 'user' ? [sql`, origin, origin_id`, sql`, ${actor.type}, ${actor.id ?? null}`] : [sql``, sql``]
  await sql`
    INSERT INTO ${roles} (tenant_id, organization_id, ${column}, organization_role_id, created_at${into})
    SELECT ${tenant.id}, ${organizationId}, m.id, r.id, ${now}${origin}
    FROM unnest(${ids}::text[]) AS m (id), unnest(${roleIds}::text[]) AS r (id)
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** Takes all other roles from a member; returns the ids of those that it held. */
export const deleteOtherMemberRoles = async (
  { tx, tenant }: Unit,
  kind: MemberKind,
  organizationId: string,
  id: string,
  roleIds: readonly string[],
): Promise<string[]> => {
  const { roles, column } = namesOf(kind)
  const { rows } = await sql<{ id: string }>`
    DELETE FROM ${roles}
    WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId} AND ${column} = ${id}
      AND organization_role_id <> ALL(${roleIds}::text[])
    RETURNING organization_role_id AS id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Takes a role from a member; returns whether it held the role. */
export const deleteMemberRole = async (
  { tx, tenant }: Unit,
  kind: MemberKind,
  organizationId: string,
  id: string,
  roleId: string,
): Promise<boolean> => {
  const { roles, column } = namesOf(kind)
  const { rows } = await sql`
    DELETE FROM ${roles}
    WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId} AND ${column} = ${id}
      AND organization_role_id = ${roleId}
    RETURNING organization_role_id`.execute(tx)
  return rows.length > 0
}

/**
 * Locks the memberships of one user. Throws 422 naming the ids that are not organizations, or of which the user is not
 * a member.
 */
export const holdMembershipsOf = async (
  { tx, tenant }: Unit,
  userId: string,
  organizationIds: readonly string[],
): Promise<void> => {
  const { rows } = await sql<{ id: string; isMember: boolean }>`
    SELECT o.id, EXISTS (
      SELECT FROM organization_users ou
      WHERE ou.tenant_id = o.tenant_id AND ou.organization_id = o.id AND ou.user_id = ${userId}) AS "isMember"
    FROM organizations o
    WHERE o.tenant_id = ${tenant.id} AND o.id = ANY(${organizationIds}::text[])
    ORDER BY o.id FOR KEY SHARE`.execute(tx)
  const known = new Map(rows.map(({ id, isMember }) => [id, isMember]))
  const unknown = organizationIds.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('entity.relation_foreign_key_not_found', { organizationIds: unknown })
  const foreign = organizationIds.filter((id) => !known.get(id))
  if (foreign.length > 0) throw new ApiError('organization.require_membership', { organizationIds: foreign })
}
