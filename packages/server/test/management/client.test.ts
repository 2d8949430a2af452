/** The typed client of the contract against the real server, and against servers that answer what this one never would. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { createClient, ManagementApiError } from '@countersign/contract/client.ts'
import { managementToken } from '@countersign/contract/client-token.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const refusalOf = async (call: Promise<unknown>): Promise<ManagementApiError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ManagementApiError)
  return error as ManagementApiError
}

describe('the client', () => {
  test('creates, reads, changes and deletes, with the types of the contract', async () => {
    const { client } = server
    const { id } = await client.createResource({ body: { name: 'Orders', indicator: 'https://orders.example' } })
    const scope = await client.createScope({ params: { resourceId: id }, body: { name: 'read:orders' } })
    const role = await client.createRole({ body: { name: 'Clerk', type: 'User', scopeIds: [scope.id] } })
    const type: 'User' | 'MachineToMachine' = role.type
    expect(type).toBe('User')
    expect(await client.updateRole({ params: { id: role.id }, body: { name: 'Chief clerk' } })).toMatchObject({
      id: role.id,
      name: 'Chief clerk',
    })
    const [held] = await client.listRoleScopes({ params: { id: role.id } })
    expect(held?.resource.indicator).toBe('https://orders.example')
    expect(await client.deleteRole({ params: { id: role.id } })).toBeUndefined()
  })

  test('has a method for each route of the Management API', () => {
    for (const { id } of API_ROUTES) expect(server.client).toHaveProperty(id, expect.any(Function))
  })

  test('does not compile without required fields or with unknown ones', () => {
    const { client } = server
    const wrong = () => [
      // @ts-expect-error: a role has a name
      client.createRole({ body: {} }),
      // @ts-expect-error: a path has an id
      client.getRole({}),
      // @ts-expect-error: no input at all
      client.getRole(),
      // @ts-expect-error: there is no such type
      client.listRoles({ query: { type: 'Robot' } }),
      // @ts-expect-error: only lists have pages
      client.getRole.all({ params: { id: 'x' } }),
      client.listRoles(),
    ]
    expect(wrong).toBeInstanceOf(Function)
  })

  test('throws refusals of the API with status, code, data and request id', async () => {
    const error = await refusalOf(server.client.getRole({ params: { id: 'nosuchrole' } }))
    expect(error).toMatchObject({
      status: 404,
      code: 'entity.not_exists_with_id',
      data: { entity: 'role', id: 'nosuchrole' },
      message: 'GET /roles/nosuchrole answered 404 entity.not_exists_with_id: There is no role with the id nosuchrole.',
    })
    expect(error.requestId).toMatch(/^\S+$/)
    const invalid = await refusalOf(server.client.createRole({ body: { name: '' } }))
    expect(invalid).toMatchObject({ status: 400, code: 'guard.invalid_input' })
  })

  test('asks its function for a token before each request', async () => {
    const tokens = ['wrong', await managementToken({ baseUrl: server.baseUrl, ...server.credentials })()]
    const client = createClient({ baseUrl: `${server.baseUrl}/`, token: () => tokens.shift() ?? '' })
    expect(await refusalOf(client.listRoles())).toMatchObject({ status: 401, code: 'auth.unauthorized' })
    expect(await client.listRoles()).toHaveLength(1)
  })

  test('sends a list as one parameter for each value, and none for undefined', async () => {
    const { client } = server
    const ids = [await client.createUser({ body: { name: 'Ada' } }), await client.createUser({ body: { name: 'Bob' } })]
      .map(({ id }) => id)
      .sort()
    const found = await client.listUsers({ query: { 'search.id': ids, 'mode.id': 'exact', excludeRoleId: undefined } })
    expect(found.map(({ id }) => id).sort()).toEqual(ids)
  })

  test.each(['..', '.', '', undefined])('sends nothing for the id %j, which would be another path', async (id) => {
    const call = server.client.deleteRole({ params: { id: id as string } })
    await expect(call).rejects.toThrow('params.id is')
    await expect(call).rejects.toBeInstanceOf(TypeError)
  })

  test('encodes an id with a slash as one segment', async () => {
    const error = await refusalOf(server.client.getRole({ params: { id: '../users' } }))
    expect(error).toMatchObject({ status: 404, code: 'entity.not_found' })
  })

  test('a change of an older version is refused', async () => {
    const seen: string[] = []
    const { id } = await server.client.createRole({ body: { name: 'Versioned' } })
    const change = { params: { id }, body: { description: 'Changed' } }
    await server.client.getRole({ params: { id } }, { onEtag: (etag) => void seen.push(etag) })
    const [ifMatch] = seen
    await server.client.updateRole(change, { ifMatch })
    await expect(server.client.updateRole(change, { ifMatch })).rejects.toMatchObject({
      ...{ status: 412, code: 'request.precondition_failed' },
      data: { changedBy: { type: 'application' } },
    })
  })

  test('aborts with its signal', async () => {
    await expect(server.client.listRoles({}, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})

describe('lists', () => {
  test('follow Link to the last page, and give each row once', async () => {
    const { client } = server
    const names = Array.from({ length: 7 }, (_, index) => `Paged ${index}`)
    for (const name of names) await client.createOrganization({ body: { name } })
    const query = { page_size: 3 }
    const found: string[] = []
    for await (const { name } of client.listOrganizations.all({ query })) found.push(name)
    expect(found.sort()).toEqual(names)
    const sizes: number[][] = []
    for await (const { rows, total, isTotalCapped } of client.listOrganizations.pages({ query })) {
      expect(isTotalCapped).toBe(false)
      sizes.push([rows.length, total])
    }
    expect(sizes).toEqual([
      [3, 7],
      [3, 7],
      [1, 7],
    ])
  })

  test('whose rows are a member of the answer give the rows', async () => {
    const { client } = server
    const redirectUris = ['https://app.example/cb']
    const application = await client.createApplication({
      body: {
        name: 'Partner',
        type: 'Traditional',
        isThirdParty: true,
        oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [] },
      },
    })
    const user = await client.createUser({ body: { name: 'Grace' } })
    const params = { id: application.id, userId: user.id }
    const rows: unknown[] = []
    for await (const row of client.listConsentOrganizations.all({ params })) rows.push(row)
    expect(rows).toEqual([])
  })
})

const elsewhere = async (listener: RequestListener): Promise<string> => {
  const other = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise((resolve) => other.once('listening', resolve))
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
}

describe("responses that are not the API's", () => {
  test('a page of a proxy is an error without a code', async () => {
    const baseUrl = await elsewhere((_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'))
    const error = await refusalOf(createClient({ baseUrl, token: 'x' }).listRoles())
    expect(error).toMatchObject({ status: 502, code: undefined, data: undefined, message: 'GET /roles answered 502' })
  })

  test('the name of a member of Object.prototype is not an error code', async () => {
    const body = JSON.stringify({ code: 'constructor', message: 'x' })
    const baseUrl = await elsewhere((_request, response) => response.writeHead(400).end(body))
    expect((await refusalOf(createClient({ baseUrl, token: 'x' }).listRoles())).code).toBeUndefined()
  })

  test('a redirect is not followed, and a link to another host takes the token nowhere', async () => {
    const asked: (string | undefined)[] = []
    const thief = await elsewhere((request, response) => {
      asked.push(request.url)
      response.end('[]')
    })
    const redirecting = await elsewhere((_request, response) => response.writeHead(307, { location: thief }).end())
    await expect(createClient({ baseUrl: redirecting, token: 'x' }).listRoles()).rejects.toThrow('fetch failed')
    const paths: (string | undefined)[] = []
    const linking = await elsewhere((request, response) => {
      paths.push(request.url)
      if (paths.length === 1) response.setHeader('link', `<${thief}/api/roles?page=2>; rel="next"`)
      response.end('[]')
    })
    for await (const _row of createClient({ baseUrl: linking, token: 'x' }).listRoles.all());
    expect(paths).toEqual(['/api/roles', '/api/roles?page=2'])
    expect(asked).toEqual([])
  })
})

describe('managementToken', () => {
  test('is requested once, also for concurrent calls', async () => {
    const token = managementToken({ baseUrl: server.baseUrl, ...server.credentials })
    const [first, second] = await Promise.all([token(), token()])
    expect(second).toBe(first)
    expect(await token()).toBe(first)
  })

  test('is replaced a minute before it expires', async () => {
    const lives = [60, 3600, 3600]
    const given: string[] = []
    const baseUrl = await elsewhere((_request, response) => {
      given.push(`token-${given.length}`)
      response.end(JSON.stringify({ access_token: given.at(-1), expires_in: lives.shift() }))
    })
    const token = managementToken({ ...server.credentials, baseUrl })
    expect([await token(), await token(), await token()]).toEqual(['token-0', 'token-1', 'token-1'])
  })

  test('is requested again by the next call after a refusal', async () => {
    const answers = [401, 200]
    const baseUrl = await elsewhere((_request, response) => {
      response.writeHead(answers.shift() ?? 500).end('{"access_token":"x","expires_in":3600}')
    })
    const token = managementToken({ ...server.credentials, baseUrl })
    await expect(token()).rejects.toThrow('no token for the Management API: 401')
    expect(await token()).toBe('x')
  })
})
