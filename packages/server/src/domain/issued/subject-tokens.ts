/**
 * Subject tokens (SPEC 2.4, DECISIONS H4): created for one impersonation, consumed before anything is issued for it.
 */

import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { GIVEN, parameter, shapedStatement } from '../../storage/statement.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import type { UserFinder } from '../users/finder.ts'

/** DECISIONS H4. */
export const SUBJECT_TOKEN_SECONDS = 600
const LARGEST_CONTEXT = 16 * 1024

export type SubjectTokenContext = Readonly<Record<string, unknown>>

/** Who alone may act as the user (RFC 8693 section 4.4): with an actor token of this user, through this application. */
export interface MayAct {
  readonly userId?: string
  readonly applicationId?: string
}

/** Throws 404 for a user or an application that does not exist: nobody could ever act. */
const assertExists = async ({ tx, tenant }: Unit, { userId, applicationId }: MayAct): Promise<void> => {
  for (const [table, entity, id] of [
    ['users', 'user', userId],
    ['applications', 'application', applicationId],
  ] as const) {
    if (id === undefined) continue
    const found = await tx
      .selectFrom(table)
      .select('id')
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .executeTakeFirst()
    if (!found) throw notFound(entity, id)
  }
}

/**
 * Creates a token for an existing user who is not suspended; returns its value, of which only the hash is stored.
 * Throws 404, also for whom `mayAct` names, 401 `subject_token.user_suspended`, 413 for a context of more than 16 KiB. Does not check whether the
 * caller may impersonate this user.
 */
export const createSubjectToken = operation(
  [],
  async (unit, userId: string, context: SubjectTokenContext, mayAct?: MayAct): Promise<string> => {
    const { tx, tenant, now, caller } = unit
    const text = JSON.stringify(context)
    if (Buffer.byteLength(text) > LARGEST_CONTEXT)
      throw new ApiError('subject_token.context_too_large', { limit: LARGEST_CONTEXT })
    await assertMayChange(unit, userId)
    const user = await tx
      .selectFrom('users')
      .select('is_suspended')
      .where(inTenant(tenant.id))
      .where('id', '=', userId)
      // a concurrent suspension comes either before or after
      .forShare()
      .executeTakeFirst()
    if (!user) throw notFound('user', userId)
    if (user.is_suspended) throw new ApiError('subject_token.user_suspended')
    if (mayAct) await assertExists(unit, mayAct)
    const { value, hash } = newHashedOpaque('subjectToken')
    const id = newId()
    await tx
      .insertInto('subject_tokens')
      .values({
        tenant_id: tenant.id,
        hash,
        id,
        user_id: userId,
        context: text,
        creator: JSON.stringify(caller.actor),
        may_act: mayAct === undefined ? null : JSON.stringify(mayAct),
        created_at: now,
        expires_at: secondsAfter(now, SUBJECT_TOKEN_SECONDS),
        consumed_at: null,
      })
      .execute()
    unit.note({ userId, subjectTokenId: id, subjectTokenContext: context, mayAct })
    return value
  },
)

export interface UsedSubjectToken {
  readonly id: string
  readonly userId: string
  readonly context: SubjectTokenContext
  readonly creator: Readonly<Record<string, unknown>>
  readonly mayAct: MayAct | null
}

/** Whether a value can be a subject token: the kind of token decides the kind of exchange (DECISIONS H2). */
export const isSubjectToken = (value: string): boolean => value.startsWith('sub_')

const consumption = shapedStatement<UsedSubjectToken>()
const NOW = parameter<Date>('now', 'timestamptz')

const consumptionSql = () => sql<UsedSubjectToken>`
  UPDATE subject_tokens t SET consumed_at = ${NOW}, expires_at = CASE
    WHEN t.context = '{}' THEN t.expires_at ELSE greatest(t.expires_at, ${parameter('until', 'timestamptz')}) END
  FROM ${GIVEN}
  WHERE t.tenant_id = ${parameter('tenantId', 'text')} AND t.hash = ${parameter('hash', 'bytea')}
    AND t.consumed_at IS NULL AND t.expires_at > ${NOW}
  RETURNING given.n, t.id, t.user_id AS "userId", t.context, t.creator, t.may_act AS "mayAct"`

/**
 * Consumes a token: one conditional statement, so that of any number of simultaneous exchanges exactly one gets it
 * (SECURITY ). Undefined: the token does not exist, was used before, or has expired. The user may be suspended
 * by now.
 * @param until when the last token issued from it expires: its context is kept until then
 */
export const consumeSubjectToken = async (
  unit: Unit,
  value: string,
  until: Date,
): Promise<UsedSubjectToken | undefined> => {
  const hash = opaqueHash('subjectToken', value)
  if (!hash) return undefined
  const { tenant, now } = unit
  const [row] = await consumption(unit, '', consumptionSql, { tenantId: tenant.id, hash, until, now })
  return row
}

/** The user of a token, for a statement that is sent together with the one that consumes it. */
export const userOfSubjectToken = (value: string): UserFinder => ({
  name: 'subject token',
  key: opaqueHash('subjectToken', value) ?? null,
  type: 'bytea',
  user: (tenantId, key) => sql`(
    SELECT t.user_id FROM subject_tokens t WHERE t.tenant_id = ${tenantId} AND t.hash = ${key})`,
})
