/** How users are searched and named on every screen. */
import type { Row } from '../../api/client.ts'

type User = Row<'listUsers'>

/** What was typed as a pattern that the server looks up in an index: words that begin so. */
export const patternOf = (typed: string): string => `${typed.replaceAll(/[%_\\]/g, '\\$&')}%`

/** The name by which people know the user. */
export const titleOf = ({ name, username, primaryEmail, primaryPhone, id }: User): string =>
  name || username || primaryEmail || (primaryPhone ? `+${primaryPhone}` : id)
