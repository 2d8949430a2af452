/** Shared Signals (OpenID Shared Signals Framework 1.0): which events a receiver may have, and the setting that makes an application one. */
import Type from 'typebox'
import { OneOf } from './schema.ts'

/** What an operator calls each type of event → its identifier in security event tokens (CAEP 1.0 section 3, RISC 1.0 section 2). */
export const SIGNAL_EVENTS = {
  'session-revoked': 'https://schemas.openid.net/secevent/caep/event-type/session-revoked',
  'credential-change': 'https://schemas.openid.net/secevent/caep/event-type/credential-change',
  'token-claims-change': 'https://schemas.openid.net/secevent/caep/event-type/token-claims-change',
  'account-disabled': 'https://schemas.openid.net/secevent/risc/event-type/account-disabled',
  'account-enabled': 'https://schemas.openid.net/secevent/risc/event-type/account-enabled',
  'account-purged': 'https://schemas.openid.net/secevent/risc/event-type/account-purged',
  'identifier-changed': 'https://schemas.openid.net/secevent/risc/event-type/identifier-changed',
} as const

export type SignalEvent = keyof typeof SIGNAL_EVENTS
export const SIGNAL_EVENT_NAMES = Object.keys(SIGNAL_EVENTS) as SignalEvent[]

/** How receivers are told of users (RFC 9493). */
export const SUBJECT_FORMATS = ['iss_sub', 'email', 'opaque'] as const
/** Of whom a receiver hears before it adds or removes anyone (Shared Signals Framework section 8.1.3). */
export const DEFAULT_SUBJECTS = ['ALL', 'NONE'] as const

/** A member of an application's `customClientMetadata`. */
export const SharedSignals = Type.Object(
  {
    events: Type.Array(OneOf(SIGNAL_EVENT_NAMES), {
      minItems: 1,
      maxItems: SIGNAL_EVENT_NAMES.length,
      uniqueItems: true,
      description: 'The events that it may have',
    }),
    defaultSubjects: Type.Optional(
      OneOf(DEFAULT_SUBJECTS, {
        description:
          'ALL, by default: the users who have a grant with it, except those that it removes. NONE: only the users that it adds',
      }),
    ),
    subjectFormat: Type.Optional(
      OneOf(SUBJECT_FORMATS, {
        description:
          'How it is told of users (RFC 9493): iss_sub, by default, and opaque by the sub of its ID tokens; email by the address, where the user has one',
      }),
    ),
  },
  {
    description:
      'Makes a confidential application a receiver of Shared Signals: it may get access tokens with ssf.read and ssf.manage by client_credentials, and keep a stream of security event tokens about its users. None by default',
  },
)
