/**
 * Names the members of a request body that its schema does not have, for the header `Ignored-Members` (DECISIONS N2).
 */

/** Names in one response. */
const MOST = 20
/** Characters of the header, well below what proxies take. */
const LONGEST = 1024
const AND_MORE = '...'

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

/**
 * A JSON pointer in its URI form (RFC 6901 section 6). The name of a member, which the caller chooses, ends up in
 * a header: percent-encoding removes line breaks, commas, quotes and non-ASCII characters.
 */
const pointer = (path: readonly string[]): string =>
  path.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

function* missing(sent: Members, read: Members, path: readonly string[]): Generator<string, void> {
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(read, name)) {
      yield pointer([...path, name])
      continue
    }
    const kept = read[name]
    if (isObject(value) && isObject(kept)) yield* missing(value, kept, [...path, name])
  }
}

/**
 * The value of the header: JSON pointers in their URI form, separated by commas, in the order of the body. At most 20 and
 * 1,024 characters; `...` at the end says that there are more. Names only, never values. Undefined when nothing is ignored.
 * @param sent the body as received, valid JSON
 * @param read what its schema keeps of it
 */
export const ignoredMembers = (sent: unknown, read: unknown): string | undefined => {
  if (!isObject(sent) || !isObject(read)) return undefined
  const names: string[] = []
  let length = AND_MORE.length
  for (const name of missing(sent, read, [])) {
    length += name.length + 2
    if (names.length === MOST || length > LONGEST) return [...names, AND_MORE].join(', ')
    names.push(name)
  }
  return names.length > 0 ? names.join(', ') : undefined
}
