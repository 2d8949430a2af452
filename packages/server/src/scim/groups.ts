/** `/Groups`: the groups of a directory in their SCIM form. */
import { changeGroup, createGroup, deleteGroup, type GroupContent } from '../domain/provisioning/group-changes.ts'
import {
  countGroups,
  countMembers,
  type GroupCondition,
  type GroupRow,
  getGroup,
  membersOfGroups,
  readGroups,
} from '../domain/provisioning/groups.ts'
import { type ScimCall, type ScimRoute, scimAnswer } from './endpoint.ts'
import { refused } from './errors.ts'
import { assertMatches, etagOf, isKnown } from './etags.ts'
import { groupPatch, memberIds } from './group-patch.ts'
import type { Equality } from './indexed-filter.ts'
import { listRequestOf, projectionOf, searchRequestOf } from './list-request.ts'
import { listAnswer, type Source } from './listing.ts'
import { readPatch } from './patch-request.ts'
import { type Projection, project, shows } from './projection.ts'
import { isObject, type Resource, readResource } from './read-resource.ts'
import { GROUP, GROUP_SCHEMA } from './schemas.ts'

/** A group, with its members if they are returned. */
interface ShownGroup extends GroupRow {
  /** Ids of users. */
  readonly members?: readonly string[]
}

export const groupEtag = ({ version }: GroupRow): string => etagOf(version)

const groupResource =
  ({ base }: Pick<ScimCall, 'base'>) =>
  (row: ShownGroup): Resource => ({
    schemas: [GROUP_SCHEMA.id],
    id: row.id,
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(row.members && row.members.length > 0
      ? {
          members: row.members.map((id) => ({ value: id, $ref: `${base}/Users/${id}`, type: 'User' })),
        }
      : {}),
    meta: {
      resourceType: 'Group',
      created: row.created_at.toISOString(),
      lastModified: row.updated_at.toISOString(),
      location: `${base}/Groups/${row.id}`,
      version: groupEtag(row),
    },
  })

const conditionOf = ({ path, value }: Equality): GroupCondition[] => {
  switch (path) {
    case 'id':
      return [{ id: value }]
    case 'displayName':
      return [{ displayName: value }]
    case 'externalId':
      return [{ externalId: value }]
    case 'members.value':
      return [{ memberId: value }]
    default:
      return []
  }
}

type Reading = Pick<ScimCall, 'store' | 'directory' | 'base'>

/** The most members in a response: further groups are on the next page, and a group with more shows them only to filters. */
const MOST_MEMBERS = 5000

const tooManyMembers = () =>
  refused(
    'tooMany',
    `A group with more than ${MOST_MEMBERS} members is shown with excludedAttributes=members; GET /Users lists its members with the filter groups.value eq "…".`,
  )

const withMembers = async ({ store, directory }: Reading, rows: readonly GroupRow[]): Promise<ShownGroup[]> => {
  const ids = rows.map(({ id }) => id)
  const membersOf = await membersOfGroups(store.database.kysely, directory, ids)
  return rows.map((row) => ({ ...row, members: membersOf(row.id) }))
}

const memberCounts = ({ store, directory }: Reading, rows: readonly GroupRow[]): Promise<(id: string) => number> =>
  countMembers(
    store.database.kysely,
    directory,
    rows.map(({ id }) => id),
    MOST_MEMBERS,
  )

/** The first groups that have no more members together than a response may have, or the last ones. Throws 400 if there is none. */
const showable = async <R extends GroupRow>(call: Reading, rows: readonly R[], isBackwards: boolean): Promise<R[]> => {
  const countOf = await memberCounts(call, rows)
  const kept: R[] = []
  let members = 0
  for (const row of isBackwards ? rows.toReversed() : rows) {
    members += countOf(row.id)
    if (members > MOST_MEMBERS) break
    kept.push(row)
  }
  if (rows.length > 0 && kept.length === 0) throw tooManyMembers()
  return isBackwards ? kept.reverse() : kept
}

/** The groups of the directory. Their members are read for groups in the response; for a filter only those that it names. */
export const groupSource = (call: Reading): Source<ShownGroup> => {
  const { store, directory } = call
  return {
    type: GROUP,
    async read(equalities, limit, start) {
      const rows = await readGroups(store.database.kysely, directory, equalities.flatMap(conditionOf), limit, start)
      const named = equalities.filter(({ path }) => path === 'members.value').map(({ value }) => value)
      return named.length === 0 ? rows : rows.map((row) => ({ ...row, members: named }))
    },
    readByIds: (ids) => readGroups(store.database.kysely, directory, [{ ids }], ids.length),
    count: () => countGroups(store, directory),
    complete: async (rows, projection, isBackwards) =>
      shows(GROUP, projection, 'members') ? withMembers(call, await showable(call, rows, isBackwards)) : rows,
    show: groupResource(call),
    position: (row) => ({ createdAt: row.created_at, id: row.id }),
    unsearchable: {
      attribute: 'members',
      unless: 'members.value',
      refuse: () => refused('invalidFilter', 'Groups are found by a whole member only: members.value eq "…".'),
    },
  }
}

