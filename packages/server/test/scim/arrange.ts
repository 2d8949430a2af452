/** Shared set-up of the tests of SCIM: a directory with a token, and requests to it. */
import type { TestServer } from '@countersign/harness/server.ts'
import type { BodyOf } from '../protocol/arrange.ts'

export const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'

export interface ScimReply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly body: any
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Headers_ = Readonly<Record<string, string>>

/** A request to an address below a directory. @param body bytes or text as sent; anything else is sent as JSON */
export type ScimClient = (method: Method, path: string, body?: unknown, headers?: Headers_) => Promise<ScimReply>

export interface Directory {
  readonly id: string
  readonly token: string
  readonly url: string
  readonly scim: ScimClient
}

export const clientOf =
  (url: string, token: string): ScimClient =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

/** A directory with one token. */
export const createDirectory = async (
  { client }: TestServer,
  body: Partial<BodyOf<'createScimDirectory'>> = {},
): Promise<Directory> => {
  const { id, baseUrl } = await client.createScimDirectory({ body: { name: 'Entra', ...body } })
  const { value } = await client.createScimToken({ params: { id }, body: { name: 'first' } })
  return { id, token: value, url: baseUrl, scim: clientOf(baseUrl, value) }
}

let count = 0
/** A user that is unique in this process. */
export const person = (more: object = {}) => {
  count += 1
  const userName = `person${count}@corp.example`
  return {
    schemas: [`${CORE}:User`],
    userName,
    externalId: `external-${count}`,
    name: { givenName: 'Ann', familyName: `Number ${count}` },
    emails: [{ value: userName, type: 'work', primary: true }],
    active: true,
    ...more,
  }
}

/** The body of a PATCH. */
export const patch = (...Operations: object[]) => ({ schemas: [`${MESSAGES}:PatchOp`], Operations })

/** The status and the scimType of an error. */
export const refusal = ({ status, body }: ScimReply): unknown[] => [status, body?.scimType]

export const filtered = (path: string, filter: string, more = ''): string =>
  `${path}?filter=${encodeURIComponent(filter)}${more}`
