/** What is kept of a visit under a secret that a browser brings back: how its row is found. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'

/** The row of a connector under a secret, while it has not expired, in tables that have these columns and no other table beside them. */
export const keptUnder = (
  { id: tenantId }: Pick<Tenant, 'id'>,
  connectorId: string,
  secret: string,
  now: Date,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`tenant_id = ${tenantId} AND hash = ${hashSecret(secret)} AND connector_id = ${connectorId} AND expires_at > ${now}`
