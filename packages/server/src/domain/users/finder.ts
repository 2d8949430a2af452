/** How a user is found by what a request brought, inside a statement that reads more of them: no one waits for another answer. */
import type { RawBuilder } from 'kysely'
import type { SqlValue } from '../../storage/statement.ts'

export interface UserFinder {
  /** Of this way of finding. */
  readonly name: string
  /** Of what was brought: an id or a hash. */
  readonly key: string | Buffer | null
  /** SQL of the user's id. */
  readonly user: (tenantId: SqlValue<string>, key: SqlValue<UserFinder['key']>) => RawBuilder<string>
  /** SQL of the scopes that what was brought is for; not of what is for none. */
  readonly scopes?: (tenantId: SqlValue<string>, key: SqlValue<UserFinder['key']>) => RawBuilder<string[]>
}
