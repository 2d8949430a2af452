/**
 * One-time tokens (DECISIONS O2, O5): what a link carries that signs the owner of an email address in once. They are created by an
 * operator's application, bound to the address, and stored as hashes.
 */
import type { INTERACTION_EVENTS } from '@countersign/contract/experience.ts'
import type { OneTimeTokenContext, OneTimeTokenStatus } from '@countersign/contract/one-time-tokens.ts'
import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import { identifierKey, keepIdentifier } from '../credentials/identifiers.ts'
import { queueOperatorMail } from '../delivery/operator-mail.ts'
import { findUserByIdentifier } from '../users/rows.ts'

/** WIRE W9. */
const DEFAULT_SECONDS = 600
/** How long a token is kept after it has ended, for the user who opens an old link. */
const KEPT_SECONDS = 86_400

export type OneTimeTokenRow = Selectable<Tables['one_time_tokens']>
type InteractionEvent = (typeof INTERACTION_EVENTS)[number]

/** The status at a given moment: an active token past its time has expired. */
export const oneTimeTokenStatus = (
  { status, expires_at }: Pick<OneTimeTokenRow, 'status' | 'expires_at'>,
  now: Date,
): OneTimeTokenStatus => (status === 'active' && expires_at <= now ? 'expired' : status)

/**
 * Whether a token may be used for this. One that does not say what it is for signs in and registers; it does not replace a password
 * (SECURITY R-27).
 */
export const isTokenFor = ({ interactionEvent }: OneTimeTokenContext, event: InteractionEvent): boolean =>
  interactionEvent === undefined ? event !== 'ForgotPassword' : interactionEvent === event

interface OneTimeTokenFilter {
  /** In any spelling. */
  readonly email?: string
  readonly status?: OneTimeTokenStatus
}

export const listOneTimeTokens = (
  { database: { kysely }, clock }: Store,
  tenant: Tenant,
  request: PageRequest & OneTimeTokenFilter,
): Promise<Page<OneTimeTokenRow>> => {
  const { email, status } = request
  const now = clock.now()
  let query = kysely.selectFrom('one_time_tokens').selectAll().where(inTenant(tenant.id))
  if (email !== undefined) query = query.where('email_key', '=', identifierKey({ type: 'email', value: email }) ?? '')
  if (status !== undefined)
    query = query.where(
      sql<boolean>`CASE WHEN status = 'active' AND expires_at <= ${now} THEN 'expired' ELSE status END = ${status}`,
    )
  return paginate(kysely, query, request)
}

/** Reads within a transaction too. Throws 404. */
export const getOneTimeToken = async (db: Db, tenant: Tenant, id: string): Promise<OneTimeTokenRow> => {
  const row = await db
    .selectFrom('one_time_tokens')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('one-time token', id)
  return row
}

const byHash = async (db: Db, tenant: Tenant, hash: Buffer): Promise<OneTimeTokenRow | undefined> =>
  db.selectFrom('one_time_tokens').selectAll().where(inTenant(tenant.id)).where('hash', '=', hash).executeTakeFirst()

/** The token with this value, for a page that is about to use it; undefined: there is none. */
export const findOneTimeToken = async (
  { database }: Store,
  tenant: Tenant,
  value: string,
): Promise<OneTimeTokenRow | undefined> => {
  const hash = opaqueHash('oneTimeToken', value)
  return hash && byHash(database.kysely, tenant, hash)
}

/** Throws 422 for an organization that does not exist. */
const assertOrganizations = async ({ tx, tenant }: Unit, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const rows = await tx
    .selectFrom('organizations')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', 'in', ids)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('entity.relation_foreign_key_not_found', { jitOrganizationIds: unknown })
}

interface NewOneTimeToken {
  readonly email: string
  readonly context: OneTimeTokenContext
  /** Seconds. */
  readonly expiresIn?: number | undefined
  /** The mail that carries it; undefined: the caller sends it. */
  readonly message?: { readonly link: string; readonly language: LanguageTag } | undefined
}

/** The link with the parameters that the application passes on to the authorization endpoint. */
const linkWith = (link: string, token: string, email: string): string => {
  const url = URL.parse(link)
  if (!url) return link
  url.searchParams.set('one_time_token', token)
  url.searchParams.set('login_hint', email)
  return url.href
}

/**
 * Creates a token; returns its value, of which only the hash is stored. Whether an account has the address does not matter. An
 * organization that is deleted later is left out when the token is used. Throws 400 `user.invalid_email`, 422 for an unknown
 * organization, and as queueOperatorMail. Does not check whether the caller may add members to the organizations.
 */
