/** The parser of filters: the whole grammar of RFC 7644 section 3.4.2.2, with limits on length and depth. */
import { refused, type ScimError } from './errors.ts'
import { type Token, tokensOf } from './filter-tokens.ts'

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof OPERATORS)[number]
export type FilterValue = string | number | boolean | null

export type Filter =
  | { readonly is: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly is: 'not'; readonly filter: Filter }
  | { readonly is: 'present'; readonly path: string }
  | { readonly is: 'compared'; readonly path: string; readonly operator: Operator; readonly value: FilterValue }
  /** `emails[type eq "work"]`: one value that satisfies the whole filter. */
  | { readonly is: 'valued'; readonly path: string; readonly filter: Filter }

/** Characters. */
const LONGEST = 8192
const MOST_TERMS = 100
const DEEPEST = 20

const invalid = (message: string): ScimError => refused('invalidFilter', `The filter ${message}.`)

const isOperator = (word: string): word is Operator => (OPERATORS as readonly string[]).includes(word)

/** Reads tokens from the left; the caller handles the rest. */
export class FilterParser {
  readonly #tokens: readonly Token[]
  readonly #mostTerms: number
  #at = 0
  #terms = 0

  constructor(tokens: readonly Token[], mostTerms: number) {
    this.#tokens = tokens
    this.#mostTerms = mostTerms
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #isWord(word: string): boolean {
    const token = this.#peek()
    return token?.is === 'word' && token.text.toLowerCase() === word
  }

  #take(mark: string): void {
    const token = this.#tokens[this.#at]
    if (token?.is !== 'mark' || token.text !== mark) throw invalid(`lacks "${mark}"`)
    this.#at += 1
  }

  /** Terms joined by `or`, which binds less than `and`. */
  or(depth: number): Filter {
    if (depth > DEEPEST) throw invalid(`is nested deeper than ${DEEPEST} levels`)
    let left = this.#and(depth)
    while (this.#isWord('or')) {
      this.#at += 1
      left = { is: 'or', left, right: this.#and(depth) }
    }
    return left
  }

  #and(depth: number): Filter {
    let left = this.#term(depth)
    while (this.#isWord('and')) {
      this.#at += 1
      left = { is: 'and', left, right: this.#term(depth) }
    }
    return left
  }

  #within(open: string, close: string, depth: number): Filter {
    this.#take(open)
    const filter = this.or(depth + 1)
    this.#take(close)
    return filter
  }

  #term(depth: number): Filter {
    this.#terms += 1
    if (this.#terms > this.#mostTerms) throw invalid(`has more than ${this.#mostTerms} terms`)
    const token = this.#peek()
    if (token?.is === 'mark' && token.text === '(') return this.#within('(', ')', depth)
    if (token?.is !== 'word') throw invalid('lacks an attribute')
    this.#at += 1
    const next = this.#peek()
    if (token.text.toLowerCase() === 'not' && next?.is === 'mark' && next.text === '(')
      return { is: 'not', filter: this.#within('(', ')', depth) }
    if (next?.is === 'mark' && next.text === '[') return this.#valued(token.text, depth)
    return this.#comparison(token.text)
  }

  /** `emails[…]`, and a form that clients send although the grammar lacks it: `emails[…].value eq "x"`. */
  #valued(path: string, depth: number): Filter {
    const filter = this.#within('[', ']', depth)
    const next = this.#peek()
    if (next?.is !== 'word' || !next.text.startsWith('.')) return { is: 'valued', path, filter }
    this.#at += 1
    return { is: 'valued', path, filter: { is: 'and', left: filter, right: this.#comparison(next.text.slice(1)) } }
  }

  #comparison(path: string): Filter {
    const token = this.#peek()
    const operator = token?.is === 'word' ? token.text.toLowerCase() : ''
    this.#at += 1
    if (operator === 'pr') return { is: 'present', path }
    if (!isOperator(operator)) throw invalid(`has no operator after ${path.slice(0, 100)}`)
    const value = this.#peek()
    this.#at += 1
    if (value?.is === 'value') return { is: 'compared', path, operator, value: value.value }
    throw invalid(`has no value after ${operator}`)
  }
}

/** Parses a filter. Throws 400 `invalidFilter`. Does not check that the attributes exist: the evaluation does. */
export const parseFilter = (text: string): Filter => {
  if (text.length > LONGEST) throw invalid(`is longer than ${LONGEST} characters`)
  const parser = new FilterParser(tokensOf(text), MOST_TERMS)
  const filter = parser.or(0)
  if (!parser.isAtEnd) throw invalid('continues after its end')
  return filter
}

/** The attributes that a filter names, except those in brackets. */
export const pathsOf = (filter: Filter): string[] => {
  switch (filter.is) {
    case 'and':
    case 'or':
      return [...pathsOf(filter.left), ...pathsOf(filter.right)]
    case 'not':
      return pathsOf(filter.filter)
    default:
      return [filter.path]
  }
}
