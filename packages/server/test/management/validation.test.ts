/** What a refusal of input names: the query parameter, or each member of the body that is missing (DECISIONS B2). */

import { API_ROUTES } from '@countersign/contract/api.ts'
import { INPUT_ISSUES } from '@countersign/contract/input-issues.ts'
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
  const missing = (path: string) => ({ path, reason: 'is required', code: 'missing' })
  const { status, body } = await server.api('POST', '/resources', {})
  expect([status, body.data.issues]).toEqual([400, [missing('/name'), missing('/indicator')]])
  expect(body.data.reason).toBe('body /name is required')
  const { body: nested } = await server.api('POST', '/hooks', { name: 'x', config: {}, events: ['User.Created'] })
  expect(nested.data.issues).toContainEqual(missing('/config/url'))
})

test('an issue has a code, and the values that the sentence of its code has', async () => {
  const application = { name: 'x', type: 'Traditional' }
  const withUri = (uri: string) => ({ ...application, oidcClientMetadata: { redirectUris: [uri] } })
  const withKeys = (metadata: object) => ({ ...application, customClientMetadata: metadata })
  const refused = [
    ['POST', '/roles', { name: '' }, 'empty', {}],
    ['POST', '/roles', { name: 'x'.repeat(129) }, 'too_long', { limit: 128 }],
    ['POST', '/roles', { name: 1 }, 'type', {}],
    ['POST', '/roles', { name: 'x', type: 'Other' }, 'option', {}],
    ['POST', '/resources', { name: 'x', indicator: 'https://x.example', accessTokenTtl: 0.5 }, 'integer', {}],
    ['POST', '/applications', withUri('example.com'), 'uri_incomplete', {}],
    ['POST', '/applications', withUri('https://x.example/#a'), 'uri_fragment', {}],
    ['POST', '/applications', withUri('http://x.example'), 'uri_not_https', {}],
    ['POST', '/applications', withUri('https://*.x.example'), 'uri_wildcard', {}],
    ['POST', '/applications', withUri('https://a@x.example'), 'uri_user', {}],
    ['POST', '/applications', withKeys({ tokenEndpointAuthMethod: 'private_key_jwt' }), 'keys_missing', {}],
    ['POST', '/applications', withKeys({ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }), 'key_private', { number: 1 }],
    ['POST', '/applications', withKeys({ corsAllowedOrigins: ['https://x.example/a'] }), 'origin', {}],
    ['PATCH', '/sign-in-exp', { termsOfUseUrl: 'javascript:alert(1)' }, 'url', {}],
    ['PATCH', '/sign-in-exp', { supportEmail: 'nobody' }, 'email', {}],
    ['POST', '/users', { avatar: 'ftp://x.example/a.png' }, 'url', {}],
  ] as const
  for (const [method, path, body, code, values] of refused) {
    const answer = await server.api(method, path, body)
    const [issue] = answer.body.data?.issues ?? []
    expect([path, body, answer.status, answer.body.code]).toEqual([path, body, 400, 'guard.invalid_input'])
    expect(issue).toMatchObject({ code, ...values })
    const places = [...INPUT_ISSUES[code].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(places.filter((name) => issue[name] === undefined)).toEqual([])
  }
})
