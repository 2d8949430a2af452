/**
 * Statements that PostgreSQL parses and plans once on each connection, instead of each time: for most of ours that costs
 * more than to run them (docs/decisions/0024). Those of a unit of work are prepared once they have been sent often. Any
 * other says in its first words that it is to be; it names its columns, because nothing sends it again when a migration has
 * added one and its plan is refused, as `perform` does.
 */

/** The first words of a statement that is prepared at once. */
const MARK = '/* prepared */'
/** A text for each way in which a statement is put together; what is beyond is planned each time. */
const MOST_NAMES = 250
/** A statement that is sent less often is not worth the memory of its plan on every connection. */
const OFTEN = 20
/** Texts that are counted; beyond it the count begins anew, so that those with a text for each number of rows do not gather. */
const MOST_COUNTED = 2000

const names = new Map<string, string>()
const counts = new Map<string, number>()
/** Names that were ever given: none is given twice, or a connection would take one plan for the other. */
let given = 0

const nameFor = (text: string): string | undefined => {
  if (names.size >= MOST_NAMES) return undefined
  given += 1
  const name = `prepared-${given}`
  names.set(text, name)
  return name
}

/** The name under which a statement is prepared; undefined for one that is not. The same text has the same name. */
export const preparedName = (text: string): string | undefined =>
  names.get(text) ?? (text.startsWith(MARK) ? nameFor(text) : undefined)

/** The same, and counts it: it has a name from the twentieth time on. For statements that are sent again when a plan is refused. */
export const preparedNameOfOften = (text: string): string | undefined => {
  const known = preparedName(text)
  if (known !== undefined) return known
  const count = (counts.get(text) ?? 0) + 1
  if (count >= OFTEN) {
    counts.delete(text)
    return nameFor(text)
  }
  if (counts.size >= MOST_COUNTED) counts.clear()
  counts.set(text, count)
  return undefined
}

/** Gives every statement another name from now on: what was prepared under the old ones no longer fits the tables. */
export const forgetPrepared = (): void => names.clear()
