/** The names of users whose ids are shown: read by their ids, a page of them at once. */
import { usePage } from '../../api/client.ts'
import { currentTokens } from '../../session/session.ts'
import { titleOf } from '../users/search.ts'

/** The server finds no more by one request. */
const MOST = 100

/** Gives the name of each of these users; undefined for one that is not there any more, or may not be read. */
export const useUserNames = (ids: readonly string[]): ((id: string) => string | undefined) => {
  const { user } = currentTokens()
  const wanted = [...new Set(ids)].filter((id) => id !== user.id).sort()
  const query = { 'search.id': wanted.slice(0, MOST), 'mode.id': 'exact', page: 1, page_size: MOST }
  const { data } = usePage('listUsers', { query }, undefined, wanted.length > 0)
  const names = new Map([[user.id, user.name], ...(data?.rows ?? []).map((each) => [each.id, titleOf(each)] as const)])
  return (id) => names.get(id)
}
