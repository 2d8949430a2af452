/** Bodies of uploads: multipart/form-data (RFC 7578) with a file in the field `file`, and, of forms of pages, the fields beside it. */
import { LARGEST_UPLOAD } from '@countersign/contract/user-assets.ts'
import type { Busboy } from '@fastify/busboy'
import { ApiError } from '../kernel/api-error.ts'
import { lazyLibrary } from '../kernel/lazy-library.ts'
import { ANONYMOUS_BODY_LIMIT } from './exchange.ts'
import { MalformedParameters, type Parameters } from './parameters.ts'

const library = lazyLibrary<{ Busboy: typeof Busboy }>('@fastify/busboy')

/** The file and what is around it. */
export const UPLOAD_BODY_LIMIT = LARGEST_UPLOAD + ANONYMOUS_BODY_LIMIT

const FIELD = 'file'
/** Bytes of the header of a part, and how many lines it may have. */
const [HEADER_BYTES, HEADER_LINES] = [2048, 10]
/** Bytes of a field beside the file, and how many there are at most. */
const [FIELD_BYTES, MOST_FIELDS] = [16 * 1024, 200]
const LONGEST_NAME = 512

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
  /** Empty where a form was sent without one. */
  readonly file: Buffer
  readonly fields: ReadonlyMap<string, string>
}

/** @param takes whether a field of this name may come beside the file, once */
const parse = (
  body: Buffer | undefined,
  contentType: string | undefined,
  limit: number,
  takes: (name: string) => boolean,
): Promise<Upload> =>
  new Promise((resolve, reject) => {
    assertUploadType(contentType)
    if (!body || body.length === 0) throw refused('the body is empty')
    const header = { headerSize: HEADER_BYTES, headerPairs: HEADER_LINES }
    const ofFields = { parts: MOST_FIELDS, fieldNameSize: LONGEST_NAME, fieldSize: FIELD_BYTES }
    const limits = { fileSize: limit, files: 2, ...ofFields, ...header }
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
    parser.on('field', (name, value, isNameCut, isCut) => {
      if (takes(name) && !fields.has(name) && !isNameCut && !isCut) fields.set(name, value)
      else reject(notAlone())
    })
    parser.on('partsLimit', () => reject(notAlone()))
    parser.on('error', () => reject(refused('the body is not valid multipart/form-data')))
    parser.on('finish', () => {
      if (files === 0) reject(notAlone())
      else resolve({ file: Buffer.concat(chunks), fields })
    })
    parser.end(body)
  }).catch((error: unknown) => {
    // the parser refuses a header without a boundary at construction
    throw error instanceof ApiError ? error : refused('the content type has no boundary')
  }) as Promise<Upload>

/**
 * The file of an upload, and the fields beside it. The name and type in its part are ignored. Throws ApiError: 415 for another content
 * type; 400 `guard.file_size_exceeded`; 400 for anything but one whole file in its field, and the named fields once each.
 * @param limit the largest file, in bytes
 * @param names of fields that may come with it
 */
export const parseUpload = async (
  body: Buffer | undefined,
  contentType: string | undefined,
  limit: number,
  names: readonly string[] = [],
): Promise<Upload> => {
  const upload = await parse(body, contentType, limit, (name) => names.includes(name))
  if (upload.file.length === 0) throw refused('the file is empty')
  return upload
}

/**
 * A form in which a file may be chosen: its fields, each once, and the file, undefined if none was. Throws as parseUpload, and
 * MalformedParameters for NUL characters.
 */
export const parseUploadForm = async (
  body: Buffer | undefined,
  contentType: string | undefined,
  limit: number,
): Promise<{ readonly file: Buffer | undefined; readonly fields: Parameters }> => {
  const { file, fields } = await parse(body, contentType, limit, () => true)
  if ([...fields].some((pair) => pair.join('').includes('\0')))
    throw new MalformedParameters('contains a NUL character')
  return {
    file: file.length > 0 ? file : undefined,
    fields: new Map([...fields].map(([name, value]) => [name, [value]])),
  }
}
