/** The OpenAPI document: 3.1, complete, and the same at every address (DECISIONS B5). */
import { ACCOUNT_ROUTES, API_ROUTES, EXPERIENCE_ROUTES } from '@countersign/contract/api.ts'
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { permissionsOf } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { GUARDED, titleOf } from './arrange.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security: readonly Record<string, readonly string[]>[]
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: object }[]
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> }
  readonly responses: Record<string, { description: string; content?: object; headers?: object }>
}
interface Document {
  readonly openapi: string
  readonly info: { title: string; version: string }
  readonly servers: readonly { url: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: {
    readonly schemas: Record<string, object>
    readonly securitySchemes: Record<string, { type: string; flows: { clientCredentials: Flow } }>
  }
}
interface Flow {
  readonly tokenUrl: string
  readonly scopes: Record<string, string>
}

const ALL_ROUTES = [...API_ROUTES, ...EXPERIENCE_ROUTES, ...ACCOUNT_ROUTES]

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  document = await fetched('/openapi.json')
})
afterAll(() => server.close())

const fetched = async (path: string): Promise<Document> => {
  const answer = await fetch(`${server.baseUrl}/api${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  return (await answer.json()) as Document
}
const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )

test('it is an OpenAPI 3.1 document of this server', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/)
  expect(document.info).toEqual({ title: expect.any(String), version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  expect(document.servers).toEqual([{ url: `${server.baseUrl}/api` }])
})

test('it has every route of the contract and no other', () => {
  const documented = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  const declared = ALL_ROUTES.map((route) => titleOf(route).replace(/:(\w+)/g, '{$1}'))
  expect(documented.sort()).toEqual([...declared].sort())
})

test('operation ids are unique, and every operation has a summary and a tag', () => {
  const ids = operations().map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { operation } of operations()) {
    expect(operation.summary).toMatch(/^\w.{3,}/)
    expect(operation.tags).toHaveLength(1)
  }
})

test('the parameters in every path are declared, once, as required', () => {
  for (const { path, operation } of operations()) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
    expect(declared.map(({ name }) => name)).toEqual(inPath)
    expect(declared.every(({ required }) => required)).toBe(true)
    const names = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    expect(new Set(names).size).toBe(names.length)
    for (const { schema } of operation.parameters) expect(schema).toBeTypeOf('object')
  }
})

test('every operation has success and error responses, each with a description', () => {
  for (const { path, method, operation } of operations()) {
    const route = ALL_ROUTES.find(
      (one) => titleOf(one).replace(/:(\w+)/g, '{$1}') === `${method.toUpperCase()} ${path}`,
    )
    const statuses = Object.keys(operation.responses)
    expect(statuses).toContain(String(route?.status))
    expect(statuses).toContain('400')
    if (route?.permission || route?.scopes) expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
    if (route?.params) expect(statuses).toContain('404')
    const { otherStatus: other, response } = route ?? {}
    if (other) expect(statuses).toContain(String(other))
    // beside the body of errors where the status is theirs too
    if (other && response)
      expect(JSON.stringify(operation.responses[other]?.content)).toContain(JSON.stringify(response))
    if (route?.body) expect(statuses).toEqual(expect.arrayContaining(['413', '415']))
    expect(operation.requestBody !== undefined).toBe(route?.body !== undefined || route?.upload === true)
    const success = operation.responses[String(route?.status)]
    expect(success?.content !== undefined).toBe(route?.response !== undefined)
    expect(Object.hasOwn(success?.headers ?? {}, 'Ignored-Members')).toBe(route?.body !== undefined)
    for (const { description } of Object.values(operation.responses)) expect(description).not.toBe('')
  }
})

test('every reference in it resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)
  expect(references.length).toBeGreaterThan(0)
  for (const reference of new Set(references)) {
    const found = reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
    expect(found).toBeTypeOf('object')
  }
})

test('every schema in it is valid: types are those of JSON, required fields exist, bounds are in order', () => {
  const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type, required, properties, minimum, maximum, minLength, maxLength } = value as Record<string, unknown>
    if (typeof type === 'string' && !('flows' in value)) expect(TYPES).toContain(type)
    if (Array.isArray(required) && properties) {
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required))
    }
    // fields can have such names too, and then hold a schema
    const bound = (given: unknown, fallback: number) => (typeof given === 'number' ? given : fallback)
    expect(bound(minimum, 0)).toBeLessThanOrEqual(bound(maximum, Number.POSITIVE_INFINITY))
    expect(bound(minLength, 0)).toBeLessThanOrEqual(bound(maxLength, Number.POSITIVE_INFINITY))
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(document.paths)
  visit(document.components.schemas)
})

test('R-33: the permission of every operation is in it, and every permission named is explained', () => {
  const flow = document.components.securitySchemes.managementApi?.flows.clientCredentials
  expect(flow?.tokenUrl).toBe(`${server.issuer}/token`)
  expect(Object.keys(flow?.scopes ?? {}).sort()).toEqual(MANAGEMENT_PERMISSIONS.map(({ name }) => name).sort())
  for (const { path, method, operation } of operations()) {
    const route = GUARDED.find((one) => titleOf(one).replace(/:(\w+)/g, '{$1}') === `${method.toUpperCase()} ${path}`)
    const own = ACCOUNT_ROUTES.find(({ id }) => id === operation.operationId)
    const open = path.startsWith('/experience') ? [{ browser: [] }] : []
    const unguarded = own ? [{ accountApi: ['openid', ...(own.scopes ?? [])] }] : open
    expect(operation.security).toEqual(
      route
        ? [{ managementApi: ['all'] }, { managementApi: permissionsOf(route) }].slice(
            route.permission === 'all' ? 1 : 0,
          )
        : unguarded,
    )
  }
})

test('it is the same at the address that other tools use', async () => {
  expect(await fetched('/swagger.json')).toEqual(document)
})

test('the document of one API contains only that API', async () => {
  const pathsOf = async (name: string) => Object.keys((await fetched(`/.well-known/${name}.openapi.json`)).paths)
  const documented = (routes: typeof API_ROUTES) => [
    ...new Set(routes.map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))),
  ]
  expect(await pathsOf('management')).toEqual(documented(API_ROUTES))
  expect(await pathsOf('experience')).toEqual(documented(EXPERIENCE_ROUTES))
  expect(await pathsOf('user')).toEqual(documented(ACCOUNT_ROUTES))
})
