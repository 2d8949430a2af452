/**
 * Entry of a device code. Wrong codes are counted, so that no live one is found by guessing (RFC 8628 section 5.1): ten
 * per browser at its address, and for all browsers together the limit of wrong guesses per address. A code whose device
 * asked from the same address is accepted regardless: wrong codes from others in a network block none of its devices,
 * and guessing among the few devices of one network finds nothing. A right code does not reset the count, because an
 * attacker can get right codes of their own at will.
 */

import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { countedNetwork } from '../../kernel/network.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import { admitGuess } from '../credentials/address-failures.ts'
import { type DeviceRequest, findByUserCode, isAskedFromHere, readUserCode } from '../issued/device-codes.ts'

const MOST_WRONG = 10
export const WRONG_CODE_SECONDS = 900

export type UserCodeOutcome =
  | { readonly result: 'found'; readonly hash: Buffer; readonly userCode: string; readonly request: DeviceRequest }
  | { readonly result: 'wrong' }
  | { readonly result: 'locked' }

const entered = operation(
  [],
  async (unit, typed: string, browser: string, isAddressAdmitted: boolean): Promise<UserCodeOutcome> => {
    const { tx, tenant, now, caller } = unit
    const address = caller.ip === undefined ? '' : countedNetwork(caller.ip)
    const key = hashSecret(`user-code:${address}:${browser}`)
    const until = secondsAfter(now, WRONG_CODE_SECONDS)
    const { rows } = await sql<{ failures: number }>`
      INSERT INTO identifier_failures AS f (tenant_id, identifier_hash, failures, locked_until, updated_at)
      VALUES (${tenant.id}, ${key}, 1, ${until}, ${now})
      ON CONFLICT (tenant_id, identifier_hash) DO UPDATE SET
        failures = CASE WHEN f.locked_until <= ${now} THEN 1 ELSE least(f.failures + 1, ${MOST_WRONG + 1}::int) END,
        locked_until = CASE WHEN f.locked_until <= ${now} THEN ${until} ELSE f.locked_until END,
        updated_at = ${now}
      RETURNING failures`.execute(tx)
    const isLocked = (rows[0]?.failures ?? 0) > MOST_WRONG || !isAddressAdmitted
    const userCode = readUserCode(typed)
    const row = userCode === undefined ? undefined : await findByUserCode(unit, userCode)
    if (userCode === undefined || !row || (isLocked && !isAskedFromHere(unit, row))) {
      unit.note({ result: 'Error', error: isLocked ? 'too many wrong codes' : 'no such code' })
      return { result: isLocked ? 'locked' : 'wrong' }
    }
    // this one was not a failure
    await tx
      .updateTable('identifier_failures')
      .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
      .where(inTenant(tenant.id))
      .where('identifier_hash', '=', key)
      .execute()
    unit.note({ applicationId: row.application_id })
    const { hash, application_id: applicationId, scopes, resources, authorization_details: details } = row
    const request = { applicationId, scopes, resources, ...(details === null ? {} : { authorizationDetails: details }) }
    return { result: 'found', hash, userCode, request }
  },
)

/**
 * Looks up an entered code. The attempts of one browser take turns at its row, so that no more than the limit are ever
 * looked up, however many are simultaneous. Wrong ones count among the failed guesses of the address, too.
 * @param browser the value of its cookie
 */
export const enterUserCode = async (work: Work, typed: string, browser: string): Promise<UserCodeOutcome> => {
  const guess = admitGuess(work)
  let isWrong = false
  try {
    const outcome = await perform(work, entered, typed, browser, guess.isAdmitted)
    isWrong = outcome.result === 'wrong'
    return outcome
  } finally {
    if (guess.isAdmitted && !isWrong) guess.takeBack()
  }
}
