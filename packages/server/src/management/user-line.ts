/** A line of an import, read as the JSON of a user: for the Management API and for the command line. */
import type { UserLine, UserLineFields } from '@countersign/contract/user-line.ts'
import { type ImportedUser, importedUser, type RefusedLine, refusedLine } from '../domain/setup/user-import.ts'
import { parseJsonBody } from '../http/json-body.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { StrictReader } from '../kernel/strict-schema.ts'

type Reader = StrictReader<typeof UserLine>

/** Throws ApiError unless it is the JSON of a user. */
const fieldsOf = (bytes: Buffer, reader: Reader): UserLineFields => {
  const value = parseJsonBody(bytes, 'application/json')
  if (reader.fits(value)) return value
  const issues = reader.issues(value).map(({ path, reason }) => `${path.slice(1) || 'the line'} ${reason}`)
  throw new ApiError('guard.invalid_input', { reason: issues.join('; ') })
}

/** The refusals of a body, said of a line. */
const worded = (error: ApiError): ApiError => {
  const reason = error.data?.reason
  if (error.code === 'request.body_too_large') return error
  return typeof reason === 'string'
    ? new ApiError(error.code, { ...error.data, reason: reason.replaceAll('the body', 'the line') })
    : error
}

/**
 * The user of a line, or why it is refused. Does not check whether an identifier is taken.
 * @param bytes throws ApiError where the line cannot be read at all
 */
export const readUserLine = async (
  number: number,
  bytes: () => Buffer,
  reader: Reader,
): Promise<ImportedUser | RefusedLine> => {
  try {
    return await importedUser(number, fieldsOf(bytes(), reader))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusedLine(number, worded(error))
  }
}

export const isRefused = (read: ImportedUser | RefusedLine): read is RefusedLine => 'code' in read
