/** `application/x-www-form-urlencoded`, read strictly: nothing is guessed, dropped or merged (SECURITY R-37). */
import type { Exchange } from './exchange.ts'

/** The parameters of a form or a query, in order; a name may come several times. */
export type Parameters = ReadonlyMap<string, readonly string[]>

/** Input that the encoding does not allow; the message completes "the request …". */
export class MalformedParameters extends Error {}

const MOST = 1000

const decode = (text: string): string => {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw new MalformedParameters('contains a percent-encoding that is not valid UTF-8')
  }
}

/** Parses the text of a form or query. Throws MalformedParameters for bad encodings, NUL characters, too many names. */
export const parseParameters = (text: string): Parameters => {
  const parameters = new Map<string, string[]>()
  if (text === '') return parameters
  const pairs = text.split('&')
  if (pairs.length > MOST) throw new MalformedParameters(`has more than ${MOST} parameters`)
  for (const pair of pairs) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (name.includes('\0') || value.includes('\0')) throw new MalformedParameters('contains a NUL character')
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** Whether a body is declared to be a form. @param contentType the header */
export const isFormType = (contentType: string | undefined): boolean => FORM.test(contentType ?? '')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text of a body; throws MalformedParameters when it is not UTF-8. */
export const decodeUtf8 = (body: Uint8Array): string => {
  try {
    return utf8.decode(body)
  } catch {
    throw new MalformedParameters('is not valid UTF-8')
  }
}

/** The parameters of a form; undefined for a body of another type. Throws MalformedParameters. */
export const formParameters = ({ headers, body }: Pick<Exchange, 'headers' | 'body'>): Parameters | undefined => {
  if (!isFormType(headers['content-type'])) return undefined
  return body ? parseParameters(decodeUtf8(body)) : new Map()
}
