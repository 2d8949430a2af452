/** Clients with documents, stored as what their documents say of them (DECISIONS Z3 to Z5). */
import type { ApplicationCreate, ApplicationRegistration } from '@countersign/contract/applications.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { isDocumentId } from '../../kernel/document-ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import { ORIGINS_TAG, originsOf } from '../applications/allowed-origins.ts'
import { assertConsistent } from '../applications/applications.ts'
import type { Client } from '../applications/clients.ts'
import { applicationTag } from '../applications/rows.ts'
import { getTenant } from '../tenants/tenants.ts'
import type { FetchedDocument } from './document-fetch.ts'

const DAY_SECONDS = 86_400
/** After which a client that nobody has used is forgotten: longer than its document is current and a sign-in takes. Seconds. */
const UNUSED_SECONDS = 2 * DAY_SECONDS
/** Clients with documents of a tenant, most of which nobody may ever have signed in with. */
const MOST_CLIENTS = 10_000

/** What a document makes of its client. */
export interface DocumentedClient {
  readonly application: Static<typeof ApplicationCreate>
  readonly registration: Static<typeof ApplicationRegistration>
  /** What it says that it is called. */
  readonly statedName: string | null
}

type Freshness = Pick<FetchedDocument, 'etag' | 'lifetime'>

const assertRoom = async ({ tx, tenant }: Unit): Promise<void> => {
  const { rows } =
    await sql`SELECT FROM client_documents WHERE tenant_id = ${tenant.id} OFFSET ${MOST_CLIENTS} LIMIT 1`.execute(tx)
  if (rows.length > 0) throw new ApiError('request.rate_limited', { retryAfter: DAY_SECONDS })
}

/** Stores the client as its document has it now. Throws ApiError 400 for settings that no application can have, 429 where there is no room. */
export const storeDocumentClient = operation(
  [],
  async (unit, id: string, client: DocumentedClient, { etag, lifetime }: Freshness): Promise<void> => {
    const { tx, tenant, now } = unit
    const { application, registration, statedName } = client
    const { oidcClientMetadata, customClientMetadata: custom = {}, type } = application
    const oidc = { redirectUris: [], postLogoutRedirectUris: [], ...oidcClientMetadata }
    await assertConsistent(type, true, oidc, custom)
    await assertRoom(unit)
    const said = {
      name: application.name,
      type,
      oidc_client_metadata: JSON.stringify(oidc),
      custom_client_metadata: JSON.stringify(custom),
      registration: JSON.stringify(registration),
      origins: originsOf(oidc.redirectUris, []),
    }
    await tx
      .insertInto('applications')
      .values({ tenant_id: tenant.id, id, is_third_party: true, custom_data: '{}', created_at: now, ...said })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doUpdateSet(said))
      .execute()
    const document = { stated_name: statedName, etag, fetched_at: now, fresh_until: secondsAfter(now, lifetime) }
    await tx
      .insertInto('client_documents')
      .values({ tenant_id: tenant.id, application_id: id, ...document })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'application_id']).doUpdateSet(document))
      .execute()
    unit.note({ applicationId: id, statedName, redirectUris: oidc.redirectUris })
    unit.changed(applicationTag(id), ORIGINS_TAG)
  },
)

/** The document is still the one that is known. */
export const confirmDocumentClient = operation([], async (unit, id: string, { lifetime }: Freshness): Promise<void> => {
  const { tx, tenant, now } = unit
  await tx
    .updateTable('client_documents')
    .set({ fetched_at: now, fresh_until: secondsAfter(now, lifetime) })
    .where(inTenant(tenant.id))
    .where('application_id', '=', id)
    .execute()
  unit.note({ applicationId: id })
  unit.changed(applicationTag(id))
})

/** Records that tokens were issued to a client with a document, once a day; nothing for any other. */
export const noteDocumentUse = (unit: Unit, { id }: Pick<Client, 'id'>): void => {
  if (!isDocumentId(id)) return
  unit.send(
    sql`UPDATE client_documents SET last_used_at = ${unit.now}
      WHERE tenant_id = ${unit.tenant.id} AND application_id = ${id}
        AND (last_used_at IS NULL OR last_used_at < ${secondsAfter(unit.now, -DAY_SECONDS)})`.execute(unit.tx),
  )
}

const removeUnused = operation([], async (unit, before: Date): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    DELETE FROM applications a USING client_documents d
    WHERE a.tenant_id = ${unit.tenant.id} AND d.tenant_id = a.tenant_id AND d.application_id = a.id
      AND d.last_used_at IS NULL AND d.fetched_at < ${before}
    RETURNING a.id`.execute(unit.tx)
  unit.changed(ORIGINS_TAG, ...rows.map(({ id }) => applicationTag(id)))
  unit.note({ removed: rows.length })
  return rows.length
})

/** Forgets clients with documents that no token was issued to within two days; returns how many. Any number of nodes may do it at once. */
export const removeUnusedDocumentClients = async (store: Store): Promise<number> => {
  const before = secondsAfter(store.clock.now(), -UNUSED_SECONDS)
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT DISTINCT tenant_id FROM client_documents WHERE last_used_at IS NULL AND fetched_at < ${before}`.execute(
    store.database.kysely,
  )
  let removed = 0
  for (const { tenant_id } of rows) {
    const work = {
      store,
      tenant: await getTenant(store, tenant_id),
      caller: systemCaller('removeUnusedDocumentClients'),
    }
    removed += await perform(work, removeUnused, before)
  }
  return removed
}
