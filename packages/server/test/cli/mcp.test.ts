/** `countersign mcp` with the client of the official SDK, over standard input and output, against the real server. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { Client as McpClient } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

const program = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url))

const runProgram = promisify(execFile)

const started = async (options: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<McpClient> => {
  const client = new McpClient({ name: 'assistant', version: '1' })
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...more }
  await client.connect(new StdioClientTransport({ command: program, args: ['mcp', ...options], env }))
  return client
}
const connected = (file: string): Promise<McpClient> => started(['--credentials', file])

let server: TestServer
let folder: string
let mcp: McpClient
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  folder = await mkdtemp(join(tmpdir(), 'countersign-mcp-'))
  const file = join(folder, 'credentials.json')
  await writeFile(file, JSON.stringify({ baseUrl: server.baseUrl, ...server.credentials }))
  mcp = await connected(file)
})
afterAll(async () => {
  await mcp.close()
  await rm(folder, { recursive: true })
  await server.close()
})

const call = async (name: string, args = {}, client = mcp) => {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first] = content
  return { text: first?.type === 'text' ? first.text : '', isError }
}

test('has a tool for each route that reads, and for no other', async () => {
  const { tools } = await mcp.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toContain('listUsers')
  const writes = API_ROUTES.filter(({ method, permission }) => method !== 'GET' || permission?.startsWith('write:'))
  for (const { id } of writes) expect(names).not.toContain(id)
})

test('answers pages with their total, and refusals of the API as they are', async () => {
  for (const username of ['anna', 'bert', 'cora']) await server.client.createUser({ body: { username } })
  const page = await call('listUsers', { query: { page_size: 2 } })
  expect(JSON.parse(page.text)).toMatchObject({ rows: [{}, {}], total: 3 })
  expect(await call('getRole', { params: { id: 'nosuchrole' } })).toMatchObject({
    isError: true,
    text: expect.stringContaining('entity.not_exists_with_id'),
  })
  const { id } = await server.client.createRole({ body: { name: 'Kept' } })
  expect(await call('deleteRole', { params: { id } })).toMatchObject({ isError: true })
  expect(await server.client.getRole({ params: { id } })).toMatchObject({ name: 'Kept' })
})

test('refuses faulty calls with what is wrong', async () => {
  expect(await call('noSuchTool')).toEqual({ isError: true, text: 'There is no tool noSuchTool.' })
  expect(await call('constructor')).toMatchObject({ isError: true })
  for (const args of [{}, { params: 'x' }, { params: { id: '' } }, { params: { id: '../users' } }])
    expect(await call('getRole', args)).toMatchObject({ isError: true, text: expect.stringMatching(/./) })
  for (const query of [{ page: 0 }, { page_size: 101 }, { page_size: 'many' }, { page: null }])
    expect(await call('listUsers', { query })).toMatchObject({ isError: true, text: expect.stringContaining('guard.') })
})

test('names what is wrong with its file, and never the secret', async () => {
  const file = join(folder, 'faulty.json')
  const startedWith = async (text: string) => {
    await writeFile(file, text)
    return runProgram(process.execPath, [program, 'mcp', '--credentials', file]).catch((error: unknown) => error)
  }
  expect(await startedWith('{"clientSecret":"s3cret"')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not JSON'),
  })
  expect(await startedWith('{"clientSecret":"s3cret"')).not.toMatchObject({ stderr: expect.stringContaining('s3cret') })
  expect(await startedWith('null')).toMatchObject({ code: 1, stderr: expect.stringContaining('has no baseUrl') })
})

test('says that the server refused its application', async () => {
  const file = join(folder, 'refused.json')
  await writeFile(file, JSON.stringify({ baseUrl: server.baseUrl, ...server.credentials, clientSecret: 'wrong' }))
  const refused = await connected(file)
  const answer = await refused.callTool({ name: 'listUsers', arguments: {} })
  await refused.close()
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('invalid_client') }] })
})

const tokenWith = async (scope: string): Promise<string> => {
  const { clientId, clientSecret, resource } = server.credentials
  const response = await fetch(`${server.baseUrl}/oidc/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
  })
  const { access_token } = (await response.json()) as { access_token: string }
  return access_token
}

test('changes what the operator listed and the token permits, and the log names the assistant', async () => {
  const options = ['--base-url', server.baseUrl, '--allow-writes', 'write:roles write:hooks write:subject-tokens']
  const writing = await started(options, { COUNTERSIGN_TOKEN: await tokenWith('all') })
  const { tools } = await writing.listTools()
  const named = (name: string) => tools.find((tool) => tool.name === name)
  expect(named('createRole')).toMatchObject({
    inputSchema: { required: ['body'] },
    annotations: { readOnlyHint: false },
  })
  expect(named('listRoles')).toMatchObject({ annotations: { readOnlyHint: true } })
  // what was not listed, and what answers a secret
  for (const name of ['createUser', 'createHook', 'createSubjectToken']) expect(named(name)).toBeUndefined()
  server.clock.advance(1)
  const created = JSON.parse((await call('createRole', { body: { name: 'Reader' } }, writing)).text)
  expect(await server.client.getRole({ params: { id: created.id } })).toMatchObject({ name: 'Reader' })
  const [entry] = await server.client.listLogs({ query: { page_size: 1 } })
  expect(entry?.payload.userAgent).toMatch(/^countersign-mcp\/\S+ \(assistant\)$/)
  expect(await call('createUser', { body: { username: 'dora' } }, writing)).toMatchObject({ isError: true })
  expect(await call('createRole', {}, writing)).toMatchObject({
    isError: true,
    text: expect.stringContaining('guard.invalid_input'),
  })
  expect(await call('deleteRole', { params: { id: created.id } }, writing)).toEqual({ isError: false, text: 'Done.' })
  await writing.close()
  // its role has all alone, so that this token has nothing
  const powerless = await started(options, { COUNTERSIGN_TOKEN: await tokenWith('write:roles') })
  expect(await call('createRole', { body: { name: 'Writer' } }, powerless)).toMatchObject({
    isError: true,
    text: expect.stringContaining('403'),
  })
  await powerless.close()
})

test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
  ['no access', [], {}, 'Either --credentials'],
  ['two kinds of access', ['--credentials', 'x', '--base-url', 'https://id.example'], {}, 'cannot be used with'],
  ['no token', ['--base-url', 'https://id.example'], {}, 'COUNTERSIGN_TOKEN'],
  [
    'a token that is none',
    ['--base-url', 'https://id.example'],
    { COUNTERSIGN_TOKEN: 'two words' },
    'COUNTERSIGN_TOKEN',
  ],
  ['an address without TLS', ['--base-url', 'http://id.example'], { COUNTERSIGN_TOKEN: 't' }, 'https address'],
  ['an address with a path', ['--base-url', 'https://id.example/api'], { COUNTERSIGN_TOKEN: 't' }, 'https address'],
  ['all writes', ['--credentials', 'x', '--allow-writes', 'all'], {}, 'names all'],
  ['a permission to read', ['--credentials', 'x', '--allow-writes', 'write:roles read:users'], {}, 'names read:users'],
  ['an empty list', ['--credentials', 'x', '--allow-writes', ' '], {}, 'names nothing'],
])('is not started with %s, and says so', async (_, options, env, said) => {
  const ended = await runProgram(process.execPath, [program, 'mcp', ...options], { env }).catch(
    (error: unknown) => error,
  )
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
})
