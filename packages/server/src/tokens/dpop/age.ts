/** How old a DPoP proof may be (RFC 9449 sections 4.3, point 11, and 11.1). */
import { toNumericDate } from '../../kernel/clock.ts'
import { ProofRefused } from './refused.ts'

/** Seconds before and after the server's time within which `iat` has to be. */
const OLDEST = 60
const NEWEST = 30
/** How much longer a used proof is remembered: the clocks of nodes differ. */
const MARGIN = 60

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** When the proof was made, a numeric date. Throws ProofRefused for one that is too old, too new or expired. */
export const assertRecent = ({ iat, exp, nbf }: Readonly<Record<string, unknown>>, now: Date): number => {
  const time = toNumericDate(now)
  if (!isTime(iat)) throw new ProofRefused('the proof has no iat')
  if (iat < time - OLDEST || iat > time + NEWEST)
    throw new ProofRefused('iat is too far from the time of the server, which the header Date says')
  // a proof needs neither; where it has them, they count as in any JWT (RFC 7519 section 4.1)
  if (exp !== undefined && !(isTime(exp) && exp > time)) throw new ProofRefused('the proof has expired')
  if (nbf !== undefined && !(isTime(nbf) && nbf <= time + NEWEST)) throw new ProofRefused('the proof is not valid yet')
  return iat
}

/** Until when a proof made at this numeric date must not be accepted again. */
export const rememberedUntil = (iat: number): Date => new Date((Math.ceil(iat) + OLDEST + MARGIN) * 1000)
