/** The commands of the two guides about token exchange, run as they are printed. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let directory: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await mkdtemp(join(tmpdir(), 'countersign-guide-'))
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

/** What each block printed. */
const run = async (name: string): Promise<string[]> => {
  const guide = await readFile(new URL(`../../../../docs/guides/${name}.md`, import.meta.url), 'utf8')
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const script = ['set -e', ...blocks.flatMap((block) => ['echo; echo "== next"', block])].join('\n')
  // the only thing that differs from the page: where the server is
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', script.replaceAll('http://localhost:3001', server.baseUrl)],
    {
      cwd: directory,
    },
  )
  return stdout.split(/^== next$/m).slice(1)
}

test('an API calls another on behalf of a user, step by step', async () => {
  const printed = await run('service-to-service')
  expect(printed).toHaveLength(5)
  const answer = JSON.parse(printed[3] ?? '')
  expect(answer).toMatchObject({ scope: 'read:bills', token_type: 'Bearer' })
  expect(decodeJwt(answer.access_token)).toMatchObject({ aud: 'https://billing.example/shop' })
  expect(JSON.parse(printed[4] ?? '')[0].payload).toMatchObject({
    result: 'Success',
    resource: 'https://billing.example/shop',
  })
})

test('a support desk acts as a user, step by step', async () => {
  const printed = await run('impersonation')
  expect(printed).toHaveLength(4)
  const [first = '', second = ''] = (printed[2] ?? '').trim().split(/(?<=\})\s*(?=\{)/)
  expect(JSON.parse(first)).toMatchObject({ scope: 'read:orders' })
  expect(JSON.parse(second)).toMatchObject({ error: 'invalid_grant' })
  const entries = JSON.parse(printed[3] ?? '') as { payload: Record<string, unknown> }[]
  expect(entries.find(({ payload }) => payload.result === 'Success')?.payload).toMatchObject({
    subjectTokenContext: { ticket: 'T-1', reason: 'an order is missing' },
  })
})
