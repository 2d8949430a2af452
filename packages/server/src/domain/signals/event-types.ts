/**
 * What happened to a user → the event that a receiver is told (CAEP 1.0 section 3, RISC 1.0 section 2, DECISIONS K12). The only place that knows what
 * the events contain.
 */
import type { SignalEvent } from '@countersign/contract/shared-signals.ts'
import { toNumericDate } from '../../kernel/clock.ts'

/** What migration 0079 records of a change. */
export type UserSignal =
  | { readonly kind: 'session' | 'grant'; readonly sessionId: string | null }
  | { readonly kind: 'disabled' | 'enabled' }
  | { readonly kind: 'purged' }
  | {
      readonly kind: 'credential'
      readonly details: { readonly type: string; readonly change: string; readonly name?: string | null }
    }
  | {
      readonly kind: 'identifier'
      readonly details: { readonly type: 'email' | 'phone'; readonly before: string; readonly after: string | null }
    }
  | { readonly kind: 'roles' | 'organizations' }

/** A subject identifier (RFC 9493 section 3). */
export type SubjectIdentifier =
  | { readonly format: 'iss_sub'; readonly iss: string; readonly sub: string }
  | { readonly format: 'email'; readonly email: string }
  | { readonly format: 'phone_number'; readonly phone_number: string }
  | { readonly format: 'opaque'; readonly id: string }
  | { readonly format: 'complex'; readonly user: SubjectIdentifier; readonly session: SubjectIdentifier }

export interface SignalContent {
  readonly event: SignalEvent
  readonly subject: SubjectIdentifier
  readonly payload: Readonly<Record<string, unknown>>
}

/** What the claims of a token say now of a user: only those that the receiver may see. */
type Claims = Readonly<Record<string, unknown>>

/** Factor → `credential_type` (CAEP section 3.3.1): of an authenticator app and a passkey; a backup code has no registered name. */
const CREDENTIAL_TYPES: Readonly<Record<string, string>> = {
  password: 'password',
  Totp: 'app',
  WebAuthn: 'fido2-roaming',
  BackupCode: 'backup-code',
}

const addressOf = (type: 'email' | 'phone', value: string): SubjectIdentifier =>
  type === 'email' ? { format: 'email', email: value } : { format: 'phone_number', phone_number: `+${value}` }

/** The scope without which a receiver is not told of a change. */
export const scopeNeeded = (signal: UserSignal): string | undefined =>
  signal.kind === 'identifier' ? signal.details.type : undefined

/**
 * The event, or undefined where a receiver is told nothing.
 * @param user how the receiver is told of the user @param at when it happened @param claims of the user now, for a change of roles and organizations
 */
export const contentOf = (
  signal: UserSignal,
  user: SubjectIdentifier,
  at: Date,
  claims: Claims,
): SignalContent | undefined => {
  const event_timestamp = toNumericDate(at)
  switch (signal.kind) {
    case 'session':
    case 'grant':
      if (signal.sessionId === null) return undefined
      return {
        event: 'session-revoked',
        subject: { format: 'complex', user, session: { format: 'opaque', id: signal.sessionId } },
        payload: { event_timestamp },
      }
    case 'disabled':
      return { event: 'account-disabled', subject: user, payload: {} }
    case 'enabled':
      return { event: 'account-enabled', subject: user, payload: {} }
    case 'purged':
      return { event: 'account-purged', subject: user, payload: {} }
    case 'credential': {
      const { type, change, name } = signal.details
      return {
        event: 'credential-change',
        subject: user,
        payload: {
          credential_type: CREDENTIAL_TYPES[type] ?? type,
          change_type: change,
          ...(name ? { friendly_name: name } : {}),
          event_timestamp,
        },
      }
    }
    case 'identifier': {
      // the subject is the identifier itself, as it was (RISC section 2.5)
      const { type, before, after } = signal.details
      const value = after === null ? {} : { 'new-value': type === 'phone' ? `+${after}` : after }
      return { event: 'identifier-changed', subject: addressOf(type, before), payload: value }
    }
    case 'roles':
    case 'organizations':
      if (Object.keys(claims).length === 0) return undefined
      return { event: 'token-claims-change', subject: user, payload: { claims, event_timestamp } }
  }
}
