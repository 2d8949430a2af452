/**
 * An account at a social provider as a step of an interaction (SECURITY ): the user is sent to the provider and comes back, and
 * what the provider says is kept in the interaction. What follows from it is in social-identity.ts.
 */
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Work } from '../../storage/unit-of-work.ts'
import { type SocialProvider, socialProvider } from '../delivery/connectors.ts'
import type { Visited } from '../federation/client.ts'
import { nonceIn } from '../federation/credential-nonce.ts'
import { beginVisit, endVisit, verifiedCredential, type Wanted } from '../federation/visits.ts'
import { tokensToKeep } from '../users/provider-tokens.ts'
import type { Draft, InteractionEvent, SocialRecord } from './draft.ts'
import type { Step } from './draft-profile.ts'
import {
  assertUnderway,
  type BegunElsewhere,
  isConnectorId,
  keepBegun,
  type Proof,
  verifyBy,
} from './elsewhere-proof.ts'
import type { SignInExperience } from './experience.ts'
import { findDraft } from './interaction-drafts.ts'
import { isNonceOf } from './one-tap.ts'

/** A connector that the tenant offers. Throws 404 `entity.not_exists_with_id`, 400 `connector.not_enabled`. */
export const offeredProvider = async (
  { store, tenant }: Work,
  { socialConnectors }: SignInExperience,
  id: string,
): Promise<SocialProvider> => {
  const connector = isConnectorId(id) ? await socialProvider(store, tenant, id) : undefined
  if (!connector) throw notFound('connector', id)
  if (!socialConnectors.some((each) => each.id === id)) throw new ApiError('connector.not_enabled')
  return connector
}

/**
 * Begins a sign-in at a provider. Throws 404, 400 `connector.not_enabled`, and as beginVisit.
 * @param event of an interaction that begins with it; undefined: it is a step of one that has begun
 */
export const beginSocial = async (
  step: Step,
  connectorId: string,
  wanted: Wanted,
  event?: InteractionEvent,
): Promise<BegunElsewhere> => {
  const { work, interactionId, experience } = step
  if (event === undefined) assertUnderway(await findDraft(work, interactionId))
  const { provider, target } = await offeredProvider(work, experience, connectorId)
  const visit = await beginVisit(work, provider, connectorId, wanted)
  return keepBegun(step, { type: 'Social', connectorId, target }, visit, event)
}

/** The record of an account that was proved, with the tokens that the provider issued, where they are kept. */
const provedRecord = (
  { store: { vault }, tenant }: Work,
  connector: SocialProvider,
  visited: Pick<Visited, 'account'> & Partial<Visited>,
): SocialRecord => {
  const { id: connectorId, target, syncProfile } = connector
  const sealedTokens = tokensToKeep({ vault, tenant }, connector, visited)
  const more = { ...(syncProfile ? { syncProfile } : {}), ...(sealedTokens ? { sealedTokens } : {}) }
  return { type: 'Social', id: newId(), connectorId, target, account: visited.account, ...more }
}

/**
 * Proves the account of a user who is back from a provider; keeps nothing of it. Throws as endVisit, 404, 400
 * `session.invalid_interaction_type`.
 * @param draft of the interaction; what was changed in it since matters to who keeps the proof
 * @param data the parameters of the redirect URI
 */
export const proveSocial = async (
  { work, interactionId, experience }: Step,
  draft: Draft | undefined,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<Proof> => {
  assertUnderway(draft)
  const connector = await offeredProvider(work, experience, connectorId)
  const visited = await endVisit(work, connector.provider, { connectorId, interactionId }, data)
  return { record: provedRecord(work, connector, visited) }
}

/** Verifies what a user came back with; returns the id of the record. Throws as proveSocial. */
export const verifySocial = (
  step: Step,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
  verificationId?: string,
): Promise<string> => verifyBy(step, (draft) => proveSocial(step, draft, connectorId, data), verificationId)

/**
 * Proves the account that Google One Tap has brought; keeps nothing of it, and who keeps it uses it up. Throws 403
 * `session.csrf_token_mismatch` for a credential that was not made in this browser, 401 `connector.social_invalid_id_token`, 400
 * `connector.not_enabled`, 404.
 * @param isOfBrowser whether the caller knows that it was; a nonce of the interaction says so as well
 */
export const proveOneTap = async (
  { work, interactionId, experience }: Step,
  connectorId: string,
  credential: string,
  isOfBrowser: boolean,
): Promise<Proof> => {
  const connector = await offeredProvider(work, experience, connectorId)
  if (!connector.oneTap) throw new ApiError('connector.not_enabled')
  const isBound = isOfBrowser || isNonceOf(work.store.vault, interactionId, nonceIn(credential))
  if (!isBound) throw new ApiError('session.csrf_token_mismatch')
  const brought = await verifiedCredential(work, connector.provider, connectorId, credential)
  return { record: provedRecord(work, connector, brought), credential: brought }
}

/** Verifies it; returns the id of the record. Throws as proveOneTap, and 401 for one that was used before. */
export const verifyOneTap = (
  step: Step,
  connectorId: string,
  credential: string,
  isOfBrowser: boolean,
): Promise<string> => verifyBy(step, () => proveOneTap(step, connectorId, credential, isOfBrowser))