export const createOneTimeToken = operation(
  [],
  async (unit, { email, context, expiresIn = DEFAULT_SECONDS, message }: NewOneTimeToken) => {
    const { tx, tenant, now } = unit
    const { value, key } = keepIdentifier({ type: 'email', value: email })
    const owner = await findUserByIdentifier(tx, tenant.id, { type: 'email', value })
    if (owner) await assertMayChange(unit, owner.id)
    await assertOrganizations(unit, context.jitOrganizationIds ?? [])
    const { value: token, hash } = newHashedOpaque('oneTimeToken')
    const expiresAt = secondsAfter(now, expiresIn)
    const row = await tx
      .insertInto('one_time_tokens')
      .values({
        tenant_id: tenant.id,
        id: newId(),
        hash,
        email: value,
        email_key: key,
        context: JSON.stringify(context),
        created_at: now,
        expires_at: expiresAt,
        kept_until: secondsAfter(expiresAt, KEPT_SECONDS),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('oneTimeToken', row.id)
    for (const id of context.jitOrganizationIds ?? []) unit.concerns('organization', id)
    if (message) {
      const variables = {
        link: linkWith(message.link, token, value),
        minutes: String(Math.ceil(expiresIn / 60)),
      }
      const mail = { recipient: value, usage: 'MagicLink', variables, language: message.language } as const
      await queueOperatorMail(unit, mail, expiresIn)
    }
    return { row, token }
  },
)

/** Why a token cannot be used. */
const refusalOf = (row: OneTimeTokenRow | undefined, now: Date, emailKey: string | undefined): ApiError => {
  if (!row) return new ApiError('one_time_token.token_not_found')
  if (emailKey !== undefined && row.email_key !== emailKey) return new ApiError('one_time_token.email_mismatch')
  switch (oneTimeTokenStatus(row, now)) {
    case 'expired':
      return new ApiError('one_time_token.token_expired')
    case 'consumed':
      return new ApiError('one_time_token.token_consumed')
    case 'revoked':
      return new ApiError('one_time_token.token_revoked')
    case 'active':
      return new ApiError('one_time_token.interaction_event_mismatch')
  }
}

/**
 * Consumes a token: one conditional statement, so that of any number of simultaneous uses exactly one gets it (SECURITY ).
 * Throws 404 `one_time_token.token_not_found`, 400 `.email_mismatch`, `.token_expired`, `.token_consumed`, `.token_revoked`,
 * `.interaction_event_mismatch`; then nothing was consumed.
 * @param emailKey of the address that it has to be for @param event what it is used for; undefined: the caller decides that
 */
export const consumeOneTimeToken = async (
  { tx, tenant, now, concerns }: Unit,
  value: string,
  emailKey: string,
  event: InteractionEvent | undefined,
): Promise<OneTimeTokenRow> => {
  const hash = opaqueHash('oneTimeToken', value)
  if (!hash) throw refusalOf(undefined, now, emailKey)
  const { rows } = await sql<OneTimeTokenRow>`
    UPDATE one_time_tokens SET status = 'consumed', kept_until = ${secondsAfter(now, KEPT_SECONDS)}
    WHERE tenant_id = ${tenant.id} AND hash = ${hash} AND email_key = ${emailKey}
      AND status = 'active' AND expires_at > ${now}
      AND (${event ?? null}::text IS NULL
        OR coalesce(context->>'interactionEvent', nullif(${event ?? null}, 'ForgotPassword')) = ${event ?? null})
    RETURNING *`.execute(tx)
  const [row] = rows
  if (!row) throw refusalOf(await byHash(tx, tenant, hash), now, emailKey)
  concerns('oneTimeToken', row.id)
  return row
}

/** Uses a token up for an application that signs in its users itself. Throws as consumeOneTimeToken and keepIdentifier. */
export const verifyOneTimeToken = operation(
  [],
  async (unit, value: string, email: string): Promise<OneTimeTokenRow> => {
    const { key } = keepIdentifier({ type: 'email', value: email })
    return consumeOneTimeToken(unit, value, key, undefined)
  },
)

/**
 * Ends an active token; one that has ended already may be given the status that it has. Throws 404, 400
 * `one_time_token.cannot_reactivate_token`, and as consumeOneTimeToken for one that has ended in another way.
 */
export const setOneTimeTokenStatus = operation(
  [],
  async ({ tx, tenant, now }, id: string, status: OneTimeTokenStatus): Promise<OneTimeTokenRow> => {
    const keptUntil = secondsAfter(now, KEPT_SECONDS)
    if (status !== 'active') {
      const ended = await tx
        .updateTable('one_time_tokens')
        .set({ status, kept_until: keptUntil })
        .where(inTenant(tenant.id))
        .where('id', '=', id)
        .where('status', '=', 'active')
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst()
      if (ended) return ended
    }
    const row = await getOneTimeToken(tx, tenant, id)
    if (status === 'active') throw new ApiError('one_time_token.cannot_reactivate_token')
    if (oneTimeTokenStatus(row, now) !== status) throw refusalOf(row, now, undefined)
    return row
  },
)

/** Throws 404. */
export const deleteOneTimeToken = operation([], async ({ tx, tenant }, id: string): Promise<void> => {
  const deleted = await tx
    .deleteFrom('one_time_tokens')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('id')
    .execute()
  if (deleted.length === 0) throw notFound('one-time token', id)
})
