/** Which names are the same (DECISIONS B14): names that look alike, or that Unicode writes in several ways. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fresh } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** All of them look like the first, or nearly so. */
const ALIKE = {
  composed: 'Caf\u00e9',
  decomposed: 'Cafe\u0301',
  'a zero width space': 'Caf\u200b\u00e9',
  'a zero width joiner': 'Caf\u00e9\u200d',
  'a byte order mark': '\ufeffCaf\u00e9',
  'a soft hyphen': 'Ca\u00adf\u00e9',
  'an override from right to left': '\u202e\u00e9faC\u202c',
  'a Cyrillic a': 'C\u0430f\u00e9',
  'full width': '\uff23af\u00e9',
  'upper case': 'CAF\u00c9',
  'a space at the end': 'Caf\u00e9 ',
  'a no-break space': '\u00a0Caf\u00e9',
} as const
const NAMES = Object.entries(ALIKE)
const create = (path: string, body: object) => server.api('POST', path, body)

describe('names are compared and stored code point by code point', () => {
  test.each(['/roles', '/organization-roles'])('%s: each is another name, and none can be had twice', async (path) => {
    const ids = new Map<string, string>()
    for (const [, name] of NAMES) {
      const { status, body } = await create(path, { name })
      expect([status, body.name]).toEqual([path === '/roles' ? 200 : 201, name])
      ids.set(name, body.id)
    }
    for (const [, name] of NAMES) expect((await create(path, { name })).status).toBe(422)
    for (const [name, id] of ids) expect((await server.api('GET', `${path}/${id}`)).body.name).toBe(name)
    // nor can one become the other
    const [first, second] = [...ids.values()]
    expect((await server.api('PATCH', `${path}/${first}`, { name: ALIKE.decomposed })).status).toBe(422)
    expect((await server.api('PATCH', `${path}/${second}`, { name: ALIKE.decomposed })).status).toBe(200)
  })

  test('a role given by name is the one with exactly this name', async () => {
    const { body: user } = await create('/users', { username: fresh('user').replace('-', '_') })
    const { body: organization } = await create('/organizations', { name: ALIKE.composed })
    const path = `/organizations/${organization.id}/users`
    await create(path, { userIds: [user.id] })
    const { body: roles } = await server.api('GET', '/organization-roles?page_size=100')
    for (const [, name] of NAMES) {
      await server.api('PUT', `${path}/${user.id}/roles`, { organizationRoleNames: [name] })
      const { body: held } = await server.api('GET', `${path}/${user.id}/roles`)
      expect(held.map(({ id }: { id: string }) => id)).toEqual(
        roles.filter((role: { name: string }) => role.name === name).map(({ id }: { id: string }) => id),
      )
    }
    const unknown = await server.api('PUT', `${path}/${user.id}/roles`, { organizationRoleNames: ['Cafe'] })
    expect(unknown.status).toBe(422)
  })

  test.each<[string, (name: string) => object]>([
    ['/applications', (name) => ({ name, type: 'SPA' })],
    ['/resources', (name) => ({ name, indicator: `https://${fresh('api')}.example` })],
    ['/organizations', (name) => ({ name })],
    ['/users', (name) => ({ name })],
    ['/hooks', (name) => ({ name, events: ['Role.Created'], config: { url: 'https://a.example' } })],
  ])('%s: names are labels, which several can have', async (path, body) => {
    for (const [, name] of [...NAMES, ...NAMES]) {
      const answer = await create(path, body(name))
      expect([answer.status < 300, answer.body.name]).toEqual([true, name])
    }
  })

  test('so are the names of secrets and personal access tokens', async () => {
    const { body: application } = await create('/applications', { name: 'x', type: 'MachineToMachine' })
    const { body: user } = await create('/users', { name: 'x' })
    const paths = [`/applications/${application.id}/secrets`, `/users/${user.id}/personal-access-tokens`]
    for (const path of paths) {
      for (const [, name] of NAMES) expect((await create(path, { name })).status).toBe(201)
      for (const [, name] of NAMES) expect((await create(path, { name })).status).toBe(422)
      // each is found again in an address
      for (const [, name] of NAMES)
        expect((await server.api('DELETE', `${path}/${encodeURIComponent(name)}`)).status).toBe(204)
    }
  })
})

describe('names that grant rights are ASCII, so that none resembles another', () => {
  test.each(NAMES)('a permission, a username: not %s', async (_, name) => {
    const { body: resource } = await create('/resources', { name: 'x', indicator: `https://${fresh('api')}.example` })
    for (const path of [`/resources/${resource.id}/scopes`, '/organization-scopes']) {
      const { status, body } = await create(path, { name })
      expect([status, body.code]).toEqual([400, 'scope.name_with_space'])
    }
    const { status, body } = await create('/users', { username: name })
    expect([status, body.code]).toEqual([400, 'user.username_invalid_charset_hard'])
  })

  test('usernames are case-insensitive, permissions are not', async () => {
    expect((await create('/users', { username: 'Cafe' })).status).toBe(200)
    expect((await create('/users', { username: 'cAFE' })).body.code).toBe('user.username_already_in_use')
    const { body: resource } = await create('/resources', { name: 'x', indicator: `https://${fresh('api')}.example` })
    for (const name of ['read', 'READ'])
      expect((await create(`/resources/${resource.id}/scopes`, { name })).status).toBe(201)
  })
})

describe('addresses', () => {
  test('of users are equal composed, decomposed and in any case; invisible characters are refused', async () => {
    const sent = (name: string) => create('/users', { primaryEmail: `${name}@example.com` })
    expect((await sent(ALIKE.composed)).status).toBe(200)
    for (const name of [ALIKE.decomposed, ALIKE['upper case']])
      expect((await sent(name)).body.code).toBe('user.email_already_in_use')
    for (const kind of ['a zero width space', 'a zero width joiner', 'a soft hyphen', 'an override from right to left'])
      expect((await sent(ALIKE[kind as keyof typeof ALIKE])).body.code).toBe('user.invalid_email')
    // another mailbox, which only its owner can prove
    expect((await sent(ALIKE['a Cyrillic a'])).status).toBe(200)
  })

  test('of domains are equal composed, decomposed, in any case and in ASCII', async () => {
    const { body: organization } = await create('/organizations', { name: 'x' })
    const path = `/organizations/${organization.id}/jit/email-domains`
    const emailDomains = ['caf\u00e9.example', 'cafe\u0301.example', 'CAF\u00c9.example', 'xn--caf-dma.example']
    expect((await server.api('PUT', path, { emailDomains })).status).toBe(204)
    const { body } = await server.api('GET', path)
    expect(body.map((each: { emailDomain: string }) => each.emailDomain)).toEqual(['xn--caf-dma.example'])
    for (const emailDomain of ['caf\u200b\u00e9.example', '\u202ecaf\u00e9.example'])
      expect((await create(path, { emailDomain })).status).toBe(400)
  })
})
