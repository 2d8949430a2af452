/**
 * An account elsewhere that ends a sign-in, as the pages take it: once the provider has answered, the proof, the identification and the
 * sign-in are one transaction. With one for each step a sign-in would wait more than twice as often.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { surroundingsOf } from './adaptive-mfa.ts'
import type { Draft } from './draft.ts'
import type { Step } from './draft-profile.ts'
import { acceptProof, idOfProof, lockDraftFor, type Proof, withProof } from './elsewhere-proof.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent } from './interaction-drafts.ts'
import { advanceInteraction } from './interactions.ts'
import { countingRegistration } from './registration.ts'
import { readyElsewhere, registerBy } from './registration-elsewhere.ts'
import { assertOffered } from './rules.ts'
import { factorRows } from './second-factors.ts'
import { type SignedIn, type Submission, withNeed } from './sign-in.ts'
import { assertNoSsoUser } from './sso-domains.ts'
import { lockNamed, recognizeElsewhere, SIGN_IN_EVENTS, signInWith } from './submission.ts'

const isUnknown = (error: unknown): boolean => error instanceof ApiError && error.code === 'user.identity_not_exist'

/** Commits the proof also where its user is refused: the audit entry says which account it was. */
const keeping = async <R>(unit: Unit, id: string, draft: Draft, work: () => Promise<R>): Promise<R> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof Refusal)) throw error
    unit.send(advanceInteraction(unit, id, { draft }))
    throw error instanceof Refusal ? error : new Refusal(error)
  }
}

/** The account is no user's: the interaction keeps what was proved. */
export interface Newcomer {
  readonly recordId: string
}

const signedInElsewhere = operation(
  ['PostRegister', 'User.Created', ...SIGN_IN_EVENTS],
  async (
    unit,
    submission: Submission,
    experience: SignInExperience,
    proof: Proof,
    admit: (() => void) | undefined,
  ): Promise<SignedIn | Newcomer> => {
    const { id } = submission.interaction
    const { record } = proof
    unit.note({ interactionEvent: 'SignIn' })
    await acceptProof(unit, proof)
    // sent together, and both have ended before either fails: nothing is sent after the transaction
    const [locking, recognizing] = await Promise.allSettled([
      lockDraftFor(unit, id, proof),
      recognizeElsewhere(unit, record, experience, false),
    ])
    if (locking.status === 'rejected') throw locking.reason
    const { needed: _before, ...locked } = locking.value
    assertEvent(locked, 'SignIn')
    const proved = withProof(locked, proof)
    if (recognizing.status === 'rejected' && isUnknown(recognizing.reason)) {
      if (admit) {
        // what is checked before anything is written; whatever fails after that leaves nothing behind
        const ready = await keeping(unit, id, proved, () =>
          readyElsewhere(unit, experience, proved, idOfProof(proved, proof)),
        )
        return registerBy(unit, submission, experience, ready, admit)
      }
      unit.send(advanceInteraction(unit, id, { draft: proved }))
      return { recordId: idOfProof(proved, proof) }
    }
    const { recognized, user, rows } = await keeping(unit, id, proved, async () => {
      if (recognizing.status === 'rejected') throw recognizing.reason
      const { recognized, locked } = recognizing.value
      const { identified } = recognized
      const [user, rows] = await Promise.all([
        lockNamed(unit, proved, identified, locked),
        factorRows(unit, experience, identified.userId),
      ])
      if (record.type === 'Social') await assertNoSsoUser(unit, experience, user)
      return { recognized, user, rows }
    })
    const { identified } = recognized
    const draft = { ...proved, ...recognized }
    const signedIn = await signInWith(unit, submission, experience, { draft, identified, user, rows })
    if (!('error' in signedIn)) return signedIn
    unit.note({ result: 'Error', error: signedIn.error.code })
    unit.send(advanceInteraction(unit, id, { draft: withNeed(signedIn.draft ?? draft, signedIn) }))
    return { needed: signedIn.error }
  },
)

/**
 * Signs in the user whose account was proved. Where more is needed, the interaction keeps the proof and who was identified. Throws as
 * identify, submitInteraction and keepProof, 400 `session.invalid_interaction_type`.
 * @param isNewWelcome whether one whose account is no user's has an account at once, in the same transaction; throws as registerElsewhere
 */
export const signInElsewhere = async (
  { work, experience }: Step,
  submission: Submission,
  proof: Proof,
  isNewWelcome: boolean,
): Promise<SignedIn | Newcomer> => {
  assertOffered(experience, 'SignIn')
  const whole = { ...submission, surroundings: surroundingsOf(work) }
  return countingRegistration(work, (admit) =>
    perform(work, signedInElsewhere, whole, experience, proof, isNewWelcome ? admit : undefined),
  )
}
