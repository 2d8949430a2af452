/** An application as the token endpoint needs it: from the cache, with the hashes of its secrets. */

import type { CLIENT_AUTH_METHODS } from '@countersign/contract/client-metadata.ts'
import type { JWK } from 'jose'
import type { Caller } from '../../kernel/caller.ts'
import { isDocumentId } from '../../kernel/document-ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { ID_TOKEN_TAG, readIdTokenSettings } from '../tenants/id-token-settings.ts'
import { readSecuritySettings, SECURITY_TAG } from '../tenants/security-settings.ts'
import { CONSOLE_ID, consoleAddresses } from './console.ts'
import { type ClientDocument, readDocument } from './document-clients.ts'
import { type ApplicationLook, storedLook } from './look.ts'
import {
  type ApplicationRow,
  type ApplicationType,
  applicationTag,
  type ClientMetadata,
  isConfidential,
} from './rows.ts'
import { underProfile } from './security-profile.ts'
import { sectorOf } from './subjects.ts'

export interface Client {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly type: ApplicationType
  readonly isConfidential: boolean
  readonly isThirdParty: boolean
  /** Whether only some users may use it: application-admission.ts decides who. */
  readonly hasAccessControl: boolean
  /** With what its security profile and its tenant impose. */
  readonly metadata: ClientMetadata
  readonly authMethod: 'none' | (typeof CLIENT_AUTH_METHODS)[number]
  readonly secrets: readonly { readonly name: string; readonly hash: Uint8Array; readonly expiresAt: Date | null }[]
  readonly keys: readonly JWK[]
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** Of its pairwise subjects (subjects.ts); undefined: users have the same `sub` for it as for others. */
  readonly sector?: string | undefined
  /** What its ID tokens may have beyond the claims of OpenID Connect Core; undefined: what they have unless a tenant says otherwise. */
  readonly extendedClaims?: readonly string[] | undefined
  /** Of an application that registered itself: the grants that it may use. Undefined for others, which their settings limit. */
  readonly grantTypes?: readonly string[] | undefined
  /** Of a client whose id is the address of a document: what is known of that. */
  readonly document?: ClientDocument | undefined
  /** Its look on pages; undefined: the tenant's. */
  readonly look: ApplicationLook | undefined
}

/** The client as events represent it. */
export const summaryOf = ({ id, type, name, description }: Client): NonNullable<Caller['application']> => ({
  id,
  type,
  name,
  description,
})

/**
 * Where people find the application: the origin of its first redirect URI that is a web address. Undefined if there
 * is none, or only device addresses or patterns.
 */
export const homeOf = ({ type, redirectUris }: Pick<Client, 'type' | 'redirectUris'>): string | undefined => {
  const web = redirectUris.find((uri) => /^https?:/.test(uri) && !uri.includes('*') && URL.canParse(uri))
  // a listener on a device that is signing in is no address to go to
  return web === undefined || type === 'Native' || type === 'SAML' ? undefined : `${new URL(web).origin}/`
}

/** Where the sign-in to a SAML application returns to: this server, which then answers the application. */
export const samlCallbackOf = ({ baseUrl }: Tenant, id: string): string =>
  `${baseUrl}/api/saml-applications/${id}/callback`

/** Whether an application manages grants (Grant Management for OAuth 2.0). */
export const managesGrants = ({ isConfidential: proves, metadata }: Client): boolean =>
  proves && metadata.grantManagement === true

/** The cache key of a client, for hot paths that look before they wait. */
export const clientKey = (id: string) => `client:${id}`

const uris = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** Where it may send browsers: an application that answers at this server, only there. */
const addressesOf = (store: Store, tenant: Tenant, { id, type, oidc_client_metadata: metadata }: ApplicationRow) => {
  if (id === CONSOLE_ID) return consoleAddresses(store, tenant)
  return {
    redirectUris: type === 'SAML' ? [samlCallbackOf(tenant, id)] : uris(metadata.redirectUris),
    postLogoutRedirectUris: uris(metadata.postLogoutRedirectUris),
  }
}

/** Whether a client can have this id: one that this server makes, or the address of a document. Anything else is not looked up. */
export const isPossibleId = (id: string): boolean =>
  /^[0-9a-z-]{1,21}$/.test(id) || (isDocumentId(id) && id.length <= 2048 && /^[\x21-\x7e]+$/.test(id))

/** The client with this id, if the tenant has one. Unknown ids are cached too. Fetches no document. */
export const findClient = (store: Store, tenant: Tenant, id: string): Promise<Client | undefined> => {
  const { id: tenantId } = tenant
  return store.cache.get(tenantId, clientKey(id), async () => {
    const db = store.database.configuration
    const [row, secrets, settings, idToken, document] = await Promise.all([
      db.selectFrom('applications').selectAll().where(inTenant(tenantId)).where('id', '=', id).executeTakeFirst(),
      db
        .selectFrom('application_secrets')
        .select(['name', 'hash', 'expires_at'])
        .where(inTenant(tenantId))
        .where('application_id', '=', id)
        .execute(),
      readSecuritySettings(db, tenantId),
      readIdTokenSettings(db, tenantId),
      isDocumentId(id) ? readDocument(db, tenantId, id) : undefined,
    ])
    const tags = [applicationTag(id), SECURITY_TAG, ID_TOKEN_TAG]
    if (!row) return { value: undefined, tags }
    // the console and SAML applications are clients of the server's own making
    const isOwn = id === CONSOLE_ID || row.type === 'SAML'
    const metadata: ClientMetadata = isOwn
      ? row.custom_client_metadata
      : underProfile({ idTokenClaims: idToken.claims, ...row.custom_client_metadata }, settings)
    const confidential = isConfidential(row.type)
    const addresses = addressesOf(store, tenant, row)
    const value: Client = {
      id: row.id,
      name: row.name,
      description: row.description,
      type: row.type,
      isConfidential: confidential,
      isThirdParty: row.is_third_party,
      hasAccessControl: row.has_access_control,
      metadata,
      authMethod: confidential ? (metadata.tokenEndpointAuthMethod ?? 'client_secret_basic') : 'none',
      secrets: secrets.map(({ name, hash, expires_at }) => ({ name, hash, expiresAt: expires_at })),
      keys: metadata.jwks?.keys ?? [],
      ...addresses,
      sector: sectorOf({ type: row.type, redirectUris: addresses.redirectUris, metadata }),
      grantTypes: row.registration?.grantTypes,
      document,
      ...(isOwn ? {} : { extendedClaims: idToken.enabledExtendedClaims }),
      look: storedLook(row),
    }
    return { value, tags }
  })
}