/** After a change a group with too many members is shown without them: the change is done. Throws 400 for GET. */
const shownGroup = async (call: ScimCall, row: GroupRow, projection: Projection): Promise<ShownGroup> => {
  if (!shows(GROUP, projection, 'members')) return row
  const countOf = await memberCounts(call, [row])
  if (countOf(row.id) <= MOST_MEMBERS) return (await withMembers(call, [row]))[0] ?? row
  if (call.exchange.method === 'GET') throw tooManyMembers()
  return row
}

const groupAnswer = async (call: ScimCall, status: number, row: GroupRow, projection: Projection) => {
  const shown = await shownGroup(call, row, projection)
  const location = `${call.base}/Groups/${row.id}`
  return scimAnswer(status, project(GROUP, groupResource(call)(shown), projection), {
    etag: groupEtag(row),
    ...(status === 201 ? { location } : { 'content-location': location }),
  })
}

const contentFrom = (body: unknown): GroupContent => {
  const { displayName, externalId } = readResource(GROUP, withoutMembers(body))
  const sent = isObject(body) ? Object.entries(body).find(([name]) => name.toLowerCase() === 'members') : undefined
  return {
    displayName: String(displayName),
    externalId: externalId === undefined ? undefined : String(externalId),
    // a group whose members are not mentioned keeps them (RFC 7644 section 3.5.1)
    members: sent ? [{ how: 'replace', ids: memberIds(sent[1]) }] : [],
  }
}

/** Members are read separately: there may be more of them than of any other attribute. */
const withoutMembers = (body: unknown): unknown =>
  isObject(body) ? Object.fromEntries(Object.entries(body).filter(([name]) => name.toLowerCase() !== 'members')) : body

const idOf = ({ exchange }: ScimCall): string => exchange.params.id ?? ''
const ifMatch = ({ exchange }: ScimCall): string | undefined => exchange.headers['if-match']

/** Creates a group from a body. Throws 400, 409. */
export const createGroupFrom = (call: ScimCall, body: unknown): Promise<GroupRow> =>
  call.perform(createGroup, call.directory, contentFrom(body))

/** Replaces a group. @param expected the version that it must have */
export const replaceGroupBy = (call: ScimCall, id: string, body: unknown, expected: string | undefined) => {
  const content = contentFrom(body)
  return call.perform(changeGroup, call.directory, id, (row) => {
    assertMatches(expected, groupEtag(row))
    return content
  })
}

export const patchGroupBy = (call: ScimCall, id: string, body: unknown, expected: string | undefined) => {
  const operations = readPatch(body)
  return call.perform(changeGroup, call.directory, id, (row) => {
    assertMatches(expected, groupEtag(row))
    return groupPatch({ displayName: row.display_name, externalId: row.external_id ?? undefined }, operations)
  })
}

export const removeGroup = (call: ScimCall, id: string, expected: string | undefined): Promise<void> =>
  call.perform(deleteGroup, call.directory, id, (row) => assertMatches(expected, groupEtag(row)))

export const GROUP_ROUTES: readonly ScimRoute[] = [
  {
    ...{ method: 'GET', path: '/Groups', action: 'listGroups', status: 200 },
    handle: (call) => listAnswer(groupSource(call), listRequestOf(call)),
  },
  {
    ...{ method: 'POST', path: '/Groups/.search', action: 'searchGroups', status: 200 },
    handle: (call) => listAnswer(groupSource(call), searchRequestOf(call)),
  },
  {
    ...{ method: 'POST', path: '/Groups', action: 'createGroup', status: 201, isWriting: true },
    handle: async (call) => groupAnswer(call, 201, await createGroupFrom(call, call.body), projectionOf(call)),
  },
  {
    ...{ method: 'GET', path: '/Groups/:id', action: 'getGroup', status: 200 },
    async handle(call) {
      const row = await getGroup(call.store.database.kysely, call.directory, idOf(call))
      const etag = groupEtag(row)
      if (isKnown(call.exchange, etag)) return { status: 304, headers: { etag } }
      return groupAnswer(call, 200, row, projectionOf(call))
    },
  },
  {
    ...{ method: 'PUT', path: '/Groups/:id', action: 'replaceGroup', status: 200, isWriting: true },
    async handle(call) {
      const row = await replaceGroupBy(call, idOf(call), call.body, ifMatch(call))
      return groupAnswer(call, 200, row, projectionOf(call))
    },
  },
  {
    ...{ method: 'PATCH', path: '/Groups/:id', action: 'patchGroup', status: 204, isWriting: true },
    async handle(call) {
      const projection = projectionOf(call)
      const row = await patchGroupBy(call, idOf(call), call.body, ifMatch(call))
      // RFC 7644 section 3.5.2: the group may be large, and is returned only on request
      if (projection.attributes.length > 0) return groupAnswer(call, 200, row, projection)
      return { status: 204, headers: { etag: groupEtag(row) } }
    },
  },
  {
    ...{ method: 'DELETE', path: '/Groups/:id', action: 'deleteGroup', status: 204, isWriting: true },
    async handle(call) {
      await removeGroup(call, idOf(call), ifMatch(call))
      return { status: 204 }
    },
  },
]
