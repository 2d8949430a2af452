/** Reads a provider's response: whether it accepted the message and, if not, the kind of failure. */
import type { Outcome, Place } from '../domain/delivery/providers/provider.ts'
import type { OutboundAnswer } from '../kernel/outbound.ts'
import { MessageFailure, type MessageFailureKind } from './message-failure.ts'

const LONGEST_LOGGED = 1000

const inJson = (text: string, pointer: string): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The value at a place in the response, as text. */
const found = ({ headers, body }: OutboundAnswer, place: Place): string | undefined => {
  if (place.startsWith('/')) {
    const value = inJson(body.toString('utf8'), place)
    return value === undefined || value === null ? undefined : String(value)
  }
  if (place.startsWith('<')) {
    const [, inner] = body.toString('utf8').split(place)
    return inner?.split('<')[0]
  }
  // AWS appends the URL of its documentation after a colon
  return String(headers[place] ?? '').split(':')[0]
}

const kindOfStatus = (status: number): MessageFailureKind => {
  if (status === 401 || status === 403) return 'login'
  if (status === 408) return 'timeout'
  if (status === 409 || status === 425 || status === 429) return 'limit'
  if (status === 400 || status === 413 || status === 422) return 'message'
  return status >= 500 ? 'fault' : 'protocol'
}

/** Failures for which every further attempt would be refused too. */
const FINAL: ReadonlySet<MessageFailureKind> = new Set(['recipient', 'message'])

const isTaken = (answer: OutboundAnswer, { statuses, success }: Outcome): boolean => {
  const isStatus = statuses ? statuses.includes(answer.status) : answer.status >= 200 && answer.status < 300
  return isStatus && (!success || success.values.includes(found(answer, success.place) ?? ''))
}

/** The text without these values, in any encoding in which they were sent. */
const without = (text: string, hidden: readonly string[]): string => {
  const forms = hidden
    // shorter values occur in any text
    .filter((value) => value.length >= 4)
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
  return [...new Set(forms)]
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, form) => left.replaceAll(form, '[hidden]'), text)
}

/**
 * Throws MessageFailure unless the provider accepted the message. Its cause has the status, the provider's error code and the
 * beginning of the response, for the log.
 * @param hidden secrets and codes, which are removed from it
 */
export const assertTaken = (answer: OutboundAnswer, outcome: Outcome, hidden: readonly string[]): void => {
  if (isTaken(answer, outcome)) return
  const code = outcome.code === undefined ? undefined : found(answer, outcome.code)
  const { failures = {} } = outcome
  const named = code !== undefined && Object.hasOwn(failures, code) ? failures[code] : undefined
  // a success status with a body that reports no success
  const kind = named ?? (answer.status < 300 ? 'protocol' : kindOfStatus(answer.status))
  const said = without(answer.body.toString('utf8'), hidden).slice(0, LONGEST_LOGGED)
  const cause = new Error(`answered ${answer.status}${code ? ` with the error ${code}` : ''}: ${said}`)
  throw new MessageFailure('the provider', kind, FINAL.has(kind), { cause })
}
