/**
 * What the proofs of accounts elsewhere have in common, at social providers and at those of companies (SECURITY ): the record
 * that an interaction keeps from the request on, and the account in it once the user has come back.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import type { Expected } from '../federation/client.ts'
import type { BroughtCredential } from '../federation/credential.ts'
import { keepRequest } from '../federation/requests.ts'
import { useCredential } from '../federation/used-credentials.ts'
import type { Draft, EnterpriseSsoRecord, InteractionEvent, SocialRecord } from './draft.ts'
import type { Step } from './draft-profile.ts'
import {
  assertEvent,
  changeDraft,
  emptyDraft,
  findDraft,
  lockDraft,
  recordOf,
  withRecord,
} from './interaction-drafts.ts'
import { advanceInteraction, lockInteraction } from './interactions.ts'

type ElsewhereRecord = SocialRecord | EnterpriseSsoRecord

/** Whether an id may be that of a connector: what cannot be one is not looked for. */
export const isConnectorId = (id: string): boolean => /^[0-9a-z]{21}$/.test(id)

/** An account that a provider says the user has. */
export interface Proof {
  /** With the account. */
  readonly record: ElsewhereRecord
  /** What it came with, where nothing was requested; used up with the proof. */
  readonly credential?: BroughtCredential
  /** Of an interaction that begins with the proof; undefined: it is a step of one that has begun. */
  readonly event?: InteractionEvent
}

const begun = operation(
  [],
  async (
    unit,
    interactionId: string,
    record: ElsewhereRecord,
    expected: Expected,
    event: InteractionEvent | undefined,
  ): Promise<void> => {
    const { connectorId } = record
    unit.note({ connectorId })
    if (event === undefined)
      await changeDraft(unit, interactionId, (draft) => {
        assertEvent(draft, 'SignIn', 'Register')
        return withRecord(draft, record)
      })
    else {
      unit.note({ interactionEvent: event })
      // nothing of it is read: everything leaves with the commit
      unit.send(advanceInteraction(unit, interactionId, { draft: withRecord(emptyDraft(event), record) }))
    }
    keepRequest(unit, { connectorId, interactionId }, expected)
  },
)

/** A sign-in at a provider that has begun: the address to send the user to, and the id of the record. */
export interface BegunElsewhere {
  readonly authorizationUri: string
  readonly verificationId: string
}

/**
 * Keeps what the answer of the provider will be held against. Throws 404 `session.interaction_not_found`, 400
 * `session.invalid_interaction_type`.
 * @param event of an interaction that begins with it; undefined: it is a step of one that has begun
 */
export const keepBegun = async (
  { work, interactionId }: Step,
  record: Omit<SocialRecord, 'id'> | Omit<EnterpriseSsoRecord, 'id'>,
  { uri, expected }: { readonly uri: string; readonly expected: Expected },
  event?: InteractionEvent,
): Promise<BegunElsewhere> => {
  const id = newId()
  // if a crash of the database loses it, the user who comes back is told to begin again
  await perform({ ...work, isForgettable: true }, begun, interactionId, { ...record, id }, expected, event)
  return { authorizationUri: uri, verificationId: id }
}

/** Notes what was proved, and uses up what it came with. Throws as useCredential. */
export const acceptProof = async (unit: Unit, { record, credential }: Proof): Promise<void> => {
  const { connectorId, account } = record
  const issuer = record.type === 'EnterpriseSso' ? { issuer: record.account?.issuer } : {}
  unit.note({ connectorId, ...issuer, identityId: account?.id })
  if (credential) await useCredential(unit, credential)
}

/** The draft that a proof is for, locked. Throws as lockDraft. */
export const lockDraftFor = async (unit: Unit, interactionId: string, { event }: Proof): Promise<Draft> => {
  if (event === undefined) return lockDraft(unit, interactionId)
  await lockInteraction(unit, interactionId)
  return emptyDraft(event)
}

/** The draft with it: it has the id of the record that the user was sent to the provider with, if there is one. */
export const withProof = (draft: Draft, { record }: Proof): Draft => {
  const before = draft.verificationRecords.find(
    (each) => each.type === record.type && each.connectorId === record.connectorId,
  )
  return withRecord(draft, { ...record, id: before?.id ?? record.id })
}

/** The id of what was proved in a draft that has it. */
export const idOfProof = ({ verificationRecords }: Draft, { record }: Proof): string =>
  verificationRecords.find(({ type }) => type === record.type)?.id ?? record.id

const kept = operation([], async (unit, interactionId: string, proof: Proof): Promise<string> => {
  await acceptProof(unit, proof)
  const { needed: _before, ...locked } = await lockDraftFor(unit, interactionId, proof)
  assertEvent(locked, 'SignIn', 'Register')
  const draft = withProof(locked, proof)
  unit.send(advanceInteraction(unit, interactionId, { draft }))
  return idOfProof(draft, proof)
})

/** Keeps a proof; returns the id of the record. Throws as lockDraft and acceptProof, 400 `session.invalid_interaction_type`. */
export const keepProof = ({ work, interactionId }: Step, proof: Proof): Promise<string> =>
  perform(work, kept, interactionId, proof)

/** Throws 404 `session.interaction_not_found`, 400 `session.invalid_interaction_type` where accounts elsewhere prove nothing. */
export const assertUnderway = (draft: Draft | undefined): void => {
  if (!draft) throw new ApiError('session.interaction_not_found')
  assertEvent(draft, 'SignIn', 'Register')
}

/**
 * Proves an account in an interaction that has begun, and keeps the proof; returns the id of the record. Throws as `prove` and keepProof,
 * 404 for an interaction or a record that is not there.
 * @param verificationId the record that the user was sent to the provider with, where the caller names it
 */
export const verifyBy = async (
  step: Step,
  prove: (draft: Draft) => Promise<Proof>,
  verificationId?: string,
): Promise<string> => {
  const draft = await findDraft(step.work, step.interactionId)
  assertUnderway(draft)
  if (verificationId !== undefined) recordOf(draft, verificationId)
  return keepProof(step, await prove(draft))
}
