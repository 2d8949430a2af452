/**
 * Usernames that differ only in case (DECISIONS Q7): what `usernamePolicy.caseSensitive` changes wherever names are
 * written or found, and that no change of it leaves two names that it does not allow.
 */
import { type ApiClient, managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import type * as client from 'openid-client'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { importUsers } from '../factors/arrange.ts'
import { begin, createApp, newBrowser, PASSWORD, signIn } from '../sign-in/arrange.ts'
import { freshName, idsOf, refusal } from './arrange.ts'

let server: TestServer
/** The Management API of another node on the same database. */
let elsewhere: ApiClient
let node: Awaited<ReturnType<TestServer['startNode']>>
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { ADDRESS_FAILURES: '0', ADDRESS_REGISTRATIONS: '0' })
  node = await server.startNode({ WORKERS: 'off' })
  elsewhere = managementClient(node.url, server.credentials)
  configuration = (await createApp(server)).configuration
})
afterAll(async () => {
  await node.close()
  await server.close()
})

const TAKEN = [422, 'user.username_already_in_use']
const WRONG = [422, 'session.invalid_credentials']
const CONFLICTS = '/sign-in-exp/username-policy/case-sensitivity-conflicts'

const policy = (caseSensitive: boolean) => server.api('PATCH', '/sign-in-exp', { usernamePolicy: { caseSensitive } })
const create = (username: string, api = server.api) => api('POST', '/users', { username, password: PASSWORD })
/** A name in both cases, the first with a capital. */
const twins = (): [string, string] => {
  const name = `twin_${freshName()}`
  return [`T${name.slice(1)}`, name]
}
/** Both with the password of the tests. */
const createTwins = async (...names: string[]): Promise<string[]> => {
  const ids: string[] = []
  for (const name of names) {
    const answer = await create(name)
    expect(answer.status).toBe(200)
    ids.push(answer.body.id)
  }
  return ids
}
const verify = async (username: string, password = PASSWORD) => {
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  return page.verify(username, password)
}
const signedIn = async (username: string): Promise<string> => {
  const browser = newBrowser()
  const page = await signIn(browser, await begin(configuration), username)
  return page.url.searchParams.has('code') ? 'signed in' : String(page.status)
}
const unlock = (...targets: string[]) =>
  server.api('POST', '/sentinel-activities/delete', { targetType: 'User', targets })

/** No names that differ only in case remain, and the policy is the default. */
afterEach(async () => {
  const { body } = await server.api('GET', `${CONFLICTS}?limit=100`)
  for (const { userIds } of body.samples)
    for (const id of userIds.slice(1)) expect((await server.api('DELETE', `/users/${id}`)).status).toBe(204)
  expect((await policy(false)).status).toBe(200)
})

