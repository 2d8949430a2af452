/**
 * An account elsewhere, at a social provider or of a company, as the proof of users who have no password (SECURITY; DECISIONS
 * T15): they sign in there again.
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, Refusal, type Unit, type Work } from '../../storage/unit-of-work.ts'
import type { Expected } from '../federation/client.ts'
import { ssoProviderOf } from '../federation/enterprise/config.ts'
import { shownSsoConnector, ssoConnectorOfSignIn } from '../federation/enterprise/connectors.ts'
import { beginSsoVisit, endSsoVisit, type SsoVisited } from '../federation/enterprise/visits.ts'
import { isSignedInSince, isSilentOnTime } from '../federation/freshness.ts'
import { keepRequest } from '../federation/requests.ts'
import { beginVisit, endVisit, type Wanted } from '../federation/visits.ts'
import { usableSsoConnector } from '../sign-in/enterprise-proof.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { offeredProvider } from '../sign-in/social-proof.ts'
import { identityAt } from '../users/identities.ts'
import { getUser, type UserRow } from '../users/rows.ts'
import { findUserBySsoIdentity, ssoIdentitiesOf } from '../users/sso-identities.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import {
  beginVerification,
  findVerification,
  lockVerification,
  passVerification,
  type Verification,
} from './verifications.ts'

/** Where a user can prove who they are. */
export interface ProofElsewhere {
  readonly type: 'Social' | 'EnterpriseSso'
  readonly connectorId: string
  /** By language. */
  readonly name: Readonly<Record<string, string>>
}

const TYPES = ['Social', 'EnterpriseSso'] as const

/** Those of a user, none of one who has a password: the provider may still have the session of the person who has the device. */
export const proofsElsewhere = async (
  work: Pick<Work, 'store' | 'tenant'>,
  { socialConnectors, hasSso }: SignInExperience,
  user: UserRow,
): Promise<readonly ProofElsewhere[]> => {
  if (user.password_hash !== null) return []
  const social = socialConnectors.filter(({ target }) => identityAt(user, target) !== undefined)
  const { store, tenant } = work
  const ofCompany = hasSso ? await ssoIdentitiesOf(store.database.kysely, tenant.id, user.id) : []
  const companies = await Promise.all(ofCompany.map(({ connector_id: id }) => companyAt(store, tenant, id)))
  return [
    ...social.map(({ id, name }) => ({ type: 'Social', connectorId: id, name }) as const),
    ...companies.flatMap((company) => (company ? [company] : [])),
  ]
}

const companyAt = async (store: Store, tenant: Tenant, connectorId: string): Promise<ProofElsewhere | undefined> => {
  const connector = await ssoConnectorOfSignIn(store, tenant, connectorId)
  if (!connector?.isComplete) return undefined
  return { type: 'EnterpriseSso', connectorId, name: { en: shownSsoConnector(connector).connectorName } }
}

interface Visit {
  readonly uri: string
  readonly expected: Expected
  readonly state: Readonly<Record<string, unknown>>
}

const visitTo = async (
  work: Work,
  { experience }: AccountRules,
  { type, connectorId }: ProofElsewhere,
  wanted: Wanted,
): Promise<Visit> => {
  if (type === 'EnterpriseSso') {
    const connector = await usableSsoConnector(work, experience, connectorId)
    return { ...(await beginSsoVisit(work, connector, wanted)), state: { connectorId } }
  }
  const { provider, target } = await offeredProvider(work, experience, connectorId)
  return { ...(await beginVisit(work, provider, connectorId, wanted)), state: { connectorId, target } }
}

const begun = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    { type, connectorId }: ProofElsewhere,
    { expected, state }: Visit,
    { id, next }: Wish,
  ): Promise<void> => {
    await lockHolder(unit, holder)
    await beginVerification(unit, holder, { id, type, purpose: 'Proof', state: { ...state, next }, isVerified: false })
    keepRequest(unit, { connectorId, verificationId: id }, expected)
    unit.note({ connectorId })
  },
)

