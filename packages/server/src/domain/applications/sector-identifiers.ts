/** The document at a sector identifier, which must list the redirect URIs of an application (OpenID Connect Core section 8.1). */
import type { InputIssueCode } from '@countersign/contract/input-issues.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { publicReason } from '../../kernel/outbound.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { CONSOLE_ID } from './console.ts'
import { objectionToHttpUri } from './redirect-uris.ts'
import { type ClientMetadata, getApplication } from './rows.ts'
import type { Sectored } from './subjects.ts'

const PATH = '/customClientMetadata/sectorIdentifierUri'
const SECONDS = 5

const refuse = (reason: string, cause?: unknown, said: { code?: InputIssueCode; uri?: string } = {}): ApiError =>
  new ApiError(
    'guard.invalid_input',
    { reason: `sectorIdentifierUri: ${reason}`, issues: [{ path: PATH, reason, ...said }] },
    { cause },
  )

const listAt = async ({ outbound }: Store, url: string): Promise<readonly unknown[]> => {
  const answer = await outbound
    .send({ url, method: 'GET', headers: { accept: 'application/json' }, signal: AbortSignal.timeout(SECONDS * 1000) })
    .catch((error: unknown) => {
      throw refuse(publicReason(error), error)
    })
  if (answer.status !== 200) throw refuse(`it answered ${answer.status}`)
  try {
    const list: unknown = JSON.parse(answer.body.toString())
    if (Array.isArray(list) && !answer.isCut) return list
  } catch {
    // refused below
  }
  throw refuse('it did not answer with a JSON array')
}

/** What a change says of an application. */
interface Change {
  readonly redirectUris: readonly string[] | undefined
  readonly metadata: Sectored['metadata'] | undefined
}

/**
 * Throws 400 where the application would have a sector identifier whose document does not list its redirect URIs. Asks for the
 * document, and so is called before the transaction of a change that concerns it.
 * @param id undefined: the application is being registered
 */
export const assertSectorDocument = async (
  store: Store,
  tenant: Tenant,
  id: string | undefined,
  { redirectUris, metadata }: Change,
): Promise<void> => {
  const isConcerned = metadata?.sectorIdentifierUri !== undefined || (id !== undefined && redirectUris !== undefined)
  if (!isConcerned || id === CONSOLE_ID) return
  const before = id === undefined ? undefined : await getApplication(store, tenant, id)
  const stored: ClientMetadata | undefined = before?.custom_client_metadata
  const url = (metadata ?? stored)?.sectorIdentifierUri
  const uris = redirectUris ?? (before?.oidc_client_metadata.redirectUris as string[] | undefined) ?? []
  const isKnown = redirectUris === undefined && url === stored?.sectorIdentifierUri
  // an address that cannot be registered is refused with the rest
  if (url === undefined || isKnown || objectionToHttpUri(url) !== undefined) return
  const listed = new Set(await listAt(store, url))
  const missing = uris.find((uri) => !listed.has(uri))
  if (missing !== undefined)
    throw refuse(`the document does not list ${missing}`, undefined, { code: 'sector_unlisted', uri: missing })
}
