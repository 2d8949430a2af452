/**
 * Backchannel authentication requests (OpenID Connect Client-Initiated Backchannel Authentication Core 1.0): an
 * application asks for a user and polls, the user answers elsewhere, the application redeems once. Of its secret, and
 * of that in the link which the user gets, only hashes are stored.
 */
import { type Expression, type Selectable, sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque } from '../../kernel/opaque.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { sidOfGrant } from '../sessions/session-of-grant.ts'

export type BackchannelRow = Selectable<Tables['backchannel_requests']>

/** The longest life of a request, and that of one which asks for none (DECISIONS F27). */
export const BACKCHANNEL_SECONDS = 600
/** Between two polls, until an application is told to slow down (section 7.3). */
export const BACKCHANNEL_POLL_SECONDS = 5
/** How many requests of one application a user can be asked about at once (DECISIONS F27). */
const MOST_PENDING = 5

export interface BackchannelRequest {
  readonly applicationId: string
  /** Null: the hint names nobody, which the application is not told. */
  readonly userId: string | null
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** As JSON. */
  readonly authorizationDetails: string | undefined
  readonly bindingMessage: string | undefined
  readonly acr: string | undefined
  /** With which the application wants to be told of the answer; undefined: it polls. */
  readonly notificationToken: string | undefined
  /** Seconds. */
  readonly lifetime: number
}

/** What an application is told of an answer. */
interface Ping {
  readonly requestId: string
  readonly token: string
}

const pingPurpose = ({ tenant }: Pick<Unit, 'tenant'>, hash: Buffer): string =>
  `backchannel-ping/${tenant.id}/${hash.toString('hex')}`

/** What the application of a request is told of its answer; undefined: it polls. */
export const pingOf = (unit: Unit, { hash, sealed_ping: sealed }: BackchannelRow): Ping | undefined =>
  sealed === null ? undefined : (JSON.parse(unit.vault.unseal(sealed, pingPurpose(unit, hash))) as Ping)

/** Stores a request; returns its secret (`auth_req_id`) and that of the link. */
export const storeBackchannelRequest = async (
  unit: Unit,
  request: BackchannelRequest,
): Promise<{ readonly requestId: string; readonly link: string }> => {
  const { tx, tenant, now, vault } = unit
  const { notificationToken: token } = request
  const [own, link] = [newHashedOpaque('backchannelRequest'), newHashedOpaque('backchannelLink')]
  await tx
    .insertInto('backchannel_requests')
    .values({
      tenant_id: tenant.id,
      hash: own.hash,
      link_hash: link.hash,
      application_id: request.applicationId,
      user_id: request.userId,
      scopes: [...request.scopes],
      resources: [...request.resources],
      authorization_details: request.authorizationDetails ?? null,
      binding_message: request.bindingMessage ?? null,
      acr: request.acr ?? null,
      sealed_ping:
        token === undefined
          ? null
          : vault.seal(JSON.stringify({ requestId: own.value, token } satisfies Ping), pingPurpose(unit, own.hash)),
      poll_interval: BACKCHANNEL_POLL_SECONDS,
      created_at: now,
      expires_at: secondsAfter(now, request.lifetime),
    })
    .execute()
  return { requestId: own.value, link: link.value }
}

const unanswered = ({ tx, tenant, now }: Unit) =>
  tx
    .selectFrom('backchannel_requests')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('expires_at', '>', now)
    .where('grant_id', 'is', null)
    .where('denied_at', 'is', null)

/**
 * Whether the user may be asked once more by this application. The caller makes requests for one user take turns.
 * @param userId null: nobody, about whom nothing waits
 */
export const mayAskAgain = async (unit: Unit, applicationId: string, userId: string | null): Promise<boolean> => {
  const pending = await unanswered(unit)
    .where('application_id', '=', applicationId)
    .where('user_id', '=', userId)
    .limit(MOST_PENDING)
    .execute()
  return pending.length < MOST_PENDING
}

