/**
 * Whether an exchange is allowed, besides what the user holds: by the rules of the application (DECISIONS H12), and by what the
 * subject token says of who may act (RFC 8693 section 4.4).
 */
import type { Client } from '../../domain/applications/clients.ts'
import {
  type Considered,
  considerExchange,
  type ExchangeFacts,
  type ExchangeRule,
} from '../../domain/applications/exchange-policies.ts'
import type { MayAct } from '../../domain/issued/subject-tokens.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { refuseSubject } from './subject.ts'

const NOT_FOR_THIS = 'the application may not exchange this token for this resource'

/** What each kind of rule answers when it denies. */
const REFUSALS: Readonly<Record<ExchangeRule['source'], (rule: ExchangeRule) => OAuthError>> = {
  exchangeSubjectAudiences: () =>
    refuseSubject('its audience is not one of exchangeSubjectAudiences of the application'),
  exchangeTargetResources: () =>
    new OAuthError('invalid_target', 'the application may not exchange tokens for this resource'),
  exchangePolicies: ({ name }) =>
    new OAuthError('invalid_target', NOT_FOR_THIS, { reason: `the row "${name}" of exchangePolicies denies it` }),
  default: () => new OAuthError('invalid_target', NOT_FOR_THIS, { reason: 'no row of exchangePolicies allows it' }),
}

/**
 * The rule that allows an exchange. Throws invalid_grant or invalid_target if one denies it. @param tell gets the rules that were
 * considered, the one that decides being the last
 */
export const decideExchange = (
  { metadata }: Client,
  facts: ExchangeFacts,
  tell?: (considered: readonly Considered[]) => void,
): ExchangeRule => {
  const { decided, considered } = considerExchange(metadata, facts)
  tell?.(considered)
  if (decided.effect === 'deny') throw REFUSALS[decided.source](decided)
  return decided
}

/** Throws invalid_grant if the subject token names who may act as the user, and it is another application or user, or no user. */
export const assertMayAct = (mayAct: MayAct | null | undefined, client: Client, actorId: string | undefined): void => {
  if (!mayAct) return
  const { applicationId, userId } = mayAct
  if (applicationId !== undefined && applicationId !== client.id)
    throw refuseSubject('its may_act names another application')
  if (userId !== undefined && userId !== actorId)
    throw refuseSubject(
      actorId === undefined
        ? 'its may_act names a user, and there is no actor token'
        : 'its may_act names another user',
    )
}
