/**
 * The captcha that needs no third party: a proof of work as ALTCHA defines it. The server hides a number in a SHA-256 hash, and a
 * browser tries numbers until it finds it. A challenge is signed for one interaction of one tenant, expires, and is good once.
 */
import { createChallenge, extractParams, verifySolution } from 'altcha-lib'
import type { Challenge } from 'altcha-lib/types'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Work } from '../../storage/unit-of-work.ts'

/** Numbers to be tried at most, half of them on average: less than a second on a phone. */
const MOST = 50_000
/** As long as someone may need to fill in a form. */
const CHALLENGE_SECONDS = 1200

/** What a browser brings, as base64 of JSON. */
const Solution = Compile(
  Type.Object({
    algorithm: Type.Literal('SHA-256'),
    challenge: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    number: Type.Integer({ minimum: 0, maximum: MOST }),
    salt: Type.String({ maxLength: 256 }),
    signature: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  }),
)

/** What signs the challenges of an interaction: those of another, or of another tenant, do not pass. */
const keyOf = ({ store, tenant }: Work, interactionId: string): string =>
  store.vault.authenticate(`${tenant.id}/${interactionId}`, 'captcha').toString('hex')

/** A new challenge for the browser of an interaction. */
export const newChallenge = async (work: Work, interactionId: string): Promise<Required<Challenge>> => {
  const expires = secondsAfter(work.store.clock.now(), CHALLENGE_SECONDS)
  const challenge = await createChallenge({ hmacKey: keyOf(work, interactionId), maxnumber: MOST, expires })
  return { ...challenge, maxnumber: MOST }
}

const parsed = (token: string): unknown => {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/**
 * What a solution solves, by which it is used up, and until when it would be good; undefined if it solves no challenge of the
 * interaction, or too late. Does not check whether it was used before.
 */
export const solved = async (
  work: Work,
  interactionId: string,
  token: string,
): Promise<{ readonly challenge: string; readonly expiresAt: Date } | undefined> => {
  const solution = parsed(token)
  if (!Solution.Check(solution)) return undefined
  // the library would ask the system for the time
  const expiresAt = new Date(Number(extractParams(solution).expires) * 1000)
  if (!(expiresAt > work.store.clock.now())) return undefined
  const isSolved = await verifySolution(solution, keyOf(work, interactionId), false)
  return isSolved ? { challenge: solution.challenge, expiresAt } : undefined
}
