/** The commands and the receiver of the guide, run as they are printed. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort, startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let directory: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  directory = await mkdtemp(join(tmpdir(), 'countersign-guide-'))
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

test('receive webhooks, step by step', async () => {
  const guide = await readFile(new URL('../../../../docs/guides/webhooks.md', import.meta.url), 'utf8')
  const port = String(await freePort())
  const asPrinted = (text: string) => text.replaceAll('http://localhost:3001', server.baseUrl).replaceAll('3300', port)
  const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const [, receiver = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? []
  // the receiver listens before the hook is tried: a person takes longer to type
  const listening = `until curl -s -o /dev/null localhost:${port}; do sleep 0.1; done\n`
  const script = ['set -e', ...blocks.flatMap((block) => ['echo; echo "== next"', block])]
    .join('\n')
    .replace('> received.log &\n', `> received.log &\n${listening}`)
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  await writeFile(join(directory, 'receiver.mjs'), asPrinted(receiver))
  const { stdout } = await promisify(execFile)('bash', ['-c', asPrinted(script)], {
    cwd: directory,
    // the Node that runs the tests
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    timeout: 60_000,
  })
  const printed = stdout.split(/^== next$/m).slice(1)
  expect(printed).toHaveLength(4)
  const received = (printed[2] ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(received.map(({ event }) => event)).toEqual(['User.Created', 'Role.Created'])
  expect(received[1]).toMatchObject({ data: { name: 'Heard of' }, sequence: expect.any(Number) })
  const [deliveries = '', logs = ''] = (printed[3] ?? '').trim().split(/(?<=\])\s*(?=\[)/)
  expect(JSON.parse(deliveries)).toEqual([expect.objectContaining({ id: received[1].id, attempts: 1 })])
  expect(JSON.parse(logs).map(({ key }: { key: string }) => key)).toEqual(['TriggerHook.Role.Created'])
}, 90_000)
