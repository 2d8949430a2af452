/** Which scopes an exchanged token has: those that the user holds, within the subject token and the rule that allows the exchange. */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import type { Client } from '../../domain/applications/clients.ts'
import type { ExchangeRule } from '../../domain/applications/exchange-policies.ts'
import type { Holder } from '../../domain/sign-in/identity.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { DroppedScope } from '../../tokens/authorization.ts'
import { assertMember, heldBy } from '../organization-token.ts'
import { droppedFor, grantHeld } from '../scope.ts'
import type { ExchangeSubject } from './subject.ts'
import type { ExchangeTarget } from './target.ts'

export interface Granted {
  readonly scopes: readonly string[]
  readonly dropped: readonly DroppedScope[]
}

/** What narrows an exchange, besides what the user holds. */
export interface ExchangeBounds {
  /** The scopes and the organization of the subject token; undefined: the tenant does not restrict exchanges to them. */
  readonly subject: ExchangeSubject['limits']
  readonly rule: Pick<ExchangeRule, 'name' | 'scopes'>
}

/** What the user holds for the target now: their own permissions and, in an organization, those of a member. */
const heldFor = ({ resource, organizationId }: ExchangeTarget, holder: Holder, client: Client): ReadonlySet<string> => {
  const own: readonly string[] = resource ? [...holder.permissions.keys()] : []
  if (organizationId === undefined) return new Set(own)
  // no user is present who could use a second factor
  const membership = assertMember(holder.membership, client.isThirdParty)
  return new Set([...own, ...heldBy(membership, resource, undefined)])
}

/** Which of the requested permissions are granted: an opaque token has none, only scopes for userinfo. */
const grantFor = ({ audience, requested, oidc }: ExchangeTarget, held: ReadonlySet<string>): Granted => {
  if (audience) {
    const granted = grantHeld(requested, held)
    const dropped = [...droppedFor(TOKEN_REASONS.exchanged_without_oidc, oidc), ...granted.dropped]
    return { scopes: granted.scopes, dropped }
  }
  const scopes = oidc.filter((scope) => scope !== 'offline_access')
  const dropped = [...requested, ...oidc.filter((scope) => scope === 'offline_access')]
  return { scopes, dropped: droppedFor(TOKEN_REASONS.opaque_without_refresh, dropped) }
}

/** No scopes but these. @param allowed undefined: any @param why not the others */
const within = (granted: Granted, allowed: readonly string[] | undefined, why: string): Granted => {
  if (allowed === undefined) return granted
  const kept = granted.scopes.filter((scope) => allowed.includes(scope))
  const cut = granted.scopes.filter((scope) => !allowed.includes(scope))
  return { scopes: kept, dropped: [...granted.dropped, ...droppedFor(why, cut)] }
}

/**
 * The scopes of an exchanged token. Throws access_denied if the access rules of the application do not admit the user, or they are no
 * member of the organization. Does not check whether the user is active.
 */
export const grantedByExchange = (
  client: Client,
  target: ExchangeTarget,
  holder: Holder,
  { subject, rule }: ExchangeBounds,
): Granted => {
  if (!holder.isAdmitted) {
    const reason = 'the access rules of the application do not admit the user'
    throw new OAuthError('access_denied', 'the user may not use this application', { reason })
  }
  const held = grantFor(target, heldFor(target, holder, client))
  const ofSubject = subject?.organizationId === target.organizationId ? subject?.scopes : []
  return within(
    within(held, subject && ofSubject, TOKEN_REASONS.not_in_subject_token),
    rule.scopes,
    TOKEN_REASONS.row_disallows.replace('{row}', () => rule.name),
  )
}