/** The live request of a link that its user has not answered. */
export const findByLink = async (unit: Unit, linkHash: Buffer): Promise<BackchannelRow | undefined> =>
  unanswered(unit).where('link_hash', '=', linkHash).executeTakeFirst()

/** Locks the row for an answer: of several simultaneous calls, one gets it. Undefined: it was answered, or has expired. */
export const lockUnansweredRequest = async (unit: Unit, hash: Buffer): Promise<BackchannelRow | undefined> =>
  unanswered(unit).where('hash', '=', hash).forUpdate().executeTakeFirst()

/** The user's answer. */
type BackchannelAnswer =
  | {
      readonly grant_id: string
      readonly authenticated_at: Date
      readonly amr: string[]
      readonly granted_scope_ids: Expression<string[]>
    }
  | { readonly denied_at: Date }

/** Writes the answer to a row returned by lockUnansweredRequest. */
export const answerBackchannel = async (
  { tx, tenant }: Unit,
  { hash }: Pick<BackchannelRow, 'hash'>,
  answer: BackchannelAnswer,
): Promise<void> => {
  await tx.updateTable('backchannel_requests').set(answer).where(inTenant(tenant.id)).where('hash', '=', hash).execute()
}

/** A request with its grant and its user's state, as redemption needs them. */
export interface RedeemedBackchannelRequest {
  readonly grant_id: string
  readonly authenticated_at: Date
  readonly amr: string[]
  readonly scopes: string[]
  readonly resources: string[]
  readonly authorization_details: string | null
  readonly granted_scope_ids: string[] | null
  readonly user_id: string
  readonly session_id: string | null
  readonly consented_ids: string[] | null
  readonly is_suspended: boolean
}

/**
 * Consumes an allowed request: one conditional statement, so that of any number of simultaneous redemptions exactly one
 * gets the row (SECURITY ). Undefined: it belongs to another application, or is not allowed yet, used, denied,
 * or expired.
 */
export const consumeBackchannelRequest = async (
  { tx, tenant, now }: Unit,
  hash: Buffer,
  applicationId: string,
): Promise<RedeemedBackchannelRequest | undefined> => {
  const { rows } = await sql<RedeemedBackchannelRequest>`
    UPDATE backchannel_requests b SET consumed_at = ${now}
    FROM grants g JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
    WHERE b.tenant_id = ${tenant.id} AND b.hash = ${hash} AND b.application_id = ${applicationId}
      AND b.consumed_at IS NULL AND b.expires_at > ${now} AND g.tenant_id = b.tenant_id AND g.id = b.grant_id
    RETURNING b.grant_id, b.authenticated_at, b.amr, b.scopes, b.resources, b.authorization_details, b.granted_scope_ids,
      g.user_id, ${sidOfGrant} AS session_id, g.consented_ids, u.is_suspended`.execute(tx)
  return rows[0]
}

export type BackchannelPoll = 'pending' | 'too-soon' | 'denied' | 'expired' | 'unknown'

/**
 * Answers a poll that had nothing to redeem, and records its time. A poll that comes too early makes the interval
 * permanently five seconds longer (section 11).
 */
export const recordBackchannelPoll = async (
  { tx, tenant, now }: Unit,
  hash: Buffer,
  applicationId: string,
): Promise<BackchannelPoll> => {
  const row = await tx
    .selectFrom('backchannel_requests')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('hash', '=', hash)
    .where('application_id', '=', applicationId)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.consumed_at) return 'unknown'
  if (row.denied_at) return 'denied'
  if (row.expires_at <= now) return 'expired'
  const isTooSoon = row.polled_at !== null && now < secondsAfter(row.polled_at, row.poll_interval)
  const longer = Math.min(row.poll_interval + BACKCHANNEL_POLL_SECONDS, BACKCHANNEL_SECONDS)
  await tx
    .updateTable('backchannel_requests')
    .set({ polled_at: now, ...(isTooSoon ? { poll_interval: longer } : {}) })
    .where(inTenant(tenant.id))
    .where('hash', '=', hash)
    .execute()
  return isTooSoon ? 'too-soon' : 'pending'
}
