/**
 * The client whose id is the address of a document (OAuth Client ID Metadata Document): fetched when it starts something, asked for again
 * when it has become old, and as it is known where its address does not answer (DECISIONS Z4).
 */
import { type Client, findClient } from '../domain/applications/clients.ts'
import { countClientDocument } from '../domain/credentials/address-failures.ts'
import { hostOfDocument, objectionToDocumentAddress } from '../domain/registered-clients/document-address.ts'
import { confirmDocumentClient, storeDocumentClient } from '../domain/registered-clients/document-clients.ts'
import { fetchDocument, NoDocument } from '../domain/registered-clients/document-fetch.ts'
import { clientDocumentSettings } from '../domain/registered-clients/document-settings.ts'
import { currentKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { perform, type Work } from '../storage/unit-of-work.ts'
import { clientOfDocument } from './registration/client-document.ts'
import { asRegistrationError } from './registration/refusal.ts'

/** How long a client that is known can go on with what it began while its address does not answer. */
const STALE_MS = 86_400_000

/** Why there is no such client, for the log and for its developers. */
export class DocumentRefused extends Error {}

const reasonOf = (error: unknown): string | undefined => {
  if (error instanceof NoDocument) return error.message
  const refused = asRegistrationError(error)
  return refused instanceof OAuthError && refused.status < 500 ? refused.description : undefined
}

/** Asks for the document, and stores what it says. Throws NoDocument, and what clientOfDocument and storeDocumentClient throw. */
const refresh = async (work: Work, id: string, known: Client | undefined): Promise<void> => {
  const { store, tenant } = work
  const etag = known?.document?.etag ?? null
  // of one that is known nobody can have it asked for more often than it becomes old, and strangers must not use up its share
  const admit = () => {
    if (!known) countClientDocument(work, hostOfDocument(id))
  }
  const document = await fetchDocument(store, id, etag, admit)
  if (document.metadata === undefined) return perform(work, confirmDocumentClient, id, document)
  const key = currentKey(await signingKeys(store, tenant), store.clock.now())
  const client = clientOfDocument(id, document.metadata, key?.algorithm ?? 'RS256')
  await perform(work, storeDocumentClient, id, client, document)
}

const isWithin = ({ clock }: Store, from: Date | undefined, ms: number): boolean =>
  from !== undefined && clock.now().getTime() - from.getTime() < ms

/**
 * The client, by a document that is current. Undefined where the tenant takes no such clients, or the id is no address of one.
 * @param use `begin`: what a user is asked about, so the document has to be there; `continue`: what follows from that, for which
 * nothing is fetched that is not known, and a known document does for a day. Throws DocumentRefused, ApiError 429 `request.rate_limited`
 */
export const documentClient = async (
  store: Store,
  exchange: Exchange,
  id: string,
  use: 'begin' | 'continue',
): Promise<Client | undefined> => {
  const { tenant } = exchange
  if (!(await clientDocumentSettings(store, tenant)).enabled) return undefined
  if (objectionToDocumentAddress(id) !== undefined) return undefined
  const known = await findClient(store, tenant, id)
  if (known?.document && known.document.fresh_until > store.clock.now()) return known
  if (!known && use === 'continue') return undefined
  try {
    await refresh({ store, tenant, caller: callerOf(exchange, 'ClientDocument.Fetch') }, id, known)
  } catch (error) {
    const isPassing = (error instanceof NoDocument && error.isUnreachable) || error instanceof ApiError
    if (use === 'continue' && isPassing && isWithin(store, known?.document?.fetched_at, STALE_MS)) return known
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    throw new DocumentRefused(reason, { cause: error })
  }
  return findClient(store, tenant, id)
}
