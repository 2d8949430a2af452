/** The user in the row of something that is theirs: the columns of a statement that joins `users u`, and the user in its result. */
import { type RawBuilder, sql } from 'kysely'
import { CLAIMED_COLUMNS, type ClaimedUser } from './rows.ts'

const COLUMNS = CLAIMED_COLUMNS.filter((column) => column !== 'id')

/** What claims may say about the user, under names that no other column has; with `user_id`, which the statement adds. */
export const JOINED_USER: RawBuilder<unknown> = sql.join([
  ...COLUMNS.map((column) => sql`${sql.ref(`u.${column}`)} AS ${sql.ref(`user_${column}`)}`),
  sql`u.is_suspended`,
])

/** A result row with JOINED_USER. */
export type WithJoinedUser = Readonly<Record<`user_${string}`, unknown>> & {
  readonly user_id: string
  readonly is_suspended: boolean
}

/** A user as tokens need them. */
export type JoinedUser = ClaimedUser & { readonly is_suspended: boolean }

export const joinedUserOf = (row: WithJoinedUser): JoinedUser => {
  const user: Record<string, unknown> = { id: row.user_id, is_suspended: row.is_suspended }
  for (const column of COLUMNS) user[column] = row[`user_${column}`]
  return user as JoinedUser
}
