/**
 * The code of an authenticator app that ends a sign-in, as the page takes it: proved and submitted in one transaction, whose
 * first statements are sent together. With two transactions, one after the other, a sign-in would wait nearly twice as often.
 */
import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { operation, perform } from '../../storage/unit-of-work.ts'
import { type LockoutPolicy, takeFactorTurn } from '../credentials/lockout.ts'
import { factorsOf } from '../factors/factors.ts'
import { findTotp, useTotpCode } from '../factors/totp.ts'
import { surroundingsOf } from './adaptive-mfa.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { answered, counted, INVALID_TOTP } from './factor-proof.ts'
import { lockDraft, withRecord } from './interaction-drafts.ts'
import { advanceInteraction } from './interactions.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { lockIdentified } from './password-proof.ts'
import { assertOffered } from './rules.ts'
import { type SignedIn, type Submission, withNeed } from './sign-in.ts'
import { SIGN_IN_EVENTS, signInWith } from './submission.ts'

export interface TotpAttempt extends Submission {
  readonly code: string
  /** Whether the device is to be trusted from now on. */
  readonly isTrusting: boolean
}

const totpSignedIn = operation(
  SIGN_IN_EVENTS,
  async (unit, attempt: TotpAttempt, experience: SignInExperience, policy: LockoutPolicy): Promise<SignedIn> => {
    const { id, state } = attempt.interaction
    const known = state.draft?.identified
    if (!known || state.draft?.interactionEvent !== 'SignIn') throw new ApiError('session.identifier_not_found')
    const { userId } = known
    const [draft, user, , totp, rows] = await Promise.all([
      lockDraft(unit, id),
      lockIdentified(unit, known),
      takeFactorTurn(unit, 'totp', userId),
      findTotp(unit, userId),
      factorsOf(unit.tx, unit.tenant.id, userId),
    ])
    // someone else was identified between the reading of the interaction and its lock
    if (!isDeepStrictEqual(draft.identified, known)) throw new ApiError('session.identity_conflict')
    const factorId = await useTotpCode(unit, totp, attempt.code)
    await answered(unit, 'totp', userId, policy, new ApiError(INVALID_TOTP), factorId)
    unit.note({ userId, interactionEvent: 'SignIn', factor: 'Totp' })
    const { needed: _before, ...entered } = draft
    const proved = withRecord(entered, {
      type: 'Totp',
      id: newId(),
      userId,
      verified: true,
      ...(factorId === undefined ? {} : { factorId }),
    })
    const trusting = attempt.isTrusting && experience.trustedDevice.enabled ? { isDeviceTrusted: true } : {}
    const ready = { ...proved, ...trusting }
    const signedIn = await signInWith(unit, attempt, experience, { draft: ready, identified: known, user, rows })
    if (!('error' in signedIn)) return signedIn
    unit.note({ result: 'Error', error: signedIn.error.code })
    unit.send(advanceInteraction(unit, id, { draft: withNeed(signedIn.draft ?? ready, signedIn) }))
    return { needed: signedIn.error }
  },
)

/**
 * Proves a code of the app of the user who was identified, and signs in. Where more is needed the interaction keeps the proof.
 * Throws 400 `session.mfa.invalid_totp_code`, `session.verification_blocked_too_many_attempts`, 429, and as submitInteraction.
 */
export const signInWithTotp = (step: Step, attempt: TotpAttempt): Promise<SignedIn> => {
  const { work, experience } = step
  assertOffered(experience, 'SignIn')
  const trimmed = { ...attempt, code: attempt.code.trim(), surroundings: surroundingsOf(work) }
  return counted(
    step,
    (error) => error === INVALID_TOTP,
    () => perform(work, totpSignedIn, trimmed, experience, lockoutPolicy(work, experience)),
  )
}
