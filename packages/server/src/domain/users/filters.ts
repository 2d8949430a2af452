/** Which users a list shows by state, second factors and age: conditions that indexes answer (migration 0059). */
import type { UserFilters } from '@countersign/contract/user-filters.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

export type UserFilterQuery = Static<typeof UserFilters>
type Condition = RawBuilder<boolean>

const has = (tenantId: string, types: readonly string[]): Condition => sql<boolean>`EXISTS (
  SELECT FROM factors f WHERE f.tenant_id = ${tenantId} AND f.user_id = u.id AND f.type = ANY(${types}::text[]))`

/** Backup codes are no second factor alone. */
const ALONE = ['Totp', 'WebAuthn']

const DAY_MS = 86_400_000

/** The day is in the index; the moment decides about the users of that day. */
const signedIn = (operator: '>=' | '<', milliseconds: number): Condition => {
  const moment = new Date(milliseconds)
  const day = new Date(milliseconds - (milliseconds % DAY_MS))
  const ofDay = sql.raw(operator === '<' ? '<=' : '>=')
  return sql<boolean>`(u.last_sign_in_day ${ofDay} ${day} AND u.last_sign_in_at ${sql.raw(operator)} ${moment})`
}

/** Conditions over the users called `u`. */
export interface Filtered {
  readonly conditions: readonly Condition[]
  /** Some of them are met by few users, who are looked up in an index of their own. */
  readonly isSearch: boolean
  /** Some of them are not answered by the index of the list's order. */
  readonly isIndexed: boolean
}

/** Of the filters that are given; they must all be met. */
export const filteredUsers = (tenantId: string, filters: UserFilterQuery): Filtered => {
  const { isSuspended, hasSecondFactor, secondFactor, hasSignedIn, createdAfter, createdBefore } = filters
  const { lastSignInAfter, lastSignInBefore } = filters
  const ofOrder = [
    ...(createdAfter === undefined ? [] : [sql<boolean>`u.created_at >= ${new Date(createdAfter)}`]),
    ...(createdBefore === undefined ? [] : [sql<boolean>`u.created_at < ${new Date(createdBefore)}`]),
  ]
  const common = [
    ...(isSuspended === 'false' ? [sql<boolean>`NOT u.is_suspended`] : []),
    ...(hasSecondFactor === 'false' ? [sql<boolean>`NOT ${has(tenantId, ALONE)}`] : []),
    ...(hasSignedIn === 'true' ? [sql<boolean>`u.last_sign_in_day IS NOT NULL`] : []),
  ]
  const rare = [
    ...(isSuspended === 'true' ? [sql<boolean>`u.is_suspended`] : []),
    ...(hasSecondFactor === 'true' ? [has(tenantId, ALONE)] : []),
    ...(secondFactor === undefined ? [] : [has(tenantId, [secondFactor])]),
    ...(hasSignedIn === 'false' ? [sql<boolean>`u.last_sign_in_day IS NULL`] : []),
    ...(lastSignInAfter === undefined ? [] : [signedIn('>=', lastSignInAfter)]),
    ...(lastSignInBefore === undefined ? [] : [signedIn('<', lastSignInBefore)]),
  ]
  return {
    conditions: [...ofOrder, ...common, ...rare],
    isSearch: rare.length > 0,
    isIndexed: common.length === 0 && rare.length === 0,
  }
}
