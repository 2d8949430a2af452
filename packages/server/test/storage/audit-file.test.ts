/**
 * AUDIT_LOG_FILE: every entry of a running server is also in the file, including those that could not be written at
 * first.
 */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { runProgram } from '@countersign/harness/program.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { arrange, authorization, post } from '../protocol/arrange.ts'

// the program is started, on a shared machine
vi.setConfig({ testTimeout: 300_000 })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-audit-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const parsed = (text: string): { id: string }[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const logged = async (server: TestServer): Promise<{ id: string }[]> =>
  (await server.api('GET', '/logs?page_size=100')).body

/** Changes, refusals and tokens: entries of transactions, and batched entries. Returns their entries. */
const cause = async (server: TestServer): Promise<{ id: string }[]> => {
  const before = new Set((await logged(server)).map(({ id }) => id))
  const { client, resource } = await arrange(server)
  const asked = { grant_type: 'client_credentials', resource: resource.indicator }
  for (let count = 0; count < 3; count += 1)
    expect((await post(server, '/token', asked, authorization(client))).status).toBe(200)
  expect((await post(server, '/token', asked, authorization({ ...client, clientSecret: 'wrong' }))).status).toBe(401)
  expect((await server.api('POST', '/roles', { name: 'Management API access' })).status).toBe(422)
  const entries = (await logged(server)).filter(({ id }) => !before.has(id))
  expect(entries.length).toBeGreaterThan(8)
  return entries
}
const byId = (entries: readonly { id: string }[]) => entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))

test('the file has every entry of the server, from its start to its end, as GET /api/logs shows them', async () => {
  const file = join(folder, 'audit.jsonl')
  const server = await startTestServer(inject('cluster'), { AUDIT_LOG_FILE: file })
  const entries = await cause(server)
  await server.close()
  const written = parsed(await readFile(file, 'utf8'))
  expect(byId(written.filter(({ id }) => entries.some((entry) => entry.id === id)))).toEqual(byId(entries))
})

test('entries wait while the file is not writable, and none is lost', async () => {
  const gone = join(folder, 'gone')
  await mkdir(gone)
  const file = join(gone, 'audit.jsonl')
  const server = await startTestServer(inject('cluster'), { AUDIT_LOG_FILE: file })
  await rm(gone, { recursive: true })
  const entries = await cause(server)
  await mkdir(gone)
  await server.close()
  const ids = parsed(await readFile(file, 'utf8')).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining(entries.map(({ id }) => id)))
})

describe('the program', () => {
  const start = async (env: NodeJS.ProcessEnv) => {
    const { url } = await createDatabase(inject('cluster'))
    const PORT = String(await freePort())
    const SECRET_KEY = Buffer.alloc(32, 4).toString('base64')
    return runProgram(['start'], { DATABASE_URL: url, SECRET_KEY, DATA_DIR: folder, PORT, LOG_LEVEL: 'silent', ...env })
  }

  test('writes only entries to standard output, and its start message to standard error', async () => {
    const program = await start({ AUDIT_LOG_FILE: '-' })
    let output = ''
    program.process.stdout?.on('data', (text: string) => {
      output += text
    })
    await program.printed('Countersign is ready')
    program.process.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect(parsed(output)).toContainEqual(expect.objectContaining({ key: 'System.setUpTenant' }))
  })

  test('refuses an unwritable file, in one sentence', async () => {
    const program = await start({ AUDIT_LOG_FILE: join(folder, 'none', 'audit.jsonl') })
    expect(await program.ended).toBe(1)
    expect(program.output()).toMatch(/^AUDIT_LOG_FILE names a file that cannot be written: .* \(ENOENT\)\.\n$/)
  })
})
