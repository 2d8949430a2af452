/**
 * How a user is found by what a request presents, inside a statement that reads more about them, to save a round trip.
 */
import type { RawBuilder } from 'kysely'
import type { SqlValue } from '../../storage/statement.ts'

export interface UserFinder {
  /** The name of this method. */
  readonly name: string
  /** The key presented: an id or a hash. */
  readonly key: string | Buffer | null
  readonly type: 'text' | 'bytea'
  /** SQL of the user's id. */
  readonly user: (tenantId: SqlValue<string>, key: SqlValue<UserFinder['key']>) => RawBuilder<string>
  /** SQL of the scopes of what was presented; absent if it has none. */
  readonly scopes?: (tenantId: SqlValue<string>, key: SqlValue<UserFinder['key']>) => RawBuilder<string[]>
}
