/**
 * Interactions: an authorization request on its way through sign-in and consent (DECISIONS F3). Pages and the Experience
 * API change its state by the operations here; the authorize dispatcher alone decides what comes next.
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { hashSecret, matchesHash } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { Draft } from './draft.ts'

/** One hour (DECISIONS G3). */
export const INTERACTION_SECONDS = 3600

/** A validated authorization request, as it is kept. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly responseMode: 'query' | 'form_post'
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly prompts: readonly string[]
  readonly state?: string
  readonly nonce?: string
  readonly codeChallenge?: string
  /** Seconds. */
  readonly maxAge?: number
  readonly loginHint?: string
  /** The user that an id_token_hint names. */
  readonly hintedUserId?: string
  readonly uiLocales?: string
  readonly acr?: string
  readonly firstScreen?: string
  /** The scopes that were asked for and are not in `scopes`, and why; for the audit log (DECISIONS D5). */
  readonly dropped?: readonly { readonly scope: string; readonly why: string }[]
  /** The device that asks (RFC 8628): then there is no way back to an application, and the fields about it mean nothing. */
  readonly device?: DeviceOfRequest
}

export interface DeviceOfRequest {
  /** Of the device code, in hexadecimal. */
  readonly hash: string
  /** The code that the device shows, sealed: it is shown again on the page that asks for consent. */
  readonly sealedUserCode: string
}

/** What was agreed to, and by whom. */
export interface Consent {
  /** The session of the user who was asked. */
  readonly sessionId: string
  /** APIs and permissions by id, as requested-consent.ts names them: those of which the page told. */
  readonly ids: readonly string[]
}

/** What has happened since the request came. */
export interface InteractionState {
  /** The session in which the user signed in within this interaction: that one satisfies prompt=login and max_age. */
  readonly signedInSession?: string | undefined
  /** What the user agreed to on the consent page. A version before this kept a list of names, which counts for nothing. */
  readonly consented?: Consent | undefined
  /** The application that was refused: answered as access_denied. */
  readonly denied?: boolean
  /** What was proved and entered through the Experience API, and is not submitted yet. */
  readonly draft?: Draft | undefined
  /** Whether an account was registered in this interaction: it makes no other. */
  readonly hasRegistered?: boolean
  /** What was chosen on the account page: the user to go on as, or another one, who has to sign in. */
  readonly chosenAccount?: { readonly userId: string } | 'another'
}

export interface Interaction {
  readonly id: string
  readonly request: AuthorizationRequest
  readonly state: InteractionState
}

/** Keeps a request for the browser that made it. */
export const createInteraction = operation(
  [],
  async ({ tx, tenant, now, send }, browser: string, request: AuthorizationRequest): Promise<string> => {
    const id = newId()
    const inserted = tx
      .insertInto('interactions')
      .values({
        tenant_id: tenant.id,
        id,
        browser_hash: hashSecret(browser),
        request: JSON.stringify(request),
        state: '{}',
        created_at: now,
        expires_at: secondsAfter(now, INTERACTION_SECONDS),
      })
      .execute()
    send(inserted)
    return id
  },
)

/** The live interaction with this id, if it was begun by this browser (SECURITY R-21). */
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
  return { id, request: row.request, state: row.state }
}

/** The state of a live interaction, which no one else changes until this unit ends. Throws 400 `session.not_found`. */
export const lockInteraction = async ({ tx, tenant, now }: Unit, id: string): Promise<InteractionState> => {
  const row = await tx
    .selectFrom('interactions')
    .select('state')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new ApiError('session.not_found')
  return row.state
}

/**
 * Adds to the state of an interaction, within another operation: one statement, so that nothing that another request added
 * is lost. What the change has as undefined is taken out. Throws 400 `session.not_found` when there is no such interaction;
 * whether it has expired is not asked.
 */
export const advanceInteraction = async ({ tx, tenant }: Unit, id: string, change: InteractionState): Promise<void> => {
  const removed = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const { rows } = await sql`
    UPDATE interactions SET state = (state || ${JSON.stringify(change)}::jsonb) - ${removed}::text[], version = version + 1
    WHERE tenant_id = ${tenant.id} AND id = ${id} RETURNING id`.execute(tx)
  if (rows.length === 0) throw new ApiError('session.not_found')
}

/** Records what the user answered on the consent page. */
export const recordConsent = operation(
  [],
  async (unit, id: string, change: Pick<InteractionState, 'consented' | 'denied'>): Promise<void> =>
    advanceInteraction(unit, id, change),
)

/** Records which account the user chose. For another one, a sign-in that has happened already does not count. */
export const recordAccount = operation(
  [],
  async (unit, id: string, chosenAccount: NonNullable<InteractionState['chosenAccount']>): Promise<void> =>
    advanceInteraction(unit, id, {
      chosenAccount,
      ...(chosenAccount === 'another' ? { signedInSession: undefined } : {}),
    }),
)

/** Takes an interaction out: of several that would finish it at once, one gets true. */
export const finishInteraction = async ({ tx, tenant }: Unit, id: string): Promise<boolean> => {
  const finished = await tx
    .deleteFrom('interactions')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('id')
    .execute()
  return finished.length > 0
}
