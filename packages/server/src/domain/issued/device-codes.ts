/**
 * Device codes (RFC 8628): a device asks and polls, the user answers in a browser, the device redeems once. Only hashes
 * of both codes are stored; that of the short one is keyed, so that a copy of the database does not reveal it.
 */

import { type Expression, type Selectable, sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newUserCode } from '../../kernel/ids.ts'
import { countedNetwork } from '../../kernel/network.ts'
import { newHashedOpaque } from '../../kernel/opaque.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { sidOfGrant } from '../sessions/session-of-grant.ts'

type DeviceCodeRow = Selectable<Tables['device_codes']>

/** DECISIONS G3. */
export const DEVICE_CODE_SECONDS = 600
/** Between two polls, until a device is told to slow down (RFC 8628 section 3.2). */
export const POLL_SECONDS = 5
/** A code of 34 bits collides with a live one so rarely that a third attempt would mean a broken generator. */
const CODE_ATTEMPTS = 3

const USER_CODE = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/

/** A code as entered, in the form in which it is compared: case, spaces and dashes do not matter. */
export const readUserCode = (typed: string): string | undefined => {
  const code = typed.replace(/[\s\p{Pd}_.]/gu, '').toUpperCase()
  return USER_CODE.test(code) ? code : undefined
}

/** As it is shown: XXXX-XXXX. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const userCodeHash = (vault: Vault, { id }: Tenant, code: string): Buffer =>
  vault.authenticate(`${id}/${code}`, 'user-code')

export interface DeviceRequest {
  readonly applicationId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** As JSON. */
  readonly authorizationDetails?: string | undefined
  /** Requested scopes that are not in `scopes`, and why; for the audit log (DECISIONS D5). */
  readonly dropped?: readonly { readonly scope: string; readonly why: string }[]
}

/** A stand-in for the caller's address (for IPv6, the network), so that a copy of the database does not reveal it. */
const addressMac = ({ vault, tenant, caller: { ip } }: Pick<Unit, 'vault' | 'tenant' | 'caller'>): Buffer | null =>
  ip === undefined ? null : vault.authenticate(`${tenant.id}/${countedNetwork(ip)}`, 'device-address')

/** Whether a device asked from the caller's address. */
export const isAskedFromHere = (unit: Unit, { asked_from: from }: Pick<DeviceCodeRow, 'asked_from'>): boolean =>
  from !== null && addressMac(unit)?.equals(from) === true

/** Stores a device's request; returns its two codes, the user code as XXXX-XXXX. */
export const requestDeviceCode = operation(
  [],
  async (unit, request: DeviceRequest): Promise<{ deviceCode: string; userCode: string }> => {
    const { tx, tenant, now, vault } = unit
    for (let left = CODE_ATTEMPTS; left > 0; left -= 1) {
      const { value: deviceCode, hash } = newHashedOpaque('deviceCode')
      const userCode = newUserCode()
      const kept = await tx
        .insertInto('device_codes')
        .values({
          tenant_id: tenant.id,
          hash,
          user_code_hash: userCodeHash(vault, tenant, userCode),
          application_id: request.applicationId,
          scopes: [...request.scopes],
          resources: [...request.resources],
          authorization_details: request.authorizationDetails ?? null,
          poll_interval: POLL_SECONDS,
          asked_from: addressMac(unit),
          created_at: now,
          expires_at: secondsAfter(now, DEVICE_CODE_SECONDS),
        })
        .onConflict((conflict) => conflict.constraint('device_codes_user_code_key').doNothing())
        .returning('hash')
        .executeTakeFirst()
      const { applicationId, scopes, dropped } = request
      unit.note({ applicationId, scope: scopes.join(' '), dropped: dropped?.length ? dropped : undefined })
      if (kept) return { deviceCode, userCode: showUserCode(userCode) }
    }
    throw new Error('No user code was free')
  },
)

