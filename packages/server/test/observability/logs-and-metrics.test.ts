/** What an operator sees: logs with request ids and without secrets, metrics on the second port, readiness. */
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { requestToken } from '@countersign/harness/management-client.ts'
import { type Program, runProgram, runToEnd } from '@countersign/harness/program.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const SECRET_KEY = Buffer.alloc(32, 1).toString('base64')
let directory: string
let program: Program
let ports: { main: number; admin: number }
let credentials: { clientId: string; clientSecret: string; resource: string }
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'countersign-observed-'))
  const database = await createDatabase(inject('cluster'))
  ports = { main: await freePort(), admin: await freePort() }
  const env = {
    DATA_DIR: directory,
    DATABASE_URL: database.url,
    SECRET_KEY,
    PORT: String(ports.main),
    ADMIN_PORT: String(ports.admin),
    LOG_LEVEL: 'trace',
  }
  credentials = JSON.parse((await runToEnd(['init'], env)).output)
  program = runProgram(['start'], env)
  await program.printed('is ready at')
})
afterAll(async () => {
  program.process.kill('SIGTERM')
  await program.ended
  await rm(directory, { recursive: true, force: true })
})

test('a request is one line with the id of its response, and no line contains a secret', async () => {
  const base = `http://localhost:${ports.main}`
  const granted = await requestToken(base, credentials, { resource: credentials.resource, scope: 'all' })
  const { access_token } = (await granted.json()) as { access_token: string }
  const refused = await requestToken(
    base,
    { ...credentials, clientSecret: 'a-wrong-secret' },
    { resource: credentials.resource },
  )
  const failed = await fetch(`${base}/api/roles?password=in-the-query`, {
    headers: { authorization: 'Bearer a-bad-token' },
  })
  expect([refused.status, failed.status]).toEqual([401, 401])
  const ids = [granted, refused, failed].map(({ headers }) => headers.get('x-request-id') ?? '')
  for (const id of ids) await program.printed(id)
  const lines = program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  const line = JSON.parse(lines.find((each) => each.includes(ids[1] ?? '')) ?? '{}')
  expect(line).toMatchObject({ method: 'POST', route: '/oidc/token', status: 401, requestId: ids[1] })
  for (const secret of [
    access_token,
    credentials.clientSecret,
    'a-wrong-secret',
    'a-bad-token',
    'in-the-query',
    SECRET_KEY,
  ]) {
    expect(program.output()).not.toContain(secret)
  }
})

test('an aborted upload is not an error in the log', async () => {
  const socket = connect(ports.main, '127.0.0.1')
  const head = 'POST /oidc/token/revocation HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n'
  socket.write(`${head}token=`, () => socket.destroy())
  await program.printed('"route":"/oidc/token/revocation"')
  const lines = program
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(lines.find((line) => line.includes('/oidc/token/revocation'))).toContain('"status":400')
  expect(lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).toEqual([])
})

test('a refused authorization request is a line with the reason and the number that its page shows', async () => {
  const query = new URLSearchParams({ client_id: credentials.clientId, redirect_uri: 'http://localhost:4000/typo' })
  const page = await fetch(`http://localhost:${ports.main}/oidc/auth?${query}`)
  const number = /id="request-id">([^<]+)</.exec(await page.text())?.[1] ?? 'none'
  const isRefusal = (line: string) => line.startsWith('{') && line.includes(number) && line.includes('"warn"')
  await program.printed(`${number}","action"`)
  expect(JSON.parse(program.output().split('\n').find(isRefusal) ?? '{}')).toMatchObject({
    msg: 'a request was refused',
    reason: 'unregisteredRedirectUri',
    applicationId: credentials.clientId,
    redirectUri: 'http://localhost:4000/typo',
  })
})

test.runIf(existsSync('/dev/full'))(
  'a log that cannot be written ends nothing, and is not waited for at the end',
  async () => {
    const full = openSync('/dev/full', 'w')
    const database = await createDatabase(inject('cluster'))
    const PORT = String(await freePort())
    const env = { DATA_DIR: directory, DATABASE_URL: database.url, SECRET_KEY, PORT, LOG_LEVEL: 'trace' }
    const mute = runProgram(['start'], env, { errors: full })
    try {
      await mute.printed('is ready at')
      // more than is buffered before it is written
      for (let count = 0; count < 200; count += 1)
        expect((await fetch(`http://localhost:${PORT}/api/status`)).status).toBe(204)
      mute.process.kill('SIGTERM')
      expect(await mute.ended).toBe(0)
    } finally {
      mute.process.kill('SIGKILL')
      closeSync(full)
    }
  },
)

test('metrics and readiness are on the second port, and on that one only', async () => {
  const metrics = await (await fetch(`http://127.0.0.1:${ports.admin}/metrics`)).text()
  expect(metrics).toMatch(/countersign_token_requests_total\{grant="client_credentials",result="success"\} [1-9]/)
  expect(metrics).toMatch(/countersign_http_request_duration_seconds_count\{.*route="\/oidc\/token"/)
  expect(metrics).toContain('countersign_change_notices_heard 1')
  expect(metrics).toContain('process_resident_memory_bytes')
  expect((await fetch(`http://127.0.0.1:${ports.admin}/status`)).status).toBe(204)
  expect((await fetch(`http://localhost:${ports.main}/metrics`)).status).toBe(404)
  expect((await fetch(`http://localhost:${ports.main}/api/status`)).status).toBe(204)
})
