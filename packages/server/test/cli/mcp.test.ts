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

const connected = async (file: string): Promise<McpClient> => {
  const client = new McpClient({ name: 'assistant', version: '1' })
  const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
  await client.connect(new StdioClientTransport({ command: program, args: ['mcp', '--credentials', file], env }))
  return client
}

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

const call = async (name: string, args = {}) => {
  const { content, isError } = await mcp.callTool({ name, arguments: args })
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
  const started = async (text: string) => {
    await writeFile(file, text)
    return runProgram(process.execPath, [program, 'mcp', '--credentials', file]).catch((error: unknown) => error)
  }
  expect(await started('{"clientSecret":"s3cret"')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not JSON'),
  })
  expect(await started('{"clientSecret":"s3cret"')).not.toMatchObject({ stderr: expect.stringContaining('s3cret') })
  expect(await started('null')).toMatchObject({ code: 1, stderr: expect.stringContaining('has no baseUrl') })
})

test('says that the server refused its application', async () => {
  const file = join(folder, 'refused.json')
  await writeFile(file, JSON.stringify({ baseUrl: server.baseUrl, ...server.credentials, clientSecret: 'wrong' }))
  const refused = await connected(file)
  const answer = await refused.callTool({ name: 'listUsers', arguments: {} })
  await refused.close()
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('invalid_client') }] })
})
