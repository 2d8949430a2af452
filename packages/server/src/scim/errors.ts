/** Errors of the SCIM endpoints in the form of RFC 7644 section 3.12. One of the places that render errors. */
import { apiErrorOf } from '../http/api-errors.ts'
import { type Answer, jsonAnswer } from '../http/exchange.ts'
import type { ApiError } from '../kernel/api-error.ts'
import type { Log } from '../kernel/log.ts'

/** RFC 7644 section 3.12 table 9, and RFC 9865 section 2.1. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor'
  | 'invalidCount'

/** A refusal in terms of SCIM. @param message the `detail`, shown to the caller */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  /** Seconds. */
  readonly retryAfter: number | undefined
  constructor(status: number, scimType: ScimType | undefined, message: string, retryAfter?: number) {
    super(message)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
    this.retryAfter = retryAfter
  }
}

/** 400 of this kind. */
export const refused = (scimType: ScimType, message: string): ScimError => new ScimError(400, scimType, message)

/** 429 (RFC 6585 section 4). @param retryAfter seconds */
export const tooManyRequests = (retryAfter: number): ScimError =>
  new ScimError(429, undefined, 'The directory has sent too many requests. Send more of them later.', retryAfter)

export const CONTENT_TYPE = 'application/scim+json'
const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The meaning of the API's errors about identifiers for a directory. */
const DETAILS: Readonly<Record<string, string>> = {
  'user.identity_already_in_use':
    'A former user of the directory with another externalId had this name or address; an administrator has to delete that account first.',
  'entity.unique_integrity_violation': 'The directory already has one with this name.',
  'user.email_already_in_use':
    'A user with this email address already exists and does not belong to this directory, which may not link it.',
  'user.username_already_in_use': 'A user with this username already exists and does not belong to this directory.',
  'user.phone_already_in_use': 'A user with this phone number already exists and does not belong to this directory.',
}

const scimTypeOf = ({ status, code }: ApiError): ScimType | undefined => {
  if (code === 'request.invalid_input') return 'invalidSyntax'
  if (status === 400 || code === 'user.invalid_phone') return 'invalidValue'
  return undefined
}

/** Any error as a SCIM error; an unknown one does not reveal its cause. */
export const scimErrorOf = (error: unknown): ScimError => {
  if (error instanceof ScimError) return error
  const failure = apiErrorOf(error)
  const { code, status, sentence } = failure
  const detail = DETAILS[code]
  if (detail !== undefined) return new ScimError(409, 'uniqueness', detail)
  const scimType = scimTypeOf(failure)
  return new ScimError(status === 422 ? 400 : status, status === 422 ? 'invalidValue' : scimType, sentence)
}

/** The body of an error, as Bulk embeds it. */
export const errorBody = ({ status, scimType, message }: ScimError) => ({
  schemas: [SCHEMA],
  status: String(status),
  ...(scimType === undefined ? {} : { scimType }),
  detail: message,
})

/** Renders any error; one that is not a refusal is logged with the request id. */
export const renderScimError =
  (log: Log) =>
  (error: unknown, { requestId }: { readonly requestId: string }): Answer => {
    const failure = scimErrorOf(error)
    if (failure.status >= 500 && !(error instanceof ScimError) && apiErrorOf(error).code === 'server.error')
      log.error({ requestId, err: error }, 'a SCIM request failed')
    return jsonAnswer(failure.status, errorBody(failure), {
      'content-type': CONTENT_TYPE,
      'cache-control': 'no-store',
      ...(failure.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(failure.retryAfter === undefined ? {} : { 'retry-after': String(failure.retryAfter) }),
      ...(failure.status === 503 ? { 'retry-after': '1' } : {}),
    })
  }
