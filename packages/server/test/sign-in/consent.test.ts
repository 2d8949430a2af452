import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { recordConsent } from '@countersign/server/domain/sign-in/interactions.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { perform } from '@countersign/server/storage/unit-of-work.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, createApp, createUser, newBrowser, PASSWORD, redeem, signIn } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

test('a third-party application gets a code if the user consents, otherwise access_denied', async () => {
  const { configuration } = await createApp(server, 'SPA', { isThirdParty: true })
  for (const answer of ['allow', 'deny']) {
    const user = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(configuration)
    const page = await signIn(browser, begun, user.username)
    expect(page.text).toContain('Allow Notes?')
    const back = await browser.submit(page, { answer })
    if (answer === 'allow') expect((await redeem(configuration, back, begun)).claims()?.sub).toBe(user.id)
    else expect(back.url.searchParams.get('error')).toBe('access_denied')
  }
})

test('the consent of one user does not count for another who signs in in the same interaction', async () => {
  const { configuration } = await createApp(server, 'SPA', { isThirdParty: true })
  const [first, second] = [await createUser(server), await createUser(server)]
  const browser = newBrowser()
  const begun = await begin(configuration)
  const consent = await signIn(browser, begun, first.username)
  const page = await browser.submit(consent, { answer: 'another' })
  const tenant = await getTenant(server.store, 'default')
  const id = page.url.pathname.split('/').at(-1) ?? ''
  const work = { store: server.store, tenant, caller: systemCaller('test') }
  const { rows } = await server.store.database.pool.query('SELECT id FROM sessions WHERE user_id = $1', [first.id])
  await perform(work, recordConsent, id, { consented: { sessionId: rows[0].id, ids: [] } })
  const next = await browser.submit(page, { identifier: second.username, password: PASSWORD })
  expect(next.text).toContain('id="allow"')
  // one request, one interaction
  for (const { url } of [consent, next]) expect(url.pathname).toBe(`/consent/${id}`)
})

test('the consent of one user does not count for another whose session began in the meantime', async () => {
  const { configuration } = await createApp(server, 'SPA', { isThirdParty: true })
  const own = await createApp(server)
  const [first, second] = [await createUser(server), await createUser(server)]
  const browser = newBrowser()
  const page = await signIn(browser, await begin(configuration), first.username)
  const elsewhere = await begin(own.configuration, { prompt: 'login' })
  await signIn(browser, elsewhere, second.username)
  const shown = await browser.submit(page, { answer: 'allow' })
  expect(shown.status).toBe(400)
  expect(shown.text).toContain(`You are signed in as ${second.username}`)
  const tenant = await getTenant(server.store, 'default')
  const id = page.url.pathname.split('/').at(-1) ?? ''
  const work = { store: server.store, tenant, caller: systemCaller('test') }
  await perform(work, recordConsent, id, { consented: { sessionId: 'a'.repeat(21), ids: [] } })
  expect((await browser.open(new URL(`${server.issuer}/auth/${id}`))).text).toContain('id="allow"')
})

test('of concurrent answers in two windows one gives a code, and the other window says so', async () => {
  const { configuration } = await createApp(server, 'SPA', { isThirdParty: true })
  const { username } = await createUser(server)
  const browser = newBrowser()
  const page = await signIn(browser, await begin(configuration), username)
  const { pool } = server.store.database
  const waiting = async () => {
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length
  }
  const gate = await pool.connect()
  await gate.query('BEGIN')
  try {
    // no grant can be written for the moment
    await gate.query('LOCK TABLE grants IN SHARE MODE')
    const first = browser.submit(page, { answer: 'allow' })
    await expect.poll(waiting).toBe(1)
    const second = browser.open(page.url.href.replace(`${server.baseUrl}/consent/`, `${server.issuer}/auth/`))
    await expect.poll(waiting).toBe(2)
    await gate.query('COMMIT')
    expect((await first).url.searchParams.has('code')).toBe(true)
    const late = await second
    expect(late.status).toBe(400)
    expect(late.text).toContain('This sign-in was finished in another window.')
  } finally {
    gate.release(true)
  }
})