const unanswered = ({ tx, tenant, now }: Unit) =>
  tx
    .selectFrom('device_codes')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('expires_at', '>', now)
    .where('grant_id', 'is', null)
    .where('denied_at', 'is', null)

/** The live request for this code that no user has answered. Does not count wrong codes: user-code-attempts.ts does. */
export const findByUserCode = async (unit: Unit, code: string): Promise<DeviceCodeRow | undefined> =>
  unanswered(unit)
    .where('user_code_hash', '=', userCodeHash(unit.vault, unit.tenant, code))
    .executeTakeFirst()

/**
 * Locks the row for an answer: of several simultaneous calls, one gets it. Undefined: it was answered, or has expired.
 */
export const lockUnanswered = async (unit: Unit, hash: Buffer): Promise<DeviceCodeRow | undefined> =>
  unanswered(unit).where('hash', '=', hash).forUpdate().executeTakeFirst()

/** The user's answer. */
type DeviceAnswer =
  | {
      readonly grant_id: string
      readonly authenticated_at: Date
      readonly amr: string[]
      readonly granted_scope_ids: Expression<string[]>
    }
  | { readonly denied_at: Date }

/** Writes the answer to a row returned by lockUnanswered. */
export const answerDevice = async (
  { tx, tenant }: Unit,
  { hash }: Pick<DeviceCodeRow, 'hash'>,
  answer: DeviceAnswer,
): Promise<void> => {
  await tx.updateTable('device_codes').set(answer).where(inTenant(tenant.id)).where('hash', '=', hash).execute()
}

/** A code with its grant and its user's state, as redemption needs them. */
export interface RedeemedDeviceCode {
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
 * Consumes a device code: one conditional statement, so that of any number of simultaneous redemptions exactly one gets
 * the row (SECURITY ). Undefined: it belongs to another application, or is not allowed yet, used, denied, or
 * expired.
 */
export const consumeDeviceCode = async (
  { tx, tenant, now }: Unit,
  hash: Buffer,
  applicationId: string,
): Promise<RedeemedDeviceCode | undefined> => {
  const { rows } = await sql<RedeemedDeviceCode>`
    UPDATE device_codes d SET consumed_at = ${now}
    FROM grants g JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
    WHERE d.tenant_id = ${tenant.id} AND d.hash = ${hash} AND d.application_id = ${applicationId}
      AND d.consumed_at IS NULL AND d.expires_at > ${now} AND g.tenant_id = d.tenant_id AND g.id = d.grant_id
    RETURNING d.grant_id, d.authenticated_at, d.amr, d.scopes, d.resources, d.authorization_details, d.granted_scope_ids,
      g.user_id, ${sidOfGrant} AS session_id, g.consented_ids, u.is_suspended`.execute(tx)
  return rows[0]
}

export type PollOutcome = 'pending' | 'too-soon' | 'denied' | 'expired' | 'unknown'

/**
 * Answers a poll that had nothing to redeem, and records its time. A poll that comes too early makes the
 * interval permanently five seconds longer (RFC 8628 section 3.5).
 */
export const recordPoll = async (unit: Unit, hash: Buffer, applicationId: string): Promise<PollOutcome> => {
  const { tx, tenant, now } = unit
  const row = await tx
    .selectFrom('device_codes')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('hash', '=', hash)
    .where('application_id', '=', applicationId)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.consumed_at) return 'unknown'
  if (row.denied_at) return 'denied'
  if (row.expires_at <= now) return 'expired'
  const tooSoon = row.polled_at !== null && now < secondsAfter(row.polled_at, row.poll_interval)
  await tx
    .updateTable('device_codes')
    .set({
      polled_at: now,
      ...(tooSoon ? { poll_interval: Math.min(row.poll_interval + POLL_SECONDS, DEVICE_CODE_SECONDS) } : {}),
    })
    .where(inTenant(tenant.id))
    .where('hash', '=', hash)
    .execute()
  return tooSoon ? 'too-soon' : 'pending'
}
