/**
 * Entering the code of a device. Wrong codes are counted by address, so that nobody finds a live one by trying (RFC 8628
 * section 5.1). A right code does not forgive wrong ones: whoever guesses has right codes of their own at will.
 */

import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { countedNetwork } from '../../kernel/network.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { type DeviceRequest, findByUserCode, readUserCode } from '../issued/device-codes.ts'

const MOST_WRONG = 10
export const WRONG_CODE_SECONDS = 900

export type UserCodeOutcome =
  | { readonly result: 'found'; readonly hash: Buffer; readonly userCode: string; readonly request: DeviceRequest }
  | { readonly result: 'wrong' }
  | { readonly result: 'locked' }

/**
 * Looks a typed code up. The tries of one address take turns at its row, so that no more than the limit are ever looked up,
 * however many come at once.
 * @param ip the address that the request came from
 */
export const enterUserCode = operation([], async (unit, typed: string, ip: string): Promise<UserCodeOutcome> => {
  const { tx, tenant, now } = unit
  const key = hashSecret(`user-code:${countedNetwork(ip)}`)
  const until = secondsAfter(now, WRONG_CODE_SECONDS)
  const { rows } = await sql<{ failures: number }>`
    INSERT INTO identifier_failures AS f (tenant_id, identifier_hash, failures, locked_until, updated_at)
    VALUES (${tenant.id}, ${key}, 1, ${until}, ${now})
    ON CONFLICT (tenant_id, identifier_hash) DO UPDATE SET
      failures = CASE WHEN f.locked_until <= ${now} THEN 1 ELSE least(f.failures + 1, ${MOST_WRONG + 1}::int) END,
      locked_until = CASE WHEN f.locked_until <= ${now} THEN ${until} ELSE f.locked_until END,
      updated_at = ${now}
    RETURNING failures`.execute(tx)
  if ((rows[0]?.failures ?? 0) > MOST_WRONG) {
    unit.note({ result: 'Error', error: 'too many wrong codes' })
    return { result: 'locked' }
  }
  const userCode = readUserCode(typed)
  const row = userCode === undefined ? undefined : await findByUserCode(unit, userCode)
  if (userCode === undefined || !row) {
    unit.note({ result: 'Error', error: 'no such code' })
    return { result: 'wrong' }
  }
  // this one was no failure
  await tx
    .updateTable('identifier_failures')
    .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
    .where(inTenant(tenant.id))
    .where('identifier_hash', '=', key)
    .execute()
  unit.note({ applicationId: row.application_id })
  const { hash, application_id: applicationId, scopes, resources } = row
  return { result: 'found', hash, userCode, request: { applicationId, scopes, resources } }
})
