/**
 * An account at a provider elsewhere as a step of an interaction (SECURITY ): the user is sent to the provider and comes
 * back, and what the provider says is kept in the interaction. What follows from it is in social-identity.ts.
 */
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { type SocialProvider, socialProvider } from '../delivery/connectors.ts'
import type { Expected, Visited } from '../federation/client.ts'
import type { BroughtCredential } from '../federation/credential.ts'
import { nonceIn } from '../federation/credential-nonce.ts'
import { keepRequest } from '../federation/requests.ts'
import { useCredential } from '../federation/used-credentials.ts'
import { beginVisit, endVisit, verifiedCredential, type Wanted } from '../federation/visits.ts'
import { tokensToKeep } from '../users/provider-tokens.ts'
import type { Draft, InteractionEvent, SocialRecord } from './draft.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent, changeDraft, emptyDraft, findDraft, recordOf, withRecord } from './interaction-drafts.ts'
import { advanceInteraction, lockInteraction } from './interactions.ts'
import { isNonceOf } from './one-tap.ts'

/** A connector that the tenant offers. Throws 404 `entity.not_exists_with_id`, 400 `connector.not_enabled`. */
export const offeredProvider = async (
  { store, tenant }: Work,
  { socialConnectors }: SignInExperience,
  id: string,
): Promise<SocialProvider> => {
  // what is no id is not looked for
  const connector = /^[0-9a-z]{21}$/.test(id) ? await socialProvider(store, tenant, id) : undefined
  if (!connector) throw notFound('connector', id)
  if (!socialConnectors.some((each) => each.id === id)) throw new ApiError('connector.not_enabled')
  return connector
}

const begun = operation(
  [],
  async (
    unit,
    interactionId: string,
    { id: connectorId, target }: SocialProvider,
    expected: Expected,
    event: InteractionEvent | undefined,
  ): Promise<string> => {
    const id = newId()
    const change = (draft: Draft) => {
      assertEvent(draft, 'SignIn', 'Register')
      keepRequest(unit, { connectorId, interactionId }, expected)
      return withRecord(draft, { type: 'Social', id, connectorId, target })
    }
    if (event === undefined) await changeDraft(unit, interactionId, change)
    else {
      // nothing of it is read: everything leaves with the commit
      unit.send(lockInteraction(unit, interactionId))
      unit.send(advanceInteraction(unit, interactionId, { draft: change(emptyDraft(event)) }))
    }
    unit.note({ connectorId })
    return id
  },
)

/**
 * Begins a sign-in at a provider; returns the address to send the user to, and the id of the record. Throws 404, 400
 * `connector.not_enabled`, and as beginVisit.
 * @param event of an interaction that begins with it; undefined: it is a step of one that has begun
 */
export const beginSocial = async (
  { work, interactionId, experience }: Step,
  connectorId: string,
  wanted: Wanted,
  event?: InteractionEvent,
): Promise<{ authorizationUri: string; verificationId: string }> => {
  if (event === undefined) assertEvent(await findDraft(work, interactionId), 'SignIn', 'Register')
  const connector = await offeredProvider(work, experience, connectorId)
  const { uri, expected } = await beginVisit(work, connector.provider, connectorId, wanted)
  return {
    authorizationUri: uri,
    verificationId: await perform(work, begun, interactionId, connector, expected, event),
  }
}

/** Who came back, and the tokens that the provider issued, if it did. */
export type Came = Pick<Visited, 'account'> & Partial<Visited>

/** The record of an account that was proved. */
export const provedRecord = (unit: Unit, connector: SocialProvider, came: Came): SocialRecord => {
  const { id: connectorId, target, syncProfile } = connector
  const sealedTokens = tokensToKeep(unit, connector, came)
  const more = { ...(syncProfile ? { syncProfile } : {}), ...(sealedTokens ? { sealedTokens } : {}) }
  return { type: 'Social', id: newId(), connectorId, target, account: came.account, ...more }
}

/** The draft with it: it has the id of the record that the user was sent to the provider with, if there is one. */
export const withProof = (draft: Draft, record: SocialRecord): Draft => {
  const before = draft.verificationRecords.find(
    (each) => each.type === 'Social' && each.connectorId === record.connectorId,
  )
  return withRecord(draft, { ...record, id: before?.id ?? record.id })
}

const proved = operation(
  [],
  async (
    unit,
    interactionId: string,
    connector: SocialProvider,
    came: Came,
    credential?: BroughtCredential,
  ): Promise<string> => {
    unit.note({ connectorId: connector.id, identityId: came.account.id })
    if (credential) await useCredential(unit, credential)
    const record = provedRecord(unit, connector, came)
    const { verificationRecords } = await changeDraft(unit, interactionId, (draft) => {
      assertEvent(draft, 'SignIn', 'Register')
      return withProof(draft, record)
    })
    return verificationRecords.find(({ type }) => type === 'Social')?.id ?? record.id
  },
)

/**
 * Verifies what a user came back with; returns the id of the record. Throws as endVisit, 404.
 * @param data the parameters of the redirect URI
 */
export const verifySocial = async (
  { work, interactionId, experience }: Step,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
  verificationId?: string,
): Promise<string> => {
  const draft = await findDraft(work, interactionId)
  assertEvent(draft, 'SignIn', 'Register')
  if (verificationId !== undefined) recordOf(draft, verificationId)
  const connector = await offeredProvider(work, experience, connectorId)
  const visited = await endVisit(work, connector.provider, { connectorId, interactionId }, data)
  return perform(work, proved, interactionId, connector, visited)
}

/**
 * Verifies what a user brings from Google One Tap; returns the id of the record. Throws 403 `session.csrf_token_mismatch` for a credential
 * that was not made in this browser, 401 `connector.social_invalid_id_token`, also for one that was used before, 400 `connector.not_enabled`, 404.
 * @param isOfBrowser whether the caller knows that it was; a nonce of the interaction says so as well
 */
export const verifyOneTap = async (
  { work, interactionId, experience }: Step,
  connectorId: string,
  credential: string,
  isOfBrowser: boolean,
): Promise<string> => {
  assertEvent(await findDraft(work, interactionId), 'SignIn', 'Register')
  const connector = await offeredProvider(work, experience, connectorId)
  if (!connector.oneTap) throw new ApiError('connector.not_enabled')
  const isBound = isOfBrowser || isNonceOf(work.store.vault, interactionId, nonceIn(credential))
  if (!isBound) throw new ApiError('session.csrf_token_mismatch')
  const brought = await verifiedCredential(work, connector.provider, connectorId, credential)
  return perform(work, proved, interactionId, connector, { account: brought.account }, brought)
}
