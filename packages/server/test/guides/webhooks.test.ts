/** The commands and the receiver of the guide, run as they are printed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { type Guide, openGuide } from '@countersign/harness/guide.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

let server: TestServer
let guide: Guide
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const port = String(await freePort())
  // the receiver listens before the hook is tried: a person takes longer to type
  const listening = `until curl -s -o /dev/null localhost:${port}; do sleep 0.1; done\n`
  const stored = 'until api GET /hooks/$ID/recent-logs | grep -q TriggerHook; do sleep 0.1; done\n'
  guide = await openGuide('webhooks', server, [
    ['3300', port],
    ['> received.log &\n', `> received.log &\n${listening}`],
    // what came of an attempt is stored when it was answered: a person takes longer to type
    ['api GET /hooks/$ID/deliveries\n', `${stored}api GET /hooks/$ID/deliveries\n`],
  ])
})
afterAll(async () => {
  await guide.close()
  await server.close()
})

test('receive webhooks, step by step', async () => {
  const [, receiver = ''] = /```js\n([\s\S]*?)```/.exec(guide.text) ?? []
  await writeFile(join(guide.directory, 'receiver.mjs'), receiver)
  const printed = await guide.all()
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
})
