/**
 * Statements that PostgreSQL plans once on each connection: for those whose plan costs more than their run. One says so in its
 * first words. It names its columns: with `*` it would fail on every open connection once a migration has added a column.
 */

/** The first words of such a statement. */
const MARK = '/* prepared */'
/** A text for each way in which a statement is put together; what is beyond is planned each time. */
const MOST = 100

const names = new Map<string, string>()

/** The name under which a statement is prepared; undefined for one that is not. The same text has the same name. */
export const preparedName = (text: string): string | undefined => {
  if (!text.startsWith(MARK)) return undefined
  const known = names.get(text)
  if (known !== undefined || names.size >= MOST) return known
  const name = `prepared-${names.size}`
  names.set(text, name)
  return name
}
