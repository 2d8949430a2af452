/**
 * An account at the identity provider of a company as a step of an interaction (SECURITY ): the user is sent there and
 * comes back, and what the provider says is kept in the interaction. What follows from it is in enterprise-identity.ts.
 */
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import type { Expected } from '../federation/client.ts'
import { type Meant, takeArrival } from '../federation/enterprise/arrivals.ts'
import { type SsoConnector, ssoConnectorOfSignIn } from '../federation/enterprise/connectors.ts'
import { idTokenToKeep } from '../federation/enterprise/id-tokens.ts'
import { beginSsoVisit, endSsoVisit, type SsoVisited } from '../federation/enterprise/visits.ts'
import { keepRequest } from '../federation/requests.ts'
import type { Wanted } from '../federation/visits.ts'
import { tokensToKeep } from '../users/provider-tokens.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent, changeDraft, findDraft, recordOf, withRecord } from './interaction-drafts.ts'

/** A connector that may be used. Throws 404 `entity.not_exists_with_id`, 400 `connector.not_enabled`. */
const usable = async ({ store, tenant }: Work, { hasSso }: SignInExperience, id: string): Promise<SsoConnector> => {
  // what is no id is not looked for
  const connector = /^[0-9a-z]{21}$/.test(id) ? await ssoConnectorOfSignIn(store, tenant, id) : undefined
  if (!connector) throw notFound('SSO connector', id)
  if (!hasSso) throw new ApiError('connector.not_enabled')
  return connector
}

const begun = operation(
  [],
  async (unit, interactionId: string, { id: connectorId }: SsoConnector, expected: Expected): Promise<string> => {
    const id = newId()
    await changeDraft(unit, interactionId, async (draft) => {
      assertEvent(draft, 'SignIn', 'Register')
      keepRequest(unit, { connectorId, interactionId }, expected)
      return withRecord(draft, { type: 'EnterpriseSso', id, connectorId })
    })
    unit.note({ connectorId })
    return id
  },
)

/**
 * Begins a sign-in at the identity provider of a company; returns the address to send the user to, and the id of the record. Throws
 * 404, 400 `connector.not_enabled`, and as beginVisit.
 */
export const beginSso = async (
  { work, interactionId, experience }: Step,
  connectorId: string,
  wanted: Wanted,
): Promise<{ authorizationUri: string; verificationId: string }> => {
  assertEvent(await findDraft(work, interactionId), 'SignIn', 'Register')
  const connector = await usable(work, experience, connectorId)
  const { uri, expected } = await beginSsoVisit(work, connector, wanted)
  return { authorizationUri: uri, verificationId: await perform(work, begun, interactionId, connector, expected) }
}

const proved = operation(
  [],
  async (unit, interactionId: string, connector: SsoConnector, visited: SsoVisited): Promise<string> => {
    const { id: connectorId, syncProfile } = connector
    const { account } = visited
    const sealedTokens = tokensToKeep(unit, connector, visited)
    const kept = idTokenToKeep(unit, connector, visited)
    let id = newId()
    await changeDraft(unit, interactionId, (draft) => {
      assertEvent(draft, 'SignIn', 'Register')
      const before = draft.verificationRecords.find(
        (each) => each.type === 'EnterpriseSso' && each.connectorId === connectorId,
      )
      id = before?.id ?? id
      const tokens = sealedTokens ? { sealedTokens } : {}
      const more = { ...(syncProfile ? { syncProfile } : {}), ...tokens, ...kept }
      return withRecord(draft, { type: 'EnterpriseSso', id, connectorId, account, ...more })
    })
    unit.note({ connectorId, issuer: account.issuer, identityId: account.id })
    return id
  },
)

/**
 * Verifies what a user came back with; returns the id of the record. Throws as endSsoVisit, 404.
 * @param data the parameters of the redirect URI
 */
export const verifySso = async (
  { work, interactionId, experience }: Step,
  connectorId: string,
  data: Readonly<Record<string, unknown>>,
  verificationId?: string,
): Promise<string> => {
  const draft = await findDraft(work, interactionId)
  assertEvent(draft, 'SignIn', 'Register')
  if (verificationId !== undefined) recordOf(draft, verificationId)
  const connector = await usable(work, experience, connectorId)
  const visited = await endSsoVisit(work, connector, { connectorId, interactionId }, data)
  return perform(work, proved, interactionId, connector, visited)
}

/**
 * Proves the account of a user who has arrived without having been asked for, once; returns the id of the record, or undefined if there
 * is none any more. Throws 404, 400 `connector.not_enabled`.
 */
export const proveArrival = async (
  { work, interactionId, experience }: Step,
  secret: string,
  meant: Meant,
): Promise<string | undefined> => {
  const account = await perform(work, takeArrival, secret, meant)
  if (!account) return undefined
  return perform(work, proved, interactionId, await usable(work, experience, meant.connectorId), { account })
}
