/** What a refusal of input names: the query parameter, or each member of the body that is missing (DECISIONS B2). */

import { API_ROUTES } from '@countersign/contract/api.ts'
import { isSearched } from '@countersign/contract/route.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { unknownPath } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const SEARCHED = API_ROUTES.filter(isSearched)

test('the searchable lists are those of the reference', () => {
  expect(SEARCHED.map(({ path }) => path).sort()).toEqual([
    '/applications',
    '/applications/:applicationId/roles',
    '/resources/:resourceId/scopes',
    '/roles',
    '/roles/:id/applications',
    '/roles/:id/scopes',
    '/roles/:id/users',
    '/users',
    '/users/:userId/roles',
  ])
})

test.each(SEARCHED.map((route) => [route.path, route] as const))(
  'GET %s refuses a search of a field that it does not know: a misspelt search must not find everything',
  async (_, route) => {
    for (const name of ['search.nme', 'mode.nme', 'search.', 'search.__proto__']) {
      const { status, body } = await server.api('GET', `${unknownPath(route)}?${name}=x`)
      expect([status, body.code]).toEqual([400, 'request.invalid_input'])
      expect(body.data.reason).toContain(`${name} is not supported; use search`)
    }
  },
)

test('every missing member of a body is a separate issue with its path', async () => {
  const missing = (path: string) => ({ path, reason: 'is required' })
  const { status, body } = await server.api('POST', '/resources', {})
  expect([status, body.data.issues]).toEqual([400, [missing('/name'), missing('/indicator')]])
  expect(body.data.reason).toBe('body /name is required')
  const { body: nested } = await server.api('POST', '/hooks', { name: 'x', config: {}, events: ['User.Created'] })
  expect(nested.data.issues).toContainEqual(missing('/config/url'))
})