/** What the page that begins wants to find again when the user is back. */
export interface Wish {
  /** Of the verification, which the state names. */
  readonly id: string
  /** What the proof is for. */
  readonly next: string
}

/** Begins; returns the address to send the user to. Throws 400 `connector.not_enabled` for what is no proof of theirs, and as beginVisit. */
export const beginProofElsewhere = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  connectorId: string,
  wanted: Wanted,
  wish: Wish,
): Promise<string> => {
  const user = await getUser(work.store, work.tenant, holder.userId)
  const own = await proofsElsewhere(work, rules.experience, user)
  const proof = own.find((each) => each.connectorId === connectorId)
  if (!proof) throw new ApiError('connector.not_enabled')
  const visit = await visitTo(work, rules, proof, { ...wanted, isFresh: true })
  await perform(work, begun, holder, proof, visit, wish)
  return visit.uri
}

const isOwn = async ({ tx, tenant }: Unit, user: UserRow, { type, state }: Verification, { account }: SsoVisited) => {
  if (type === 'Social') return identityAt(user, String(state.target))?.userId === account.id
  const found = await findUserBySsoIdentity(tx, tenant.id, { connectorId: String(state.connectorId), account })
  return found?.id === user.id
}

/** Who came back, and whether the provider need not say when they signed in. */
interface Visitor extends SsoVisited {
  readonly isSilent: boolean
}

const passed = operation([], async (unit, holder: AccountHolder, id: string, visited: Visitor): Promise<void> => {
  const record = await lockVerification(unit, holder, id, TYPES)
  const user = await lockHolder(unit, holder)
  const { account } = visited
  unit.note({ connectorId: record.state.connectorId, identityId: account.id })
  if (!(await isOwn(unit, user, record, visited))) throw new Refusal(new ApiError('user.identity_not_exist'))
  if (!isSignedInSince(visited, record.created_at, visited.isSilent))
    throw new Refusal(new ApiError('connector.authorization_failed'))
  await passVerification(unit, record, { ...record.state, account })
})

/** Who came back to a verification. */
const visitorOf = async (
  work: Work,
  { experience }: AccountRules,
  { id, type, state }: Verification,
  data: Readonly<Record<string, unknown>>,
): Promise<Visitor> => {
  const connectorId = String(state.connectorId)
  const belonging = { connectorId, verificationId: id }
  if (type === 'EnterpriseSso') {
    const connector = await usableSsoConnector(work, experience, connectorId)
    const visited = await endSsoVisit(work, connector, belonging, data)
    return { ...visited, isSilent: isSilentOnTime(ssoProviderOf(connector)) }
  }
  const { provider } = await offeredProvider(work, experience, connectorId)
  const { account, ...visited } = await endVisit(work, provider, belonging, data)
  return { ...visited, account: { ...account, issuer: '' }, isSilent: isSilentOnTime(provider) }
}

/**
 * Passes the verification of a user who is back. Throws 404 `verification_record.not_found` and `user.identity_not_exist` for an account
 * that is not theirs, 401 `connector.authorization_failed` also for a sign-in of before, and as endVisit.
 * @param data the parameters of the redirect URI
 */
export const endProofElsewhere = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  id: string,
  data: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const record = await findVerification(work.store, work.tenant, holder, id, TYPES)
  await perform(work, passed, holder, id, await visitorOf(work, rules, record, data))
}

/** What a verification under way is for: of a proof what comes after it, of an account to be added undefined. Throws 404. */
export const wishOf = async (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  holder: AccountHolder,
  id: string,
): Promise<{ readonly connectorId: string; readonly next: string | undefined }> => {
  const { purpose, state } = await findVerification(store, tenant, holder, id, TYPES)
  return { connectorId: String(state.connectorId), next: purpose === 'Proof' ? String(state.next) : undefined }
}
