/**
 * Adaptive MFA: a second factor is asked for where a sign-in is unusual (unusual.ts), whatever the user decided and whichever
 * device they trust; otherwise it is not.
 */
import type { Unit, Work } from '../../storage/unit-of-work.ts'
import { countedFailures } from '../credentials/address-failures.ts'
import { familiarityOf } from '../factors/familiarity.ts'
import type { UserRow } from '../users/rows.ts'
import type { Draft } from './draft.ts'
import type { SignInExperience } from './experience.ts'
import { interactionFields } from './interaction-fields.ts'
import type { Interaction } from './interactions.ts'
import { ownFactors } from './second-factors.ts'
import { type Surroundings, unusualFacts } from './unusual.ts'

/** What is seen of the caller. */
export const surroundingsOf = (work: Work): Surroundings => ({
  place: work.store.places.of(work.caller.ip),
  failures: countedFailures(work),
})

interface Attempt {
  readonly interaction: Interaction
  readonly device?: string | undefined
  readonly surroundings?: Surroundings | undefined
}

/**
 * The draft with what is unusual about the sign-in, if adaptive MFA is on, the user has a factor to be asked for, and anything is:
 * then the event is emitted, once in an interaction. A passkey that signed in is asked for nothing more. The user is locked by the
 * caller, who keeps the draft.
 */
export const assessed = async (
  unit: Unit<'PostSignInAdaptiveMfaTriggered'>,
  experience: SignInExperience,
  { interaction, device, surroundings = { failures: 0 } }: Attempt,
  user: UserRow,
  draft: Draft,
): Promise<Draft> => {
  const { tx, tenant, now } = unit
  if (!experience.adaptiveMfa.enabled || draft.unusual) return draft
  if (draft.verificationRecords.some(({ type }) => type === 'SignInPasskey')) return draft
  if ((await ownFactors(unit, user, experience)).length === 0) return draft
  const familiarity = await familiarityOf(tx, tenant.id, user.id, device, now)
  const rules = unusualFacts({ ...surroundings, ...familiarity, now, lastSignInAt: user.last_sign_in_at })
  if (rules.length === 0) return draft
  const triggeredRules = rules.map(({ rule, details }) => ({ rule, details: { ...details } }))
  unit.note({ unusual: rules.map(({ rule }) => rule) })
  unit.emit('PostSignInAdaptiveMfaTriggered', {
    ...interactionFields(unit, interaction, 'SignIn', user),
    adaptiveMfaResult: { requiresMfa: true, triggeredRules },
  })
  return { ...draft, unusual: rules.map(({ rule }) => rule) }
}
