/**
 * An account elsewhere that ends a registration, as the pages take it: the switch from sign-in, what the provider contributes, the account
 * and its session are one transaction. Whatever fails, there is no account, and the proof is as it was.
 */
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import { surroundingsOf } from './adaptive-mfa.ts'
import type { Draft } from './draft.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { lockDraft, recordOf, switched } from './interaction-drafts.ts'
import { advanceInteraction } from './interactions.ts'
import { countingRegistration, type Registered } from './registration.ts'
import { neededToRegister, readyToRegister, registerReady } from './registration-draft.ts'
import type { SignedIn, Submission } from './sign-in.ts'
import { shownRecord } from './submitted-records.ts'

/** What the provider contributes, in the draft of a registration. Writes nothing. Throws as readyToRegister. */
export const readyElsewhere = (
  unit: Unit,
  experience: SignInExperience,
  proved: Draft,
  recordId: string,
): Promise<Draft> => {
  const draft = switched(proved, 'Register')
  // what sign-up asks for besides is entered on the next page
  return readyToRegister(unit, experience, draft, recordOf(draft, recordId), { needsCaptcha: false, mayLack: true })
}

/** Registers a user by a draft that is ready, or keeps it and says what is still needed. Throws as registerReady. */
export const registerBy = async (
  unit: Unit<Registered>,
  submission: Submission,
  experience: SignInExperience,
  ready: Draft,
  admit: () => void,
): Promise<SignedIn> => {
  unit.note({ interactionEvent: 'Register' })
  const needed = await neededToRegister(unit, experience, submission, ready)
  if (!needed) {
    const proved = { ...submission, verificationRecords: ready.verificationRecords.map(shownRecord) }
    return registerReady(unit, proved, ready, experience, admit)
  }
  unit.note({ result: 'Error', error: needed.code })
  unit.send(advanceInteraction(unit, submission.interaction.id, { draft: ready }))
  return { needed }
}

const registeredElsewhere = operation(
  ['PostRegister', 'User.Created', 'Organization.Membership.Updated', 'Grant.LimitExceeded'],
  async (
    unit,
    submission: Submission,
    experience: SignInExperience,
    recordId: string,
    admit: () => void,
  ): Promise<SignedIn> => {
    const { needed: _before, ...proved } = await lockDraft(unit, submission.interaction.id)
    const ready = await readyElsewhere(unit, experience, proved, recordId)
    return registerBy(unit, submission, experience, ready, admit)
  },
)

/**
 * Registers the user whose account was proved in this interaction. Where more is needed, the interaction keeps what was contributed. Throws
 * as readyElsewhere, completeRegistration and countingRegistration, 404 for an interaction or a record that is not there.
 */
export const registerElsewhere = (
  { work, experience }: Step,
  submission: Submission,
  recordId: string,
): Promise<SignedIn> => {
  const whole = { ...submission, surroundings: surroundingsOf(work) }
  return countingRegistration(work, (admit) => perform(work, registeredElsewhere, whole, experience, recordId, admit))
}
