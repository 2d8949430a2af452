/** The error of the client: what the Management API answered instead of success. */
import { API_ERRORS, type ApiErrorCode } from './errors.ts'

/** The JSON object that the text is; empty for any other text. */
export const objectOf = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** An answer that is not one of success (DECISIONS B2). Its message is for logs: the operation, the status, code and sentence. */
export class ManagementApiError extends Error {
  override readonly name = 'ManagementApiError'
  /** The status of the answer. */
  readonly status: number
  /** Which error it is; undefined for an answer that is not of this API, such as a proxy's. */
  readonly code: ApiErrorCode | undefined
  /** What the error says beside its sentence: ids, limits, the issues of an invalid body. */
  readonly data: Readonly<Record<string, unknown>> | undefined
  /** Finds the request in the log of the server. */
  readonly requestId: string | undefined

  /** @param operation method and path @param text the body of the answer */
  constructor(operation: string, status: number, text: string) {
    const { code, message, data, requestId } = objectOf(text)
    const known = typeof code === 'string' && Object.hasOwn(API_ERRORS, code) ? (code as ApiErrorCode) : undefined
    super(`${operation} answered ${status}${known === undefined ? '' : ` ${known}: ${String(message)}`}`)
    this.status = status
    this.code = known
    this.data = typeof data === 'object' && data !== null ? { ...data } : undefined
    this.requestId = typeof requestId === 'string' ? requestId : undefined
  }
}
