/** A provider that is reached over HTTP, as data: a request with placeholders, and how its response is read. */
import type { MessageKind } from '@countersign/contract/connector-configs.ts'

/**
 * Placeholders are `{{config.<member>}}`, and of the message `to` (a phone number with +), `digits` (without), `subject`,
 * `text`, `html`, `from` (`Name <address>`), `fromEmail`, `fromName`, `replyTo`, `id` (the same for every attempt), `type`,
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

/** A place in a response: a JSON pointer (`/code`), an XML element (`<Code>`), or the name of a header. */
export type Place = string

/** Why a message was not accepted; the sentences are in `events/message-failure.ts`. */
export type ProviderFailure = 'login' | 'sender' | 'recipient' | 'message' | 'limit' | 'fault'

/** How success and the kinds of failure are recognized. */
export interface Outcome {
  /** Default: 200 to 299. */
  readonly statuses?: readonly number[]
  /** A value that the response must have besides. */
  readonly success?: { readonly place: Place; readonly values: readonly string[] }
  /** The place of the provider's error code. */
  readonly code?: Place
  /** By error code; for others the status decides. */
  readonly failures?: Readonly<Record<string, ProviderFailure>>
}

export interface Provider {
  readonly id: MessageKind
  readonly type: 'Email' | 'Sms'
  readonly target: string
  readonly name: string
  readonly description: string
  readonly readme: string
  /** An example configuration. */
  readonly example: Readonly<Record<string, unknown>>
  readonly request: RequestTemplate
  readonly outcome: Outcome
}
