/** `/Bulk` (RFC 7644 section 3.7): many operations in one request, each with its own transaction and audit entry. */
import { type BulkEntry, type BulkOperation, bulkOrder, readBulk, resolveReferences } from './bulk-request.ts'
import { type ScimCall, type ScimRoute, scimAnswer } from './endpoint.ts'
import { errorBody, ScimError, scimErrorOf } from './errors.ts'
import { createGroupFrom, groupEtag, patchGroupBy, removeGroup, replaceGroupBy } from './groups.ts'
import { isObject } from './read-resource.ts'
import { createUserFrom, patchUserBy, removeUser, replaceUserBy, userEtag } from './users.ts'

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse'

/** The state of a resource after an operation; undefined after DELETE. */
interface Written {
  readonly id: string
  readonly etag: string | undefined
}

type Write = (call: ScimCall, id: string, data: unknown, expected: string | undefined) => Promise<Written>

const WRITES: Readonly<Record<BulkOperation['endpoint'], Readonly<Record<BulkOperation['method'], Write>>>> = {
  Users: {
    async POST(call, _id, data) {
      const row = await createUserFrom(call, data)
      return { id: row.user_id, etag: userEtag(row) }
    },
    PUT: async (call, id, ...rest) => ({ id, etag: userEtag(await replaceUserBy(call, id, ...rest)) }),
    PATCH: async (call, id, ...rest) => ({ id, etag: userEtag(await patchUserBy(call, id, ...rest)) }),
    async DELETE(call, id, _data, expected) {
      await removeUser(call, id, expected)
      return { id, etag: undefined }
    },
  },
  Groups: {
    async POST(call, _id, data) {
      const row = await createGroupFrom(call, data)
      return { id: row.id, etag: groupEtag(row) }
    },
    PUT: async (call, id, ...rest) => ({ id, etag: groupEtag(await replaceGroupBy(call, id, ...rest)) }),
    PATCH: async (call, id, ...rest) => ({ id, etag: groupEtag(await patchGroupBy(call, id, ...rest)) }),
    async DELETE(call, id, _data, expected) {
      await removeGroup(call, id, expected)
      return { id, etag: undefined }
    },
  },
}

/** The end of the key in the audit log, and the status of success. */
const ACTIONS = {
  POST: ['create', 201],
  PUT: ['replace', 200],
  PATCH: ['patch', 200],
  DELETE: ['delete', 204],
} as const

const perform = async (call: ScimCall, operation: BulkOperation, created: Map<string, string>) => {
  const { method, endpoint, bulkId, version } = operation
  const [verb, status] = ACTIONS[method]
  const own = call.as(`${verb}${endpoint === 'Users' ? 'User' : 'Group'}`, status)
  try {
    const target = String(resolveReferences(operation.target ?? '', created))
    const data = resolveReferences(operation.data, created)
    const { id, etag } = await WRITES[endpoint][method](own, target, data, version)
    if (method === 'POST' && bulkId !== undefined) created.set(bulkId, id)
    return {
      location: `${call.base}/${endpoint}/${id}`,
      ...(etag === undefined ? {} : { version: etag }),
      status: String(status),
    }
  } catch (error) {
    own.recordRefusal(error)
    throw error
  }
}

/** The parts of an operation that its result repeats. */
const named = ({ sent }: BulkEntry) => {
  const { method, bulkId } = isObject(sent) ? sent : {}
  return {
    ...(typeof method === 'string' ? { method: method.toUpperCase() } : {}),
    ...(typeof bulkId === 'string' ? { bulkId } : {}),
  }
}

export const BULK_ROUTES: readonly ScimRoute[] = [
  {
    ...{ method: 'POST', path: '/Bulk', action: 'bulk', status: 200, isWriting: true },
    async handle(call) {
      const { entries, failOnErrors } = readBulk(call.body)
      const created = new Map<string, string>()
      const results = new Map<number, object>()
      let errors = 0
      for (const place of bulkOrder(entries)) {
        if (errors >= failOnErrors) break
        const entry = entries[place]
        if (!entry) continue
        try {
          if (results.size > 0) call.countOperation()
          if ('refusal' in entry) throw entry.refusal
          results.set(place, { ...named(entry), ...(await perform(call, entry.operation, created)) })
        } catch (error) {
          const failure = scimErrorOf(error)
          // earlier operations stay in effect; the caller learns which
          if (failure.status >= 500 && !(error instanceof ScimError)) call.logFailure(error)
          errors += 1
          results.set(place, { ...named(entry), status: String(failure.status), response: errorBody(failure) })
        }
      }
      const inOrder = [...results].toSorted(([a], [b]) => a - b).map(([, result]) => result)
      return scimAnswer(200, { schemas: [SCHEMA], Operations: inOrder })
    },
  },
]
