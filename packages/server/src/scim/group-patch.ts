/**
 * PATCH of a group (RFC 7644 section 3.5.2), read as a change of its name and of its members: a group may have very many,
 * which are never loaded for it. Entra names the removed members in the value, or each in a filter of the path.
 */
import type { GroupContent, MembersChange } from '../domain/provisioning/group-changes.ts'
import { refused } from './errors.ts'
import type { Filter } from './filter.ts'
import { parsePatchPath } from './patch-path.ts'
import { type PatchOperation, withPaths } from './patch-request.ts'
import { isObject } from './read-resource.ts'
import { GROUP } from './schemas.ts'

/** Ids in one request. */
const MOST_MEMBERS = 20_000

/** The ids of users in a list of members. Throws 400 `invalidValue` for anything else, including nested groups. */
export const memberIds = (value: unknown): string[] => {
  const members: unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  if (members.length > MOST_MEMBERS) throw refused('invalidValue', `A request names at most ${MOST_MEMBERS} members.`)
  return members.map((member) => {
    const id = isObject(member) ? member.value : member
    if (typeof id !== 'string' || id === '')
      throw refused('invalidValue', 'A member needs the id of a user as its value.')
    if (isObject(member) && String(member.type).toLowerCase() === 'group')
      throw refused('invalidValue', 'Members of groups are users, not groups.')
    return id
  })
}

/** The ids that a filter such as `value eq "1" or value eq "2"` names. */
const idsOfFilter = (filter: Filter): string[] => {
  if (filter.is === 'or') return [...idsOfFilter(filter.left), ...idsOfFilter(filter.right)]
  const isId = filter.is === 'compared' && filter.operator === 'eq' && filter.path.toLowerCase() === 'value'
  if (!isId || typeof filter.value !== 'string')
    throw refused('invalidFilter', 'Members are found by their value only: members[value eq "…"].')
  return [filter.value]
}

const membersChange = (filter: Filter | undefined, { op, value }: PatchOperation): MembersChange => {
  if (!filter) {
    const ids = memberIds(value)
    return op === 'remove' && ids.length === 0 ? { how: 'replace', ids: [] } : { how: op, ids }
  }
  if (op !== 'remove') throw refused('mutability', 'A member cannot be changed: remove it and add another.')
  return { how: 'remove', ids: idsOfFilter(filter) }
}

const text = (value: unknown, name: string): string => {
  if (typeof value !== 'string' || value === '' || value.length > 256)
    throw refused('invalidValue', `${name} must be a string of at most 256 characters.`)
  return value
}

/** Ignored members of a value without a path: those that every resource repeats. */
const REPEATED = new Set(['schemas', 'id', 'meta'])

/** The change of a group that the operations result in. Throws 400. */
export const groupPatch = (
  before: Omit<GroupContent, 'members'>,
  operations: readonly PatchOperation[],
): GroupContent => {
  let { displayName, externalId } = before
  const members: MembersChange[] = []
  for (const operation of operations)
    for (const each of withPaths(operation)) {
      if (operation.path === undefined && REPEATED.has(each.path.toLowerCase())) continue
      const target = parsePatchPath(GROUP, each.path)
      if ('wholeExtension' in target) throw refused('invalidPath', 'A group has no extensions.')
      const { attribute, sub, filter } = target
      if (attribute.mutability === 'readOnly') throw refused('mutability', `${each.path} cannot be written.`)
      if (sub) throw refused('mutability', 'A member cannot be changed: remove it and add another.')
      if (attribute.name === 'members') members.push(membersChange(filter, each))
      else if (attribute.name === 'externalId')
        externalId = each.op === 'remove' ? undefined : text(each.value, 'externalId')
      else if (each.op === 'remove') throw refused('invalidValue', 'displayName is required.')
      else displayName = text(each.value, 'displayName')
    }
  return { displayName, externalId, members }
}