describe('names that differ only in case', () => {
  test('are one name by default', async () => {
    const [upper, lower] = twins()
    const [id] = await createTwins(upper)
    expect(refusal(await create(lower))).toEqual(TAKEN)
    expect(await signedIn(lower)).toBe('signed in')
    expect((await server.api('GET', '/sign-in-exp')).body.usernamePolicy.caseSensitive).toBe(false)
    expect((await server.api('GET', CONFLICTS)).body).toEqual({ totalConflicts: 0, samples: [] })
    expect((await server.api('PATCH', `/users/${id}`, { username: lower })).status).toBe(200)
  })

  test('are two names if case matters, including earlier ones; no name exists twice', async () => {
    const [upper, lower] = twins()
    const third = upper.toUpperCase()
    const [before] = await createTwins(upper)
    expect((await policy(true)).body.usernamePolicy.caseSensitive).toBe(true)
    const [second, last] = await createTwins(lower, third)
    for (const name of [upper, lower, third]) expect(refusal(await create(name))).toEqual(TAKEN)
    const renamed = (id: string | undefined, username: string) => server.api('PATCH', `/users/${id}`, { username })
    for (const name of [upper, lower]) expect(refusal(await renamed(last, name))).toEqual(TAKEN)
    // a name that was given up is free, including an earlier one
    const fourth = `${third}_too`
    expect((await renamed(before, fourth)).status).toBe(200)
    expect((await renamed(last, upper)).status).toBe(200)
    expect((await renamed(second, third)).status).toBe(200)
    expect(refusal(await create(upper))).toEqual(TAKEN)
    expect((await create(fourth.toLowerCase())).status).toBe(200)
  })

  test('sign in to their own accounts, exactly as written', async () => {
    await policy(true)
    const [upper, lower] = twins()
    const [one, other] = await createTwins(upper, lower)
    await server.api('PATCH', `/users/${other}/password`, { password: 'another horse battery' })
    expect(await signedIn(upper)).toBe('signed in')
    expect(await signedIn(lower)).toBe('422')
    expect((await verify(lower, 'another horse battery')).status).toBe(200)
    expect(refusal(await verify(upper.toUpperCase()))).toEqual(WRONG)
    // the hint names the other account, whose owner has to sign in
    const browser = newBrowser()
    await signIn(browser, await begin(configuration), upper)
    const hinted = async (login_hint: string) =>
      (await browser.open((await begin(configuration, { login_hint })).url)).url.searchParams.has('code')
    expect([await hinted(upper), await hinted(lower)]).toEqual([true, false])
    const found = await server.api('GET', `/users?search.username=${lower}&mode=exact`)
    expect(new Set(idsOf(found))).toEqual(new Set([one, other]))
    const exactly = await server.api('GET', `/users?search.username=${lower}&mode=exact&isCaseSensitive=true`)
    expect(idsOf(exactly)).toEqual([other])
  })

  test('register, on the page and through the Experience API', async () => {
    const [upper, lower] = twins()
    await createTwins(upper)
    const register = async (username: string) => {
      const page = await openPage(server, configuration)
      await page.start('Register')
      const identifier = { type: 'username', value: username }
      return page.call('POST', '/verification/new-password-identity', { identifier, password: PASSWORD })
    }
    const onPage = async (username: string) => {
      const browser = newBrowser()
      const { url } = await begin(configuration, { first_screen: 'register' })
      return browser.submit(await browser.open(url), { identifier: username, password: PASSWORD })
    }
    expect(refusal(await register(lower))).toEqual(TAKEN)
    expect((await onPage(lower)).status).toBe(422)
    await policy(true)
    expect(refusal(await register(upper))).toEqual(TAKEN)
    expect((await onPage(upper)).status).toBe(422)
    expect((await onPage(lower)).url.searchParams.has('code')).toBe(true)
    const page = await openPage(server, configuration)
    expect((await page.register(upper.toUpperCase())).status).toBe(200)
    expect((await server.api('GET', CONFLICTS)).body.totalConflicts).toBe(1)
  })

  test('are added to an account that has none yet', async () => {
    const [upper, lower] = twins()
    await createTwins(upper)
    const primaryEmail = `${lower}@example.com`
    await server.api('POST', '/users', { primaryEmail, password: PASSWORD })
    const before = (await server.api('GET', '/sign-in-exp')).body.signIn.methods
    const methods = [...before, { ...before[0], identifier: 'email' }]
    await server.api('PATCH', '/sign-in-exp', { signIn: { methods }, usernamePolicy: { caseSensitive: true } })
    const page = await openPage(server, configuration)
    await page.start('SignIn')
    await page.call('POST', '/identification', (await page.verify(primaryEmail, PASSWORD, 'email')).body)
    const enter = (value: string) => page.call('POST', '/profile', { type: 'username', value })
    expect(refusal(await enter(upper))).toEqual(TAKEN)
    expect((await enter(lower)).status).toBe(204)
    expect((await page.call('POST', '/submit')).status).toBe(200)
    expect(await signedIn(lower)).toBe('signed in')
    await server.api('PATCH', '/sign-in-exp', { signIn: { methods: before } })
  })

  test('are imported, or refused as taken', async () => {
    const [upper, lower] = twins()
    await createTwins(upper)
    const imported = (...names: string[]) =>
      importUsers(
        server,
        names.map((username) => ({ username })),
      )
    const taken = (line: number) => [expect.objectContaining({ line, code: 'user.username_already_in_use' })]
    expect(await imported(lower)).toEqual(taken(1))
    await policy(true)
    // the last one is a duplicate
    expect(await imported(lower, upper.toUpperCase(), upper)).toEqual(taken(3))
    expect(refusal(await create(lower))).toEqual(TAKEN)
    expect(refusal(await policy(false))).toEqual([422, 'sign_in_experiences.username_policy_case_conflicts_exist'])
  })
})

