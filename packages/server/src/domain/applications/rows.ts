/** The rows of applications: reading one, and locking one for a change. */

import type { CustomClientMetadata } from '@countersign/contract/client-metadata.ts'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { isHidden } from './document-clients.ts'

export type ApplicationRow = Selectable<Tables['applications']>
export type ApplicationType = ApplicationRow['type']
export type ClientMetadata = Static<typeof CustomClientMetadata>

export const applicationTag = (id: string) => `application:${id}`

/** SAML applications have no secrets: no caller can authenticate as one. */
const CONFIDENTIAL: ReadonlySet<ApplicationType> = new Set(['Traditional', 'MachineToMachine', 'SAML'])

/** Confidential applications authenticate; the others are public clients (RFC 6749 section 2.1). */
export const isConfidential = (type: ApplicationType): boolean => CONFIDENTIAL.has(type)

/** Throws 404, also for those that no route shows. */
export const getApplication = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<ApplicationRow> => {
  const row = await store.database.kysely
    .selectFrom('applications')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row || isHidden(id)) throw notFound('application', id)
  return row
}

/** The row, locked against concurrent changes to the application or its dependents. Throws 404, also for those that no route shows. */
export const lockApplication = async ({ tx, tenant }: Unit, id: string): Promise<ApplicationRow> => {
  const row = await tx
    .selectFrom('applications')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row || isHidden(id)) throw notFound('application', id)
  return row
}
