/**
 * Interactions: an authorization request during sign-in and consent (DECISIONS F3). Pages and the Experience
 * API change its state by the operations here; the authorize dispatcher alone decides what comes next.
 */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { hashSecret, matchesHash } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { fixedStatement, type Given, insertRow } from '../../storage/fixed-statement.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { GrantAction } from '../issued/managed-grants.ts'
import { holdPushedRequest } from '../issued/pushed-requests.ts'
import { DEFAULT_RESOURCE } from '../permissions/reserved-names.ts'
import type { Draft } from './draft.ts'

/** One hour (DECISIONS G3). */
export const INTERACTION_SECONDS = 3600

/** How an authorization response is sent; those that end in `.jwt` carry it as a JWT (JARM). */
export const RESPONSE_MODES = ['query', 'form_post', 'query.jwt', 'form_post.jwt'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

/** A validated authorization request, as it is stored. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly responseMode: ResponseMode
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly prompts: readonly string[]
  readonly state?: string
  readonly nonce?: string
  readonly codeChallenge?: string
  /** The thumbprint of the key that the code will be bound to (RFC 9449 section 10). */
  readonly dpopJkt?: string
  /** The thumbprint of the certificate that it was pushed with, to which the code will be bound. */
  readonly certificate?: string
  /** Seconds. */
  readonly maxAge?: number
  readonly loginHint?: string
  /** The user that an id_token_hint names. */
  readonly hintedUserId?: string
  readonly uiLocales?: string
  readonly acr?: string
  /** Requested one by one, as requested-claims.ts writes them. */
  readonly claims?: readonly string[]
  /** What the user is asked to approve, as JSON (RFC 9396). */
  readonly authorizationDetails?: string
  /** What becomes of what the user allows, if the application manages grants (Grant Management for OAuth 2.0). */
  readonly grant?: GrantOfRequest
  readonly firstScreen?: string
  /** The provider that comes before any page: `social:<target>` or `sso:<connector id>`. */
  readonly directSignIn?: string
  /** The organization in whose colours the pages are; there need not be one, and nothing else follows from it (DECISIONS P17). */
  readonly organizationId?: string
  /** The token of the link that began the request, sealed, in base64 (one-time-token-proof.ts). */
  readonly sealedToken?: string
  /** Requested scopes that are not in `scopes`, and why; for the audit log (DECISIONS D5). */
  readonly dropped?: readonly { readonly scope: string; readonly why: string }[]
  /** The pushed request that it came as, which its code uses up (`pushedRequestId`). */
  readonly pushedId?: string
  /**
   * The device that asks (RFC 8628): then there is no application to return to, and the fields about it are
   * meaningless.
   */
  readonly device?: DeviceOfRequest
  /** The request that an application made without a browser: as for a device, nothing returns to the application from here. */
  readonly backchannel?: BackchannelOfRequest
  /** The account page that asks, as a path of this server: then there is no application to return to, and no code. */
  readonly accountPage?: string
}

export interface GrantOfRequest {
  readonly action: GrantAction
  /** The grant that is merged into or replaced. */
  readonly id?: string
  /** Whose it is. */
  readonly userId?: string
}

export interface DeviceOfRequest {
  /** Of the device code, in hexadecimal. */
  readonly hash: string
  /** The code that the device shows, sealed: it is shown again on the page that asks for consent. */
  readonly sealedUserCode: string
}

export interface BackchannelOfRequest {
  /** Of the request, in hexadecimal. */
  readonly hash: string
  /** What the application has shown to the user as well (OpenID CIBA section 7.1). */
  readonly bindingMessage?: string
}

/** What the user consented to, and in which session. */
export interface Consent {
  /** The session of the user who was asked. */
  readonly sessionId: string
  /** APIs and permissions by id, as in requested-consent.ts: those that the page showed. */
  readonly ids: readonly string[]
}

/** What has happened since the request arrived. */
export interface InteractionState {
  /** The session from a sign-in within this interaction: it satisfies prompt=login and max_age. */
  readonly signedInSession?: string | undefined
  /** What the user agreed to on the consent page. Earlier versions stored a list of names, which is ignored. */
  readonly consented?: Consent | undefined
  /** Whether the user refused the application: answered as access_denied. */
  readonly denied?: boolean
  /** What was verified and entered through the Experience API and is not yet submitted. */
  readonly draft?: Draft | undefined
  /** Whether an account was registered in this interaction: it cannot register another. */
  readonly hasRegistered?: boolean
  /** The choice on the account page: the user to continue as, or another one, who has to sign in. */
  readonly chosenAccount?: { readonly userId: string } | 'another'
}

export interface Interaction {
  readonly id: string
  readonly request: AuthorizationRequest
  readonly state: InteractionState
}

