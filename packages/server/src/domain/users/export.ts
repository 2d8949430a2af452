/** Users as lines that `countersign users import` accepts, page by page. */

import type { UserLineFields } from '@countersign/contract/user-line.ts'
import { PASSWORD_ALGORITHMS } from '@countersign/contract/users.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import type { UserFilterQuery } from './filters.ts'
import { hasIdentity, identitiesOf } from './identities.ts'
import type { UserRow } from './rows.ts'
import { type UserSearchQuery, usersFound } from './search.ts'

const PAGE = 1000

type ExportedRow = UserRow & {
  role_names: string[]
  sso_identities: NonNullable<UserLineFields['ssoIdentities']> | null
}

const isAlgorithm = (name: string | null): name is (typeof PASSWORD_ALGORITHMS)[number] =>
  (PASSWORD_ALGORITHMS as readonly (string | null)[]).includes(name)

/** This server's hashes are argon2id in the usual format. */
const passwordOf = ({ password_hash, password_algorithm }: UserRow): Partial<UserLineFields> =>
  password_hash === null
    ? {}
    : {
        passwordDigest: password_hash,
        passwordAlgorithm: isAlgorithm(password_algorithm) ? password_algorithm : 'Argon2id',
      }

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

const lineOf = (row: ExportedRow, withPasswordHashes: boolean): UserLineFields => ({
  id: row.id,
  ...(row.username === null ? {} : { username: row.username }),
  ...(row.primary_email === null ? {} : { primaryEmail: row.primary_email }),
  ...(row.email_verified_at === null ? {} : { emailVerified: true }),
  ...(row.primary_phone === null ? {} : { primaryPhone: row.primary_phone }),
  ...(row.phone_verified_at === null ? {} : { phoneVerified: true }),
  ...(row.name === null ? {} : { name: row.name }),
  ...(row.avatar === null ? {} : { avatar: row.avatar }),
  ...(isEmpty(row.profile) ? {} : { profile: row.profile }),
  ...(isEmpty(row.custom_data) ? {} : { customData: row.custom_data }),
  ...(hasIdentity(row) ? { identities: identitiesOf(row) } : {}),
  ...(row.sso_identities === null ? {} : { ssoIdentities: row.sso_identities }),
  ...(withPasswordHashes ? passwordOf(row) : {}),
  ...(row.is_suspended ? { isSuspended: true } : {}),
  createdAt: row.created_at.getTime(),
  ...(row.last_sign_in_at === null ? {} : { lastSignInAt: row.last_sign_in_at.getTime() }),
  roleNames: row.role_names,
})

/** Which users are exported, and how far that is. */
export interface ExportRequest {
  /** Empty: all of them. */
  readonly search: UserSearchQuery & UserFilterQuery
  readonly withPasswordHashes: boolean
  /** The id of the last one that was exported; empty: none was. */
  readonly after: string
}

interface ExportedBatch {
  readonly users: readonly UserLineFields[]
  /** The id of the last one; undefined: there are no more. */
  readonly after: string | undefined
}

/** The next thousand users by id, as they are at this moment. Throws 400 for a search that is not supported. */
export const exportedBatch = async (
  { database }: Store,
  tenant: Tenant,
  { search, withPasswordHashes, after }: ExportRequest,
): Promise<ExportedBatch> => {
  const page = usersFound(database.kysely, tenant, search).where('u.id', '>', after).orderBy('u.id').limit(PAGE)
  const { rows } = await sql<ExportedRow>`
    SELECT u.*, ARRAY(
      SELECT r.name FROM users_roles ur JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
      WHERE ur.tenant_id = u.tenant_id AND ur.user_id = u.id ORDER BY r.name) AS role_names, (
      SELECT json_agg(json_build_object('connectorName', c.connector_name, 'issuer', i.issuer,
        'identityId', i.identity_id, 'detail', i.detail) ORDER BY c.connector_name)
      FROM user_sso_identities i JOIN sso_connectors c ON c.tenant_id = i.tenant_id AND c.id = i.connector_id
      WHERE i.tenant_id = u.tenant_id AND i.user_id = u.id) AS sso_identities
    FROM (${page}) AS u ORDER BY u.id`.execute(database.kysely)
  return {
    users: rows.map((row) => lineOf(row, withPasswordHashes)),
    after: rows.length < PAGE ? undefined : rows.at(-1)?.id,
  }
}

/**
 * Every user of the tenant by id, a page at a time. Each page is the state of the database at that moment: a user who
 * changes during the export is exported before or after the change.
 */
export async function* exportedUsers(
  store: Store,
  tenant: Tenant,
  withPasswordHashes: boolean,
): AsyncGenerator<readonly UserLineFields[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const batch: ExportedBatch = await exportedBatch(store, tenant, { search: {}, withPasswordHashes, after })
    if (batch.users.length > 0) yield batch.users
    after = batch.after
  }
}

/** Records in the audit log that the users were exported: which, and whether with password hashes. */
export const usersExported = operation(
  [],
  async ({ note }, withPasswordHashes: boolean, search: ExportRequest['search'] = {}): Promise<void> => {
    note({ withPasswordHashes, ...(Object.keys(search).length > 0 ? { search } : {}) })
  },
)
