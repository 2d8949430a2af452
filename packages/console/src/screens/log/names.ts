/** Names for the ids in log entries: of applications, which are few, and of the administrator. */
import { useAnswer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'
import { currentTokens } from '../../session/session.ts'
import { CONSOLE_ID, type Entry, isOfServer } from './words.ts'

const MOST = 100

/** Gives a function that says who caused an entry. */
export const useNameOf = (): ((entry: Entry) => string) => {
  const { data = [] } = useAnswer('listApplications', { query: { page: 1, page_size: MOST } })
  const names = new Map([[CONSOLE_ID, t('log.console')], ...data.map(({ id, name }) => [id, name] as const)])
  const { user } = currentTokens()
  return (entry) => {
    if (entry.key.startsWith('Scim.')) return t('scim.caller')
    const { userId, applicationId } = entry.payload
    const who = userId === user.id ? user.name : userId
    const where = applicationId === undefined ? undefined : (names.get(applicationId) ?? applicationId)
    if (who !== undefined && where !== undefined) return t('log.whoWhere', { who, where })
    return who ?? where ?? t(isOfServer(entry) ? 'log.server' : 'log.noOne')
  }
}