describe('R-28 the lockout', () => {
  beforeAll(async () => {
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: { maxAttempts: 3 } })
  })
  afterAll(async () => {
    await server.api('PATCH', '/sign-in-exp', { sentinelPolicy: {} })
  })

  const fail = async (username: string, times: number) => {
    for (let count = 0; count < times; count += 1) expect(refusal(await verify(username, 'wrong'))).toEqual(WRONG)
  }
  const LOCKED = [400, 'session.verification_blocked_too_many_attempts']

  test('counts names that differ only in case separately if case matters, and unknown names like known ones', async () => {
    await policy(true)
    const [upper, lower] = twins()
    await createTwins(upper, lower)
    const unknown = upper.toUpperCase()
    await fail(upper, 2)
    // the success of the other account resets nothing
    expect((await verify(lower)).status).toBe(200)
    await fail(upper, 1)
    await fail(unknown, 3)
    for (const name of [upper, unknown]) expect(refusal(await verify(name))).toEqual(LOCKED)
    expect((await verify(lower)).status).toBe(200)
    // by name as written
    await unlock(lower)
    expect(refusal(await verify(upper))).toEqual(LOCKED)
    await unlock(upper)
    expect((await verify(upper)).status).toBe(200)
    expect(refusal(await verify(unknown))).toEqual(LOCKED)
  })

  test('of an account outlasts a change of the policy', async () => {
    const [upper, lower] = twins()
    await createTwins(upper)
    await fail(upper, 2)
    await fail(lower, 1)
    expect(refusal(await verify(upper))).toEqual(LOCKED)
    await policy(true)
    // the count of the identifier restarts, that of the account does not: even the right password is refused
    expect(refusal(await verify(upper))).toEqual(WRONG)
  })
})

