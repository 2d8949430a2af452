/**
 * Clients whose id is the address of a document about them, as rows of applications (DECISIONS Z3): which rows they are, which one
 * stands for all of them, and what is known of a document.
 */
import type { Selectable } from 'kysely'
import { isDocumentId } from '../../kernel/document-ids.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { CONSOLE_ID } from './console.ts'

/** The row that stands for all of them. No client can have this id, and nothing is ever issued to it. */
export const ALL_DOCUMENT_CLIENTS = 'https:'

/** What their ids are like, in SQL. */
export const DOCUMENT_IDS = 'https:%'

/** Applications that no route of the Management API shows or changes. */
export const isHidden = (id: string): boolean => id === CONSOLE_ID || isDocumentId(id)

/** The application whose consent scopes are those of a client: what the one that stands for all may ask users for, each may. */
export const consentHolderOf = (id: string): string => (isDocumentId(id) ? ALL_DOCUMENT_CLIENTS : id)

/** What is known of the document of a client. */
export type ClientDocument = Pick<
  Selectable<Tables['client_documents']>,
  'stated_name' | 'etag' | 'fetched_at' | 'fresh_until'
>

export const readDocument = (db: Db, tenantId: string, id: string): Promise<ClientDocument | undefined> =>
  db
    .selectFrom('client_documents')
    .select(['stated_name', 'etag', 'fetched_at', 'fresh_until'])
    .where(inTenant(tenantId))
    .where('application_id', '=', id)
    .executeTakeFirst()

/** The row that stands for all is there afterwards, and locked against other changes of it. */
export const lockAllDocumentClients = async ({ tx, tenant, now }: Unit): Promise<void> => {
  await tx
    .insertInto('applications')
    .values({
      tenant_id: tenant.id,
      id: ALL_DOCUMENT_CLIENTS,
      name: 'Clients with documents',
      type: 'SPA',
      is_third_party: true,
      oidc_client_metadata: '{"redirectUris":[],"postLogoutRedirectUris":[]}',
      custom_client_metadata: '{}',
      custom_data: '{}',
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .selectFrom('applications')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', ALL_DOCUMENT_CLIENTS)
    .forUpdate()
    .executeTakeFirstOrThrow()
}
