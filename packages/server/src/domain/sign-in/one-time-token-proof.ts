/**
 * One-time tokens as a step of an interaction (DECISIONS L2, O5, SECURITY ): the owner of an address proves it with
 * the token of the link that was sent there.
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, Refusal, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { countGuess } from '../credentials/address-failures.ts'
import { identifierKey, keepIdentifier } from '../credentials/identifiers.ts'
import { countFailure, forgetFailures, type LockoutPolicy, takeTurn } from '../credentials/lockout.ts'
import { consumeOneTimeToken, isTokenFor, type OneTimeTokenRow } from '../issued/one-time-tokens.ts'
import { accountOf, findUserByIdentifier } from '../users/rows.ts'
import type { Draft, InteractionEvent, OneTimeTokenRecord } from './draft.ts'
import type { Step } from './draft-profile.ts'
import { changeDraft, withRecord } from './interaction-drafts.ts'
import type { AuthorizationRequest } from './interactions.ts'
import { lockoutPolicy } from './lockout-policy.ts'

type Address = OneTimeTokenRecord['identifier']

/** The token that was verified in an interaction, if one was. */
export const verifiedToken = ({ verificationRecords }: Draft): OneTimeTokenRecord | undefined =>
  verificationRecords.find((record) => record.type === 'OneTimeToken')

/** Refusals of tokens that can have been guessed. A link that has ended, or is for something else, was not. */
const GUESSES: ReadonlySet<string> = new Set(['one_time_token.token_not_found', 'one_time_token.email_mismatch'])
const isGuess = (error: unknown): boolean => error instanceof ApiError && GUESSES.has(error.code)

/**
 * Consumes the token, unless the address or its account is locked. A wrong one is recorded, and counts like a wrong password.
 */
const redeemToken = async (
  unit: Unit<'Identifier.Lockout'>,
  identifier: Address,
  token: string,
  event: InteractionEvent,
  policy: LockoutPolicy,
): Promise<OneTimeTokenRow> => {
  const { tx, tenant } = unit
  const user = await findUserByIdentifier(tx, tenant.id, identifier)
  const target = { identifier, account: user && accountOf(user, policy.hasExactNames) }
  const { isAccountLocked } = await takeTurn(unit, target)
  try {
    const { key } = keepIdentifier(identifier)
    const consumed = await consumeOneTimeToken(unit, token, key, event)
    await forgetFailures(unit, target)
    if (!isAccountLocked) return consumed
  } catch (error) {
    if (!isGuess(error)) throw error
    await countFailure(unit, target, policy)
    throw new Refusal(error as ApiError)
  }
  // told to none but the recipient of the link; rolled back, so that the link works when the lock has ended
  throw new ApiError('session.verification_blocked_too_many_attempts')
}

const tokenVerified = operation(
  ['Identifier.Lockout'],
  async (unit, interactionId: string, identifier: Address, token: string, policy: LockoutPolicy): Promise<string> => {
    let id = ''
    await changeDraft(unit, interactionId, async (draft) => {
      const row = await redeemToken(unit, identifier, token, draft.interactionEvent, policy)
      id = row.id
      return withRecord(draft, { type: 'OneTimeToken', id, identifier, context: row.context, verified: true })
    })
    return id
  },
)

/**
 * Verifies an address with the token of a link, and uses the token up; returns the id of the record. The answer does not depend on
 * whether an account has the address. Throws as consumeOneTimeToken, 400 `user.invalid_email`,
 * `session.verification_blocked_too_many_attempts`, 429 `request.rate_limited`.
 */
export const verifyToken = async (
  { work, interactionId, experience }: Step,
  email: string,
  token: string,
): Promise<string> => {
  const { value } = keepIdentifier({ type: 'email', value: email })
  const takeBack = countGuess(work)
  try {
    const policy = lockoutPolicy(work, experience)
    const id = await perform(work, tokenVerified, interactionId, { type: 'email', value }, token, policy)
    takeBack()
    return id
  } catch (error) {
    if (!isGuess(error)) takeBack()
    throw error
  }
}

/** The token that proves the address of an account that is being registered, if one does. */
export const tokenOfRegistration = (draft: Draft): OneTimeTokenRecord | undefined => {
  const { primaryEmail } = draft.profile
  const record = verifiedToken(draft)
  if (!record || !primaryEmail || !isTokenFor(record.context, 'Register')) return undefined
  return identifierKey(record.identifier) === identifierKey({ type: 'email', value: primaryEmail }) ? record : undefined
}

const sealedFor = (tenant: Tenant, clientId: string): string => `one-time-token/${tenant.id}/${clientId}`

/** The value of an authorization request's `one_time_token`, as it is stored with the request until the user presses the button. */
export const sealToken = ({ vault }: Store, tenant: Tenant, clientId: string, token: string): string =>
  vault.seal(token, sealedFor(tenant, clientId)).toString('base64')

/** The token that an authorization request has brought; undefined: none. */
export const tokenOfRequest = (
  { store, tenant }: Pick<Work, 'store' | 'tenant'>,
  { sealedToken, clientId }: AuthorizationRequest,
): string | undefined =>
  sealedToken === undefined
    ? undefined
    : store.vault.unseal(Buffer.from(sealedToken, 'base64'), sealedFor(tenant, clientId))
