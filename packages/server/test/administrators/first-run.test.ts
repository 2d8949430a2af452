/** The first administrator comes by a one-time link, further ones by the command line or the API; one owner stays (DECISIONS U5, U6). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { administratorLink } from '@countersign/server/administrators.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runHere } from '../cli/in-process.ts'
import { clientOf } from '../scim/arrange.ts'
import { Browser } from '../sign-in/browser.ts'
import { askAsConsole, consoleToken, createAdministrator } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const newLink = async () => administratorLink(server.store, await getTenant(server.store, 'default'))
const cli = (...args: string[]) => runHere(['admin', ...args], { env: server.environment, folder: '/' })
const owners = async () =>
  (await server.api('GET', '/administrators')).body.map(({ roleIds }: { roleIds: string[] }) => roleIds)

const GOOD = { identifier: 'ada', password: 'a long and quiet evening' }

describe('the link of the first start', () => {
  test('makes an owner, once, whichever of several links is used', async () => {
    const [link = '', other = ''] = [await newLink(), await newLink()]
    const browser = new Browser(`${server.baseUrl}/console`)
    const page = await browser.open(link)
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("frame-ancestors 'none'"),
    ])
    // what is refused does not use it up
    expect((await browser.submit(page, { ...GOOD, password: 'abc' })).status).toBe(422)
    expect((await browser.submit(page, { ...GOOD, identifier: '1' })).status).toBe(422)
    const pages = await Promise.all(
      [link, other].map(async (address, index) => {
        const own = new Browser(`${server.baseUrl}/console`)
        return own.submit(await own.open(address), { ...GOOD, identifier: `ada_${index}` })
      }),
    )
    expect(pages.filter(({ url }) => url.pathname === '/console')).toHaveLength(1)
    expect(await owners()).toEqual([['owner']])
    const { body } = await server.api('GET', '/administrators')
    const { username } = body[0]
    for (const address of [link, other]) expect((await browser.open(address)).status).toBe(400)
    expect(await newLink()).toBeUndefined()
    const signedIn = { username, browser: new Browser(`${server.baseUrl}/console/callback`) }
    const tokens = await askAsConsole(server, signedIn, {}, GOOD.password)
    expect(tokens.body.scope).toContain('all')
    await server.store.database.pool.query('DELETE FROM administrators')
  })
})

test('the command line makes, lists and removes administrators', async () => {
  expect((await cli('link')).out).toMatch(/^http.*\/first-administrator\?token=cs_al_\S+\n$/)
  const { id } = await createAdministrator(server)
  const { body: user } = await server.api('GET', `/users/${id}`)
  expect(await cli('create', user.username, '--role', 'auditor')).toMatchObject({ status: 0, err: '' })
  const made = await cli('create', 'grace')
  const [, password = ''] = /Password: (\S+)/.exec(made.out) ?? []
  expect(password.length).toBeGreaterThan(20)
  const grace = { username: 'grace', browser: new Browser(`${server.baseUrl}/console/callback`) }
  expect((await askAsConsole(server, grace, {}, password)).status).toBe(200)
  const { out } = await cli('list')
  expect(out).toMatch(/grace +owner +no/)
  expect(out).toContain(`${user.username}`)
  expect(await cli('link')).toMatchObject({ status: 1, err: expect.stringContaining('admin create') })
  expect(await cli('create', user.username, '--role', 'nope')).toMatchObject({ status: 1 })
  expect(await cli('remove', user.username)).toMatchObject({ status: 0 })
  expect(await cli('remove', 'grace')).toMatchObject({ status: 1, err: expect.stringContaining('last owner') })
  expect(await cli('remove', 'nobody-here')).toMatchObject({ status: 1 })
  // an account that was opened with the address of someone else is not theirs
  await server.api('PATCH', `/users/${id}`, { primaryEmail: 'boss@example.com' })
  expect(await cli('create', 'boss@example.com')).toMatchObject({ status: 1, err: expect.stringContaining(id) })
  expect(await cli('create', id, '--role', 'auditor')).toMatchObject({ status: 0 })
  expect(await owners()).toContainEqual(['auditor'])
  expect((await server.api('GET', `/users/${id}`)).status).toBe(200)
})

describe('the last owner', () => {
  test('is not removed, demoted, suspended or deleted by anyone; two who leave at once do not both leave', async () => {
    await server.store.database.pool.query('DELETE FROM administrators')
    const [first, second] = [await createAdministrator(server, ['owner']), await createAdministrator(server, ['owner'])]
    const left = await Promise.all([first, second].map(({ id }) => server.api('DELETE', `/administrators/${id}`)))
    expect(left.map(({ status }) => status).toSorted()).toEqual([204, 422])
    const [last] = (await server.api('GET', '/administrators')).body
    const other = await createAdministrator(server, ['administrator'])
    const attempts = [
      ['DELETE', `/administrators/${last.userId}`],
      ['PUT', `/administrators/${last.userId}`, { roleIds: ['administrator'] }],
      ['PATCH', `/users/${last.userId}/is-suspended`, { isSuspended: true }],
      ['DELETE', `/users/${last.userId}`],
    ] as const
    for (const [method, path, body] of attempts) {
      const answer = await server.api(method, path, body)
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 422, 'administrator.last_owner'])
    }
    // a suspended owner is no owner who remains
    await server.api('PUT', `/administrators/${other.id}`, { roleIds: ['owner'] })
    expect((await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: true })).status).toBe(200)
    expect((await server.api('DELETE', `/users/${last.userId}`)).status).toBe(422)
    await server.api('PATCH', `/users/${other.id}/is-suspended`, { isSuspended: false })
    expect((await server.api('DELETE', `/users/${last.userId}`)).status).toBe(204)
    expect(await consoleToken(server, other)).toBeTruthy()
  })
})

describe('roles of administrators', () => {
  test('that are built in do not change; a held one is not deleted; names are unique', async () => {
    const created = await server.api('POST', '/administrator-roles', {
      name: 'Desk',
      permissions: ['read:users', 'read:users'],
    })
    expect([created.status, created.body.permissions]).toEqual([201, ['read:users']])
    const path = `/administrator-roles/${created.body.id}`
    const { id } = await createAdministrator(server, [created.body.id])
    const outcomes = [
      await server.api('POST', '/administrator-roles', { name: 'Desk', permissions: [] }),
      await server.api('POST', '/administrator-roles', { name: 'Odd', permissions: ['read:everything'] }),
      await server.api('DELETE', path),
      await server.api('PATCH', '/administrator-roles/owner', { permissions: [] }),
      await server.api('DELETE', '/administrator-roles/auditor'),
      await server.api('PUT', `/administrators/${id}`, { roleIds: ['unknown'] }),
      await server.api('PUT', `/administrators/${id}`, { roleIds: [] }),
    ]
    expect(outcomes.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      '422 administrator_role.name_in_use',
      '400 guard.invalid_input',
      '422 administrator_role.in_use',
      '422 administrator_role.built_in',
      '422 administrator_role.built_in',
      '422 entity.relation_foreign_key_not_found',
      '400 guard.invalid_input',
    ])
    await server.api('DELETE', `/administrators/${id}`)
    expect((await server.api('DELETE', path)).status).toBe(204)
  })
})

test('a directory suspends an administrator, and changes nothing that they sign in with', async () => {
  const { body: directory } = await server.api('POST', '/scim-directories', { name: 'Workday', linksUsers: true })
  const { body: token } = await server.api('POST', `/scim-directories/${directory.id}/tokens`, { name: 'first' })
  const scim = clientOf(`${server.baseUrl}/scim/v2/${directory.id}`, token.value)
  const { body: user } = await scim('POST', '/Users', { userName: 'linus', emails: [{ value: 'linus@example.com' }] })
  const { body: found } = await server.api('GET', '/users?search=linus%25')
  await server.api('PUT', `/administrators/${found[0].id}`, { roleIds: ['auditor'] })
  const patch = (value: object) => scim('PATCH', `/Users/${user.id}`, patchOf(value))
  expect((await patch({ displayName: 'Linus' })).status).toBe(200)
  expect((await patch({ userName: 'mine' })).status).toBe(403)
  expect((await patch({ active: false })).status).toBe(200)
  const { body: after } = await server.api('GET', `/users/${found[0].id}`)
  expect(after).toMatchObject({ username: 'linus', isSuspended: true })
})
const patchOf = (value: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', value }],
})

// the last: a token that the tests have got before ends with the day
test('the link ends after a day, and a guessed one is none', async () => {
  const { pool } = server.store.database
  await pool.query('DELETE FROM administrators')
  const link = (await newLink()) ?? ''
  const browser = new Browser()
  expect((await browser.open(link.slice(0, -1))).status).toBe(400)
  expect((await browser.open(`${server.baseUrl}/first-administrator`)).status).toBe(400)
  server.clock.advance(86_399)
  const page = await browser.open(link)
  expect(page.status).toBe(200)
  server.clock.advance(1)
  expect((await browser.open(link)).status).toBe(400)
  expect((await browser.submit(page, GOOD)).status).toBe(400)
  expect((await pool.query('SELECT FROM administrators')).rowCount).toBe(0)
})
