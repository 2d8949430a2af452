/** Accounts elsewhere that come with users from another system (`countersign users import`): checked, and inserted by the batch. */
import type { UserLineFields } from '@countersign/contract/user-line.ts'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { Identities } from './identities.ts'

type Fields = Pick<UserLineFields, 'identities' | 'ssoIdentities'>

interface SocialAccount {
  readonly target: string
  readonly identityId: string
}

interface CompanyAccount {
  readonly connectorId: string
  readonly issuer: string
  readonly identityId: string
  readonly detail: object
}

/** The column of a user: what the lines of a file may hold beside it is left out. */
export const importedIdentities = ({ identities = {} }: Fields): Identities =>
  Object.fromEntries(
    Object.entries(identities).map(([target, { userId, details }]) => [
      target,
      { userId, ...(details ? { details } : {}) },
    ]),
  )

const socialOf = ({ identities = {} }: Fields): SocialAccount[] =>
  Object.entries(identities).map(([target, { userId }]) => ({ target, identityId: userId }))

const keyOfSocial = ({ target, identityId }: SocialAccount): string => JSON.stringify([target, identityId])
const keyOfCompany = ({ connectorId, issuer, identityId }: Omit<CompanyAccount, 'detail'>): string =>
  JSON.stringify([connectorId, issuer, identityId])

/** The ids of the SSO connectors with these names, held until the commit. */
const connectorIds = async ({ tx, tenant }: Unit, names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (names.length === 0) return new Map()
  const rows = await tx
    .selectFrom('sso_connectors')
    .select(['id', 'connector_name'])
    .where(inTenant(tenant.id))
    .where('connector_name', '=', sql<string>`ANY(${[...new Set(names)]}::text[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return new Map(rows.map(({ id, connector_name }) => [connector_name, id]))
}

const takenSocial = async ({ tx, tenant }: Unit, accounts: readonly SocialAccount[]): Promise<string[]> => {
  if (accounts.length === 0) return []
  const { rows } = await sql<SocialAccount>`
    SELECT target, identity_id AS "identityId" FROM user_identities WHERE tenant_id = ${tenant.id} AND (target, identity_id) IN
      (SELECT * FROM unnest(${accounts.map(({ target }) => target)}::text[], ${accounts.map(({ identityId }) => identityId)}::text[]))`.execute(
    tx,
  )
  return rows.map(keyOfSocial)
}

const takenCompany = async ({ tx, tenant }: Unit, accounts: readonly CompanyAccount[]): Promise<string[]> => {
  if (accounts.length === 0) return []
  const { rows } = await sql<Omit<CompanyAccount, 'detail'>>`
    SELECT connector_id AS "connectorId", issuer, identity_id AS "identityId" FROM user_sso_identities
    WHERE tenant_id = ${tenant.id} AND (connector_id, issuer, identity_id) IN
      (SELECT * FROM unnest(${accounts.map(({ connectorId }) => connectorId)}::text[],
        ${accounts.map(({ issuer }) => issuer)}::text[], ${accounts.map(({ identityId }) => identityId)}::text[]))`.execute(
    tx,
  )
  return rows.map(keyOfCompany)
}

/** The accounts of the users of a batch. */
export interface ImportedAccounts {
  /**
   * Throws 422 `entity.relation_foreign_key_not_found` for an SSO connector that is not there, `user.identity_already_in_use` for an
   * account that another user has, or has been asked for before; 400 for two accounts at one connector.
   */
  assertFree(fields: Fields): void
  /** Gives each user theirs, by at most two statements; not the column of the user. */
  insert(users: readonly { readonly id: string; readonly fields: Fields }[]): Promise<void>
}

/** Reads what is needed to judge the accounts of these users. */
export const accountsOfBatch = async (unit: Unit, all: readonly Fields[]): Promise<ImportedAccounts> => {
  const { tx, tenant, now } = unit
  const wanted = all.flatMap(({ ssoIdentities = [] }) => ssoIdentities)
  const idOf = await connectorIds(
    unit,
    wanted.map(({ connectorName }) => connectorName),
  )
  const companyOf = ({ ssoIdentities = [] }: Fields): CompanyAccount[] =>
    ssoIdentities.flatMap(({ connectorName, detail = {}, ...account }) => {
      const connectorId = idOf.get(connectorName)
      return connectorId === undefined ? [] : [{ ...account, connectorId, detail }]
    })
  const taken = new Set([
    ...(await takenSocial(unit, all.flatMap(socialOf))),
    ...(await takenCompany(unit, all.flatMap(companyOf))),
  ])
  return {
    assertFree(fields) {
      const names = (fields.ssoIdentities ?? []).map(({ connectorName }) => connectorName)
      const unknown = names.filter((name) => !idOf.has(name))
      if (unknown.length > 0)
        throw new ApiError('entity.relation_foreign_key_not_found', { ssoConnectorNames: unknown })
      if (new Set(names).size < names.length)
        throw new ApiError('guard.invalid_input', { reason: 'ssoIdentities must not contain a connector twice' })
      const keys = [...socialOf(fields).map(keyOfSocial), ...companyOf(fields).map(keyOfCompany)]
      if (keys.some((key) => taken.has(key))) throw new ApiError('user.identity_already_in_use')
      for (const key of keys) taken.add(key)
    },
    async insert(users) {
      const social = users.flatMap(({ id, fields }) => socialOf(fields).map((each) => ({ ...each, userId: id })))
      if (social.length > 0)
        await sql`
          INSERT INTO user_identities (tenant_id, target, identity_id, user_id, created_at)
          SELECT ${tenant.id}, r.target, r."identityId", r."userId", ${now}
          FROM json_to_recordset(${JSON.stringify(social)}::json) AS r (target text, "identityId" text, "userId" text)`.execute(
          tx,
        )
      const company = users.flatMap(({ id, fields }) =>
        companyOf(fields).map((each) => ({ ...each, id: newId(), userId: id })),
      )
      if (company.length > 0)
        await sql`
          INSERT INTO user_sso_identities (tenant_id, id, user_id, connector_id, issuer, identity_id, detail, created_at, updated_at)
          SELECT ${tenant.id}, r.id, r."userId", r."connectorId", r.issuer, r."identityId", r.detail, ${now}, ${now}
          FROM json_to_recordset(${JSON.stringify(company)}::json) AS r (id text, "userId" text, "connectorId" text, issuer text,
            "identityId" text, detail jsonb)`.execute(tx)
    },
  }
}
