/**
 * Statements that PostgreSQL parses and plans once on each connection, instead of each time, which for most statements
 * costs more than running them (docs/decisions/0024). Those of a unit of work are prepared once they have been sent
 * often. Any other is marked by its first words; it has to name its columns, because it is not sent again, as `perform`
 * does, when a migration has added one and its plan is refused.
 */

/** The first words of a statement that is prepared at once. */
const MARK = '/* prepared */'
/** The most names; further unmarked statements are planned each time. */
const MOST_NAMES = 250
/** A statement that is sent less often is not worth the memory of its plan on every connection. */
const OFTEN = 20
/**
 * How many texts are counted; beyond that the count starts over, so that statements with a text per number of rows do
 * not accumulate.
 */
const MOST_COUNTED = 2000

const names = new Map<string, string>()
const counts = new Map<string, number>()
/** The names given so far: none is given twice, or a connection would confuse two plans. */
let given = 0

const nameFor = (text: string): string => {
  given += 1
  const name = `prepared-${given}`
  names.set(text, name)
  return name
}

/** The name under which a statement is prepared; undefined for one that is not. The same text has the same name. */
export const preparedName = (text: string): string | undefined =>
  names.get(text) ?? (text.startsWith(MARK) ? nameFor(text) : undefined)

/**
 * The same, and counts it: a statement has a name from the twentieth time on. For statements that are sent again when a
 * plan is refused.
 */
export const preparedNameOfOften = (text: string): string | undefined => {
  const known = preparedName(text)
  if (known !== undefined) return known
  const count = (counts.get(text) ?? 0) + 1
  if (count >= OFTEN) {
    counts.delete(text)
    return names.size < MOST_NAMES ? nameFor(text) : undefined
  }
  if (counts.size >= MOST_COUNTED) counts.clear()
  counts.set(text, count)
  return undefined
}

/**
 * Gives every statement another name from now on: what was prepared under the old ones no longer matches the tables.
 */
export const forgetPrepared = (): void => names.clear()
