/** An error of the Management API: a code from the catalogue, what the caller may see, and what is for the log only. */
import { API_ERRORS, type ApiErrorCode, statusesOf } from '@countersign/contract/errors.ts'
import { filled } from './sentences.ts'

/**
 * @param data sent to the caller: it fills the placeholders of the public sentence and is shown as `data`
 * @param options.cause for the log only
 * @param options.isOther for a code with two meanings: the one with the other status
 */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly data: Readonly<Record<string, unknown>> | undefined
  readonly status: number

  constructor(
    code: ApiErrorCode,
    data?: Readonly<Record<string, unknown>>,
    options?: { cause?: unknown; isOther?: true },
  ) {
    super(code, options)
    this.name = 'ApiError'
    this.code = code
    this.data = data
    this.status = statusesOf(code)[options?.isOther ? 1 : 0] ?? API_ERRORS[code][0]
  }

  /** The catalogue's sentence with its placeholders filled. */
  get sentence(): string {
    return filled(API_ERRORS[this.code][1], this.data)
  }
}

/** Unknown id of an entity: 404 naming both. */
export const notFound = (entity: string, id: string): ApiError =>
  new ApiError('entity.not_exists_with_id', { entity, id })
