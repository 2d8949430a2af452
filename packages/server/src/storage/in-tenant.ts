/** The condition that nearly every query starts with: a row belongs to the tenant. */
import type { Expression, SqlBool } from 'kysely'

/** A query whose tables have the column: for tables without it the condition does not compile. */
type Comparison<C extends string> = (column: C, operator: '=', value: TenantId) => Expression<SqlBool>

/** An id, never a name or a host, or the place of one in a fixed statement. */
type TenantId = string | Expression<string>

/**
 * The argument of `where` that compares `tenant_id`; its SQL is `"tenant_id" = $n`.
 * @param tenantId does not check that the tenant exists
 * @param alias the table, if several in the query have the column
 */
export function inTenant(tenantId: TenantId): (compare: Comparison<'tenant_id'>) => Expression<SqlBool>
export function inTenant<const A extends string>(
  tenantId: TenantId,
  alias: A,
): (compare: Comparison<`${A}.tenant_id`>) => Expression<SqlBool>
export function inTenant(tenantId: TenantId, alias?: string) {
  return (compare: Comparison<string>) =>
    compare(alias === undefined ? 'tenant_id' : `${alias}.tenant_id`, '=', tenantId)
}
