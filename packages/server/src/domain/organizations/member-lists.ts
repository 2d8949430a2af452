/** Reading memberships from both sides: whose organizations, whose members, whose roles. Nothing is cached. */

import { type SqlBool, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { rowsById } from '../../storage/rows-by-id.ts'
import type { Store } from '../../storage/store.ts'
import type { ApplicationRow } from '../applications/rows.ts'
import { containing } from '../permissions/scopes.ts'
import type { UserRow } from '../users/rows.ts'
import { matching } from '../users/search.ts'
import { MEMBERS, type MemberKind } from './membership.ts'
import type { OrganizationRoleRow } from './role-rows.ts'
import { getOrganization, type OrganizationRow } from './rows.ts'
import type { OrganizationScopeRow } from './scopes.ts'

/** The roles that each of these pairs of organization and member holds, by both ids joined with a space. */
const rolesOfPairs = async (
  store: Store,
  { id: tenantId }: Tenant,
  kind: MemberKind,
  pairs: readonly { readonly organizationId: string; readonly memberId: string }[],
): Promise<Map<string, { id: string; name: string }[]>> => {
  const { roles, column } = MEMBERS[kind]
  const { rows } = await sql<{ pair: string; id: string; name: string }>`
    SELECT p.organization_id || ' ' || p.member_id AS pair, r.id, r.name
    FROM unnest(${pairs.map(({ organizationId }) => organizationId)}::text[],
      ${pairs.map(({ memberId }) => memberId)}::text[]) AS p (organization_id, member_id)
    JOIN ${sql.table(roles)} mr ON mr.tenant_id = ${tenantId} AND mr.organization_id = p.organization_id
      AND mr.${sql.ref(column)} = p.member_id
    JOIN organization_roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.organization_role_id
    ORDER BY r.name`.execute(store.database.kysely)
  return Map.groupBy(rows, ({ pair }) => pair) as Map<string, { id: string; name: string }[]>
}

/** The members' roles in one organization, by the id of the member. */
export const rolesOfMembers = async (
  store: Store,
  tenant: Tenant,
  kind: MemberKind,
  organizationId: string,
  memberIds: readonly string[],
): Promise<(memberId: string) => { id: string; name: string }[]> => {
  const pairs = memberIds.map((memberId) => ({ organizationId, memberId }))
  const roles = await rolesOfPairs(store, tenant, kind, pairs)
  return (memberId) => roles.get(`${organizationId} ${memberId}`) ?? []
}

/** The users of an organization, most recent member first, an order supported by an index. Throws 404. */
export const listOrganizationUsers = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest & { q?: string | undefined; organizationRoleId?: string | undefined },
): Promise<Page<UserRow>> => {
  await getOrganization(store, tenant, organizationId)
  const db = store.database.kysely
  const { q, organizationRoleId } = request
  let query = db
    .selectFrom('organization_users as m')
    .select(['m.created_at as created_at', 'm.user_id as id'])
    .where(inTenant(tenant.id, 'm'))
    .where('m.organization_id', '=', organizationId)
  if (q) {
    query = query.where(
      sql<SqlBool>`EXISTS (SELECT FROM users u
        WHERE u.tenant_id = m.tenant_id AND u.id = m.user_id AND ${matching({ search: containing(q) }, 'u') ?? sql`true`})`,
    )
  }
  if (organizationRoleId) {
    query = query.where(
      sql<SqlBool>`EXISTS (SELECT FROM organization_user_roles ur
        WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id
          AND ur.organization_role_id = ${organizationRoleId})`,
    )
  }
  const page = await paginate(db, query, request, { createdAt: 'm.created_at', id: 'm.user_id' })
  return {
    ...page,
    items: await rowsById(
      store,
      tenant,
      'users',
      page.items.map(({ id }) => id),
    ),
  }
}

/** The applications of an organization, most recent member first, an order supported by an index. Throws 404. */
export const listOrganizationApplications = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest & { q?: string | undefined },
): Promise<Page<ApplicationRow>> => {
  await getOrganization(store, tenant, organizationId)
  const db = store.database.kysely
  const { q } = request
  const all = db
    .selectFrom('organization_applications as m')
    .select(['m.created_at as created_at', 'm.application_id as id'])
    .where(inTenant(tenant.id, 'm'))
    .where('m.organization_id', '=', organizationId)
  const query = q
    ? all.where(
        sql<SqlBool>`EXISTS (SELECT FROM applications a
          WHERE a.tenant_id = m.tenant_id AND a.id = m.application_id
            AND (a.name ILIKE ${containing(q)} OR a.id = ${q}))`,
      )
    : all
  const page = await paginate(db, query, request, { createdAt: 'm.created_at', id: 'm.application_id' })
  return {
    ...page,
    items: await rowsById(
      store,
      tenant,
      'applications',
      page.items.map(({ id }) => id),
    ),
  }
}

