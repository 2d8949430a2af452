/** Bodies of uploads: multipart/form-data (RFC 7578) with a file in the field `file`, and, of forms of pages, the fields before it. */
import { LARGEST_UPLOAD } from '@countersign/contract/user-assets.ts'
import type { Busboy } from '@fastify/busboy'
import { ApiError } from '../kernel/api-error.ts'
import { lazyLibrary } from '../kernel/lazy-library.ts'
import { ANONYMOUS_BODY_LIMIT } from './exchange.ts'

const library = lazyLibrary<{ Busboy: typeof Busboy }>('@fastify/busboy')

/** The file and what is around it. */
export const UPLOAD_BODY_LIMIT = LARGEST_UPLOAD + ANONYMOUS_BODY_LIMIT

const FIELD = 'file'
/** Bytes of the header of a part, and how many lines it may have. */
const [HEADER_BYTES, HEADER_LINES] = [2048, 10]
/** Bytes of a field beside the file. */
const FIELD_BYTES = 1024

const refused = (reason: string) => new ApiError('guard.invalid_input', { reason })
const notAlone = () => refused(`the body has to consist of one part, a file in the field "${FIELD}"`)

/** Whether a body is declared to be an upload. */
export const isUploadType = (contentType: string | undefined): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(contentType ?? '')

/** Throws ApiError 415 for a content type other than that of an upload. */
export const assertUploadType = (contentType: string | undefined): void => {
  if (!isUploadType(contentType))
    throw new ApiError('request.unsupported_media_type', { expected: 'multipart/form-data' })
}

interface Upload {
  readonly file: Buffer
  readonly fields: ReadonlyMap<string, string>
}

/**
 * The file of an upload, and the fields beside it. The name and type in its part are ignored. Throws ApiError: 415 for another content
 * type; 400 `guard.file_size_exceeded`; 400 for anything but one whole file in its field, and the named fields once each.
 * @param limit the largest file, in bytes
 * @param names of fields that may come with it
 */
export const parseUpload = (
  body: Buffer | undefined,
  contentType: string | undefined,
  limit: number,
  names: readonly string[] = [],
): Promise<Upload> =>
  new Promise((resolve, reject) => {
    assertUploadType(contentType)
    if (!body || body.length === 0) throw refused('the body is empty')
    const header = { headerSize: HEADER_BYTES, headerPairs: HEADER_LINES }
    const limits = { fileSize: limit, parts: 2 + names.length, files: 2, fieldSize: FIELD_BYTES, ...header }
    const parser = new (library().Busboy)({ headers: { 'content-type': contentType ?? '' }, limits })
    const chunks: Buffer[] = []
    const fields = new Map<string, string>()
    let files = 0
    parser.on('file', (field, stream) => {
      files += 1
      if (field !== FIELD || files > 1) {
        reject(notAlone())
        stream.resume()
        return
      }
      stream.on('limit', () => reject(new ApiError('guard.file_size_exceeded', { limit: String(limit) })))
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('error', () => reject(refused('the body ends in the middle of the file')))
    })
    parser.on('field', (name, value) => {
      if (names.includes(name) && !fields.has(name)) fields.set(name, value)
      else reject(notAlone())
    })
    parser.on('partsLimit', () => reject(notAlone()))
    parser.on('error', () => reject(refused('the body is not valid multipart/form-data')))
    parser.on('finish', () => {
      const file = Buffer.concat(chunks)
      if (files === 0) reject(notAlone())
      else if (file.length === 0) reject(refused('the file is empty'))
      else resolve({ file, fields })
    })
    parser.end(body)
  }).catch((error: unknown) => {
    // the parser refuses a header without a boundary at construction
    throw error instanceof ApiError ? error : refused('the content type has no boundary')
  }) as Promise<Upload>
