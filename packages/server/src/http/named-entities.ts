/** What a request of the Management API names in its path and its body, so that its audit entry is found by each of them. */
import type { NamedEntity } from '../kernel/caller.ts'

/** Where the name of a parameter or a member says less, or something else, than what it is an id of. */
const TYPES: Readonly<Record<string, string>> = {
  inviterId: 'user',
  acceptedUserId: 'user',
  userRoleIds: 'role',
  resourceScopeIds: 'scope',
  resourceScopes: 'scope',
  organizationScopes: 'organizationScope',
  organizationResourceScopes: 'scope',
  keyId: 'signingKey',
}

const singular = (segment: string): string => segment.replace(/ies$/, 'y').replace(/s$/, '')
const camelCase = (text: string): string => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** `userIds` and `userId` are of users, `:id` is of what the path begins with. */
const typeOf = (name: string, path: string): string | undefined => {
  if (name === 'id') return camelCase(singular(path.split('/')[1] ?? ''))
  return TYPES[name] ?? /^(\w+)Ids?$/.exec(name)?.[1]
}

const entitiesOf = (members: object, path: string): NamedEntity[] =>
  Object.entries(members).flatMap(([name, value]: [string, unknown]) => {
    const type = typeOf(name, path)
    if (type === undefined) return []
    return [value].flat().flatMap((id) => (typeof id === 'string' ? [{ type, id }] : []))
  })

/**
 * @param path the route's, `/users/:userId/roles`
 * @param body after it was checked, so that its ids are text of a bounded length
 */
export const namedEntities = (path: string, params: object, body: unknown): NamedEntity[] => {
  const { id: _own, ...members } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return [...entitiesOf(params, path), ...entitiesOf(members, path)]
}
