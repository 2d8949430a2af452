/** `/Users`: the users of a directory in their SCIM form. */

import type { UserContent } from '../domain/provisioning/content.ts'
import { countAllMembers } from '../domain/provisioning/groups.ts'
import {
  countProvisionedUsers,
  findProvisionedUser,
  type ProvisionedUser,
  readProvisionedUsers,
  type UserCondition,
} from '../domain/provisioning/provisioned-users.ts'
import {
  changeProvisionedUser,
  contentOf,
  deprovisionUser,
  provisionUser,
} from '../domain/provisioning/user-changes.ts'
import { notFound } from '../kernel/api-error.ts'
import { type ScimCall, type ScimRoute, scimAnswer } from './endpoint.ts'
import { refused } from './errors.ts'
import { assertMatches, etagOf, isKnown } from './etags.ts'
import type { Equality } from './indexed-filter.ts'
import { listRequestOf, projectionOf, searchRequestOf } from './list-request.ts'
import { listAnswer, type Source } from './listing.ts'
import { applyPatch } from './patch.ts'
import { readPatch } from './patch-request.ts'
import { project } from './projection.ts'
import { type Resource, readResource } from './read-resource.ts'
import { ENTERPRISE_SCHEMA, USER, USER_SCHEMA } from './schemas.ts'

/** Characters of the data stored for a user. Lists read many users at a time. */
const LARGEST_USER = 65_536

/** Whether the user can use the account, according to the directory and the administrators of the server. */
const isActive = (row: ProvisionedUser): boolean => row.is_active && row.can_sign_in

/** The activity can change without the directory. */
export const userEtag = (row: ProvisionedUser): string => etagOf(row.version, isActive(row) ? '' : '-inactive')

/** The latest data from a directory, as a resource in canonical form. */
const saidResource = ({ userName, externalId, active, attributes }: UserContent): Resource => ({
  ...(externalId === undefined ? {} : { externalId }),
  userName,
  ...attributes,
  active,
})

const userResource =
  ({ base }: Pick<ScimCall, 'base'>) =>
  (row: ProvisionedUser): Resource => {
    const hasExtension = row.attributes[ENTERPRISE_SCHEMA.id] !== undefined
    const groups = row.groups.map(({ id, displayName }) => ({
      value: id,
      $ref: `${base}/Groups/${id}`,
      display: displayName,
      type: 'direct',
    }))
    return {
      schemas: hasExtension ? [USER_SCHEMA.id, ENTERPRISE_SCHEMA.id] : [USER_SCHEMA.id],
      id: row.user_id,
      ...saidResource(contentOf(row)),
      active: isActive(row),
      ...(groups.length > 0 ? { groups } : {}),
      meta: {
        resourceType: 'User',
        created: row.created_at.toISOString(),
        lastModified: row.updated_at.toISOString(),
        location: `${base}/Users/${row.user_id}`,
        version: userEtag(row),
      },
    }
  }

/** Throws 400 for too much data. @param activeInstead if the directory does not say */
const contentFrom = (
  { userName, externalId, active, ...attributes }: Resource,
  activeInstead: boolean,
): UserContent => {
  if (JSON.stringify(attributes).length > LARGEST_USER)
    throw refused('invalidValue', `A user has at most ${LARGEST_USER} characters of data.`)
  return {
    userName: String(userName),
    externalId: externalId === undefined ? undefined : String(externalId),
    active: typeof active === 'boolean' ? active : activeInstead,
    attributes,
  }
}

const conditionOf = ({ path, value }: Equality): UserCondition[] => {
  switch (path) {
    case 'id':
      return [{ id: value }]
    case 'userName':
      return [{ userName: value }]
    case 'externalId':
      return [{ externalId: value }]
    case 'emails.value':
      return [{ email: value }]
    case 'groups.value':
      return [{ groupId: value }]
    default:
      return []
  }
}

