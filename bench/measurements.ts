/**
 * The requests to a crowd: every list at its first and its last page, every search by an identifier, members being
 * added and removed, and tokens of users with fifty roles.
 */
import {
  ASKED_SCOPES,
  type Crowd,
  INDICATOR,
  JOINER,
  LARGE_ORGANIZATION,
  organizationId,
  roleId,
  type Size,
  userOf,
} from './crowd.ts'
import { type NextRequest, requestBytes, tokenRequest } from './load.ts'
import type { World } from './world.ts'

export interface Place {
  readonly world: World
  readonly crowd: Crowd
  /** The header of every request to the Management API. */
  readonly bearer: string
}

/** Makes the requests of a measurement at one place. */
export type Measurement = (place: Place) => NextRequest | Promise<NextRequest>

const random = (below: number): number => Math.floor(Math.random() * below)

const get =
  (path: string): Measurement =>
  ({ bearer }) => {
    const request = requestBytes(`/api${path}`, bearer)
    return () => request
  }

/** The last page, as the Link of the first one names it (RFC 8288). */
const last =
  (path: string): Measurement =>
  async (place) => {
    const { world, bearer } = place
    const { baseUrl } = world.installation
    const response = await fetch(`${baseUrl}/api${path}`, { headers: { authorization: bearer.replace(/^.+?: /, '') } })
    const [, url] = /<([^>]+)>; rel="last"/.exec(response.headers.get('link') ?? '') ?? []
    if (!url) throw new Error(`${path} names no last page`)
    return get(url.slice(`${baseUrl}/api`.length))(place)
  }

const LISTS: Readonly<Record<string, string>> = {
  '/users': '/users',
  '/organizations': '/organizations',
  '/organizations/:id/users, 1,000 members': `/organizations/${organizationId(0)}/users`,
  // as many as there are roles that many users hold
  '/roles?page_size=10': '/roles?page_size=10',
  '/roles/:id/users, every user': `/roles/${roleId(0)}/users`,
  '/users/:id/roles, 52 roles': `/users/${userOf(0).id}/roles?page=1`,
  '/users/:id/organizations, 50': `/users/${JOINER}/organizations?page=1`,
  '/applications': '/applications?page=1',
  '/logs': '/logs',
}

const search =
  (parametersOf: (index: number) => Record<string, string>): Measurement =>
  ({ crowd, bearer }) =>
  () =>
    requestBytes(`/api/users?${new URLSearchParams(parametersOf(random(crowd.size.users)))}`, bearer)

const FIELDS = ['id', 'username', 'primaryEmail', 'primaryPhone', 'name'] as const

/** A beginning that about a hundred users have in common in every size. */
const beginning = (field: (typeof FIELDS)[number], { users }: Size): string => {
  if (field === 'id' || field === 'primaryPhone') return userOf(random(users))[field].slice(0, -2)
  const place = users / 1000
  const digits = place + random(9 * place)
  return field === 'name' ? `User ${digits}` : `person${digits}`
}

const searches = (): Record<string, Measurement> => ({
  'search=<a username>': search((index) => ({ search: userOf(index).username })),
  'search=<an email address>': search((index) => ({ search: userOf(index).primaryEmail })),
  ...Object.fromEntries(
    FIELDS.flatMap((field): [string, Measurement][] => [
      [
        `search.${field}, exact`,
        search((index) => ({ [`search.${field}`]: userOf(index)[field], [`mode.${field}`]: 'exact' })),
      ],
      [
        `search.${field}, beginning`,
        (place) => search(() => ({ [`search.${field}`]: `${beginning(field, place.crowd.size)}%` }))(place),
      ],
    ]),
  ),
})

/** A request with a JSON body, or with none. */
const sent = (method: string, path: string, header: string, body?: object): Buffer => {
  const text = body && JSON.stringify(body)
  const lines = [
    `${method} /api${path} HTTP/1.1`,
    'host: localhost',
    header,
    ...(text ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text ?? ''}`)
}

/** Users are added to the large organization one by one, and removed again. */
const members = (): Record<string, Measurement> => {
  const came = new Map<Place, string[]>()
  const users = `/organizations/${organizationId(0)}/users`
  return {
    'add a member': (place) => {
      const { size } = place.crowd
      const list: string[] = []
      came.set(place, list)
      let index = LARGE_ORGANIZATION
      return () => {
        // neither those who were in it from the beginning nor, in the next turn, those who are not yet removed
        do index = Math.max(LARGE_ORGANIZATION, (index + 1) % size.users)
        while (index % size.organizations === 0)
        const { id } = userOf(index)
        list.push(id)
        return sent('POST', users, place.bearer, { userIds: [id] })
      }
    },
    'remove a member': (place) => () => {
      const id = came.get(place)?.shift()
      return id === undefined ? undefined : sent('DELETE', `${users}/${id}`, place.bearer)
    },
  }
}

const tokens: Readonly<Record<string, Measurement>> = {
  'refresh_token, a user with 50 roles': ({ crowd }) => {
    let used = 0
    return () => {
      const [holder, generation] = [used % crowd.holders, Math.floor(used / crowd.holders)]
      used += 1
      const parameters = { grant_type: 'refresh_token', refresh_token: crowd.refreshToken(holder, generation) }
      return tokenRequest(crowd.client, { ...parameters, resource: INDICATOR })
    }
  },
  'client_credentials, 50 roles': ({ crowd }) => {
    const request = tokenRequest(crowd.machine, { resource: INDICATOR, scope: ASKED_SCOPES })
    return () => request
  },
}

/** New ones by name; each keeps its own count of what it has used. */
export const measurements = (): Readonly<Record<string, Measurement>> => ({
  ...Object.fromEntries(
    Object.entries(LISTS).flatMap(([name, path]) => [
      [`${name}: first page`, get(path)],
      [`${name}: last page`, last(path)],
    ]),
  ),
  ...searches(),
  ...members(),
  ...tokens,
})
