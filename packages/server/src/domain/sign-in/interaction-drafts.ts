/** The draft of an interaction (draft.ts): created, found, changed one step at a time. */

import { ApiError } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit, type Work } from '../../storage/unit-of-work.ts'
import type { Draft, InteractionEvent, VerificationRecord } from './draft.ts'
import { advanceInteraction, type InteractionState, lockInteraction } from './interactions.ts'

export const emptyDraft = (interactionEvent: InteractionEvent): Draft => ({
  interactionEvent,
  verificationRecords: [],
  profile: {},
})

/** The current draft, for steps that check first and change later. Throws 404 `session.interaction_not_found`. */
export const findDraft = async ({ store, tenant }: Work, interactionId: string): Promise<Draft> => {
  const row = await store.database.kysely
    .selectFrom('interactions')
    .select('state')
    .where(inTenant(tenant.id))
    .where('id', '=', interactionId)
    .where('expires_at', '>', store.clock.now())
    .executeTakeFirst()
  const { draft } = (row?.state ?? {}) as InteractionState
  if (!draft) throw new ApiError('session.interaction_not_found')
  return draft
}

/** The draft of an interaction, locked by this unit. Throws 404 `session.interaction_not_found`. */
export const lockDraft = async (unit: Unit, interactionId: string): Promise<Draft> => {
  const { draft } = await lockInteraction(unit, interactionId)
  if (!draft) throw new ApiError('session.interaction_not_found')
  return draft
}

/** Transforms the draft, within another operation. Concurrent steps take turns. */
export const changeDraft = async (
  unit: Unit,
  interactionId: string,
  change: (draft: Draft) => Draft | Promise<Draft>,
): Promise<Draft> => {
  const { needed: _before, ...locked } = await lockDraft(unit, interactionId)
  const draft = await change(locked)
  // it is locked, and therefore exists
  unit.send(advanceInteraction(unit, interactionId, { draft }))
  return draft
}

/** Starts, and discards what there was. @param isHuman whether a captcha was passed */
export const startDraft = operation(
  [],
  async (unit, interactionId: string, event: InteractionEvent, isHuman?: boolean): Promise<void> => {
    await lockInteraction(unit, interactionId)
    unit.note({ interactionEvent: event })
    const draft = emptyDraft(event)
    await advanceInteraction(unit, interactionId, { draft: isHuman ? { ...draft, isHuman } : draft })
  },
)

/** A guess has failed: the next one needs another captcha. */
export const captchaSpent = operation([], async (unit, interactionId: string): Promise<void> => {
  await changeDraft(unit, interactionId, ({ isHuman: _spent, ...draft }) => draft)
})

/**
 * The draft after a change from sign-in to registration or back. Verifications and the captcha are kept; the identified user and entered
 * data are not. Throws 400 `session.not_supported_for_forgot_password`.
 */
export const switched = (draft: Draft, event: InteractionEvent): Draft => {
  if (draft.interactionEvent === event) return draft
  if (draft.interactionEvent === 'ForgotPassword' || event === 'ForgotPassword')
    throw new ApiError('session.not_supported_for_forgot_password')
  const { isHuman, verificationRecords } = draft
  return { ...emptyDraft(event), ...(isHuman ? { isHuman } : {}), verificationRecords }
}

/** From sign-in to registration or back, as `switched`. */
export const switchDraft = operation(
  [],
  async (unit, interactionId: string, event: InteractionEvent): Promise<void> => {
    await changeDraft(unit, interactionId, (draft) => switched(draft, event))
  },
)

/** With this record, replacing the one of its kind. */
export const withRecord = (draft: Draft, record: VerificationRecord): Draft => ({
  ...draft,
  verificationRecords: [...draft.verificationRecords.filter(({ type }) => type !== record.type), record],
})

/** The record with this id. Throws 404 `session.verification_session_not_found`. */
export const recordOf = ({ verificationRecords }: Draft, id: string | undefined): VerificationRecord => {
  const record = verificationRecords.find((each) => each.id === id)
  if (!record) throw new ApiError('session.verification_session_not_found')
  return record
}

/** Throws 400 `session.invalid_interaction_type` unless the draft is of one of these. */
export const assertEvent = ({ interactionEvent }: Draft, ...events: readonly InteractionEvent[]): void => {
  if (!events.includes(interactionEvent)) throw new ApiError('session.invalid_interaction_type')
}

/** Whether the user comes from the identity provider of a company, which decides what has to be proved and known about them. */
export const isEnterprise = ({ ssoAccount, identified }: Pick<Draft, 'ssoAccount' | 'identified'>): boolean =>
  ssoAccount !== undefined || identified?.ssoAccount !== undefined
