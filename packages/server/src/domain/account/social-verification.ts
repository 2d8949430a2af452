/**
 * An account at a social provider as a verification (SECURITY ): the user is sent there and comes back. One that they have
 * proves who they are; any other can be added to their account.
 */
import { newId } from '../../kernel/ids.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import type { SocialProvider } from '../delivery/connectors.ts'
import type { Expected, Visited } from '../federation/client.ts'
import { keepRequest } from '../federation/requests.ts'
import { beginVisit, endVisit, type Wanted } from '../federation/visits.ts'
import { offeredProvider } from '../sign-in/social-proof.ts'
import { identityAt } from '../users/identities.ts'
import { tokensToKeep } from '../users/provider-tokens.ts'
import { assertEditable } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import { type Begun, beginVerification, findVerification, lockVerification, passVerification } from './verifications.ts'

const begun = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    { id, target }: SocialProvider,
    expected: Expected,
    verificationId: string,
  ): Promise<Begun> => {
    await lockHolder(unit, holder)
    const state = { connectorId: id, target }
    const verification = { id: verificationId, type: 'Social', purpose: 'New', state, isVerified: false } as const
    const record = await beginVerification(unit, holder, verification)
    keepRequest(unit, { connectorId: id, verificationId: record.verificationRecordId }, expected)
    unit.note({ connectorId: id })
    return record
  },
)

/**
 * Begins; returns the address to send the user to. Throws 400 `account_center.…`, `connector.not_enabled`, 404
 * `entity.not_exists_with_id`, and as beginVisit.
 * @param verificationId where the state has to name it
 */
export const beginOwnSocial = async (
  work: Work,
  holder: AccountHolder,
  { center, experience }: AccountRules,
  connectorId: string,
  wanted: Wanted,
  verificationId = newId(),
): Promise<Begun & { readonly authorizationUri: string }> => {
  assertEditable(center, 'social')
  const connector = await offeredProvider(work, experience, connectorId)
  const { uri, expected } = await beginVisit(work, connector.provider, connectorId, wanted)
  return { ...(await perform(work, begun, holder, connector, expected, verificationId)), authorizationUri: uri }
}

const passed = operation(
  [],
  async (unit, holder: AccountHolder, id: string, connector: SocialProvider, visited: Visited): Promise<void> => {
    const record = await lockVerification(unit, holder, id, ['Social'])
    const user = await lockHolder(unit, holder)
    const { account } = visited
    const isOwn = identityAt(user, connector.target)?.userId === account.id
    const sealedTokens = tokensToKeep(unit, connector, visited)
    const state = { ...record.state, account, ...(sealedTokens ? { sealedTokens } : {}) }
    await passVerification(unit, record, state, isOwn ? 'Proof' : 'New')
    unit.note({ connectorId: connector.id, identityId: account.id })
  },
)

/**
 * Verifies what the user came back with. Throws 404 `verification_record.not_found`, and as beginOwnSocial and endVisit.
 * @param data the parameters of the redirect URI
 */
export const verifyOwnSocial = async (
  work: Work,
  holder: AccountHolder,
  { experience }: AccountRules,
  id: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const { state } = await findVerification(work.store, work.tenant, holder, id, ['Social'])
  const connectorId = String(state.connectorId)
  const connector = await offeredProvider(work, experience, connectorId)
  const visited = await endVisit(work, connector.provider, { connectorId, verificationId: id }, data)
  await perform(work, passed, holder, id, connector, visited)
}