/** The organizations of a member, most recent membership first, an order supported by an index. */
export const listOrganizationsOf = async (
  store: Store,
  tenant: Tenant,
  kind: MemberKind,
  memberId: string,
  request: PageRequest,
): Promise<Page<{ row: OrganizationRow; organizationRoles: { id: string; name: string }[] }>> => {
  const db = store.database.kysely
  const joined =
    kind === 'user'
      ? db
          .selectFrom('organization_users as m')
          .select(['m.created_at as created_at', 'm.organization_id as id'])
          .where(inTenant(tenant.id, 'm'))
          .where('m.user_id', '=', memberId)
      : db
          .selectFrom('organization_applications as m')
          .select(['m.created_at as created_at', 'm.organization_id as id'])
          .where(inTenant(tenant.id, 'm'))
          .where('m.application_id', '=', memberId)
  const page = await paginate(db, joined, request, { createdAt: 'm.created_at', id: 'm.organization_id' })
  const ids = page.items.map(({ id }) => id)
  const [rows, roles] = await Promise.all([
    rowsById(store, tenant, 'organizations', ids),
    rolesOfPairs(
      store,
      tenant,
      kind,
      ids.map((organizationId) => ({ organizationId, memberId })),
    ),
  ])
  return {
    ...page,
    items: rows.map((row) => ({ row, organizationRoles: roles.get(`${row.id} ${memberId}`) ?? [] })),
  }
}

/** Throws 404 for an unknown organization, 422 `organization.require_membership` for a non-member. */
const assertMember = async (
  store: Store,
  tenant: Tenant,
  kind: MemberKind,
  organizationId: string,
  memberId: string,
): Promise<void> => {
  await getOrganization(store, tenant, organizationId)
  const { table, column } = MEMBERS[kind]
  const { rows } = await sql`
    SELECT FROM ${sql.table(table)}
    WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId} AND ${sql.ref(column)} = ${memberId}`.execute(
    store.database.kysely,
  )
  if (rows.length === 0) throw new ApiError('organization.require_membership')
}

/** Throws 404, 422. */
export const listMemberRoles = async (
  store: Store,
  tenant: Tenant,
  kind: MemberKind,
  organizationId: string,
  memberId: string,
  request: PageRequest,
): Promise<Page<OrganizationRoleRow>> => {
  await assertMember(store, tenant, kind, organizationId, memberId)
  const db = store.database.kysely
  const { roles, column } = MEMBERS[kind]
  const query = db
    .selectFrom('organization_roles as r')
    .selectAll('r')
    .where(inTenant(tenant.id, 'r'))
    .where(
      sql<SqlBool>`r.id IN (
        SELECT mr.organization_role_id FROM ${sql.table(roles)} mr
        WHERE mr.tenant_id = ${tenant.id} AND mr.organization_id = ${organizationId}
          AND mr.${sql.ref(column)} = ${memberId})`,
    )
  return paginate(db, query, request, { createdAt: 'r.created_at', id: 'r.id' })
}

/** The organization permissions that a user holds in an organization, by name. Throws 404, 422. */
export const listMemberScopes = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  userId: string,
): Promise<OrganizationScopeRow[]> => {
  await assertMember(store, tenant, 'user', organizationId, userId)
  const { rows } = await sql<OrganizationScopeRow>`
    SELECT s.* FROM organization_scopes s
    WHERE s.tenant_id = ${tenant.id} AND s.id IN (
      SELECT rs.organization_scope_id FROM organization_user_roles ur
      JOIN organization_roles_scopes rs
        ON rs.tenant_id = ur.tenant_id AND rs.organization_role_id = ur.organization_role_id
      WHERE ur.tenant_id = ${tenant.id} AND ur.organization_id = ${organizationId} AND ur.user_id = ${userId})
    ORDER BY s.name`.execute(store.database.kysely)
  return rows
}
