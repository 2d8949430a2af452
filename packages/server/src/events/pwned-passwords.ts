/**
 * Breached passwords: a local file, or the range API of Pwned Passwords, which is told five characters of a SHA-1 hash and
 * answers every hash that begins with them, so that it learns neither the password nor its hash. Asked only where a tenant's
 * password policy wants it (`rejects.pwned`).
 */
import { createHash } from 'node:crypto'
import type { Clock } from '../kernel/clock.ts'
import type { OptionValues } from '../kernel/configuration.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type Outbound, OutboundError } from '../kernel/outbound.ts'
import type { PwnedPasswords } from '../kernel/pwned-passwords.ts'
import type { eventOptions } from './options.ts'
import { isInFile } from './pwned-passwords-file.ts'

type Source = Pick<OptionValues<typeof eventOptions>, 'pwnedPasswordsFile' | 'pwnedPasswordsUrl'>

/** A user waits for it. */
const TIMEOUT_MS = 2000
/** Several times as much as the largest range has, with the padding that hides its size. */
const MOST_BYTES = 1024 * 1024
const LOG_EVERY_MS = 60_000
const PREFIX = 5

/** Throws OutboundError, and for an answer that is none. */
const isInRange = async (outbound: Outbound, url: string, hash: string): Promise<boolean> => {
  const { status, body, isCut } = await outbound.send({
    url: `${url}${hash.slice(0, PREFIX)}`,
    method: 'GET',
    headers: { 'add-padding': 'true' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    mostBytes: MOST_BYTES,
  })
  if (status !== 200 || isCut)
    throw new OutboundError('protocol', isCut ? 'the answer is too long' : `the answer has the status ${status}`)
  const suffix = hash.slice(PREFIX)
  // lines that pad the answer have the count 0
  return body
    .toString('latin1')
    .split('\n')
    .some(
      (line) =>
        line.slice(0, suffix.length + 1).toUpperCase() === `${suffix}:` && Number(line.slice(suffix.length + 1)) > 0,
    )
}

/** Makes the list. A failed look-up is counted, and logged at most once a minute. */
export const createPwnedPasswords = (
  { pwnedPasswordsFile, pwnedPasswordsUrl }: Source,
  outbound: Outbound,
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Log; readonly metrics: Metrics },
): PwnedPasswords => {
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    async includes(password) {
      const hash = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
      try {
        const isPwned = pwnedPasswordsFile
          ? await isInFile(pwnedPasswordsFile, hash)
          : await isInRange(outbound, pwnedPasswordsUrl, hash)
        metrics.pwnedPasswordChecks.inc({ result: isPwned ? 'found' : 'not_found' })
        return isPwned
      } catch (error) {
        metrics.pwnedPasswordChecks.inc({ result: 'failed' })
        const now = clock.now().getTime()
        if (now - loggedAt >= LOG_EVERY_MS) {
          loggedAt = now
          log.warn(
            { err: error },
            'the list of breached passwords could not be asked; passwords are accepted without it',
          )
        }
        return false
      }
    },
  }
}
