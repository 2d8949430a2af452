/**
 * An account at a provider that ends a sign-in, as the page takes it: once the provider has answered, the proof, the
 * identification and the sign-in are one transaction. With one for each step a sign-in would wait more than twice as often.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import type { SocialProvider } from '../delivery/connectors.ts'
import { endVisit } from '../federation/visits.ts'
import { surroundingsOf } from './adaptive-mfa.ts'
import type { Draft } from './draft.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent, lockDraft } from './interaction-drafts.ts'
import { advanceInteraction } from './interactions.ts'
import { assertOffered } from './rules.ts'
import { factorRows } from './second-factors.ts'
import { type SignedIn, type Submission, withNeed } from './sign-in.ts'
import { recognize } from './social-identity.ts'
import { type Came, offeredProvider, provedRecord, withProof } from './social-proof.ts'
import { assertNoSsoUser } from './sso-domains.ts'
import { lockNamed, SIGN_IN_EVENTS, signInWith } from './submission.ts'

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

const socialSignedIn = operation(
  SIGN_IN_EVENTS,
  async (
    unit,
    submission: Submission,
    experience: SignInExperience,
    connector: SocialProvider,
    came: Came,
  ): Promise<SignedIn | undefined> => {
    const { id } = submission.interaction
    const record = provedRecord(unit, connector, came)
    unit.note({ interactionEvent: 'SignIn', connectorId: connector.id, identityId: came.account.id })
    // sent together, and both have ended before either fails: nothing is sent after the transaction
    const [locking, recognizing] = await Promise.allSettled([
      lockDraft(unit, id),
      recognize(unit, record, experience, false),
    ])
    if (locking.status === 'rejected') throw locking.reason
    const { needed: _before, ...locked } = locking.value
    assertEvent(locked, 'SignIn')
    const proved = withProof(locked, record)
    if (recognizing.status === 'rejected' && isUnknown(recognizing.reason)) {
      unit.send(advanceInteraction(unit, id, { draft: proved }))
      return undefined
    }
    const { recognized, user, rows } = await keeping(unit, id, proved, async () => {
      if (recognizing.status === 'rejected') throw recognizing.reason
      const { recognized, locked } = recognizing.value
      const { identified } = recognized
      const [user, rows] = await Promise.all([
        lockNamed(unit, proved, identified, locked),
        factorRows(unit, experience, identified.userId),
      ])
      await assertNoSsoUser(unit, experience, user)
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
 * Verifies what a user came back with, and signs in. Where more is needed, the interaction keeps the proof and who was identified; for
 * an account that is no user's it keeps the proof, and the result is undefined. The answer of the provider is accepted once, whatever
 * comes of it. Throws as endVisit, identify and submitInteraction, 404 `session.interaction_not_found`, 400
 * `session.invalid_interaction_type`.
 * @param data the parameters of the redirect URI
 */
export const signInSocially = async (
  { work, interactionId, experience }: Step,
  submission: Submission,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<SignedIn | undefined> => {
  const { draft } = submission.interaction.state
  if (!draft) throw new ApiError('session.interaction_not_found')
  assertEvent(draft, 'SignIn')
  assertOffered(experience, 'SignIn')
  const connector = await offeredProvider(work, experience, connectorId)
  const visited = await endVisit(work, connector.provider, { connectorId, interactionId }, data)
  const seen = { ...submission, surroundings: surroundingsOf(work) }
  return perform(work, socialSignedIn, seen, experience, connector, visited)
}
