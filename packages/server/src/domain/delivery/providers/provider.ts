/** What a provider that is spoken to by HTTP is: a request with placeholders, and how its answer is read. All of it is data. */
import type { ConnectorKind } from '@countersign/contract/connector-configs.ts'

/**
 * Placeholders are `{{config.<member>}}`, and of the message `to` (a phone number with +), `digits` (without), `subject`,
 * `text`, `html`, `from` (`Name <address>`), `fromEmail`, `fromName`, `replyTo`, `id` (the same at each attempt), `type`,
 * `locale`, and the variables of its text.
 */
export interface RequestTemplate {
  /** Scheme and host, unless the connector has an `endpoint` of its own. */
  readonly origin: string
  readonly path?: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers?: Readonly<Record<string, string>>
  readonly contentType?: string
  /** A text, or an object, of which members without a value are left out. */
  readonly body?: string | Readonly<Record<string, unknown>>
  /** RFC 7617. */
  readonly basic?: { readonly user: string; readonly password: string }
  /** The AWS service that the request is signed for, with `config.region`, `.accessKeyId` and `.accessKeySecret`. */
  readonly aws?: string
}

/** Where an answer says something: a JSON pointer (`/code`), an XML element (`<Code>`), or the name of a header. */
export type Place = string

/** What became of a message that was not taken; the sentences are in `events/message-failure.ts`. */
export type ProviderFailure = 'login' | 'sender' | 'recipient' | 'message' | 'limit' | 'fault'

/** How success and the kinds of failure are told. */
export interface Outcome {
  /** Default: 200 to 299. */
  readonly statuses?: readonly number[]
  /** What must stand somewhere in the answer beside. */
  readonly success?: { readonly place: Place; readonly values: readonly string[] }
  /** Where the provider names its error. */
  readonly code?: Place
  /** By that name; an error that is not here is judged by the status. */
  readonly failures?: Readonly<Record<string, ProviderFailure>>
}

export interface Provider {
  readonly id: ConnectorKind
  readonly type: 'Email' | 'Sms'
  readonly target: string
  readonly name: string
  readonly description: string
  readonly readme: string
  /** A configuration to begin with. */
  readonly example: Readonly<Record<string, unknown>>
  readonly request: RequestTemplate
  readonly outcome: Outcome
}
