/**
 * What the log and the audit log record about a refused request of a browser, so that an operator finds it by its id or
 * its application.
 */
import { callerOf } from '../../http/caller-of.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Store } from '../../storage/store.ts'
import type { AuthorizationErrorCode, RefusedRequest } from './authorization-error.ts'

/** How many characters are kept of what an anonymous caller sent. */
const LONGEST = 256

/** What the browser requested: the key of the audit entry. */
export type RefusedAction = 'Interaction.Authorize' | 'EndSession'

/** Errors about the user rather than the request; silent requests of an application get them many times a day. */
const ABOUT_THE_USER: ReadonlySet<AuthorizationErrorCode> = new Set([
  'access_denied',
  'consent_required',
  'login_required',
])

/** Whether an error sent to the application is one that its developer has to fix. */
export const isRefusal = (code: AuthorizationErrorCode): boolean => !ABOUT_THE_USER.has(code)

/** @param reason in English, without anything that was sent */
export const recordRefusal = (
  { log, audit }: Store,
  exchange: Exchange,
  action: RefusedAction,
  reason: string,
  { clientId, client, redirectUri }: RefusedRequest = {},
): void => {
  const facts = {
    reason,
    // an id that belongs to no application must not be taken for one
    ...(client ? { applicationId: client.id } : { clientId: clientId?.slice(0, LONGEST) }),
    redirectUri: redirectUri?.slice(0, LONGEST),
  }
  log.warn({ requestId: exchange.requestId, action, ...facts }, 'a request was refused')
  audit.add(exchange.tenant.id, callerOf(exchange, action), { result: 'Error', error: 'invalid_request', ...facts })
}
