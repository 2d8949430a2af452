/** Breached passwords: the range API, a local file, and that a failure of either refuses no password. */
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startProvider, type TestProvider } from '../events/provider-server.ts'
import { openPage } from '../experience/arrange.ts'
import { begin, createApp, newBrowser } from '../sign-in/arrange.ts'

const PWNED = 'correct horse battery staple'
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const [PREFIX, SUFFIX] = [sha1(PWNED).slice(0, 5), sha1(PWNED).slice(5)]
const POLICY = { passwordPolicy: { rejects: { pwned: true } } }

let provider: TestProvider
let server: TestServer
let directory: string
beforeAll(async () => {
  provider = await startProvider()
  directory = await mkdtemp(join(tmpdir(), 'pwned-passwords-'))
  server = await startTestServer(inject('cluster'), { PWNED_PASSWORDS_URL: `${provider.endpoint}/range` })
})
afterAll(async () => {
  await server.close()
  await provider.close()
  await rm(directory, { recursive: true })
})

const issuesOf = async (password: string, api = server.api) =>
  (await api('POST', '/sign-in-exp/default/check-password', { password })).body.issues
const failures = async () => {
  const text = await server.store.metrics.registry.metrics()
  return Number(/^countersign_pwned_password_checks_total\{result="failed"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}
const FOUND = [{ code: 'password_rejected.pwned' }]

describe('the range API', () => {
  test('is not queried unless the policy says so', async () => {
    expect((await server.api('GET', '/sign-in-exp')).body.passwordPolicy.rejects.pwned).toBe(false)
    expect(await issuesOf(PWNED)).toBeUndefined()
    expect(provider.requests).toEqual([])
    expect((await server.api('PATCH', '/sign-in-exp', POLICY)).body.passwordPolicy.rejects.pwned).toBe(true)
  })

  test('receives five characters of the hash, and other hashes with that prefix have no effect', async () => {
    provider.answers({ status: 200, body: `${'0'.repeat(35)}:7\r\n${SUFFIX}:42\r\n${'F'.repeat(35)}:0\r\n` })
    expect(await issuesOf(PWNED)).toEqual(FOUND)
    expect(provider.requests).toHaveLength(1)
    expect(provider.requests[0]).toMatchObject({ method: 'GET', path: `/range/${PREFIX}`, text: '' })
    expect(provider.requests[0]?.headers).toMatchObject({ 'add-padding': 'true' })
    expect(JSON.stringify(provider.requests)).not.toContain(SUFFIX)
    expect(await issuesOf('another phrase that is fine')).toBeUndefined()
    provider.answers({ status: 200, body: `${SUFFIX}:0\r\n` })
    expect(await issuesOf(PWNED)).toBeUndefined()
  })

  test('is not queried for a password that is refused anyway', async () => {
    const before = provider.requests.length
    expect((await issuesOf('short'))[0].code).toBe('password_rejected.too_short')
    expect(provider.requests).toHaveLength(before)
  })

  test('leads to a refusal on the page and in the Experience API; a failure refuses nothing', async () => {
    const { configuration } = await createApp(server)
    provider.answers({ status: 200, body: `${SUFFIX}:42\r\n` })
    const own = await openPage(server, configuration)
    await own.start('Register')
    const identity = { identifier: { type: 'username', value: 'ada' }, password: PWNED }
    const refused = await own.call('POST', '/verification/new-password-identity', identity)
    expect([refused.status, refused.body.code, refused.body.data]).toEqual([422, 'password.rejected', FOUND])
    const browser = newBrowser()
    const { url } = await browser.open((await begin(configuration)).url)
    const form = await browser.open(url.href.replace('/sign-in/', '/register/'))
    const page = await browser.submit(form, { identifier: 'ada', password: PWNED })
    expect([page.status, /id="problem">([^<]*)</.exec(page.text)?.[1]]).toEqual([
      422,
      'That password is known from a data breach. Choose another one.',
    ])
    for (const reply of [
      { status: 503 },
      { status: 302, headers: { location: '/' } },
      { status: 200, body: 'x'.repeat(2 ** 20 + 1) },
    ]) {
      const before = await failures()
      provider.answers(reply)
      expect(await issuesOf(PWNED)).toBeUndefined()
      expect(await failures()).toBe(before + 1)
    }
    const done = await browser.submit(page, { identifier: 'ada', password: PWNED })
    expect(done.url.searchParams.has('code')).toBe(true)
  })
})

describe('a local file', () => {
  test('is searched instead, including its first and last line', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => `phrase number ${index} of many`)
    const lines = words.map((word, index) => `${sha1(word)}:${10 ** (index % 8)}`).sort()
    const path = join(directory, 'sha1-ordered-by-hash.txt')
    await writeFile(path, lines.map((line) => `${line}\r\n`).join(''))
    const node = await server.startNode({ PWNED_PASSWORDS_FILE: path })
    const before = provider.requests.length
    const isKnown = (word: string) => node.store.pwnedPasswords.includes(word)
    const ordered = words.toSorted((a, b) => (sha1(a) < sha1(b) ? -1 : 1))
    const asked = [0, 1, 2, 777, 1000, 1500, 1998, 1999].map((index) => ordered[index] ?? '')
    expect(await Promise.all(asked.map(isKnown))).toEqual(asked.map(() => true))
    const others = Array.from({ length: 50 }, (_, index) => `another phrase ${index}`)
    expect(await Promise.all(others.map(isKnown))).toEqual(others.map(() => false))
    await rm(path)
    expect(await isKnown(asked[0] ?? '')).toBe(false)
    expect(await node.store.metrics.registry.metrics()).toContain(
      'countersign_pwned_password_checks_total{result="failed"} 1',
    )
    expect(provider.requests).toHaveLength(before)
    await node.close()
  })

  test('that cannot be read prevents the start', async () => {
    await expect(server.startNode({ PWNED_PASSWORDS_FILE: join(directory, 'none') })).rejects.toThrow(
      /^PWNED_PASSWORDS_FILE must be a file that the server can read/,
    )
  })
})
