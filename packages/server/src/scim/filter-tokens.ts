/** Splits the text of a filter or a path into words, marks and values. */
import { refused } from './errors.ts'

export type Token =
  | { readonly is: 'word'; readonly text: string }
  | { readonly is: 'mark'; readonly text: string }
  | { readonly is: 'value'; readonly value: string | number | boolean | null }

const NEXT = /\s*(?:("(?:[^"\\]|\\.)*")|([()[\]])|([^\s()[\]"]+))/y
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const WORD = /^\.?[A-Za-z$][\w$.:-]*$/

const invalid = (message: string) => refused('invalidFilter', `The filter ${message}.`)

const stringOf = (text: string): string => {
  let value: string
  try {
    value = JSON.parse(text) as string
  } catch {
    throw invalid('has a string that is not JSON')
  }
  // an escape can stand for what PostgreSQL cannot store
  if (value.includes('\0') || !value.isWellFormed())
    throw invalid('has a string with a NUL character or half of a surrogate pair')
  return value
}

const tokenOf = (text: string): Token => {
  const literal = LITERALS.get(text.toLowerCase())
  if (literal !== undefined) return { is: 'value', value: literal }
  if (NUMBER.test(text)) return { is: 'value', value: Number(text) }
  if (!WORD.test(text)) throw invalid(`has an unexpected ${JSON.stringify(text.slice(0, 100))}`)
  return { is: 'word', text }
}

/** Throws 400 `invalidFilter` for an invalid token. */
export const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = []
  const trimmed = text.trimEnd()
  NEXT.lastIndex = 0
  while (NEXT.lastIndex < trimmed.length) {
    const [, quoted, mark, word = ''] = NEXT.exec(trimmed) ?? []
    if (NEXT.lastIndex === 0) throw invalid('has an unterminated string')
    if (quoted !== undefined) tokens.push({ is: 'value', value: stringOf(quoted) })
    else tokens.push(mark === undefined ? tokenOf(word) : { is: 'mark', text: mark })
  }
  return tokens
}