/** What most requests say, and what is not stored of them: anyone can make one (SECURITY R-35). */
const USUAL: Pick<AuthorizationRequest, 'responseMode' | 'resources' | 'prompts'> = {
  responseMode: 'query',
  resources: [DEFAULT_RESOURCE],
  prompts: [],
}

const storedRequest = (request: AuthorizationRequest): string => {
  const usual = Object.entries(USUAL).flatMap(([name, value]) =>
    isDeepStrictEqual(request[name as keyof typeof USUAL], value) ? [[name, undefined]] : [],
  )
  return JSON.stringify({ ...request, ...Object.fromEntries(usual) })
}

/** Stores a request for the browser that made it, within another operation; returns the id of the interaction. */
export const createInteractionIn = (unit: Unit, browser: string, request: AuthorizationRequest): string => {
  const { tx, tenant, now, send } = unit
  const id = newId()
  const expiresAt = secondsAfter(now, INTERACTION_SECONDS)
  const inserted = insertRow(tx, 'interactions', {
    tenant_id: tenant.id,
    id,
    browser_hash: hashSecret(browser),
    request: storedRequest(request),
    state: '{}',
    created_at: now,
    expires_at: expiresAt,
  })
  send(inserted)
  if (request.pushedId !== undefined) send(holdPushedRequest(unit, request.pushedId, expiresAt))
  return id
}

/** Stores a request for the browser that made it. */
export const createInteraction = operation(
  [],
  async (unit, browser: string, request: AuthorizationRequest): Promise<string> =>
    createInteractionIn(unit, browser, request),
)

/** The live interaction with this id, if this browser started it (SECURITY R-21). */
export const findInteraction = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  id: string,
  browser: string | undefined,
): Promise<Interaction | undefined> => {
  if (browser === undefined || !/^[0-9a-z]{21}$/.test(id)) return undefined
  const { rows } = await database.lookups.query({
    name: 'find-interaction',
    text: 'SELECT browser_hash, request, state FROM interactions WHERE tenant_id = $1 AND id = $2 AND expires_at > $3',
    values: [tenantId, id, clock.now()],
  })
  const [row] = rows as (Pick<Interaction, 'request' | 'state'> & { readonly browser_hash: Buffer })[]
  if (!row || !matchesHash(browser, row.browser_hash)) return undefined
  return { id, request: { ...USUAL, ...row.request }, state: row.state }
}

const lockState = fixedStatement((db, { tenantId, id, now }: Given<{ tenantId: string; id: string; now: Date }>) =>
  db
    .selectFrom('interactions')
    .select('state')
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .forUpdate(),
)

/** The state of a live interaction, locked until this unit ends. Throws 400 `session.not_found`. */
export const lockInteraction = async ({ tx, tenant, now }: Unit, id: string): Promise<InteractionState> => {
  const [row] = await lockState(tx, { tenantId: tenant.id, id, now })
  if (!row) throw new ApiError('session.not_found')
  return row.state
}

type Advance = Given<{ tenantId: string; id: string; change: string; removed: readonly string[] }>

const advance = fixedStatement(
  (_, { tenantId, id, change, removed }: Advance) => sql<{ id: string }>`
    UPDATE interactions SET state = (state || ${change}::jsonb) - ${removed}::text[], version = version + 1
    WHERE tenant_id = ${tenantId} AND id = ${id} RETURNING id`,
)

/**
 * Adds to the state of an interaction, within another operation: one statement, so that nothing that another request
 * added is lost. Fields that are undefined in the change are removed. Throws 400 `session.not_found` when the
 * interaction does not exist; does not check its expiry.
 */
export const advanceInteraction = async ({ tx, tenant }: Unit, id: string, change: InteractionState): Promise<void> => {
  const removed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const advanced = await advance(tx, { tenantId: tenant.id, id, change: JSON.stringify(change), removed })
  if (advanced.length === 0) throw new ApiError('session.not_found')
}

/** Records what the user answered on the consent page. */
export const recordConsent = operation(
  [],
  async (unit, id: string, change: Pick<InteractionState, 'consented' | 'denied'>): Promise<void> =>
    advanceInteraction(unit, id, change),
)

/** Records which account the user chose. If another account is chosen, an earlier sign-in does not count. */
export const recordAccount = operation(
  [],
  async (unit, id: string, chosenAccount: NonNullable<InteractionState['chosenAccount']>): Promise<void> =>
    advanceInteraction(unit, id, {
      chosenAccount,
      ...(chosenAccount === 'another' ? { signedInSession: undefined } : {}),
    }),
)

const remove = fixedStatement((db, { tenantId, id }: Given<{ tenantId: string; id: string }>) =>
  db.deleteFrom('interactions').where(inTenant(tenantId)).where('id', '=', id).returning('id'),
)

/** Removes an interaction: of several requests that would finish it at once, one gets true. */
export const finishInteraction = async ({ tx, tenant }: Unit, id: string): Promise<boolean> => {
  const finished = await remove(tx, { tenantId: tenant.id, id })
  return finished.length > 0
}
