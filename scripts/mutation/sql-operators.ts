/**
 * Mutants inside the text of SQL: conditions dropped, comparisons flipped, locks removed. A condition stays in the text
 * as `(condition OR true)`, so that its parameters keep their positions and types.
 */

/** Offset within the given text. */
export interface SqlChange {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Stands for interpolated values; of the same length. */
export const PLACEHOLDER = '¤'

const TOKEN = /--.*$|'(?:[^']|'')*'|"[^"]*"|¤+|\$\d+|\w+|<>|<=|>=|!=|::|->>|->|@>|\|\||[^\s\w]/gm

const BEGINS: ReadonlySet<string> = new Set(['WHERE', 'AND', 'OR', 'ON', 'HAVING', '('])
const ENDS: ReadonlySet<string> = new Set(
  `AND OR ORDER GROUP RETURNING LIMIT OFFSET FOR ON UNION FROM JOIN LEFT INNER CROSS WHERE THEN ELSE END HAVING SET DO SELECT
  AS ASC DESC , ;`.split(/\s+/),
)

const FLIPS: ReadonlyMap<string, string> = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['<>', '='],
  ['!=', '='],
  ['DESC', 'ASC'],
  ['TRUE', 'false'],
  ['FALSE', 'true'],
])

interface Level {
  /** The word that began the current condition. */
  begun?: { readonly by: string; readonly at: number }
  isBetween: boolean
}

const tokensOf = (text: string): Token[] =>
  [...text.matchAll(TOKEN)]
    .filter(([found]) => !found.startsWith('--'))
    .map((match) => ({ text: match[0], start: match.index, end: match.index + match[0].length }))

/** Each condition that is joined by AND or OR, or follows WHERE, ON or HAVING: true in a conjunction, false in a disjunction. */
const conditions = (text: string, tokens: readonly Token[]): SqlChange[] => {
  const changes: SqlChange[] = []
  // a fragment of a statement may begin with a condition
  const levels: Level[] = [{ isBetween: false, begun: { by: '(', at: 0 } }]
  const close = (level: Level, before: number, by: string) => {
    const { begun } = level
    delete level.begun
    const previous = tokens[before - 1]
    if (!begun || !previous || previous.end <= begun.at) return
    if (begun.by === '(' && by !== 'AND' && by !== 'OR') return
    const start =
      begun.at + (text.slice(begun.at, previous.end).length - text.slice(begun.at, previous.end).trimStart().length)
    const condition = text.slice(start, previous.end)
    const isDisjunct = begun.by === 'OR' || by === 'OR'
    changes.push({
      operator: isDisjunct ? 'SQL disjunct dropped' : 'SQL condition dropped',
      start,
      end: previous.end,
      replacement: isDisjunct ? `(${condition} AND false)` : `(${condition} OR true)`,
    })
  }
  for (const [at, token] of tokens.entries()) {
    const word = token.text.toUpperCase()
    const level = levels.at(-1) ?? { isBetween: false }
    if (word === '(') {
      levels.push({ isBetween: false, begun: { by: '(', at: token.end } })
      continue
    }
    if (word === ')') {
      close(level, at, ')')
      levels.pop()
      continue
    }
    if (word === 'BETWEEN') level.isBetween = true
    if (word === 'AND' && level.isBetween) {
      level.isBetween = false
      continue
    }
    if (word === 'FROM' && tokens[at - 1]?.text.toUpperCase() === 'DISTINCT') continue
    if (ENDS.has(word)) close(level, at, word)
    if (BEGINS.has(word) && tokens[at + 1]?.text.toUpperCase() !== 'CONFLICT') level.begun = { by: word, at: token.end }
  }
  const [outermost] = levels
  if (outermost) close(outermost, tokens.length, 'end')
  return changes
}

/** The end of a locking clause that begins at this token. */
const lockEnd = (tokens: readonly Token[], at: number): number | undefined => {
  let last = at + 1
  if (tokens[last]?.text.toUpperCase() === 'NO') last += 2
  const strength = tokens[last]
  if (!strength || !['UPDATE', 'SHARE'].includes(strength.text.toUpperCase())) return undefined
  let end = strength.end
  if (tokens[last + 1]?.text.toUpperCase() === 'OF') end = tokens[last + 2]?.end ?? end
  return end
}

const words = (tokens: readonly Token[]): SqlChange[] =>
  tokens.flatMap((token, at): SqlChange[] => {
    const word = token.text.toUpperCase()
    const next = tokens[at + 1]
    const following = next?.text.toUpperCase()
    const before = tokens[at - 1]?.text.toUpperCase()
    const change = (operator: string, end: number, replacement: string): SqlChange[] => [
      { operator, start: token.start, end, replacement },
    ]
    const flipped = FLIPS.get(word)
    if (flipped) return change('SQL comparison', token.end, flipped)
    if (word === 'NOT' && next && following === 'EXISTS') return change('SQL existence', next.end, 'EXISTS')
    if (word === 'EXISTS' && before !== 'NOT') return change('SQL existence', token.end, 'NOT EXISTS')
    if (word === 'IS' && following === 'NULL') return change('SQL comparison', token.end, 'IS NOT')
    if (word === 'IS' && next && following === 'NOT') return change('SQL comparison', next.end, 'IS')
    if (word === 'NOT' && before !== 'IS' && !['IN', 'NULL', 'MATERIALIZED'].includes(following ?? ''))
      return change('SQL comparison', token.end, '')
    if (word === 'NOT' && next && following === 'IN') return change('SQL comparison', next.end, 'IN')
    if (word === 'DISTINCT' && before === 'SELECT' && following !== 'ON') return change('SQL row set', token.end, '')
    if (word === 'LEFT' && following === 'JOIN') return change('SQL row set', token.end, '')
    if (word === 'UNION' && following === 'ALL' && next) return change('SQL row set', next.end, 'UNION')
    if (word === 'LEAST' || word === 'GREATEST')
      return change('SQL function', token.end, word === 'LEAST' ? 'greatest' : 'least')
    const end = word === 'FOR' ? lockEnd(tokens, at) : undefined
    return end === undefined ? [] : change('SQL lock dropped', end, '')
  })

/** The changes of a text of SQL. @param text with PLACEHOLDER for interpolated values */
export const sqlChanges = (text: string): SqlChange[] => {
  const tokens = tokensOf(text)
  return [...conditions(text, tokens), ...words(tokens)]
}

/** Whether a text is SQL, or a fragment of a statement. */
export const looksLikeSql = (text: string): boolean =>
  /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|JOIN|EXISTS|FOR UPDATE|ANY|IS NULL|IS NOT NULL)\b/.test(text)
