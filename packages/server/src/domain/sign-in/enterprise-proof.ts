/**
 * An account at the identity provider of a company as a step of an interaction (SECURITY ): the user is sent there and
 * comes back, and what the provider says is kept in the interaction. What follows from it is in enterprise-identity.ts.
 */
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { perform, type Work } from '../../storage/unit-of-work.ts'
import { type Meant, takeArrival } from '../federation/enterprise/arrivals.ts'
import { type SsoConnector, ssoConnectorOfSignIn } from '../federation/enterprise/connectors.ts'
import { idTokenToKeep } from '../federation/enterprise/id-tokens.ts'
import { beginSsoVisit, endSsoVisit, type SsoVisited } from '../federation/enterprise/visits.ts'
import type { Wanted } from '../federation/visits.ts'
import { tokensToKeep } from '../users/provider-tokens.ts'
import type { Draft, EnterpriseSsoRecord, InteractionEvent } from './draft.ts'
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

/** A connector that may be used. Throws 404 `entity.not_exists_with_id`, 400 `connector.not_enabled`. */
export const usableSsoConnector = async (
  { store, tenant }: Work,
  { hasSso }: SignInExperience,
  id: string,
): Promise<SsoConnector> => {
  const connector = isConnectorId(id) ? await ssoConnectorOfSignIn(store, tenant, id) : undefined
  if (!connector) throw notFound('SSO connector', id)
  if (!hasSso) throw new ApiError('connector.not_enabled')
  return connector
}

/**
 * Begins a sign-in at the identity provider of a company. Throws 404, 400 `connector.not_enabled`, and as beginVisit.
 * @param event of an interaction that begins with it; undefined: it is a step of one that has begun
 */
export const beginSso = async (
  step: Step,
  connectorId: string,
  wanted: Wanted,
  event?: InteractionEvent,
): Promise<BegunElsewhere> => {
  const { work, interactionId, experience } = step
  if (event === undefined) assertUnderway(await findDraft(work, interactionId))
  const connector = await usableSsoConnector(work, experience, connectorId)
  const visit = await beginSsoVisit(work, connector, { ...wanted, interactionId })
  return keepBegun(step, { type: 'EnterpriseSso', connectorId }, visit, event)
}

/** The record of an account that was proved, with what of the visit the connector keeps. */
const provedRecord = (
  { store: { vault }, tenant }: Work,
  connector: SsoConnector,
  visited: SsoVisited,
): EnterpriseSsoRecord => {
  const { id: connectorId, syncProfile, organizationId } = connector
  const sealedTokens = tokensToKeep({ vault, tenant }, connector, visited)
  const more = {
    ...(organizationId === null ? {} : { organizationId }),
    ...(syncProfile ? { syncProfile } : {}),
    ...(sealedTokens ? { sealedTokens } : {}),
  }
  const idToken = idTokenToKeep({ vault, tenant }, connector, visited)
  return { type: 'EnterpriseSso', id: newId(), connectorId, account: visited.account, ...more, ...idToken }
}

/**
 * Proves the account of a user who is back; keeps nothing of it. Throws as endSsoVisit, 404, 400 `session.invalid_interaction_type`.
 * @param draft of the interaction; what was changed in it since matters to who keeps the proof
 * @param data the parameters of the redirect URI
 */
export const proveSso = async (
  { work, interactionId, experience }: Step,
  draft: Draft | undefined,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
): Promise<Proof> => {
  assertUnderway(draft)
  const connector = await usableSsoConnector(work, experience, connectorId)
  return {
    record: provedRecord(work, connector, await endSsoVisit(work, connector, { connectorId, interactionId }, data)),
  }
}

/** Verifies what a user came back with; returns the id of the record. Throws as proveSso. */
export const verifySso = (
  step: Step,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
  verificationId?: string,
): Promise<string> => verifyBy(step, (draft) => proveSso(step, draft, connectorId, data), verificationId)

/**
 * Proves the account of a user who has arrived without having been asked for, once; undefined: there is none any more. Throws 404, 400
 * `connector.not_enabled`.
 */
export const proveArrival = async (
  { work, experience }: Step,
  secret: string,
  meant: Meant,
): Promise<Proof | undefined> => {
  const account = await perform(work, takeArrival, secret, meant)
  if (!account) return undefined
  const connector = await usableSsoConnector(work, experience, meant.connectorId)
  return { record: provedRecord(work, connector, { account }), event: 'SignIn' }
}
