/** Where a role of a user came from, in words. */
import type { Answer } from '../../api/client.ts'
import { ago } from '../../languages/formats.ts'
import { type Phrase, t } from '../../languages/languages.ts'
import { useNames } from '../log/names.ts'
import { useUserNames } from '../log/user-names.ts'

type Came = Omit<Answer<'listUserRoleOrigins'>['origins'][number], 'roleId'>

const WORDS = {
  user: 'user.origin.by',
  application: 'user.origin.by',
  default: 'user.origin.default',
  import: 'user.origin.import',
  justInTime: 'user.origin.justInTime',
  invitation: 'user.origin.invitation',
  group: 'user.origin.directory',
} as const satisfies Record<NonNullable<Came['origin']>, Phrase>

/** Gives a sentence for where a role came from; nothing for what is not known. @param origins those that are shown, for the names in them */
export const useOriginWords = (origins: readonly Came[]): ((origin: Came | undefined) => string | undefined) => {
  const userName = useUserNames(
    origins.flatMap(({ origin, originId }) => (origin === 'user' && originId !== null ? [originId] : [])),
  )
  const nameOf = useNames()
  return (came) => {
    if (came === undefined) return undefined
    const { origin, originId, givenAt, groups } = came
    if (groups.length > 0) return t('user.origin.group', { groups: groups.map((each) => each.displayName).join(', ') })
    const when = ago(givenAt)
    if (origin === null) return t('user.origin.unknown', { when })
    const who = originId === null ? '' : (userName(originId) ?? nameOf(originId))
    return t(WORDS[origin], { who, when })
  }
}
