/** JSON request bodies, read strictly: UTF-8, no `__proto__`, no NUL, no lone surrogates, no deep nesting. */
import { ApiError } from '../kernel/api-error.ts'

const DEEPEST = 64

const invalid = (reason: string) => new ApiError('guard.invalid_input', { reason })
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Refuses strings that PostgreSQL cannot store or that are not Unicode. */
export const assertText = (text: string, where: string): void => {
  if (text.includes('\0')) throw invalid(`${where} contains a NUL character`)
  if (!text.isWellFormed()) throw invalid(`${where} contains half of a surrogate pair`)
}

const assertSafe = (value: unknown, path: string, depth: number): void => {
  if (typeof value === 'string') assertText(value, path || 'the body')
  if (typeof value !== 'object' || value === null) return
  if (depth > DEEPEST) throw invalid(`the body is nested deeper than ${DEEPEST} levels`)
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') throw invalid('the body contains the key "__proto__"')
    assertText(key, `a key in ${path || 'the body'}`)
    assertSafe(inner, `${path}/${key}`, depth + 1)
  }
}

/** Throws ApiError 415 for a content type that is not JSON. */
export const assertJsonType = (contentType: string | undefined): void => {
  if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType ?? ''))
    throw new ApiError('request.unsupported_media_type', { expected: 'application/json' })
}

/**
 * Parses the body of a JSON request.
 * Throws ApiError: 415 without a JSON content type, 400 for anything that is not valid JSON.
 */
export const parseJsonBody = (body: Buffer | undefined, contentType: string | undefined): unknown => {
  if (!body || body.length === 0) {
    if (contentType === undefined) return undefined
    throw invalid('the body is empty')
  }
  assertJsonType(contentType)
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(body))
  } catch (error) {
    const reason = error instanceof TypeError ? 'the body is not valid UTF-8' : 'the body is not valid JSON'
    throw new ApiError('guard.invalid_input', { reason }, { cause: error })
  }
  assertSafe(value, '', 1)
  return value
}
