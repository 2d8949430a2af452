/**
 * The entities that a Management API request names in its path and its body, so that its audit entry can be found by
 * each of them.
 */
import type { NamedEntity } from '../kernel/caller.ts'

/** Parameters and members whose names do not say what they are ids of. */
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

/** `userIds` and `userId` are ids of users, `:id` is the id of what the path begins with. */
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
 * @param path the route's path, `/users/:userId/roles` @param body after validation, so that its ids are strings of
 * bounded length
 */
export const namedEntities = (path: string, params: object, body: unknown): NamedEntity[] => {
  const { id: _own, ...members } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return [...entitiesOf(params, path), ...entitiesOf(members, path)]
}
