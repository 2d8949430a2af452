/**
 * How users are found (WIRE W10): by a pattern or a whole value, in one field or in all of them.
 *
 * Without wildcards, or with wildcards at the end only, every field is looked up in an index. A pattern that begins with a
 * wildcard reads the tenant's users until the page is full; the count stops at its cap. The reference's modes similar_to
 * and posix are refused: the caller's regular expression would run in the database without a bound.
 */

import { USER_SEARCH_FIELDS, type UserSearch } from '@countersign/contract/user-search.ts'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { notRelated } from '../../storage/not-related.ts'
import { COUNT_CAP, type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { unicodeDomain } from '../credentials/email-domain.ts'
import { identifierKeys } from '../credentials/identifiers.ts'
import { filteredUsers, type UserFilterQuery } from './filters.ts'
import type { UserRow } from './rows.ts'

export type UserSearchQuery = Static<typeof UserSearch>
type Field = (typeof USER_SEARCH_FIELDS)[number]
type Condition = RawBuilder<boolean>

const refused = (reason: string): ApiError => new ApiError('request.invalid_input', { reason })

/** The compared column, case-insensitive, and the shown one. An id has only one case. */
const COLUMNS: Readonly<Record<Field, { readonly folded: string; readonly written: string }>> = {
  id: { folded: 'id', written: 'id' },
  username: { folded: 'username_key', written: 'username' },
  primaryEmail: { folded: 'email_key', written: 'primary_email' },
  primaryPhone: { folded: 'primary_phone', written: 'primary_phone' },
  name: { folded: 'name', written: 'name' },
}

/** A phone number may be written with its plus sign and in groups. */
const readable = (field: Field, value: string): string =>
  field === 'primaryPhone' && /\d/.test(value) && /^[+\d\s().%_-]+$/.test(value)
    ? value.replace(/[^\d%_]/g, '')
    : value.normalize('NFC')

/** Normalised like the key of the field; for an address with wildcards in its domain only the case is folded. */
const foldedText = (field: Field, value: string): string => {
  const [, local = '', domain = ''] = (field === 'primaryEmail' && /^([^@]*)@([^@%_\\]+)$/.exec(value)) || []
  const compared = domain === '' ? undefined : unicodeDomain(domain)
  return compared === undefined ? value.toLowerCase() : `${local.toLowerCase()}@${compared}`
}

/** The condition that an index answers and, if case matters, the one about case. */
const compared = (
  alias: string,
  field: Field,
  mode: 'like' | 'exact',
  text: string,
  isCaseSensitive: boolean,
): Condition => {
  const { folded, written } = COLUMNS[field]
  const [column, shown] = [sql.ref(`${alias}.${folded}`), sql.ref(`${alias}.${written}`)]
  // a whole number in any spelling; a part of one, or a pattern, is compared as it is
  const numbers = field === 'primaryPhone' ? identifierKeys({ type: 'phone', value: text }) : []
  if (numbers.length > 0) return sql<boolean>`${column} IN (${sql.join(numbers)})`
  const value = readable(field, text)
  const operator = sql.raw(mode === 'exact' ? '=' : 'LIKE')
  // the database folds names, as in their index; keys were folded before they were stored
  const anyCase =
    field === 'name'
      ? sql<boolean>`lower(${column}) ${operator} lower(${value})`
      : sql<boolean>`${column} ${operator} ${foldedText(field, value)}`
  return isCaseSensitive ? sql<boolean>`(${anyCase} AND ${shown} ${operator} ${value})` : anyCase
}

const joined = (conditions: readonly Condition[], how: 'or' | 'and'): Condition =>
  sql<boolean>`(${sql.join(conditions, how === 'or' ? sql` OR ` : sql` AND `)})`

const modeOf = (query: UserSearchQuery, field: Field | undefined): 'like' | 'exact' => {
  const mode = (field && query[`mode.${field}`]) ?? query.mode ?? 'like'
  if (mode === 'like' || mode === 'exact') return mode
  throw refused(`the mode "${mode}" is not supported; use like or exact`)
}

const assertValues = (mode: 'like' | 'exact', values: readonly string[]): void => {
  if (values.some((value) => value === '')) throw refused('a search value cannot be empty')
  if (mode === 'exact') return
  if (values.length > 1) throw refused('several search values require the mode exact')
  if (/(^|[^\\])(\\\\)*\\$/.test(values[0] ?? '')) throw refused('the pattern ends with an escape that escapes nothing')
}

/** The conditions of a search over the users called `alias`: of each searched field, those of which one is met. Throws as `matching`. */
const searched = (query: UserSearchQuery, alias: string): Condition[][] => {
  const isCaseSensitive = ['true', '1'].includes(query.isCaseSensitive ?? '')
  return [undefined, ...USER_SEARCH_FIELDS].flatMap((field) => {
    const given = field ? query[`search.${field}`] : query.search
    const mode = modeOf(query, field)
    if (given === undefined) return []
    const values = [given].flat()
    assertValues(mode, values)
    const fields = field ? [field] : USER_SEARCH_FIELDS
    return [fields.flatMap((each) => values.map((value) => compared(alias, each, mode, value, isCaseSensitive)))]
  })
}

/**
 * The condition of a search over the users called `alias`; undefined when nothing is searched for. Throws 400
 * `request.invalid_input`.
 */
export const matching = (query: UserSearchQuery, alias: string): Condition | undefined => {
  const searches = searched(query, alias).map((each) => joined(each, 'or'))
  return searches.length === 0 ? undefined : joined(searches, query.joint ?? 'or')
}

/**
 * How many users of the query called `u` are found, up to one more than are counted, each condition by its own index: for all of them
 * at once PostgreSQL would rather read the users one after another, which is slow where those found are far down. Undefined: a
 * pattern begins with a wildcard, so that no index answers it.
 */
const countOf = (query: UserSearchQuery, users: SelectQueryBuilder<Tables & { u: Tables['users'] }, 'u', object>) => {
  const patterns = [query.search, ...USER_SEARCH_FIELDS.map((field) => query[`search.${field}`])].flat()
  if (query.joint === 'and' || patterns.some((each) => each !== undefined && /^[%_]/.test(each))) return undefined
  const found = searched(query, 'u')
    .flat()
    .map(
      (each) =>
        sql`(${users
          .where(each)
          .clearSelect()
          .select('u.id')
          .limit(COUNT_CAP + 1)})`,
    )
  if (found.length === 0) return undefined
  return async (db: Db): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      SELECT count(DISTINCT id) AS count FROM (${sql.join(found, sql` UNION ALL `)}) AS found`.execute(db)
    return rows[0]?.count ?? 0
  }
}

/** Whether a user of the query neither holds the excluded role nor belongs to the excluded organization. */
const remaining = (
  tenantId: string,
  { excludeRoleId, excludeOrganizationId }: UserSearchQuery,
): Condition | undefined => {
  if (excludeRoleId !== undefined && excludeOrganizationId !== undefined)
    throw refused('excludeRoleId and excludeOrganizationId cannot be combined')
  const listed = ['user_id', 'u.id'] as const
  if (excludeRoleId !== undefined)
    return notRelated(tenantId, { table: 'users_roles', column: 'role_id', id: excludeRoleId, listed })
  if (excludeOrganizationId !== undefined)
    return notRelated(tenantId, {
      ...{ table: 'organization_users', column: 'organization_id', id: excludeOrganizationId },
      listed,
    })
  return undefined
}

/** The users of a search, in no order, with what the query was made of. @returns narrowed those that only the filters leave */
const found = (db: Db, { id: tenantId }: Tenant, search: UserSearchQuery & UserFilterQuery) => {
  const condition = matching(search, 'u')
  const others = remaining(tenantId, search)
  const filtered = filteredUsers(tenantId, search)
  const users = db.selectFrom('users as u').selectAll('u').where(inTenant(tenantId, 'u'))
  const narrowed = [...(others ? [others] : []), ...filtered.conditions].reduce((rows, each) => rows.where(each), users)
  return { condition, others, filtered, narrowed, query: condition ? narrowed.where(condition) : narrowed }
}

/** The users called `u` that a search finds and that meet all filters, in no order. Throws as listUsers. */
export const usersFound = (db: Db, tenant: Tenant, search: UserSearchQuery & UserFilterQuery) =>
  found(db, tenant, search).query

/**
 * The users of a tenant that a search finds and that meet all filters, newest first. Throws 400 `request.invalid_input` for an
 * unsupported search, or with both a role and an organization to exclude.
 */
export const listUsers = (
  store: Store,
  tenant: Tenant,
  request: PageRequest,
  search: UserSearchQuery & UserFilterQuery,
): Promise<Page<UserRow>> => {
  const db = store.database.kysely
  const { narrowed, condition, query, others, filtered } = found(db, tenant, search)
  const counting = countOf(search, narrowed)
  const isSearch = condition !== undefined || filtered.isSearch
  const isIndexed = condition === undefined && others === undefined && filtered.isIndexed
  const total = counting && { total: () => counting(db) }
  const isFiltered = others !== undefined || filtered.conditions.length > 0
  const near = (users: typeof narrowed) => db.selectFrom(users.as('u')).selectAll('u')
  const walk =
    condition && !isFiltered
      ? { list: narrowed, search: (users: typeof narrowed) => near(users).where(condition) }
      : undefined
  return paginate(db, query, request, { createdAt: 'u.created_at', id: 'u.id', isSearch, isIndexed, walk, ...total })
}
