/** What is special about the parameters of a backchannel authentication request: OpenID CIBA section 7.1, DECISIONS F27. */
import type { Client } from '../domain/applications/clients.ts'
import { BACKCHANNEL_SECONDS } from '../domain/issued/backchannel-requests.ts'
import type { UserHint } from '../domain/sign-in/backchannel-initiation.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { subjectOfHint } from './id-token-hint.ts'

const HINTS = ['login_hint', 'id_token_hint', 'login_hint_token'] as const
/** Characters; more than a person compares. */
const LONGEST_MESSAGE = 100
const LONGEST_HINT = 256
/** Text on one line: no control characters, none that reorder or hide text, no separators of lines. */
const ONE_LINE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]+$/u

const invalid = (description: string) => new OAuthError('invalid_request', description)

/** The value of a parameter; empty counts as absent. */
const one = (parameters: Parameters, name: string): string | undefined => parameters.get(name)?.[0] || undefined

/** What other servers take, and this one does not. */
export const refuseUnsupported = (parameters: Parameters): void => {
  if (one(parameters, 'request_uri') !== undefined) throw invalid('request_uri is not supported')
}

/** The one hint. Throws as subjectOfHint, and invalid_request unless there is exactly one that this server takes. */
export const hintOf = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  parameters: Parameters,
): Promise<UserHint> => {
  const [hint, ...others] = HINTS.filter((name) => one(parameters, name) !== undefined)
  if (hint === undefined || others.length > 0) throw invalid('exactly one of login_hint and id_token_hint is required')
  const value = one(parameters, hint) ?? ''
  if (hint === 'login_hint_token') throw invalid('login_hint_token is not supported; send login_hint or id_token_hint')
  if (hint === 'id_token_hint') return { userId: (await subjectOfHint(store, tenant, client, value)) ?? '' }
  if (value.length > LONGEST_HINT) throw invalid(`login_hint is longer than ${LONGEST_HINT} characters`)
  return { loginHint: value }
}

/** Throws invalid_binding_message for one that cannot be shown on a line. */
export const bindingMessageOf = (parameters: Parameters): string | undefined => {
  const message = one(parameters, 'binding_message')
  if (message === undefined) return undefined
  if (message.length > LONGEST_MESSAGE || !ONE_LINE.test(message)) {
    throw new OAuthError(
      'invalid_binding_message',
      `binding_message must be plain text on one line, of at most ${LONGEST_MESSAGE} characters`,
    )
  }
  return message
}

/** The syntax of Bearer tokens (RFC 6750 section 2.1). */
const BEARER = /^[A-Za-z0-9._~+/-]+=*$/
const LONGEST_TOKEN = 1024

/** With what the application wants to be told of the answer; undefined: it polls, and what it sends is ignored. */
export const notificationTokenOf = ({ metadata }: Client, parameters: Parameters): string | undefined => {
  if (metadata.backchannelTokenDeliveryMode !== 'ping') return undefined
  const token = one(parameters, 'client_notification_token')
  if (token === undefined) throw invalid('client_notification_token is required of an application that is pinged')
  if (token.length > LONGEST_TOKEN || !BEARER.test(token))
    throw invalid(`client_notification_token must be a bearer token of at most ${LONGEST_TOKEN} characters`)
  return token
}

/** Seconds that the request lives: what the application asks for, up to the longest. */
export const lifetimeOf = (parameters: Parameters): number => {
  const asked = one(parameters, 'requested_expiry')
  if (asked === undefined) return BACKCHANNEL_SECONDS
  if (!/^[1-9]\d{0,8}$/.test(asked)) throw invalid('requested_expiry must be a positive whole number of seconds')
  return Math.min(Number(asked), BACKCHANNEL_SECONDS)
}
