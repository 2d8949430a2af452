/** Names for the ids in log entries: of applications, which are few, and of the administrator. */
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { currentTokens } from '../../session/session.ts'
import { CONSOLE_ID, type Entry, isOfServer } from './words.ts'

const MOST = 100

interface Named {
  readonly id: string
  readonly name: string
}

/** Gives names for the ids of applications and users; an id that has none here stays as it is. @param known a user */
export const useNames = (known?: Named): ((id: string) => string) => {
  const { data = [] } = useAnswer('listApplications', { query: { page: 1, page_size: MOST } })
  const { user } = currentTokens()
  const named = [{ id: CONSOLE_ID, name: t('log.console') }, ...data, user, ...(known ? [known] : [])]
  const names = new Map(named.map(({ id, name }) => [id, name]))
  return (id) => names.get(id) ?? id
}

/** The ids of the users who caused these entries. */
export const causersOf = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ payload: { userId } }) => (userId === undefined ? [] : [userId]))

/** What a client is called whose id is an address. */
const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : address

/**
 * Gives a function that says who caused an entry; its second argument gives the names of other users (useUserNames).
 * @param known a user whose entries they are
 */
export const useNameOf = (known?: Named): ((entry: Entry, userName?: (id: string) => string | undefined) => string) => {
  const name = useNames(known)
  return (entry, userName) => {
    if (entry.key.startsWith('Scim.')) return t('scim.caller')
    const { userId, applicationId, cimdClientId } = entry.payload
    const who = userId === undefined ? undefined : (userName?.(userId) ?? name(userId))
    const application = applicationId === undefined ? undefined : name(applicationId)
    const where = application ?? hostOf(cimdClientId)
    if (who !== undefined && where !== undefined) return t('log.whoWhere', { who, where })
    return who ?? where ?? t(isOfServer(entry) ? 'log.server' : 'log.noOne')
  }
}