describe('the policy', () => {
  test('cannot be switched off while names differ only in case; the conflicts are listed', async () => {
    await policy(true)
    const [[upper, lower], [capital, second]] = [twins(), twins()]
    const ids = [await createTwins(upper, lower), await createTwins(capital, second)]
    const byName = [lower, second].map((usernameLower, at) => ({ usernameLower, userIds: ids[at]?.toSorted() }))
    const samples = byName.toSorted((a, b) => (a.usernameLower < b.usernameLower ? -1 : 1))
    expect((await server.api('GET', CONFLICTS)).body).toEqual({ totalConflicts: 2, samples })
    const first = (await server.api('GET', `${CONFLICTS}?limit=1`)).body
    expect(first).toEqual({ totalConflicts: 2, samples: samples.slice(0, 1) })
    for (const limit of ['0', '101', 'all'])
      expect((await server.api('GET', `${CONFLICTS}?limit=${limit}`)).status).toBe(400)
    const refused = await policy(false)
    expect(refusal(refused)).toEqual([422, 'sign_in_experiences.username_policy_case_conflicts_exist'])
    expect(refused.body.data).toEqual({ totalConflicts: 2 })
    // omitted parts of a policy take their defaults
    expect((await server.api('PATCH', '/sign-in-exp', { usernamePolicy: { minLength: 2 } })).status).toBe(422)
    expect((await create(upper.toUpperCase())).status).toBe(200)
    for (const [id, username] of [
      [ids[0]?.[1], ''],
      [ids[1]?.[0], `${capital}_2`],
    ])
      expect((await server.api('PATCH', `/users/${id}`, { username })).status).toBe(200)
    expect((await policy(false)).status).toBe(422)
    const { body } = await server.api('GET', CONFLICTS)
    expect(body.totalConflicts).toBe(1)
    await server.api('DELETE', `/users/${body.samples[0].userIds.find((id: string) => id !== ids[0]?.[0])}`)
    expect((await policy(false)).status).toBe(200)
    // written while case mattered, and now case-insensitive
    expect(refusal(await create(second.toUpperCase()))).toEqual(TAKEN)
    expect(await signedIn(second.toUpperCase())).toBe('signed in')
  })

  const count = async (database: pg.Client, condition: string): Promise<number> =>
    (await database.query(`SELECT count(*)::int AS n FROM ${condition}`)).rows[0].n
  const WAITING = `pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

  /** Two requests, of which the first waits for a locked row, and the second for the first. */
  const inTurn = (
    [table, id]: readonly ['roles' | 'users', string | undefined],
    first: () => ReturnType<ApiClient>,
    second: () => ReturnType<ApiClient>,
  ) =>
    withClient(server.databaseUrl, async (database) => {
      await database.query('BEGIN')
      const locked = await database.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id])
      expect(locked.rowCount).toBe(1)
      const answers = [first()]
      // not pg_stat_activity, of which a transaction keeps what it has seen first
      const waitsForRow = () =>
        count(database, 'pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))')
      await expect.poll(waitsForRow, { timeout: 60_000 }).toBe(1)
      answers.push(second())
      await expect.poll(() => count(database, WAITING), { timeout: 60_000 }).toBe(1)
      await database.query('COMMIT')
      return Promise.all(answers)
    })

  test('waits for a name that is being written, and sees it', async () => {
    await policy(true)
    const [upper, lower] = twins()
    await createTwins(upper)
    const role = await server.api('POST', '/roles', { name: 'Default', description: 'Default', isDefault: true })
    // the name is written before the user is given the role
    const answers = await inTurn(
      ['roles', role.body.id],
      () => create(lower, elsewhere),
      () => policy(false),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 422])
    expect((await server.api('DELETE', `/roles/${role.body.id}`)).status).toBe(204)
  })

  test('a name written during the change waits for it and follows the new rule', async () => {
    await policy(true)
    const [upper, lower] = twins()
    const [id] = await createTwins(upper)
    const [changed, created] = await inTurn(
      ['users', id],
      () => policy(false),
      () => create(lower, elsewhere),
    )
    expect(changed?.status).toBe(200)
    expect(created && refusal(created)).toEqual(TAKEN)
  })

  test('changes between fifty names on two nodes, and never allows two that it does not', async () => {
    await policy(true)
    const pairs = Array.from({ length: 25 }, twins)
    const first = pairs.map(([upper], at) => create(upper, at % 2 === 0 ? server.api : elsewhere))
    const changed = policy(false)
    const second = pairs.map(([, lower], at) => create(lower, at % 2 === 0 ? elsewhere : server.api))
    const [{ status }, ...created] = await Promise.all([changed, ...first, ...second])
    for (const answer of created) if (answer.status !== 200) expect(refusal(answer)).toEqual(TAKEN)
    const { caseSensitive } = (await server.api('GET', '/sign-in-exp')).body.usernamePolicy
    expect([status, caseSensitive]).toEqual(status === 200 ? [200, false] : [422, true])
    const written = created.filter((answer) => answer.status === 200).length
    const { totalConflicts } = (await server.api('GET', CONFLICTS)).body
    // at least one of each pair
    expect(written - totalConflicts).toBe(pairs.length)
    expect(totalConflicts).toBe(status === 200 ? 0 : pairs.length)
  })
})