/** The users of the directory. */
export const userSource = (call: Pick<ScimCall, 'store' | 'directory' | 'base'>): Source<ProvisionedUser> => {
  const { store, directory } = call
  return {
    type: USER,
    read: (equalities, limit, start) =>
      readProvisionedUsers(store.database.kysely, directory, equalities.flatMap(conditionOf), limit, start),
    readByIds: (ids) => readProvisionedUsers(store.database.kysely, directory, [{ ids }], ids.length),
    count: ([ofGroup]) =>
      ofGroup ? countAllMembers(store, directory, ofGroup.value) : countProvisionedUsers(store, directory),
    pagedBy: 'groups.value',
    show: userResource(call),
    position: (row) => ({ createdAt: row.created_at, id: row.user_id }),
  }
}

const userAnswer = (call: ScimCall, status: number, row: ProvisionedUser) => {
  const location = `${call.base}/Users/${row.user_id}`
  return scimAnswer(status, project(USER, userResource(call)(row), projectionOf(call)), {
    etag: userEtag(row),
    ...(status === 201 ? { location } : { 'content-location': location }),
  })
}

const idOf = ({ exchange }: ScimCall): string => exchange.params.id ?? ''
const ifMatch = ({ exchange }: ScimCall): string | undefined => exchange.headers['if-match']

/** Creates a user from a body. Throws 400, 409. */
export const createUserFrom = (call: ScimCall, body: unknown): Promise<ProvisionedUser> =>
  call.perform(provisionUser, call.directory, contentFrom(readResource(USER, body), true))

/** Replaces a user. @param expected the version that it must have */
export const replaceUserBy = (call: ScimCall, id: string, body: unknown, expected: string | undefined) => {
  const resource = readResource(USER, body)
  return call.perform(changeProvisionedUser, call.directory, id, (row) => {
    assertMatches(expected, userEtag(row))
    return contentFrom(resource, row.is_active)
  })
}

export const patchUserBy = (call: ScimCall, id: string, body: unknown, expected: string | undefined) => {
  const operations = readPatch(body)
  return call.perform(changeProvisionedUser, call.directory, id, (row) => {
    assertMatches(expected, userEtag(row))
    return contentFrom(applyPatch(USER, saidResource(contentOf(row)), operations), row.is_active)
  })
}

export const removeUser = (call: ScimCall, id: string, expected: string | undefined): Promise<void> =>
  call.perform(deprovisionUser, call.directory, id, (row) => assertMatches(expected, userEtag(row)))

export const USER_ROUTES: readonly ScimRoute[] = [
  {
    ...{ method: 'GET', path: '/Users', action: 'listUsers', status: 200 },
    handle: (call) => listAnswer(userSource(call), listRequestOf(call)),
  },
  {
    ...{ method: 'POST', path: '/Users/.search', action: 'searchUsers', status: 200 },
    handle: (call) => listAnswer(userSource(call), searchRequestOf(call)),
  },
  {
    ...{ method: 'POST', path: '/Users', action: 'createUser', status: 201, isWriting: true },
    handle: async (call) => userAnswer(call, 201, await createUserFrom(call, call.body)),
  },
  {
    ...{ method: 'GET', path: '/Users/:id', action: 'getUser', status: 200 },
    async handle(call) {
      const row = await findProvisionedUser(call.store.database.kysely, call.directory, idOf(call))
      if (!row) throw notFound('User', idOf(call))
      const etag = userEtag(row)
      return isKnown(call.exchange, etag) ? { status: 304, headers: { etag } } : userAnswer(call, 200, row)
    },
  },
  {
    ...{ method: 'PUT', path: '/Users/:id', action: 'replaceUser', status: 200, isWriting: true },
    handle: async (call) => userAnswer(call, 200, await replaceUserBy(call, idOf(call), call.body, ifMatch(call))),
  },
  {
    ...{ method: 'PATCH', path: '/Users/:id', action: 'patchUser', status: 200, isWriting: true },
    handle: async (call) => userAnswer(call, 200, await patchUserBy(call, idOf(call), call.body, ifMatch(call))),
  },
  {
    ...{ method: 'DELETE', path: '/Users/:id', action: 'deleteUser', status: 204, isWriting: true },
    async handle(call) {
      await removeUser(call, idOf(call), ifMatch(call))
      return { status: 204 }
    },
  },
]
